"""Parts of the calendar: day, week, month, quarter, year, decade."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from amongst.errors import BadHierarchy
from amongst.schema.assemble import Level, assemble
from amongst.schema.problem import Problem, listed, raise_all, values_are
from amongst.schema.tree import Tree


@dataclass(frozen=True)
class Part:
    """A part of the calendar: a number that tells it from others of its kind, and its label."""

    number: Callable[[dt.date], int]
    label: Callable[[dt.date], str]


def _week_label(day: dt.date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year:04d}-W{week:02d}"


PARTS: dict[str, Part] = {
    "day": Part(lambda day: day.toordinal(), lambda day: f"{day.year:04d}-{day.month:02d}-{day.day:02d}"),
    "week": Part(lambda day: (day.toordinal() - 1) // 7, _week_label),
    "month": Part(lambda day: day.year * 12 + day.month, lambda day: f"{day.year:04d}-{day.month:02d}"),
    "quarter": Part(
        lambda day: day.year * 4 + (day.month - 1) // 3, lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}"
    ),
    "year": Part(lambda day: day.year, lambda day: f"{day.year:04d}"),
    "decade": Part(lambda day: day.year // 10, lambda day: f"{day.year // 10 * 10:04d}s"),
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
        return assemble(leaves, [_level(leaves, PARTS[part]) for part in parts])

    def to_dict(self) -> dict[str, Any]:
        return {"dates": list(self.parts)}

    def describe(self) -> str:
        return "dates by " + ", ".join(self.parts)

    def public_dict(self) -> dict[str, Any]:
        return self.to_dict()


def _level(leaves: list[dt.date], part: Part) -> Level:
    numbers = np.array([part.number(day) for day in leaves], dtype=np.int64)
    return Level(numbers, lambda first, last: part.label(leaves[first]))
