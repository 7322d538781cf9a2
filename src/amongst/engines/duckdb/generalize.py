"""All full-domain generalizations of a file that is not read into memory."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst import sql_text
from amongst.encode import CodedTable, encode
from amongst.encode.encode import nothing_left
from amongst.engines.counted import check_roles
from amongst.engines.duckdb import sql
from amongst.engines.duckdb.connect import connected
from amongst.engines.duckdb.frequency_sets import SqlFrequencySets
from amongst.errors import BadInput, BadOption
from amongst.models import Model, beyond_rows
from amongst.schema.check import check
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def generalize(
    data: Any,
    schema: Schema,
    models: Sequence[Model],
    search: Any,
    suppression: float,
    limits: Mapping[str, int] | None,
    *,
    unit: str | None = None,
    memory_limit: str | None = None,
    **options: Any,
) -> Any:
    """Search the lattice of a Parquet or CSV file with frequency sets in DuckDB.

    Only the distinct values of every column come to Python; rows and tuples stay where DuckDB has them.
    """
    from amongst.partition.full_domain.search import search_sets

    _refuse_what_is_not_counted(models, unit)
    path = _file(data)
    with connected(memory_limit) as connection:
        source = sql.file_source(str(path))
        names = _names(connection, source, path)
        sets = star(connection, source, names, schema)
        return search_sets(search, sets, models, suppression, limits, **options)  # type: ignore[arg-type]


def _refuse_what_is_not_counted(models: Sequence[Model], unit: str | None) -> None:
    """Raise where more is asked for than the rows of classes: these tables count nothing else."""
    others = beyond_rows(models)
    if others or unit is not None:
        raise BadOption(
            "In SQL only k-anonymity is searched for, and rows are counted.",
            found="other models: " + ", ".join(others) if others else f"people to be counted by {unit!r}",
            fix='use engine="memory"',
        )


def _file(data: Any) -> Path:
    if not isinstance(data, (str, os.PathLike)):
        raise BadOption(
            "The DuckDB engine takes a file.",
            found=f"a {type(data).__name__}",
            fix='give a path, or use engine="memory"',
        )
    path = Path(data)
    if not path.is_file():
        raise BadInput("The file is not there.", found=f"no file {path}", fix="check the path")
    if path.suffix.lower() not in (".parquet", ".pq", ".csv"):
        raise BadInput(
            f"The DuckDB engine does not read {path.name}.",
            found=f"the ending {path.suffix}",
            fix="use .parquet or .csv",
        )
    return path


def _names(connection: Any, source: str, path: Path) -> list[str]:
    import duckdb

    try:
        return [row[0] for row in connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()]
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error:
        raise BadInput(
            f"{path.name} cannot be read.", found="the file is damaged or of another kind", fix="write it anew"
        ) from None


def star(
    connection: Any, source: str, names: list[str], schema: Schema, fields: pa.Schema | None = None
) -> SqlFrequencySets:
    """The dimension tables from the distinct values, and the frequency set of all columns.

    ``fields`` says what types the columns have, where it is not to be found out from the values.
    """
    import pyarrow as pa

    check_roles(schema, names)
    without_null = [name for name in schema.quasi if schema[name].nulls == "suppress"]
    where = " AND ".join(f"{sql_text.quoted(name)} IS NOT NULL" for name in without_null) or "true"
    [(n_input, n_rows)] = connection.execute(
        f"SELECT count(*), count(*) FILTER (WHERE {where}) FROM {source}"
    ).fetchall()
    if n_input and not n_rows:
        raise nothing_left(n_input)
    values, columns = [], []
    for name in schema.quasi:
        found = connection.sql(sql.distinct_values(source, name, where)).to_arrow_table().column("value")
        own = found.combine_chunks()
        own = own.chunk(0) if isinstance(own, pa.ChunkedArray) else own
        table = pa.table({name: _typed(own) if fields is None else own.cast(fields.field(name).type)})
        columns.append(encode(table, check(Schema({name: schema[name]}), table)).columns[0])
        values.append(own)
    kept = None if n_rows == n_input else np.arange(n_rows)
    return SqlFrequencySets(connection, source, CodedTable(columns, n_input, kept), values, without_null)


def _typed(values: Any) -> Any:
    """Text of a CSV as the type that all its cells have, as it is when the file is read into memory."""
    import pyarrow as pa

    if pa.types.is_string(values.type):
        from amongst.read.text import settle

        return settle(pa.chunked_array([values.dictionary_encode()]))
    return values
