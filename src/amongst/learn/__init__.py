"""What a model learns from a release."""
