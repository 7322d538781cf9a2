"""The rows of Parquet files, block by block: as they would be in memory, and never all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadInput
from amongst.read.cells import refuse_long_cells
from amongst.read.plain import plain

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 1 << 16
"""Rows at a time."""
BUFFER = 1 << 18
"""Bytes of a column that are read ahead: whole column chunks would be as large as a row group."""


@dataclass(frozen=True)
class ParquetRows:
    """Files whose rows come in the same order in every pass.

    Attributes
    ----------
    name : str
    paths : list of Path
    schema : pyarrow.Schema
        The columns as they would be in memory: text dictionary-encoded.
    n_rows : int
    kinds : mapping of str to pyarrow.DataType
        What columns are read as: those of text, where all cells of a CSV file are, and those in a type that Parquet
        does not have.
    texts : frozenset of str
        The columns that are stored as text.
    """

    name: str
    paths: Sequence[Path]
    schema: pa.Schema
    n_rows: int
    kinds: Mapping[str, pa.DataType] = field(default_factory=dict)
    texts: frozenset[str] = frozenset()

    def blocks(self, names: Sequence[str]) -> Iterator[pa.Table]:
        """The rows of some columns, block by block."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        text = [name for name in names if name in self.texts]
        for path in self.paths:
            try:
                with pq.ParquetFile(
                    path, read_dictionary=text, memory_map=False, buffer_size=BUFFER, pre_buffer=False
                ) as file:
                    for batch in file.iter_batches(BLOCK, columns=list(names), use_threads=False):
                        block = plain(pa.Table.from_batches([batch])).select(list(names))
                        for name in block.column_names:
                            refuse_long_cells(self.name, name, block.column(name))
                        yield self._typed(block)
            except (pa.ArrowException, OSError):
                raise _damaged(self.name) from None

    def _typed(self, block: pa.Table) -> pa.Table:
        for place, name in enumerate(block.column_names):
            if name in self.kinds:
                block = block.set_column(place, name, _as_kind(block.column(name), self.kinds[name]))
        return block


def open_rows(name: str, paths: Sequence[Path], kinds: Mapping[str, pa.DataType] | None = None) -> ParquetRows:
    """Open Parquet files with the same columns; only their footers are read now."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {} if kinds is None else kinds
    n_rows = 0
    try:
        stored = pq.read_schema(paths[0])
        text = [one.name for one in stored if _is_text(one.type)]
        with pq.ParquetFile(paths[0], read_dictionary=text, memory_map=False) as file:
            schema = plain(file.schema_arrow.empty_table()).schema
        for path in paths:
            n_rows += pq.read_metadata(path).num_rows
    except (pa.ArrowException, OSError):
        raise _damaged(name) from None
    schema = pa.schema([pa.field(one.name, kinds.get(one.name, one.type)) for one in schema])
    return ParquetRows(name, paths, schema, n_rows, kinds, frozenset(text))


def _as_kind(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """Cells of text as what they say, every text of a dictionary once; other cells in the type they should have."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        return column.cast(kind)
    chunks = [chunk.dictionary.cast(kind).take(chunk.indices) for chunk in column.chunks]
    return pa.chunked_array(chunks, kind)


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _damaged(name: str) -> BadInput:
    return BadInput(f"{name} cannot be read as Parquet.", found="damaged, or no longer there", fix="write it anew")
