"""One of two releases that are held against each other: its classes, and what their rows have in the shared columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.published.layout import Layout, Leaf
from amongst.published.meaning import in_one_spelling
from amongst.published.pair_columns import PairColumns
from amongst.published.source import Source
from amongst.published.tally import Distinct, Tally, one_key, tally


@dataclass(frozen=True, eq=False)
class Part:
    """One of the two releases.

    Attributes
    ----------
    source : Source
    layout : Layout
    untold : frozenset of str
        Columns with a hierarchy or order that is not known here.
    pair : tuple of (Source, PairColumns), or None
        The second of two tables that a group number links, and what its columns are for.
    """

    source: Source
    layout: Layout
    untold: frozenset[str] = frozenset()
    pair: tuple[Source, PairColumns] | None = None

    @property
    def published_as_is(self) -> list[str]:
        """The columns that can be compared value by value."""
        return self.layout.others if self.pair is None else [self.pair[1].sensitive]


@dataclass(frozen=True, eq=False)
class PartClasses:
    """Distinct rows of the quasi-identifiers, with the class of every distinct row that has the shared columns too."""

    rows: Tally
    items: Tally
    class_of_item: np.ndarray


def classes_of_part(part: Part, shared: list[str]) -> PartClasses:
    """The classes of a release, and the shared columns of their rows."""
    if part.pair is not None:
        return _classes_of_pair(part, *part.pair, with_values=bool(shared))
    leaves = [leaf for key in part.layout.keys for leaf in key.leaves]
    items = tally(part.source, [*leaves, *map(Leaf, shared)])
    key = one_key([items.columns[leaf].codes for leaf in leaves], len(items.size))
    _, first, class_of_item = np.unique(key, return_index=True, return_inverse=True)
    class_of_item = class_of_item.reshape(-1)
    size = np.bincount(class_of_item, weights=items.size, minlength=len(first)).astype(np.int64)
    columns = {}
    for leaf in leaves:
        one = items.columns[leaf]
        columns[leaf] = Distinct(one.codes[first], one.values, one.null_like, one.n_unused)
    return PartClasses(Tally(columns, size), items, class_of_item)


def _classes_of_pair(part: Part, second: Source, columns: PairColumns, with_values: bool) -> PartClasses:
    """The rows of every group with the same quasi-identifiers, each with all the values of its group."""
    assert columns.link is not None
    assert columns.count is not None
    link, value, count = Leaf(columns.link), Leaf(columns.sensitive), Leaf(columns.count)
    leaves = [leaf for key in part.layout.keys for leaf in key.leaves]
    rows = tally(part.source, [*leaves, link])
    if not with_values:
        return PartClasses(rows, Tally({}, rows.size), np.arange(len(rows.size)))
    entries = tally(second, [link, value, count])
    group_of_class = _same_text(rows.columns[link], entries.columns[link])[rows.columns[link].codes]
    order = np.argsort(entries.columns[link].codes, kind="stable")
    first = np.searchsorted(entries.columns[link].codes[order], np.arange(entries.columns[link].n_codes + 1))
    width = np.where(group_of_class >= 0, first[group_of_class + 1] - first[group_of_class], 0)
    class_of_item = np.repeat(np.arange(len(rows.size)), width)
    within = np.arange(len(class_of_item)) - np.repeat(np.cumsum(width) - width, width)
    entry = order[first[group_of_class[class_of_item]] + within]
    times = entries.columns[count].values.cast(pa.int64()).to_numpy(zero_copy_only=False)
    found = entries.columns[value]
    items = Tally(
        {value: Distinct(found.codes[entry], found.values, found.null_like)},
        times[entries.columns[count].codes[entry]].astype(np.int64),
    )
    return PartClasses(rows, items, class_of_item)


def _same_text(ours: Distinct, theirs: Distinct) -> np.ndarray:
    """For every code of ours the code of theirs with the same text; -1 where there is none."""
    texts = in_one_spelling([ours.values, theirs.values])
    found = pc.index_in(texts[0], texts[1]).fill_null(-1)
    return np.asarray(found.to_numpy(zero_copy_only=False), dtype=np.int64)
