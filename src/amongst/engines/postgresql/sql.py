"""The statements, as text: what each says can be read and tested without a server.

Names of our own are temporary tables that nobody else sees. Columns in them have short names of our own too, so that
no name of the user's can clash with them: ``g0, g1, ...`` for what is counted, ``c0, c1, ...`` for what classes publish.
"""

from __future__ import annotations

from collections.abc import Sequence

from amongst.engines.postgresql.names import TableName, quoted
from amongst.engines.postgresql.types import StoredColumn

MAP, TUPLES, CLASSES, SEEN = (f"amongst_{name}" for name in ("map", "tuples", "classes", "seen"))


def counted(name: str, source: TableName, columns: Sequence[StoredColumn], in_order: bool = False) -> str:
    """The frequency set as a temporary table, its entries numbered from 0; in the order of their values, or in any."""
    order = ", ".join(f"x.g{i} NULLS LAST" for i in range(len(columns)))
    over = f"ORDER BY {order}" if in_order else ""
    cells = ", ".join(f"{column.read()} AS g{i}" for i, column in enumerate(columns))
    return (
        f"CREATE TEMPORARY TABLE {name} ON COMMIT DROP AS\n"
        f"SELECT (row_number() OVER ({over}) - 1)::int4 AS id, x.* FROM (\n"
        f"  SELECT {cells}, count(*) AS n FROM {source.sql} GROUP BY {_numbers(len(columns))}) x"
    )


def entries(name: str, columns: Sequence[StoredColumn]) -> str:
    """The entries of a frequency set, to be fetched."""
    return f"SELECT {', '.join(['id', *(f'g{i}' for i in range(len(columns))), 'n'])} FROM {name}"


def from_counts(
    target: TableName, name: str, others: Sequence[int], shown: Sequence[tuple[str, str]], divided: bool
) -> str:
    """The release made of the frequency set alone: as many equal rows as there are, class by class.

    Rows that are equal in all that is published cannot be told apart, so it is enough to know how many there are.
    ``others`` are the numbers of the counted columns that are published as they are; ``shown`` is what is published:
    SQL and name of every column.
    """
    own = "".join(f", s.g{i}" for i in others)
    parts = _divided_entries(name, others) if divided else _whole_entries(name, others)
    grouped = f"SELECT s.class{own}, sum(s.n)::int8 AS n FROM ({parts}) s GROUP BY {_numbers(1 + len(others))}"
    order = ", ".join(["s.class", *(f"s.g{i} NULLS LAST" for i in others)])
    joined = f"SELECT c.*{own}, s.n FROM ({grouped}) s JOIN {CLASSES} c ON c.id = s.class ORDER BY {order}"
    return (
        f"CREATE TABLE {target.sql} AS\nSELECT {_listed(shown)} FROM (\n"
        f"  SELECT x.*, generate_series(1, x.n) FROM (\n    {joined}) x) x"
    )


def _whole_entries(name: str, others: Sequence[int]) -> str:
    own = "".join(f", s.g{i}" for i in others)
    return f"SELECT m.class{own}, s.n FROM {name} s JOIN {MAP} m ON m.id = s.id"


def _divided_entries(name: str, others: Sequence[int]) -> str:
    """For every entry and every class that takes some of its rows, how many.

    The rows of a tuple are numbered in the order of the other columns, so those of one entry follow each other.
    """
    own = "".join(f", s.g{i}" for i in others)
    order = ", ".join([*(f"e.g{i} NULLS LAST" for i in others), "e.id"])
    before = f"(sum(e.n) OVER (PARTITION BY t.tuple ORDER BY {order} ROWS UNBOUNDED PRECEDING) - e.n)::int8"
    numbered = f"SELECT e.*, t.tuple, {before} AS before FROM {name} e JOIN {TUPLES} t ON t.id = e.id"
    n = "least(m.last, s.before + s.n - 1) - greatest(m.first, s.before) + 1"
    overlap = "m.first < s.before + s.n AND m.last >= s.before"
    return f"SELECT m.class{own}, {n} AS n FROM ({numbered}) s JOIN {MAP} m ON m.tuple = s.tuple AND {overlap}"


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
    order = ", ".join(["t.class", *(f"{column.read('t')} NULLS LAST" for column in others)])
    rows = _divided_rows(source, name, keys, others) if divided else _whole_rows(source, name, keys, others)
    joined = f"({rows}) t JOIN {CLASSES} c ON c.id = t.class"
    return f"CREATE TABLE {target.sql} AS\nSELECT {_listed(shown)} FROM {joined}\nORDER BY {order}"


def _whole_rows(
    source: TableName, name: str, keys: Sequence[tuple[int, StoredColumn, bool]], others: Sequence[StoredColumn]
) -> str:
    cells = "".join(f", t.{quoted(column.name)}" for column in others)
    tuples = f"SELECT e.*, m.class FROM {name} e JOIN {MAP} m ON m.id = e.id"
    return f"SELECT s.class{cells} FROM {source.sql} t JOIN ({tuples}) s ON {_same(keys)}"


def _divided_rows(
    source: TableName, name: str, keys: Sequence[tuple[int, StoredColumn, bool]], others: Sequence[StoredColumn]
) -> str:
    cells = "".join(f", t.{quoted(column.name)}" for column in others)
    order = ", ".join(f"{column.read('t')} NULLS LAST" for column in others)
    within = f"PARTITION BY s.id{' ORDER BY ' + order if order else ''}"
    tuples = f"SELECT e.* FROM {name} e WHERE e.id IN (SELECT m.tuple FROM {MAP} m)"
    numbered = (
        f"SELECT s.id AS tuple{cells}, row_number() OVER ({within}) - 1 AS place "
        f"FROM {source.sql} t JOIN ({tuples}) s ON {_same(keys)}"
    )
    return (
        f"SELECT m.class{cells} FROM ({numbered}) t JOIN {MAP} m ON m.tuple = t.tuple "
        f"AND t.place BETWEEN m.first AND m.last"
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


def seen(target: TableName, columns: Sequence[StoredColumn]) -> str:
    """The distinct rows of the table that was written, with their counts."""
    cells = ", ".join(f"{column.read()} AS g{i}" for i, column in enumerate(columns))
    grouped = f"SELECT {cells}, count(*) AS n FROM {target.sql} GROUP BY {_numbers(len(columns))}"
    return f"CREATE TEMPORARY TABLE {SEEN} ON COMMIT DROP AS\n{grouped}"


def _listed(shown: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{cell} AS {quoted(name)}" for cell, name in shown)


def _numbers(n: int) -> str:
    return ", ".join(str(i) for i in range(1, n + 1))
