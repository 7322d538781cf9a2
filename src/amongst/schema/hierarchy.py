"""Hierarchies: recipes for the tree of a column, which do not yet know the column's values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadHierarchy
from amongst.schema.node_weights import weighed, weights_from
from amongst.schema.recipes import Recipe
from amongst.schema.recipes.csv_file import CsvFile
from amongst.schema.recipes.dates import Dates
from amongst.schema.recipes.edges import Edges
from amongst.schema.recipes.fanout import Fanout, Flat
from amongst.schema.recipes.from_fields import recipe_from_fields
from amongst.schema.recipes.intervals import Intervals
from amongst.schema.recipes.known import Known, known
from amongst.schema.recipes.masks import Digits, Prefix
from amongst.schema.recipes.nested import Nested
from amongst.schema.recipes.rows import Rows
from amongst.schema.tree import Tree
from amongst.schema.value_text import kind_of

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Hierarchy:
    """How the values of a column merge, level by level, up to a root.

    A hierarchy is a recipe: ``tree`` binds it to the values of a column. Two hierarchies with the same
    recipe are equal. A root, published as ``*``, is added wherever the recipe does not end in one.

    Examples
    --------
    >>> import amongst as am
    >>> tree = am.Hierarchy.intervals([5, 10]).tree([21, 23, 28])
    >>> [tree.label(level, leaf=0) for level in range(tree.n_levels)]
    ['21', '[20-24]', '[20-29]', '*']
    """

    recipe: Recipe
    weights: tuple[tuple[str, float], ...] = ()

    def weighted(self, weights: Mapping[str, float]) -> Hierarchy:
        """The same tree with weights on nodes, by their names; see ``node_weights.weighed``.

        The weight of a leaf is how many leaves it counts for; that of an inner node multiplies what saying it costs.

        Examples
        --------
        >>> import amongst as am
        >>> places = am.Hierarchy.nested({"Europe": ["Rome", "Oslo"], "Asia": ["Hanoi", "Seoul"]})
        >>> tree = places.weighted({"Europe": 0.5, "Seoul": 3}).tree(["Rome", "Hanoi"])
        >>> [float(round(tree.cost[1, tree.code_of_leaf[city]], 3)) for city in ("Rome", "Hanoi")]
        [0.167, 0.667]
        """
        return replace(self, weights=weights_from(weights))

    @classmethod
    def intervals(cls, widths: Sequence[float], origin: float = 0) -> Hierarchy:
        """Intervals of equal width, one width a level; each a multiple of the one before."""
        return cls(Intervals(tuple(widths), origin))

    @classmethod
    def edges(cls, edges: Sequence[Sequence[float]]) -> Hierarchy:
        """Intervals between given edges, level by level.

        An interval holds its lower edge and not its upper one; the last one of a level holds both.
        """
        return cls(Edges(tuple(map(tuple, edges))))

    @classmethod
    def digits(cls, n: int) -> Hierarchy:
        """Codes of ``n`` digits, masked from the right, one digit a level: ``5371*``, ``537**``."""
        return cls(Digits(n))

    @classmethod
    def prefix(cls, keeps: Sequence[int]) -> Hierarchy:
        """The first so many characters, level by level.

        The others become one ``*`` each, or a single ``*`` where the values differ in length.
        """
        return cls(Prefix(tuple(keeps)))

    @classmethod
    def dates(cls, *parts: str) -> Hierarchy:
        """Parts of the calendar from fine to coarse: day, week, month, quarter, year, decade.

        Weeks are not parts of months or years, so nothing coarser can follow a week.
        """
        return cls(Dates(parts))

    @classmethod
    def nested(cls, mapping: Mapping[str, Any]) -> Hierarchy:
        """Groups and their members: ``{"Europe": ["Italy"], "America": {"North": ["Canada"]}}``.

        Any depth; a member that hangs higher than others repeats itself on the levels below.
        """
        return cls(Nested.of(mapping))

    @classmethod
    def fanout(cls, n: int, order: Sequence[Any] | None = None) -> Hierarchy:
        """Neighbours in order, merged ``n`` at a time, level by level, until one node remains."""
        return cls(Fanout(n, None if order is None else tuple(order)))

    @classmethod
    def flat(cls) -> Hierarchy:
        """One step from every value to the root."""
        return cls(Flat())

    @classmethod
    def from_csv(cls, path: str | Path, separator: str = ";") -> Hierarchy:
        """A CSV file in ARX's format: ``leaf;level1;...;*``, no header, rows in any order."""
        return cls(CsvFile.read(path, separator))

    @classmethod
    def from_rows(cls, rows: Sequence[Sequence[Any]]) -> Hierarchy:
        """Rows as in ARX's format: a leaf and its ancestors."""
        return cls(Rows(tuple(rows)))  # type: ignore[arg-type]

    @classmethod
    def known(cls, name: str) -> Hierarchy:
        """A tree that is built in: ``icd-10``, ``countries``, ``us-states``, ``us-zip``; and, by the form of their
        codes, ``nuts``, ``isco-08``, ``ages`` and ``dates``.

        Examples
        --------
        >>> import amongst as am
        >>> tree = am.Hierarchy.known("icd-10").tree(["E11.9", "E10", "J45"])
        >>> [tree.label(level, leaf=tree.code_of_leaf["E11.9"]) for level in range(tree.n_levels)]
        ['E11.9', 'E11.-', 'E10-E14', 'E00-E90', '*']
        """
        return cls(known(name))

    @classmethod
    def from_dict(cls, fields: Mapping[str, Any], folder: str | Path | None = None) -> Hierarchy:
        """The hierarchy of a job file's fields; paths in them start at ``folder``.

        Examples
        --------
        >>> import amongst as am
        >>> am.Hierarchy.from_dict({"digits": 5}) == am.Hierarchy.digits(5)
        True
        """
        if not isinstance(fields, Mapping) or "weights" not in fields:
            return cls(recipe_from_fields(fields, folder))
        recipe = recipe_from_fields({name: one for name, one in fields.items() if name != "weights"}, folder)
        return cls(recipe, weights_from(fields["weights"]))

    def to_dict(self) -> dict[str, Any]:
        """The fields of a job file. They may hold values of the column: not for a manifest."""
        fields = self.recipe.to_dict()
        return fields | {"weights": dict(self.weights)} if self.weights else fields

    def tree(self, values: Sequence[Any], kind: str | None = None) -> Tree:
        """The tree over the distinct values of a column.

        Parameters
        ----------
        values : sequence
            Distinct values of one type: str, int, float, datetime.date ... No nulls.
        kind : {"numeric", "ordered", "categorical", "date"}, optional
            Leaves come out ascending for numbers and dates, and in the order of ``values`` for an
            ordered column. Left out, it follows from the type of the values.

        Raises
        ------
        BadHierarchy
            With all that does not fit: values not covered, a child with two parents, and so on.
        """
        values = list(values)
        if None in values:
            raise BadHierarchy("A tree has no leaf for nulls.", found="a null", fix="leave nulls out of the values")
        kind = kind or kind_of(values)
        tree = self.recipe.bind(values, kind)
        listed = isinstance(self.recipe, (Nested, Rows, CsvFile))
        return weighed(tree, self.weights, kind, listed=listed) if self.weights else tree

    def named_by(self, tree: Tree, stays: np.ndarray) -> Tree:
        """The tree with names that tell of no leaf but those of rows that stay."""
        return self.recipe.named_by(tree, stays) if isinstance(self.recipe, (Fanout, Prefix)) else tree

    @property
    def is_made_of_values(self) -> bool:
        """Whether its leaves are the values that the table has, and no others."""
        listed = isinstance(self.recipe, (Nested, Rows, CsvFile, Known))
        return not listed and not (isinstance(self.recipe, Fanout) and self.recipe.order is not None)

    def fits_any(self, kind: str) -> bool:
        """Whether every value of a column of this kind has a place, so that nobody needs to look."""
        if isinstance(self.recipe, Fanout):
            return self.recipe.order is None
        homes: tuple[tuple[type, bool], ...] = (
            (Flat, True),
            (Intervals, kind == "numeric"),
            (Dates, kind == "date"),
        )
        return any(isinstance(self.recipe, recipe) and fits for recipe, fits in homes)

    @property
    def names_categories(self) -> bool:
        """Whether it speaks of codes and names, not of sizes: numbers under it are categories unless told otherwise."""
        return isinstance(self.recipe, (Digits, Prefix, Nested, Rows, CsvFile, Known))

    def describe(self) -> str:
        """The hierarchy in a few words."""
        told = self.recipe.describe()
        return f"{told}, with weights on {len(self.weights)} nodes" if self.weights else told

    def public_dict(self, tree: Tree | None = None) -> dict[str, Any]:
        """What a manifest may say: the recipe, its numbers, a digest; no values of the column."""
        size = {} if tree is None else {"n_leaves": tree.n_leaves, "height": tree.height}
        weights = {"weights": len(self.weights)} if self.weights else {}
        return {**self.recipe.public_dict(), **size, **weights}
