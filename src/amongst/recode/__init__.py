"""What is published for a group: ranges, ancestors, sets, statistics; suppressed rows are gone."""

from amongst.recode.plan import RecodingPlan, plan_recoding
from amongst.recode.recode import recode

__all__ = ["RecodingPlan", "plan_recoding", "recode"]
