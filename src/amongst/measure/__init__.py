"""Utility: one metric, one file."""

from amongst.measure.utility import Utility, measure

__all__ = ["Utility", "measure"]
