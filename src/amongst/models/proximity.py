"""Proximity: the numbers of a group are not all close together."""

from __future__ import annotations

import math
from dataclasses import dataclass

from amongst.models.card import Card, Field
from amongst.models.model import Model
from amongst.models.numbers import column_name, of_column, real


@dataclass(frozen=True)
class Proximity(Model):
    """No range of a given width holds more than 1/l of a group's values: numbers near each other count as alike.

    Ten salaries that differ by a cent are ten distinct values, and yet tell everything. This is the remedy of Li,
    Tao, Xiao, *Preservation of Proximity Privacy in Publishing Numerical Sensitive Data*, SIGMOD 2008, asked of
    every range of the width, not only of those around a value of the group: so that it holds for a union of groups
    when it holds for each.

    Parameters
    ----------
    l : int or float
    width : float
        In the units of the column (days for dates); at least 0. With 0 it is l-diversity by frequency.
    column : str, optional
        The sensitive column, which must be numeric or a date; left out, every sensitive column of these kinds.

    Examples
    --------
    >>> import amongst as am
    >>> am.Proximity(3, width=1000, column="salary").words()
    "In every group at most 1 in 3 values of 'salary' lie within any range of width 1000 (l = 3)."
    """

    l: float  # noqa: E741
    width: float
    column: str | None = None
    name = "proximity"
    symbol = "l"
    place = 70
    letter_of_another = True
    counts = "values"
    of_kinds = ("numeric", "date")
    condition = "spread"
    caveat = (
        "Proximity keeps the numbers of a group apart by a fixed width. It does not bound what a group tells "
        "beyond the whole table."
    )
    card = Card(
        title="Proximity",
        means="For numbers: in every group at most 1 in l values lie close together.",
        leaves_open="sensitive columns that are not numbers or dates.",
        fields=(Field("l", "l", 1, None), Field("width", "close is within", 0, None, 100, whole=False)),
        first={"l": 3, "width": 1000.0},
    )

    def __post_init__(self) -> None:
        real(self.l, "l", "Proximity(3, width=1000)", least=1)
        real(self.width, "width", "Proximity(3, width=1000)", least=0)
        column_name(self.column)

    @property
    def smallest_group(self) -> int:
        return math.ceil(self.l - 1e-9)

    @property
    def asks_nothing(self) -> bool:
        return self.l <= 1

    def words(self, people: bool = False) -> str:
        return (
            f"In every group at most 1 in {self.l:g} values {of_column(self.column)} lie within any range of width "
            f"{self.width:g} (l = {self.l:g})."
        )

    def easier(self, best: float) -> str:
        return f"use l <= {best:.6g}, or a smaller width"
