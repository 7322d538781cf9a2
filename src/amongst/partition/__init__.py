"""Who shares a group: one algorithm, one file. ``METHODS`` is the register."""

from __future__ import annotations

from amongst.partition.methods import METHODS, TWO_TABLES, Method, find_method, methods
from amongst.partition.partition import Partition

__all__ = ["METHODS", "TWO_TABLES", "Method", "Partition", "find_method", "methods"]
