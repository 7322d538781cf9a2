"""Parts of the calendar: day, week, month, quarter, year, decade."""

from __future__ import annotations

import datetime as dt
from calendar import isleap, monthrange
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from amongst.errors import BadHierarchy
from amongst.schema.assemble import MORE_THAN_CAN_BE_COUNTED, Level, assemble
from amongst.schema.problem import Problem, listed, raise_all, values_are
from amongst.schema.tree import Tree


@dataclass(frozen=True)
class Part:
    """A part of the calendar: a number that tells it from others of its kind, its label, its first day, its days."""

    number: Callable[[dt.date], int]
    label: Callable[[dt.date], str]
    first: Callable[[dt.date], dt.date]
    days: Callable[[dt.date], int]


def _week_label(day: dt.date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


PARTS: dict[str, Part] = {
    "day": Part(
        lambda day: day.toordinal(),
        lambda day: f"{day.year:04d}-{day.month:02d}-{day.day:02d}",
        lambda day: day,
        lambda day: 1,
    ),
    "week": Part(
        lambda day: (day.toordinal() - 1) // 7,
        _week_label,
        lambda day: dt.date.fromordinal((day.toordinal() - 1) // 7 * 7 + 1),
        lambda day: 7,
    ),
    "month": Part(
        lambda day: day.year * 12 + day.month,
        lambda day: f"{day.year:04d}-{day.month:02d}",
        lambda day: dt.date(day.year, day.month, 1),
        lambda day: monthrange(day.year, day.month)[1],
    ),
    "quarter": Part(
        lambda day: day.year * 4 + (day.month - 1) // 3,
        lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}",
        lambda day: dt.date(day.year, (day.month - 1) // 3 * 3 + 1, 1),
        lambda day: sum(monthrange(day.year, (day.month - 1) // 3 * 3 + i)[1] for i in (1, 2, 3)),
    ),
    "year": Part(
        lambda day: day.year,
        lambda day: f"{day.year:04d}",
        lambda day: dt.date(day.year, 1, 1),
        lambda day: 365 + isleap(day.year),
    ),
    "decade": Part(
        lambda day: day.year // 10,
        lambda day: f"{day.year // 10 * 10:04d}s",
        lambda day: dt.date(max(day.year // 10 * 10, 1), 1, 1),
        lambda day: sum(365 + isleap(year) for year in range(max(day.year // 10 * 10, 1), day.year // 10 * 10 + 10)),
    ),
}
"""From fine to coarse. Day 1 of the calendar is a Monday, so weeks are sevens of days."""


@dataclass(frozen=True)
class Dates:
    """Levels named by parts of the calendar. Weeks are ISO weeks, from Monday."""

    parts: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        raise_all(BadHierarchy, "These parts of the calendar cannot be a hierarchy.", self._problems())

    def _problems(self) -> list[Problem]:
        order = list(PARTS)
        unknown = [part for part in self.parts if part not in order]
        if unknown or not self.parts:
            text = f"no part of the calendar: {listed(unknown)}" if unknown else "no parts of the calendar"
            return [Problem(text, "use some of: " + ", ".join(order))]
        problems = []
        places = [order.index(part) for part in self.parts]
        if any(b <= a for a, b in pairwise(places)):
            problems.append(Problem("the levels do not go from fine to coarse", "order: " + ", ".join(order)))
        coarser = [part for part in self.parts if order.index(part) > order.index("week")]
        if "week" in self.parts and coarser:
            text = f"levels do not merge: one week may lie in two of {listed([part + 's' for part in coarser])}"
            problems.append(Problem(text, "leave week out, or use nothing coarser than week"))
        return problems

    def bind(self, values: list[Any], kind: str) -> Tree:
        n_wrong = sum(not isinstance(value, dt.date) for value in values)
        if n_wrong:
            text = values_are(n_wrong, "not dates", "not a date")
            problem = Problem(text, "read the column as dates, or use another hierarchy", {"count": n_wrong})
            raise_all(BadHierarchy, "The hierarchy is for dates.", [problem])
        leaves = list(values) if kind == "ordered" else sorted(values)
        # A plain date is its own day: that level would say the same twice.
        parts = [part for part in self.parts if part != "day" or any(isinstance(v, dt.datetime) for v in leaves)]
        finer = [None, *(PARTS[part] for part in parts)]
        levels = [_level(leaves, PARTS[part], below) for part, below in zip(parts, finer, strict=False)]
        top = levels[-1].node_of_leaf if levels else np.zeros(0, dtype=np.int64)
        return assemble(leaves, levels, below_root=int(top.max() - top.min()) + 1 if len(top) else 0)

    def to_dict(self) -> dict[str, Any]:
        return {"dates": list(self.parts)}

    def describe(self) -> str:
        return "dates by " + ", ".join(self.parts)

    def public_dict(self) -> dict[str, Any]:
        return self.to_dict()


def _level(leaves: list[dt.date], part: Part, finer: Part | None) -> Level:
    numbers = np.array([part.number(day) for day in leaves], dtype=np.int64)
    ordinals = [day.toordinal() for day in leaves]
    begin, end = min(ordinals, default=0), max(ordinals, default=0)
    timed = any(isinstance(day, dt.datetime) for day in leaves)

    def parts(first: int, last: int) -> int:
        """Parts between the first and the last day of the column: a calendar has no end of its own."""
        own = part.first(leaves[first]).toordinal()
        days = max(own, begin), min(own + part.days(leaves[first]) - 1, end)
        if finer is None:
            return MORE_THAN_CAN_BE_COUNTED if timed else days[1] - days[0] + 1
        ends = [finer.number(dt.date.fromordinal(day)) for day in days]
        return ends[1] - ends[0] + 1

    return Level(numbers, lambda first, last: part.label(leaves[first]), parts)
