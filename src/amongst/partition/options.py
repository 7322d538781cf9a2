"""Options that several methods have: what they are called for people, and their choices."""

from __future__ import annotations

from amongst.measure.at_levels import MEASURES
from amongst.partition.method import Option

STEPS = Option(words="most steps of the search")
WINDOW = Option(words="neighbours looked at")
OF_LEVELS = {"choose": Option(words="choose by", choices=tuple(MEASURES))}
"""Of methods that give every column one level."""
