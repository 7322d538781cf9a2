"""Closeness of sensitive values in many tables: rows that look alike tell little that the whole table does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from amongst.errors import refuse_unknown_word
from amongst.models import Model
from amongst.models.numbers import real

DISTANCES = ("equal", "ordered")


@dataclass(frozen=True)
class Closeness(Model):
    """The sensitive values of rows that cannot be told apart are distributed nearly as in all published rows.

    The distance is the earth mover's (Li, Li, Venkatasubramanian, *t-Closeness*, ICDE 2007). Values of rows that are
    too far from the rest are withheld: published as missing, for all such rows of a group. Missing values are not
    counted.

    Parameters
    ----------
    t : float
        The largest distance, from 0 to 1.
    table, column : str, optional
        Of one sensitive column; left out, of all.
    distance : {"equal", "ordered"}, optional
        How far two values are apart: 1 for any two; by their places among the values of the table in order. Left out:
        ordered for numbers and dates, else equal.

    Examples
    --------
    >>> import amongst as am
    >>> am.Closeness(0.3, table="diagnoses", column="severity").to_dict()
    {'model': 't-closeness', 't': 0.3, 'table': 'diagnoses', 'column': 'severity'}
    """

    t: float
    table: str | None = None
    column: str | None = None
    distance: str | None = None
    name = "t-closeness"
    symbol = "t"
    counts = "values"
    larger_asks_more = False
    many_tables = True

    def __post_init__(self) -> None:
        real(self.t, "t", "Closeness(0.2)", least=0, most=1)
        if self.distance is not None:
            refuse_unknown_word(
                "There is no such distance between sensitive values of many tables.",
                "distance",
                self.distance,
                DISTANCES,
            )

    def words(self, people: bool = False) -> str:
        where = "all sensitive columns"
        if self.column is not None:
            where = self.column if self.table is None else f"{self.table}.{self.column}"
        return (
            f"Rows that look alike have their values distributed as all rows of the table, up to a distance of "
            f"{self.t:g} ({self.t:g}-closeness; {where})."
        )

    def to_dict(self) -> dict[str, object]:
        fields = {"t": self.t, "table": self.table, "column": self.column, "distance": self.distance}
        return {"model": self.name, **{key: value for key, value in fields.items() if value is not None}}

    def concerns(self, table: str, column: str) -> bool:
        """Whether it is asked of this sensitive column."""
        return self.table in (None, table) and self.column in (None, column)

    def ordered(self, kind: Any) -> bool:
        """Whether values of this Arrow type are as far apart as their places in the order."""
        import pyarrow as pa

        if self.distance is not None:
            return self.distance == "ordered"
        types = pa.types
        return bool(
            types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_temporal(kind)
        )


def asked_closeness(models: Sequence[Any]) -> list[Closeness]:
    """What is asked of closeness, also by a model that was made for single tables."""
    return [one for one in map(as_closeness, models) if one is not None]


def as_closeness(model: Any) -> Closeness | None:
    if isinstance(model, Closeness):
        return model
    if getattr(model, "name", "") != Closeness.name or isinstance(model, type):
        return None
    return Closeness(model.t, column=model.column, distance=model.distance)
