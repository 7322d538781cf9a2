"""The SQL types of columns, in the dialects that tables are written in."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def sql_type(kind: pa.DataType, dialect: str) -> str:
    """The SQL type of an Arrow type; what has none becomes text."""
    import pyarrow as pa

    types = pa.types
    if types.is_dictionary(kind):
        kind = kind.value_type
    if types.is_boolean(kind):
        return "INTEGER" if dialect == "sqlite" else "BOOLEAN"
    if types.is_uint64(kind) and dialect != "sqlite":
        return "UBIGINT" if dialect == "duckdb" else "NUMERIC(20, 0)"
    if types.is_integer(kind):
        return "INTEGER" if dialect == "sqlite" else "BIGINT"
    if types.is_floating(kind):
        return "REAL" if dialect == "sqlite" else "DOUBLE PRECISION"
    if types.is_decimal(kind):
        return f"NUMERIC({kind.precision}, {kind.scale})"
    if types.is_date(kind):
        return "DATE"
    if types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz is None else "TIMESTAMP WITH TIME ZONE"
    return "TEXT"
