"""The type that all cells of a text column have, found out in SQL: as ``read.text.settle`` finds it in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from amongst import sql_text
from amongst.read.as_read import Spelling, spelling_of
from amongst.read.text import DATE, INTEGER, NUMBER, TIMESTAMP, typed

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.engines.duckdb.file_store import FileStore


FEW_ROWS = 10_000
"""Of so few rows the cells are looked at here: DuckDB goes through the names of all columns for every question."""
AT_ONCE = 64
"""So many columns of few rows are read at once."""


def text_types(store: FileStore) -> dict[str, pa.DataType]:
    """For every column of text that is something else in all its cells, what it is."""
    names = store.unsettled
    if _few_rows(store):
        found = ((name, typed(cells)) for name, cells in _few_cells(store, names))
        return {name: values.type for name, values in found if values is not None}
    return _types_in_sql(store, names)


def _types_in_sql(store: FileStore, names: Sequence[str]) -> dict[str, pa.DataType]:
    import pyarrow as pa

    kinds = {
        "BIGINT": (INTEGER, pa.int64()),
        "DOUBLE": (NUMBER, pa.float64()),
        "DATE": (DATE, pa.date32()),
        "TIMESTAMP_S": (TIMESTAMP, pa.timestamp("s")),
    }
    types: dict[str, pa.DataType] = {}
    with store.connection() as connection:
        for name in names:
            cells = f"({_distinct(store, name)})"
            fits = ", ".join(f"bool_and(regexp_matches(cell, {sql_text.text(of)}))" for of, _ in kinds.values())
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

    names = [name for name in names if name in store.unsettled]
    wanted = [name for name in names if store.fields.field(name).type in (pa.float64(), pa.timestamp("s"))]
    cells_of = _few_cells if _few_rows(store) else _many_cells
    told = ((name, spelling_of(cells, typed(cells))) for name, cells in cells_of(store, wanted))
    return {name: spelling for name, spelling in told if spelling is not None}


def _few_rows(store: FileStore) -> bool:
    return store.n_rows <= FEW_ROWS


def _few_cells(store: FileStore, names: Sequence[str]) -> Iterator[tuple[str, pa.Array]]:
    """The distinct cells of some columns of few rows."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    for at in range(0, len(names), AT_ONCE):
        part = list(names[at : at + AT_ONCE])
        rows = pa.concat_tables([pq.read_table(path, columns=part, partitioning=None) for path in store.paths])
        for name in part:
            yield name, pc.unique(rows.column(name).drop_null().cast(pa.string()))


def _many_cells(store: FileStore, names: Sequence[str]) -> Iterator[tuple[str, pa.Array]]:
    import pyarrow as pa

    with store.connection() as connection:
        for name in names:
            cells = connection.sql(_distinct(store, name)).to_arrow_table().column(0)
            yield name, pa.concat_arrays(cells.chunks)


def _distinct(store: FileStore, name: str) -> str:
    own = sql_text.quoted(name)
    return f"SELECT DISTINCT {own} AS cell FROM {store.stored} WHERE {own} IS NOT NULL"
