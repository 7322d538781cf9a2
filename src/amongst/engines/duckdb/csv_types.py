"""The type that all cells of a text column have, found out in SQL: as ``read.text.settle`` finds it in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from amongst.engines.duckdb import sql
from amongst.read.as_read import Spelling, spelling_of
from amongst.read.text import DATE, INTEGER, NUMBER, TIMESTAMP, typed

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.engines.duckdb.file_store import FileStore


def text_types(store: FileStore) -> dict[str, pa.DataType]:
    """For every column of text that is something else in all its cells, what it is."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {
        "BIGINT": (INTEGER, pa.int64()),
        "DOUBLE": (NUMBER, pa.float64()),
        "DATE": (DATE, pa.date32()),
        "TIMESTAMP_S": (TIMESTAMP, pa.timestamp("s")),
    }
    names = pq.read_schema(store.paths[0]).names
    types: dict[str, pa.DataType] = {}
    with store.connection() as connection:
        for name in names:
            cells = f"({_distinct(store, name)})"
            fits = ", ".join(f"bool_and(regexp_matches(cell, {sql.text(of)}))" for of, _ in kinds.values())
            found = connection.execute(f"SELECT {fits} FROM {cells}").fetchall()[0]
            fitting = [kind for kind, ok in zip(kinds, found, strict=True) if ok]
            if not fitting:
                continue
            kind = fitting[0]
            # What cannot be cast, is not finite, or is written in two ways stays text.
            value = f"TRY_CAST(cell AS {kind})"
            finite = f"bool_and(isfinite({value}))" if kind == "DOUBLE" else "true"
            query = f"SELECT bool_and({value} IS NOT NULL), {finite}, count(DISTINCT {value}) = count(*) FROM {cells}"
            if all(connection.execute(query).fetchall()[0]):
                types[name] = kinds[kind][1]
    return types


def text_spellings(store: FileStore, names: Sequence[str]) -> dict[str, Spelling]:
    """How the values of some columns are written, where they print otherwise."""
    import pyarrow as pa

    wanted = [name for name in names if store.fields.field(name).type in (pa.float64(), pa.timestamp("s"))]
    found: dict[str, Spelling] = {}
    with store.connection() as connection:
        for name in wanted:
            cells = pa.concat_arrays(connection.sql(_distinct(store, name)).to_arrow_table().column(0).chunks)
            spelling = spelling_of(cells, typed(cells))
            if spelling is not None:
                found[name] = spelling
    return found


def _distinct(store: FileStore, name: str) -> str:
    own = sql.quoted(name)
    files = ", ".join(sql.text(str(path)) for path in store.paths)
    return f"SELECT DISTINCT {own} AS cell FROM read_parquet([{files}]) WHERE {own} IS NOT NULL"
