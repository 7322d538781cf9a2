"""The fact table: a file that DuckDB reads, or a relation of the user's own database."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amongst.engines.duckdb import sql
from amongst.engines.duckdb.connection import Connection
from amongst.errors import BadInput, BadOption
from amongst.read.file import refuse_missing
from amongst.read.text import read_header

PARQUET, CSV = (".parquet", ".pq"), (".csv", ".tsv", ".txt")


@dataclass(frozen=True)
class Fact:
    """Where the rows are.

    Attributes
    ----------
    source : str
        SQL to select from.
    names : list of str
        All its columns.
    cells : bool
        Whether everything is text, as the cells of a CSV file are.
    weight : str, or None
        The column that says how many rows a row stands for.
    """

    source: str
    names: list[str]
    cells: bool = False
    weight: str | None = None


def name_of(data: Any) -> str:
    """What to call it in messages."""
    return Path(data).name if isinstance(data, (str, os.PathLike)) else "the table"


def open_fact(connection: Connection, data: Any, quasi: Sequence[str]) -> Fact:
    """The fact table of a Parquet or CSV file or of a DuckDB relation."""
    if isinstance(data, (str, os.PathLike)):
        return _of_file(connection, Path(data))
    import duckdb

    if isinstance(data, duckdb.DuckDBPyRelation):
        return _of_relation(connection, data, quasi)
    raise BadOption(
        "The DuckDB engine takes a file or a relation of DuckDB.",
        found=f"a {type(data).__name__}",
        fix='give a path, or use engine="memory"',
    )


def _of_file(connection: Connection, path: Path) -> Fact:
    refuse_missing(path)
    endings = [suffix.lower() for suffix in path.suffixes]
    ending = endings[-2] if endings[-1:] == [".gz"] and len(endings) > 1 else "".join(endings[-1:])
    if ending in CSV:
        names, separator = read_header(path)
        return Fact(sql.csv_source(str(path), names, separator), names, cells=True)
    if ending in PARQUET:
        source = sql.parquet_source(str(path))
        return Fact(source, [row[0] for row in connection.rows(f"DESCRIBE SELECT * FROM {source}")])
    raise BadInput(
        f"The DuckDB engine does not read {path.name}.",
        found=f"the ending {ending or 'is missing'}",
        fix="use .parquet, .csv, .tsv or .txt",
    )


def _of_relation(connection: Connection, relation: Any, quasi: Sequence[str]) -> Fact:
    """The user's database counts the distinct rows, and they stream into ours: nothing is left behind in theirs."""
    names = list(relation.columns)
    if set(quasi) - set(names):
        return Fact("", names)  # the check of the schema will say what is missing
    weight = "n"
    while weight in names:
        weight += "_"
    found = relation.query("amongst_fact", sql.counted("amongst_fact", quasi, weight))
    connection.load("fact", found.fetch_arrow_reader(1 << 16))
    return Fact("fact", names, weight=weight)
