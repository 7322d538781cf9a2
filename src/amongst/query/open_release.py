"""A release opened for questions: its distinct rows, and what their labels can mean."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.published.layout import Layout, Leaf, lay_out
from amongst.published.open_published import open_published
from amongst.published.source import Source
from amongst.published.tally import Distinct, Tally, group, one_key, tally
from amongst.query.read_column import Asked, read_plain, read_published
from amongst.query.told import Told, read_told, with_schema
from amongst.schema.column import Column
from amongst.schema.schema import Schema


@dataclass(frozen=True, eq=False)
class Rows:
    """The distinct rows of some columns.

    Attributes
    ----------
    size : ndarray of int64
        How many rows of the release are equal to each; the last one counts the rows that were suppressed, at most.
    least : ndarray of int64
        How many there are at least: fewer only of the suppressed ones.
    label_of_row : dict of str to ndarray
        The number of the label in every column.
    statistics : dict of str to ndarray of float64
        Published means and medians, by the name of their column.
    """

    size: np.ndarray
    least: np.ndarray
    label_of_row: dict[str, np.ndarray]
    statistics: dict[str, np.ndarray]


class OpenRelease:
    """A release that can be asked again and again.

    Attributes
    ----------
    n_suppressed : int or None
        How many rows of the original are not in the release, at most; None where nobody tells.
    least_suppressed : int
        How many at least.
    plain : bool
        It is an original: every value stands for itself.
    grouped : str or None
        The column of which only the values of every group are known.
    """

    grouped: str | None = None

    def __init__(self, source: Source, layout: Layout, told: Told | None, *, plain: bool = False) -> None:
        self.source, self.layout, self.told, self.plain = source, layout, told, plain
        self._tally: Tally | None = None
        self._labels: dict[str, np.ndarray] = {}
        self._columns: dict[str, Asked] = {}
        self._rows: dict[tuple[str, ...], Rows] = {}
        self.n_suppressed: int | None = 0 if plain else None
        self.least_suppressed = 0
        if told is not None:
            self.prepare(self.columns[:1])
            assert self._tally is not None
            self.n_suppressed = None if told.n_input is None else max(told.n_input - self._tally.n_rows, 0)
            self.least_suppressed = min(max(told.fewest - self._tally.n_rows, 0), self.n_suppressed or 0)

    @property
    def columns(self) -> list[str]:
        """The columns that a question may speak of."""
        return list(dict.fromkeys([*(key.quasi for key in self.layout.keys), *self.layout.others]))

    def prepare(self, names: Sequence[str]) -> Tally:
        """Read these columns at once, for many questions about some of them."""
        leaves = {leaf for name in names for leaf in [*self._leaves(name), *self._statistics(name)]}
        if self._tally is None or not leaves <= self._tally.columns.keys():
            known = set() if self._tally is None else set(self._tally.columns)
            # Numbers of labels are those of one tally: what was read before is read again.
            self._tally = tally(self.source, sorted(known | leaves, key=str))
            for known_before in (self._labels, self._columns, self._rows):
                known_before.clear()
        return self._tally

    def rows(self, names: Sequence[str]) -> Rows:
        """The distinct rows of these columns, with the suppressed ones as one row more."""
        counted = self.prepare(names)
        if tuple(names) not in self._rows:
            self._rows[tuple(names)] = self._distinct(names, counted)
        return self._rows[tuple(names)]

    def _distinct(self, names: Sequence[str], counted: Tally) -> Rows:
        labels = {name: self._label(name) for name in names}
        means = {leaf.column: counted.columns[leaf] for name in names for leaf in self._statistics(name)}
        first, size = group([*labels.values(), *[mean.codes for mean in means.values()]], counted.size)
        chosen = {name: label[first] for name, label in labels.items()}
        figures = {name: _figures(mean)[first] for name, mean in means.items()}
        if not self.n_suppressed:
            return Rows(size, size, chosen, figures)
        # The last label of every column says nothing at all.
        return Rows(
            np.append(size, self.n_suppressed),
            np.append(size, self.least_suppressed),
            {name: np.append(label, self.column(name).n_labels - 1) for name, label in chosen.items()},
            {name: np.append(figure, np.nan) for name, figure in figures.items()},
        )

    def column(self, name: str) -> Asked:
        """What the labels of a column can mean."""
        if name not in self._columns:
            self._columns[name] = self._read(name)
        return self._columns[name]

    def cells_of(self, name: str) -> list[Any]:
        """The cells of a column that is published as it is, in the order of the numbers of its labels."""
        return list(self.prepare([name]).columns[self._leaves(name)[0]].values)

    @property
    def notes(self) -> list[str]:
        """What a reader of an answer should know, of the columns asked so far."""
        loose = [name for name, column in self._columns.items() if column.loose]
        told = [
            f"The hierarchy of {name!r} is not known here: with the schema the bounds are tighter." for name in loose
        ]
        if self.n_suppressed is None:
            told.append("It is not known how many rows were suppressed: bounds hold for the published rows.")
        return told

    def _read(self, name: str) -> Asked:
        counted, label = self.prepare([name]), self._label(name)
        rule = self.layout.schema.get(name) or Column()
        values = [counted.columns[leaf] for leaf in self._leaves(name)]
        if self._is_plain(name):
            whole = Distinct(np.arange(values[0].n_codes), values[0].values, values[0].null_like)
            size = np.bincount(label, counted.size, whole.n_codes).astype(np.int64)
            stored = self.source.schema.field(name).type
            return read_plain(name, rule, whole, size, stored, is_text_file=self.source.separator is not None)
        first = np.unique(label, return_index=True)[1]
        size = np.bincount(label, counted.size, len(first)).astype(np.int64)
        closed = self.told is None or name in self.told.closed
        leaves = [Distinct(one.codes[first], one.values, one.null_like) for one in values]
        return read_published(name, rule, leaves, size, closed=closed, foreign=self.told is None)

    def _label(self, name: str) -> np.ndarray:
        """The number of the label of every row of the tally: of one text, or of a pair of bounds."""
        if name not in self._labels:
            counted = self.prepare([name])
            codes = [counted.columns[leaf].codes for leaf in self._leaves(name)]
            label = np.unique(one_key(codes, len(counted.size)), return_inverse=True)[1].reshape(-1)
            self._labels[name] = codes[0] if self._is_plain(name) else label
        return self._labels[name]

    def _is_plain(self, name: str) -> bool:
        return self.plain or name in self.layout.others

    def _leaves(self, name: str) -> tuple[Leaf, ...]:
        keys = [key for key in self.layout.keys if key.quasi == name and key.form != "statistic"]
        return keys[0].leaves if keys else (Leaf(name),)

    def _statistics(self, name: str) -> list[Leaf]:
        return [key.leaves[0] for key in self.layout.keys if key.quasi == name and key.form == "statistic"]


def _figures(column: Distinct) -> np.ndarray:
    numbers = column.values.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return np.asarray(numbers[column.codes], dtype=np.float64)


def open_release(published: Any, schema: Schema | Sequence[str] | None = None) -> OpenRelease:
    """Open a release for questions.

    Parameters
    ----------
    published : path, or a table in memory
        A release folder, its data file, or a published table of another tool.
    schema : Schema or sequence of str, optional
        The schema of the release, for hierarchies and orders that its manifest does not tell; or the names of the
        quasi-identifiers of a table without a manifest.
    """
    path = Path(published) if isinstance(published, (str, os.PathLike)) else None
    told = read_told(path) if path is not None else None
    source = open_published(published)
    if told is not None:
        told = with_schema(told, schema) if isinstance(schema, Schema) else told
        if told.sensitive_file is not None:
            from amongst.query.open_pair import open_pair

            return open_pair(published, told.sensitive_file, told)
        return OpenRelease(source, lay_out(source, told.schema), told)
    return OpenRelease(source, lay_out(source, schema), None)


def open_original(table: Any, schema: Schema) -> OpenRelease:
    """The table that a release was made of: every value stands for itself."""
    source = open_published(table)
    known = Schema({name: schema[name] for name in source.names if name in schema})
    return OpenRelease(source, Layout(known, False, [], source.names), None, plain=True)
