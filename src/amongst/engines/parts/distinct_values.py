"""The distinct values of every column that is coded, gathered in one pass over the rows."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.rank import DENSE_SPAN
from amongst.engines.parts.rows import ParquetRows
from amongst.errors import Infeasible
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

FIRST_CLEANING = 1 << 16
MOST_OF_FEW = 1 << 10
"""More values than this are many."""


class Gathering:
    """The distinct values of one column so far.

    What is likely to come again is marked and not looked up: the places of a dictionary that blocks share, and whole
    numbers that lie near to each other. Other values are cleaned of repetitions when they are twice as many as before.
    """

    def __init__(self, kind: pa.DataType) -> None:
        self.kind = kind
        self.pieces: list[pa.Array] = []
        self.n_pieces, self.clean_at = 0, FIRST_CLEANING
        self.has_null = False
        self._dictionary: pa.Array | None = None
        self._used = np.zeros(0, dtype=bool)
        self._lowest = 0

    def add(self, column: pa.ChunkedArray) -> None:
        """Take in the values of some more rows."""
        import pyarrow as pa

        for chunk in column.chunks:
            if len(chunk) == 0:
                continue
            self.has_null |= bool(chunk.null_count)
            if pa.types.is_dictionary(chunk.type):
                self._mark_places(chunk)
            elif not (pa.types.is_integer(chunk.type) and self._mark_numbers(chunk)):
                self._keep(chunk)

    @property
    def n_values(self) -> int:
        """About how many there are so far."""
        return self.n_pieces + int(self._used.sum())

    def _mark_places(self, chunk: pa.DictionaryArray) -> None:
        if self._dictionary is None or not self._dictionary.equals(chunk.dictionary):
            self._flush()
            self._dictionary, self._used = chunk.dictionary, np.zeros(len(chunk.dictionary), dtype=bool)
        self._used[chunk.indices.drop_null().to_numpy(zero_copy_only=False)] = True

    def _mark_numbers(self, chunk: pa.Array) -> bool:
        import pyarrow.compute as pc

        ends = pc.min_max(chunk).as_py()
        if ends["min"] is None:
            return True
        n_used = len(self._used)
        low = min(self._lowest, ends["min"]) if n_used else ends["min"]
        high = max(self._lowest + n_used - 1, ends["max"]) if n_used else ends["max"]
        if high - low >= DENSE_SPAN or high > np.iinfo(np.int64).max:
            return False
        if (low, high - low + 1) != (self._lowest, n_used):
            used = np.zeros(high - low + 1, dtype=bool)
            used[self._lowest - low : self._lowest - low + n_used] = self._used
            self._lowest, self._used = low, used
        self._used[chunk.drop_null().to_numpy(zero_copy_only=False).astype(np.int64) - low] = True
        return True

    def _flush(self) -> None:
        """What was marked becomes values."""
        import pyarrow as pa

        places = np.flatnonzero(self._used)
        self._used = np.zeros(0, dtype=bool)
        if len(places) and self._dictionary is not None:
            self._keep(self._dictionary.take(pa.array(places)))
        elif len(places):
            self._keep(pa.array(places + self._lowest).cast(self.kind))

    def _keep(self, values: pa.Array) -> None:
        import pyarrow.compute as pc

        self.has_null |= bool(values.null_count)  # a null may be among the values of a dictionary
        self.pieces.append(pc.unique(values).drop_null())
        self.n_pieces += len(self.pieces[-1])
        if self.n_pieces > self.clean_at:
            self._clean()
            self.clean_at = max(FIRST_CLEANING, 2 * self.n_pieces)

    def _clean(self) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        plain = self.kind.value_type if pa.types.is_dictionary(self.kind) else self.kind
        found = pc.unique(pa.chunked_array(self.pieces, plain))
        self.pieces, self.n_pieces = [found], len(found)

    def column(self) -> pa.ChunkedArray:
        """The distinct values, sorted where that can be, and one null where there are some."""
        import pyarrow as pa

        self._flush()
        self._clean()
        values = self.pieces[0]
        with contextlib.suppress(pa.ArrowNotImplementedError, pa.ArrowInvalid):
            values = values.sort()
        if self.has_null:
            values = pa.concat_arrays([values, pa.nulls(1, values.type)])
        return pa.chunked_array([values])


@dataclass(frozen=True)
class Values:
    """What one pass over the rows found.

    Attributes
    ----------
    columns : dict of str to pyarrow.ChunkedArray
        The distinct values of every column asked for among the rows that are kept, and one null where there are some.
    n_input, n_kept : int
        Rows in all, and those that no null rule leaves out.
    """

    columns: dict[str, pa.ChunkedArray]
    n_input: int
    n_kept: int


def distinct_values(rows: ParquetRows, schema: Schema, names: Sequence[str], few: Sequence[str] = ()) -> Values:
    """Read these columns once. Rows that a null rule suppresses are left out: their values get no codes.

    The columns of ``few`` are given up when they turn out to have many values; they are not in what is found then.
    """
    suppressing = [name for name in names if name in schema.quasi and schema[name].nulls == "suppress"]
    found = {name: Gathering(rows.schema.field(name).type) for name in dict.fromkeys([*names, *few])}
    given_up = set(few) - set(names)
    n_kept = 0
    for block in rows.blocks(list(found)):
        kept = kept_rows(block, suppressing)
        block = block if kept is None else block.take(kept)
        n_kept += block.num_rows
        for name, gathering in list(found.items()):
            gathering.add(block.column(name))
            if gathering.n_values > MOST_OF_FEW and name in given_up:
                del found[name]
    if n_kept == 0 and rows.n_rows:
        raise Infeasible(
            "Every row has a missing quasi-identifier, and the null rule suppresses them all.",
            found=f"{rows.n_rows} rows, none complete",
            fix='choose "own value" or "match anything" for the columns with many nulls',
        )
    return Values({name: gathering.column() for name, gathering in found.items()}, rows.n_rows, n_kept)


def kept_rows(block: pa.Table, suppressing: Sequence[str]) -> np.ndarray | None:
    """The rows of a block without a null in these columns; None: all of them."""
    import pyarrow as pa

    missing = np.zeros(block.num_rows, dtype=bool)
    for name in suppressing:
        column = block.column(name)
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if column.null_count:
            missing |= column.is_null().to_numpy()
    return np.flatnonzero(~missing) if missing.any() else None
