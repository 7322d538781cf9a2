"""The two tables of an anatomy opened for questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.errors import BadInput
from amongst.published.layout import Layout, Leaf
from amongst.published.open_published import open_published
from amongst.published.pair_columns import pair_columns
from amongst.published.source import Source
from amongst.published.tally import tally
from amongst.query.group_column import GroupColumn
from amongst.query.open_release import OpenRelease, Rows
from amongst.query.read_column import Asked
from amongst.query.told import Told
from amongst.schema.schema import Schema


class OpenPair(OpenRelease):
    """A release of two tables: quasi-identifiers as they are, and the sensitive values of every group.

    Every column but the sensitive one stands for itself. Of that one a row tells its group, and the second table
    which values the group has.
    """

    def __init__(self, first: Source, second: Source, told: Told) -> None:
        columns = pair_columns(first, second, told.schema)
        if columns.link is None or columns.count is None or columns.sensitive not in second.names:
            raise BadInput(
                "The two tables cannot be put together.",
                found="no group number in both, or no sensitive column with its counts",
                fix="check it with amongst verify",
            )
        self.second, self.link, self.counted = second, columns.link, columns.count
        self.grouped: str = columns.sensitive
        names = [name for name in first.names if name != columns.link]
        schema = Schema({name: told.schema[name] for name in [*names, self.grouped] if name in told.schema})
        super().__init__(first, Layout(schema, False, [], names), told)

    @property
    def columns(self) -> list[str]:
        return [*self.layout.others, self.grouped]

    def rows(self, names: Sequence[str]) -> Rows:
        found = super().rows(names)
        if self.grouped in names:
            column = self.column(self.grouped)
            assert isinstance(column, GroupColumn)
            means = column.means()[found.label_of_row[self.grouped]]
            if np.isfinite(means).any():
                found.statistics[f"{self.grouped}_mean"] = means
        return found

    def _leaves(self, name: str) -> tuple[Leaf, ...]:
        return (Leaf(self.link if name == self.grouped else name),)

    def _read(self, name: str) -> Asked:
        if name != self.grouped:
            return super()._read(name)
        link, value, count = (Leaf(one) for one in (self.link, self.grouped, self.counted))
        entries = tally(self.second, [link, value, count])
        numbers = {text: i for i, text in enumerate(_texts(self.prepare([name]).columns[Leaf(self.link)].values))}
        of_entry = [numbers.get(text, -1) for text in _texts(entries.columns[link].values)]
        group = np.array(of_entry, dtype=np.int64)[entries.columns[link].codes]
        times = np.array([int(text or 0) for text in _texts(entries.columns[count].values)], dtype=np.int64)
        values = _ValuesOnly(self.second, name, self.layout.schema)
        here = group >= 0
        return GroupColumn(
            name,
            values.column(name),
            group[here],
            values.number_of(entries.columns[value].values)[entries.columns[value].codes][here],
            (times[entries.columns[count].codes] * entries.size)[here],
            len(numbers),
        )

    def _label(self, name: str) -> np.ndarray:
        if name != self.grouped:
            return super()._label(name)
        return self.prepare([name]).columns[Leaf(self.link)].codes


class _ValuesOnly(OpenRelease):
    """The sensitive values of the second table, each standing for itself."""

    def __init__(self, source: Source, name: str, schema: Schema) -> None:
        super().__init__(source, Layout(schema, False, [], [name]), None, plain=True)
        self.name = name

    def number_of(self, values: pa.Array) -> np.ndarray:
        """The label of every value."""
        known = {text: i for i, text in enumerate(_texts(self.prepare([self.name]).columns[Leaf(self.name)].values))}
        return np.array([known[text] for text in _texts(values)], dtype=np.int64)


def _texts(values: pa.Array) -> list[str | None]:
    return list(values.cast(pa.string()).to_pylist())


def open_pair(quasi: Any, sensitive: Any, told: Told) -> OpenPair:
    """Open the two tables of an anatomy: files, or tables in memory."""
    return OpenPair(open_published(quasi), open_published(sensitive), told)
