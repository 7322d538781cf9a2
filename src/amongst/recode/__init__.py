"""What is published for a group: ranges, ancestors, sets, statistics; suppressed rows are gone."""

from amongst.recode.recode import Published, recode

__all__ = ["Published", "recode"]
