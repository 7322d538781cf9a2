"""Cells that no table about people has: so long that a few of them fill the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from amongst.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa

LONGEST_CELL = 1 << 20
"""Bytes of the longest cell that is read."""


def refuse_long_cells(table: str, name: str, column: pa.ChunkedArray | pa.Array) -> None:
    """Raise for a cell of more than a megabyte: it would be repeated in every set that it is part of."""
    import pyarrow as pa
    import pyarrow.compute as pc

    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    for chunk in chunks:
        cells = chunk.dictionary if pa.types.is_dictionary(chunk.type) else chunk
        if not _is_long(cells.type):
            continue
        longest = pc.max(pc.binary_length(cells)).as_py() or 0
        if longest > LONGEST_CELL:
            raise BadInput(
                f"A cell of {table} is too long.",
                found=f"{longest:,} bytes in a cell of '{name}'; {LONGEST_CELL:,} are read at most",
                fix="take the long texts out of the table, or leave the column out",
            )


def _is_long(kind: pa.DataType) -> bool:
    from pyarrow import types

    text = types.is_string(kind) or types.is_large_string(kind)
    return bool(text or types.is_binary(kind) or types.is_large_binary(kind))
