"""Who shares a group: one algorithm, one file. ``METHODS`` is the register."""

from __future__ import annotations

from amongst.partition.method import Method, Option
from amongst.partition.methods import METHODS, find_method, methods
from amongst.partition.partition import Partition

__all__ = ["METHODS", "Method", "Option", "Partition", "find_method", "methods"]
