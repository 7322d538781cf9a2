"""What a model learns from a release."""

from amongst.learn.classification import Classification, classification

__all__ = ["Classification", "classification"]
