"""What one column is: its role, its kind, and how it may be generalized and published."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amongst.errors import BadSchema

if TYPE_CHECKING:
    from amongst.choices import Kind, NullRule, Publish, Role
    from amongst.schema.hierarchy import Hierarchy

ROLES = ("identifier", "quasi", "sensitive", "keep", "weight", "household")
KINDS = ("numeric", "ordered", "categorical", "date")
NULL_RULES = ("own value", "match anything", "suppress")
PUBLISHED_AS_IT_IS = ("sensitive", "keep", "weight", "household")
TAKES_LIMITS = ("quasi", "sensitive", "keep")
PUBLISH = ("range", "ancestor", "set")
STATISTICS = ("mean", "median")


@dataclass(frozen=True)
class Column:
    """One column of a schema.

    Parameters
    ----------
    role : {"identifier", "quasi", "sensitive", "keep", "weight", "household"}
        Identifiers are dropped; quasi-identifiers are generalized; sensitive and kept columns are
        published as they are. A weight tells how many people of the population a row stands for: it is
        published as it is, and risks are told for the population. A household tells who lives together: it is
        published as a number of its own, and nobody is found through what is known of the other members.
    kind : {"numeric", "ordered", "categorical", "date"}, optional
        How values relate. Left out, it follows from the data's type.
    hierarchy : Hierarchy, optional
        The tree of a categorical column, or the levels of a numeric one for full-domain methods.
    weight : float
        How much loss in this column counts against the others; larger keeps more of it.
    nulls : {"own value", "match anything", "suppress"}, optional
        What a missing quasi-identifier means. There is no default: nulls without a rule are an error.
    order : sequence of str, optional
        The values of an ordered column from first to last.
    publish : {"range", "ancestor", "set"}, optional
        What stands for a group: its range, the lowest common ancestor, or the set of its values.
        Left out: range for numeric, ordered and date, ancestor with a hierarchy, set without one.
    statistic : sequence of {"mean", "median"}
        Further columns with a summary of the group's values (numeric columns).
    grid : float, optional
        Publish range bounds on multiples of this number (days for dates) instead of the data's own
        minimum and maximum.
    finest : number or str, optional
        Never published finer than this: a width of numbers (5 years), how many leading characters of a code (3), a part
        of the calendar ("month"), or a level of the column's own hierarchy. It holds for all methods.
    top, bottom : number, optional
        Numbers from here on are one value: "90 or more", "17 or less". Sensitive and kept columns take limits too:
        their values are published as labels then.

    Examples
    --------
    >>> import amongst as am
    >>> am.Column(role="quasi", kind="numeric", weight=2.0).weight
    2.0
    """

    role: Role | str | None = None
    kind: Kind | str | None = None
    hierarchy: Hierarchy | None = None
    weight: float = 1.0
    nulls: NullRule | str | None = None
    order: tuple[Any, ...] | None = None
    publish: Publish | str | None = None
    statistic: tuple[str, ...] = ()
    grid: float | None = None
    finest: float | str | None = None
    top: float | None = None
    bottom: float | None = None

    def __post_init__(self) -> None:
        if isinstance(self.statistic, str):
            object.__setattr__(self, "statistic", (self.statistic,))
        object.__setattr__(self, "statistic", tuple(self.statistic))
        if self.order is not None:
            object.__setattr__(self, "order", tuple(self.order))
        for problem in self.problems():
            raise problem

    def problems(self) -> list[BadSchema]:
        """Everything about this column that cannot be, without looking at data."""
        found = []
        choices: list[tuple[str, Any, tuple[str, ...]]] = [
            ("role", self.role, ROLES),
            ("kind", self.kind, KINDS),
            ("nulls", self.nulls, NULL_RULES),
            ("publish", self.publish, PUBLISH),
            *[("statistic", one, STATISTICS) for one in self.statistic],
        ]
        for name, value, allowed in choices:
            if value is not None and value not in allowed:
                what = f"A column cannot have {name} {value!r}."
                found.append(BadSchema(what, found=f"{name} = {value!r}", fix="use one of: " + ", ".join(allowed)))
        if not _positive(self.weight):
            what = "A column's weight must be a positive number."
            found.append(BadSchema(what, found=f"weight = {self.weight!r}", fix="use a number above 0, such as 1.0"))
        if self.grid is not None and not _positive(self.grid):
            what = "A column's grid must be a positive number."
            found.append(BadSchema(what, found=f"grid = {self.grid!r}", fix="use a number above 0, such as 5"))
        return [*found, *self._wrong_limits()]

    @property
    def has_limits(self) -> bool:
        """Whether it may not be published as finely as it is."""
        return not (self.finest is None and self.top is None and self.bottom is None)

    def _wrong_limits(self) -> list[BadSchema]:
        found: list[tuple[str, Any, str]] = []
        if self.finest is not None and not isinstance(self.finest, str) and not _positive(self.finest):
            found.append(("finest", self.finest, 'a width, a number of characters, or a word such as "month"'))
        for name, limit in (("top", self.top), ("bottom", self.bottom)):
            if limit is not None and (isinstance(limit, bool) or not isinstance(limit, (int, float))):
                found.append((name, limit, "a number"))
        if not found and self.top is not None and self.bottom is not None and self.bottom >= self.top:
            found.append(("bottom", self.bottom, "a number below the top"))
        if not found and self.has_limits and self.role not in (None, *TAKES_LIMITS):
            found.append(("role", self.role, "quasi, sensitive or keep for a column with limits"))
        return [
            BadSchema(f"A column cannot have {name} {got!r}.", found=f"{name} = {got!r}", fix=f"use {fix}")
            for name, got, fix in found
        ]


def _positive(number: Any) -> bool:
    return isinstance(number, (int, float)) and not isinstance(number, bool) and math.isfinite(number) and number > 0
