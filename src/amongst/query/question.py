"""A question to a release, as plain data: which rows, which figures of them, by which groups.

What is printed of one names its columns alone: questions that are drawn from an original ask for values of it.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from amongst.brief import Brief

Literal = int | float | str | bool | datetime.date
"""A constant in a question. Text may be a value, or the name of a node of the column's hierarchy."""


@dataclass(frozen=True)
class Condition(Brief):
    """A condition on one column.

    Attributes
    ----------
    column : str
    kind : {"in", "range", "null"}
        One of ``values``; between two ends; missing.
    values : tuple
        Of a range the lower and the upper end, None where there is none.
    lo_closed, hi_closed : bool
        Whether the ends of a range belong to it.
    negated : bool
        The opposite. A missing value fulfils neither a condition nor its opposite, but for ``kind="null"``.
    """

    column: str
    kind: str
    values: tuple[Literal | None, ...] = ()
    lo_closed: bool = True
    hi_closed: bool = True
    negated: bool = False

    def brief(self) -> str:
        return f"{self.kind}, {self.column!r}"

    def opposite(self) -> Condition:
        return replace(self, negated=not self.negated)


@dataclass(frozen=True)
class All(Brief):
    """All parts hold; without parts everything."""

    parts: tuple[Formula, ...] = ()

    def brief(self) -> str:
        return f"{len(self.parts)} parts"

    def opposite(self) -> Formula:
        return Any(tuple(part.opposite() for part in self.parts))


@dataclass(frozen=True)
class Any(Brief):
    """Some part holds; without parts nothing."""

    parts: tuple[Formula, ...] = ()

    def brief(self) -> str:
        return f"{len(self.parts)} parts"

    def opposite(self) -> Formula:
        return All(tuple(part.opposite() for part in self.parts))


Formula = Condition | All | Any

EVERYTHING = All()
NOTHING = Any()


def conditions_of(formula: Formula) -> Iterator[Condition]:
    """All conditions in a formula."""
    if isinstance(formula, Condition):
        yield formula
    else:
        for part in formula.parts:
            yield from conditions_of(part)


def columns_of(formula: Formula) -> frozenset[str]:
    """The columns that a formula speaks of."""
    return frozenset(condition.column for condition in conditions_of(formula))


def decided(formula: Formula, column: str, truth: Callable[[Condition], bool]) -> Formula:
    """The formula once it is known which conditions on a column hold."""
    if isinstance(formula, Condition):
        if formula.column != column:
            return formula
        return EVERYTHING if truth(formula) else NOTHING
    return simplified(type(formula)(tuple(decided(part, column, truth) for part in formula.parts)))


def simplified(formula: Formula) -> Formula:
    """The formula without parts that decide nothing, and without layers of one kind."""
    if isinstance(formula, Condition):
        return formula
    stops, idle = (NOTHING, EVERYTHING) if isinstance(formula, All) else (EVERYTHING, NOTHING)
    parts: list[Formula] = []
    for part in map(simplified, formula.parts):
        if part == stops:
            return stops
        if part != idle:
            parts.extend(part.parts if type(part) is type(formula) and not isinstance(part, Condition) else [part])
    parts = list(dict.fromkeys(parts))
    return parts[0] if len(parts) == 1 else type(formula)(tuple(parts))


FUNCTIONS = ("COUNT", "SUM", "AVG", "MIN", "MAX")


@dataclass(frozen=True)
class Figure:
    """One figure that is asked for: ``COUNT(*)``, ``AVG(age)``."""

    function: str
    column: str | None = None
    name: str = ""

    @property
    def words(self) -> str:
        return self.name or f"{self.function}({self.column or '*'})"


@dataclass(frozen=True)
class Question(Brief):
    """Figures of the rows that a formula selects, for each combination of some columns."""

    figures: tuple[Figure, ...]
    where: Formula = EVERYTHING
    group_by: tuple[str, ...] = ()

    def brief(self) -> str:
        return ", ".join(map(repr, self.columns)) or "all rows"

    @property
    def columns(self) -> list[str]:
        """All columns that it speaks of, each once."""
        figures = [figure.column for figure in self.figures if figure.column is not None]
        return list(dict.fromkeys([*sorted(columns_of(self.where)), *self.group_by, *figures]))
