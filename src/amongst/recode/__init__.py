"""What is published for a group: ranges, ancestors, sets, statistics; suppressed rows are gone."""

from amongst.recode.recode import Published, recode, refuse_unknown_form

__all__ = ["Published", "recode", "refuse_unknown_form"]
