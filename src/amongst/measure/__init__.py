"""Utility: one metric, one file."""

from amongst.measure.utility import Utility, measure, measure_groups

__all__ = ["Utility", "measure", "measure_groups"]
