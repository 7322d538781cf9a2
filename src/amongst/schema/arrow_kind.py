"""What Arrow's types mean for a schema, and the distinct values of a column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa


def value_type(column: pa.ChunkedArray) -> pa.DataType:
    """The type of the values, also where they are dictionary-encoded."""
    import pyarrow as pa

    return column.type.value_type if pa.types.is_dictionary(column.type) else column.type


def natural_kind(of: pa.DataType) -> str | None:
    """The kind that values of this type have when nobody says otherwise; None where there is none."""
    from pyarrow import types

    if types.is_integer(of) or types.is_floating(of) or types.is_decimal(of):
        return "numeric"
    if types.is_date(of) or types.is_timestamp(of):
        return "date"
    text = types.is_string(of) or types.is_large_string(of) or types.is_string_view(of)
    return "categorical" if text or types.is_boolean(of) or types.is_null(of) else None


def is_text(of: pa.DataType) -> bool:
    return natural_kind(of) == "categorical" and str(of) not in ("bool", "null")


def is_nested(of: pa.DataType) -> bool:
    from pyarrow import types

    return types.is_nested(of)


def n_nulls(column: pa.ChunkedArray) -> int:
    """How many cells are missing, also where a dictionary has a null among its values."""
    return _plain(column).null_count if _hides_nulls(column) else column.null_count


def n_not_finite(column: pa.ChunkedArray) -> int:
    """How many cells are NaN or infinite."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_floating(value_type(column)) or not len(column):
        return 0
    return int(pc.sum(pc.invert(pc.is_finite(_plain(column)))).as_py() or 0)


def distinct(column: pa.ChunkedArray) -> pa.Array:
    """The distinct values without null, in no promised order."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type) and not _hides_nulls(column):
        # Hashing the indices is far cheaper than hashing the texts.
        found = pc.unique(column.unify_dictionaries()).dictionary_decode()
        column = pa.chunked_array([found])
    found = pc.unique(_plain(column))
    return found.drop_null()


def distinct_values(column: pa.ChunkedArray) -> list[Any]:
    """The distinct values as Python objects: str, int, float, datetime.date ..."""
    import pyarrow as pa

    found = distinct(column)
    if pa.types.is_timestamp(found.type) and found.type.unit == "ns":
        # Python's datetime has no nanoseconds.
        found = found.cast(pa.timestamp("us", found.type.tz), safe=False).unique()
    return found.to_pylist()


def _plain(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(value_type(column)) if column.type != value_type(column) else column


def _hides_nulls(column: pa.ChunkedArray) -> bool:
    import pyarrow as pa

    return pa.types.is_dictionary(column.type) and any(chunk.dictionary.null_count for chunk in column.chunks)
