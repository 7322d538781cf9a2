"""The distinct values of every column that is coded, gathered in one pass over the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from amongst.engines.parts.rows import ParquetRows
from amongst.errors import Infeasible
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

FIRST_CLEANING = 1 << 16


@dataclass(eq=False)
class Gathering:
    """The distinct values of one column so far; cleaned of repetitions whenever they are twice as many as before."""

    kind: pa.DataType
    pieces: list[pa.Array] = field(default_factory=list)
    n_pieces: int = 0
    clean_at: int = FIRST_CLEANING
    has_null: bool = False

    def add(self, column: pa.ChunkedArray) -> None:
        """Take in the values of some more rows."""
        import pyarrow as pa
        import pyarrow.compute as pc

        for chunk in column.chunks:
            self.has_null |= bool(chunk.null_count)
            if pa.types.is_dictionary(chunk.type):
                values = chunk.dictionary.take(pc.unique(chunk.indices).drop_null())
                self.has_null |= bool(values.null_count)  # a null may be among the values of a dictionary
            else:
                values = pc.unique(chunk)
            self.pieces.append(values.drop_null())
            self.n_pieces += len(values)
        if self.n_pieces > self.clean_at:
            self._clean()
            self.clean_at = max(FIRST_CLEANING, 2 * self.n_pieces)

    def _clean(self) -> None:
        import pyarrow as pa
        import pyarrow.compute as pc

        found = pc.unique(pa.chunked_array(self.pieces, self.plain_type))
        self.pieces, self.n_pieces = [found], len(found)

    @property
    def plain_type(self) -> pa.DataType:
        import pyarrow as pa

        return self.kind.value_type if pa.types.is_dictionary(self.kind) else self.kind

    def column(self) -> pa.ChunkedArray:
        """The distinct values, sorted where that can be, and one null where there are some."""
        import pyarrow as pa

        self._clean()
        values = self.pieces[0]
        try:
            values = values.sort()
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
            pass
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


def distinct_values(rows: ParquetRows, schema: Schema, names: Sequence[str]) -> Values:
    """Read these columns once. Rows that a null rule suppresses are left out: their values get no codes."""
    suppressing = [name for name in names if name in schema.quasi and schema[name].nulls == "suppress"]
    found = {name: Gathering(rows.schema.field(name).type) for name in names}
    n_kept = 0
    for block in rows.blocks(names):
        kept = kept_rows(block, suppressing)
        block = block if kept is None else block.take(kept)
        n_kept += block.num_rows
        for name in names:
            found[name].add(block.column(name))
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
