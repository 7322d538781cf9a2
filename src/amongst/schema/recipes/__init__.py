"""Recipes for hierarchies: one frozen dataclass each, bound to a column's values by ``bind``."""

from __future__ import annotations

from typing import Any, Protocol

from amongst.schema.recipes.csv_file import CsvFile
from amongst.schema.recipes.dates import Dates
from amongst.schema.recipes.edges import Edges
from amongst.schema.recipes.fanout import Fanout, Flat
from amongst.schema.recipes.intervals import Intervals
from amongst.schema.recipes.known import Known
from amongst.schema.recipes.masks import Digits, Prefix
from amongst.schema.recipes.nested import Nested
from amongst.schema.recipes.rows import Rows
from amongst.schema.tree import Tree


class Recipe(Protocol):
    """What a recipe for a hierarchy offers.

    Settings that cannot be are errors when the recipe is made. Whether it fits a column is known only
    with the values, so ``bind`` collects those problems and raises them at once.
    """

    def bind(self, values: list[Any], kind: str) -> Tree:
        """The tree over distinct values of a column of this kind."""

    def to_dict(self) -> dict[str, Any]:
        """The fields of a job file; the first one is the recipe's name in ``RECIPES``."""

    def describe(self) -> str:
        """A few words, without values of the column."""

    def public_dict(self) -> dict[str, Any]:
        """What may stand in a manifest: numbers and digests, no values of the column."""


RECIPES: dict[str, Any] = {
    "intervals": Intervals,
    "edges": Edges,
    "digits": Digits,
    "prefix": Prefix,
    "dates": Dates,
    "nested": Nested,
    "fanout": Fanout,
    "flat": Flat,
    "csv": CsvFile,
    "rows": Rows,
    "known": Known,
}
"""The recipe of every name in a job file: ``hierarchy = { intervals = [5, 10] }``."""

__all__ = ["RECIPES", "Recipe"]
