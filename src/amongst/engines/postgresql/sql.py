"""The statements, as text: what each says can be read and tested without a server.

Names of our own are temporary tables that nobody else sees. Columns in them have short names of our own too, so that
no name of the user's can clash with them: ``g0, g1, ...`` for what is counted or published as it is, ``c0, c1, ...``
for what classes publish.
"""

from __future__ import annotations

from collections.abc import Sequence

from amongst.engines.counted import CLASS, COUNT, FIRST, PERSON
from amongst.engines.postgresql.names import TableName
from amongst.engines.postgresql.types import StoredColumn
from amongst.sql_text import quoted

MAP, CLASSES, PIECES, WHOSE = (f"amongst_{name}" for name in ("map", "classes", "pieces", "whose"))
OF_CLASS, ENTRY, PLACE, WHO = (quoted(name) for name in (CLASS, COUNT, FIRST, PERSON))
"""Columns of our own beside those of the user's: a table that has one of these names is refused."""


def counts(source: TableName, columns: Sequence[StoredColumn], exact: Sequence[str] = ()) -> str:
    """The frequency set. The two zeros of floats are one, but for the columns named in ``exact``."""
    zeros = "".join(f", {column.negative_zero()}" for column in columns if column.is_float and column.name in exact)
    cells = ", ".join(f"{column.read()} AS g{i}" for i, column in enumerate(columns))
    return f"SELECT {cells}, count(*) AS n FROM {source.sql} GROUP BY {_numbers(len(columns))}{zeros}"


def kept_counts(
    name: str, source: TableName, columns: Sequence[StoredColumn], in_order: bool, exact: Sequence[str] = ()
) -> str:
    """The frequency set as a temporary table, its entries numbered from 0; in the order of their values, or in any."""
    order = ", ".join(column.in_order(f"x.g{i}") for i, column in enumerate(columns))
    number = f"row_number() OVER ({f'ORDER BY {order}' if in_order else ''}) - 1"
    found = f"SELECT ({number})::int4 AS id, x.* FROM (\n  {counts(source, columns, exact)}) x"
    return f"CREATE TEMPORARY TABLE {name} ON COMMIT DROP AS\n{found}"


def entries(name: str, columns: Sequence[StoredColumn]) -> str:
    """The entries of a frequency set that was kept, to be fetched."""
    return f"SELECT {', '.join(['id', *(f'g{i}' for i in range(len(columns))), 'n'])} FROM {name}"


def from_counts(target: TableName, others: Sequence[StoredColumn], shown: Sequence[tuple[str, str]]) -> str:
    """The release made of counts alone: as many equal rows as there are, class by class.

    Rows that are equal in all that is published cannot be told apart, so it is enough to know how many there are.
    ``shown`` is what is published: SQL and name of every column.
    """
    order = ", ".join(["p.class", *(column.in_order(f"p.g{i}") for i, column in enumerate(others))])
    return (
        f"CREATE TABLE {target.sql} AS\nSELECT {_listed(shown)} FROM (\n"
        f"  SELECT x.*, generate_series(1, x.n) FROM (SELECT * FROM {PIECES} p ORDER BY {order}) x) x"
    )


def from_rows(
    target: TableName,
    source: TableName,
    name: str,
    keys: Sequence[tuple[int, StoredColumn, bool]],
    others: Sequence[StoredColumn],
    shown: Sequence[tuple[str, str]],
    divided: bool,
) -> str:
    """The release made of the rows, each joined with the tuple that it is one of.

    ``keys`` are the quasi-identifiers: the number of the counted column, the column, and whether nulls occur.
    ``name`` has the entries of the frequency set; the map names one of them for every tuple.
    """
    joined = _joined(source, name, keys, others, divided)
    order = _ordered(others)
    return f"CREATE TABLE {target.sql} AS\nSELECT {_listed(shown)} FROM {joined}\nORDER BY {order}"


def whose_rows(
    source: TableName,
    name: str,
    keys: Sequence[tuple[int, StoredColumn, bool]],
    others: Sequence[StoredColumn],
    shown: Sequence[tuple[str, str]],
    divided: bool,
) -> str:
    """The same rows with class and person, in a table that nobody else sees and that goes with the transaction."""
    joined = _joined(source, name, keys, others, divided, whose=True)
    listed = f"{_listed(shown)}, t.{OF_CLASS}, t.{WHO}"
    return f"CREATE TEMPORARY TABLE {WHOSE} ON COMMIT DROP AS\nSELECT {listed} FROM {joined}"


def from_whose_rows(target: TableName, others: Sequence[StoredColumn], names: Sequence[str]) -> str:
    """The release made of these, without whose they are: rows that look alike come in any order."""
    shown = ", ".join(f"t.{quoted(name)}" for name in names)
    order = _ordered(others)
    return f"CREATE TABLE {target.sql} AS\nSELECT {shown} FROM {WHOSE} t\nORDER BY {order}"


def _ordered(others: Sequence[StoredColumn]) -> str:
    return ", ".join([f"t.{OF_CLASS}", *(column.in_order(column.read("t")) for column in others)])


def _joined(
    source: TableName,
    name: str,
    keys: Sequence[tuple[int, StoredColumn, bool]],
    others: Sequence[StoredColumn],
    divided: bool,
    *,
    whose: bool = False,
) -> str:
    """Every row with its class and what that publishes, perhaps with its person."""
    rows = (_divided_rows if divided else _whole_rows)(source, name, keys, others, whose)
    return f"({rows}) t JOIN {CLASSES} c ON c.id = t.{OF_CLASS}"


def _whole_rows(
    source: TableName,
    name: str,
    keys: Sequence[tuple[int, StoredColumn, bool]],
    others: Sequence[StoredColumn],
    whose: bool,
) -> str:
    cells = "".join(f", t.{quoted(column.name)}" for column in others)
    more = f", {WHO}" if whose else ""
    tuples = f"SELECT e.*, m.class{more} FROM {name} e JOIN {MAP} m ON m.id = e.id"
    return f"SELECT s.class AS {OF_CLASS}{cells}{more} FROM {source.sql} t JOIN ({tuples}) s ON {_same(keys)}"


def _divided_rows(
    source: TableName,
    name: str,
    keys: Sequence[tuple[int, StoredColumn, bool]],
    others: Sequence[StoredColumn],
    whose: bool,
) -> str:
    cells = "".join(f", t.{quoted(column.name)}" for column in others)
    order = ", ".join(column.in_order(column.read("t")) for column in others)
    within = f"PARTITION BY s.id{' ORDER BY ' + order if order else ''}"
    tuples = f"SELECT e.* FROM {name} e WHERE e.id IN (SELECT m.id FROM {MAP} m)"
    numbered = (
        f"SELECT s.id AS {ENTRY}{cells}, row_number() OVER ({within}) - 1 AS {PLACE} "
        f"FROM {source.sql} t JOIN ({tuples}) s ON {_same(keys)}"
    )
    more = f", m.{WHO}" if whose else ""
    return (
        f"SELECT m.class AS {OF_CLASS}{cells}{more} FROM ({numbered}) t "
        f"JOIN {MAP} m ON m.id = t.{ENTRY} AND t.{PLACE} BETWEEN m.first AND m.last"
    )


def _same(keys: Sequence[tuple[int, StoredColumn, bool]]) -> str:
    """Equal cells, where nulls equal nulls, in comparisons that can be hashed (IS NOT DISTINCT FROM cannot)."""
    conditions = []
    for i, column, nulls in keys:
        left, right = column.read("t"), f"s.g{i}"
        if nulls:
            conditions.append(f"({left} IS NULL) = ({right} IS NULL)")
            left, right = (f"coalesce({side}, {column.some_value})" for side in (left, right))
        conditions.append(f"{left} = {right}")
    return " AND ".join(conditions)


def _listed(shown: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{cell} AS {quoted(name)}" for cell, name in shown)


def _numbers(n: int) -> str:
    return ", ".join(str(i) for i in range(1, n + 1))
