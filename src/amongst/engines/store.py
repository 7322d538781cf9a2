"""Where the rows live, and stay: what an engine must be able to do.

An engine counts where the rows are, hands out the frequency set, and recodes where the rows are. What happens in
between (encode, partition, what a class publishes) is the same for all of them, in ``engines/counted.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from amongst.published.source import Source as PublishedSource

COUNT = "rows of this kind"
"""The last column of a frequency set; a table that has a column of this name is refused."""
CLASS, FIRST, LAST = "class of the release", "first of its rows", "last of its rows"
"""Further columns of ``Publication.tuples``."""

Say = Callable[[str, int, int], None]
"""Told (step, done, total) now and then."""


@dataclass(frozen=True, eq=False)
class Publication:
    """What is to be published of every row, decided on the frequency set.

    Attributes
    ----------
    quasi : list of str
        The columns that tell rows apart: the quasi-identifiers, and what else the method looked at. A row is
        published when its values of these are in ``tuples``; nulls equal nulls. All other rows are suppressed.
    tuples : pyarrow.Table
        The columns of ``quasi`` in their original types, and CLASS (int32). Where ``divided``, also FIRST and LAST
        (int64): the rows of a tuple, numbered from 0 in the order of ``others`` and then in any order, with a number
        in FIRST..LAST (both included) are of that class; a tuple then has one entry for each of its classes.
    classes : pyarrow.Table
        What every class publishes, in the order in which classes are sorted: entry i is class i.
    others : list of str
        The columns that are published as they are. Rows of a class are sorted by them, in this order, nulls last.
    columns : list of str
        All published columns in their order; each is in ``classes`` or in ``others``.
    n_published : int
        How many rows there must be in the end; anything else means that the table changed meanwhile.
    divided : bool
    node_of_value : dict of str to pyarrow.Table, or None
        Where rows are told apart by the nodes that their values belong to, not by the values: for every column of
        ``quasi`` the columns "value" and "node" (int64); ``tuples`` then has nodes.
    size_of_class : ndarray of int64, or None
        How many rows every class has, for engines that lay rows out in parts; None where nobody counted.
    """

    quasi: list[str]
    tuples: pa.Table
    classes: pa.Table
    others: list[str]
    columns: list[str]
    n_published: int
    divided: bool = False
    node_of_value: dict[str, pa.Table] | None = None
    size_of_class: np.ndarray | None = None


class Store(Protocol):
    """A table in a file, a database or on a cluster."""

    @property
    def name(self) -> str:
        """What reports call it: the name of the file or table, without its place."""
        ...

    @property
    def engine(self) -> str:
        """One of "duckdb", "postgresql", "spark"."""
        ...

    def schema(self) -> pa.Schema:
        """The columns and their types, as they would be in memory; reads no rows."""
        ...

    def count(self, columns: Sequence[str], say: Say, exact: Sequence[str] = ()) -> pa.Table:
        """The frequency set: the distinct rows of these columns, and how many there are of each in COUNT (int64).

        Text may come dictionary-encoded. Nulls are values like others. In any order. The two zeros of floats are one,
        but for the columns in ``exact``, which are published from the counts as they are.
        """
        ...

    def state(self) -> str:
        """A text that changes when the table changes."""
        ...

    def digest(self) -> str | None:
        """A digest of the table's bytes, where it has one."""
        ...

    def publish(self, publication: Publication, target: Any, say: Say) -> None:
        """Write the release where it belongs, complete or not at all, not yet under its final name if that can be."""
        ...

    def published(self, target: Any) -> PublishedSource:
        """What was written, read back for the verifier."""
        ...
