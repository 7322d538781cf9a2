"""Tuples that come with their counts, block by block: their rows as codes on disk, and back from rows to tuples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.engines.expand import Pieces, pieces
from amongst.engines.parts.code_file import BLOCK, CodeWriter, record_of, records
from amongst.engines.parts.encode_rows import EncodedRows
from amongst.engines.parts.summary import Grouped

MOST_ROWS = 1 << 20
"""Rows of tuples that are looked at together; the rows of one tuple always are."""


class TupleWriter:
    """Writes every tuple as often as it was counted, one beside the other."""

    def __init__(self, table: CodedTable, folder: Path) -> None:
        coded = [*table.columns, *table.sensitive.values()]
        self.table, self._record = table, record_of([column.codes for column in coded])
        self._codes = CodeWriter(folder / "codes", self._record)
        self._counts = [np.zeros(len(column.values) + 1, dtype=np.int64) for column in coded]

    def write(self, codes: Sequence[np.ndarray], count: np.ndarray) -> None:
        """Some more tuples."""
        for own, column in zip(self._counts, codes, strict=True):
            own += np.bincount(column, weights=count, minlength=len(own)).astype(np.int64)
        ends = np.cumsum(count, dtype=np.int64)
        n_rows = int(ends[-1]) if len(ends) else 0
        for start in range(0, n_rows, BLOCK):
            tuple_of_row = np.searchsorted(ends, np.arange(start, min(start + BLOCK, n_rows)), side="right")
            self._codes.write(records([column[tuple_of_row] for column in codes], self._record))

    def close(self) -> EncodedRows:
        """All rows."""
        return EncodedRows(self.table, self._codes.close(), self._counts)


class PiecesOfTuples:
    """What became of the rows that ``TupleWriter`` wrote, tuple by tuple in the same order.

    Parameters
    ----------
    grouped : Grouped
    label_of_kind : ndarray of int32
        What is told of every coded row of ``grouped.table``: its group, or its class.
    """

    def __init__(self, grouped: Grouped, label_of_kind: np.ndarray) -> None:
        self._blocks, self._label_of_kind = grouped.kind_of_row(), label_of_kind
        self._left = np.empty(0, dtype=np.int32)

    def of(self, count: np.ndarray) -> Iterator[tuple[int, Pieces]]:
        """The pieces of the next tuples, by how many rows each has; beside them the first tuple that they are of."""
        stretch = np.cumsum(count, dtype=np.int64) // MOST_ROWS
        begins = [*np.flatnonzero(np.diff(stretch, prepend=-1)).tolist(), len(count)]
        for first, end in pairwise(begins):
            own = count[first:end]
            yield first, pieces(self._label_of_kind[self._next(int(own.sum()))], own)

    def _next(self, n_rows: int) -> np.ndarray:
        found = [self._left]
        n_found = len(self._left)
        while n_found < n_rows:
            found.append(next(self._blocks))
            n_found += len(found[-1])
        kinds = np.concatenate(found)
        self._left = kinds[n_rows:]
        return kinds[:n_rows]
