"""Columns by number: whatever is in a name, c0, c1, ... need no quotes and clash with nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from amongst.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import Column, DataFrame, SparkSession

NESTED = ("array", "map", "struct", "variant", "interval")


def numbered(frame: DataFrame, columns: Sequence[str]) -> DataFrame:
    """Some columns of a frame, named c0, c1, ...; text compares byte by byte, whatever collation it has.

    A column of nothing but nulls, of no type, is text.
    """
    from pyspark.sql import functions as F
    from pyspark.sql.types import NullType, StringType

    plain = frame.toDF(*(f"c{i}" for i in range(len(frame.columns))))
    place = {name: i for i, name in enumerate(frame.columns)}
    picked: list[Column] = []
    for i, name in enumerate(columns):
        column = F.col(f"c{place[name]}")
        if isinstance(plain.schema.fields[place[name]].dataType, (StringType, NullType)):
            column = column.cast("string")
        picked.append(column.alias(f"c{i}", metadata={}))
    return plain.select(*picked)


def refuse_unordered(frame: DataFrame, columns: Sequence[str]) -> None:
    """Raise for columns whose values have no order."""
    for one, name in zip(frame.schema.fields, columns, strict=True):
        kind = one.dataType.simpleString()
        if kind.startswith(NESTED):
            raise BadInput(
                f"The values of '{name}' have no order, so its rows would stay in the order of the input.",
                found=f"the type {kind.split('<')[0]}",
                fix='turn the column into text, numbers or dates, or drop it with role = "identifier"',
            )


def in_order(frame: DataFrame, columns: Sequence[str], kinds: Mapping[str, str | None] | None = None) -> list[Column]:
    """Sort keys: by value, nulls last, NaN before them; text by its bytes; -0.0 before 0.0, which Spark calls equal.

    Texts of a column that has a type in ``kinds`` are in the order of the values that they stand for.
    """
    from pyspark.sql import functions as F

    kind_of = dict(frame.dtypes)
    keys: list[Column] = []
    for name in columns:
        kind = (kinds or {}).get(name)
        value = F.col(name) if kind is None else F.col(name).try_cast(kind)
        keys.append(value.asc_nulls_last())
        if (kind or kind_of[name]) in ("float", "double"):
            keys.append(F.when(value == 0, value.cast("string") == "0.0").asc_nulls_first())
    return keys


def to_spark(session: SparkSession, table: pa.Table, names: Sequence[str]) -> DataFrame:
    """An Arrow table as a frame: text not encoded, times without a zone as such, whatever the session prefers."""
    import pyarrow as pa
    from pyspark.sql.pandas.types import from_arrow_schema

    columns = []
    for column in table.columns:
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        kind = pa.string() if pa.types.is_null(kind) or pa.types.is_large_string(kind) else kind
        kind = pa.timestamp("us", kind.tz) if pa.types.is_timestamp(kind) else kind
        columns.append(column.cast(kind))
    plain = pa.table(columns, names=list(names))
    return session.createDataFrame(plain, from_arrow_schema(plain.schema, prefer_timestamp_ntz=True))
