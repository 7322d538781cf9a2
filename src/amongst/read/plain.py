"""Types of Arrow that later steps do not know, as the plain types that they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def plain(table: pa.Table, *, short: bool = False) -> pa.Table:
    """The table without views, run ends and short decimals; with ``short``, large text as text, as polars has it."""
    import pyarrow as pa

    columns = [_plain_column(column, short) for column in table.columns]
    return pa.Table.from_arrays(columns, names=table.column_names)


def _plain_column(column: pa.ChunkedArray, short: bool) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_run_end_encoded(column.type):
        column = pa.chunked_array([pc.run_end_decode(chunk) for chunk in column.chunks], column.type.value_type)
    kind = column.type
    if pa.types.is_dictionary(kind):
        values = _plain_type(kind.value_type, short)
        known = values == kind.value_type
        return column if known else column.cast(pa.dictionary(pa.int32(), values, kind.ordered))
    return column if _plain_type(kind, short) == kind else column.cast(_plain_type(kind, short))


def _plain_type(kind: pa.DataType, short: bool) -> pa.DataType:
    import pyarrow as pa

    if pa.types.is_string_view(kind) or (short and pa.types.is_large_string(kind)):
        return pa.string()
    if pa.types.is_decimal(kind) and kind.bit_width < 128:  # which Arrow can neither sort nor number
        return pa.decimal128(kind.precision, kind.scale)
    return pa.binary() if pa.types.is_binary_view(kind) else kind
