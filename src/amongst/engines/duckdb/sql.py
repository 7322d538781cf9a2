"""The SQL of the star schema, as text: what each statement says can be read and tested without a database.

Columns of the fact table go by their own names, which are quoted; everything else goes by numbers: ``dimension_3``
is the dimension of the fourth quasi-identifier, ``l2`` its node at level 2, ``c3`` that node in a frequency set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def quoted(name: str) -> str:
    """A name that stands for itself, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text literal."""
    return "'" + value.replace("'", "''") + "'"


def parquet_source(path: str) -> str:
    """A Parquet file as something to select from."""
    return f"read_parquet({text(path)})"


def csv_source(path: str, names: Sequence[str], separator: str) -> str:
    """A CSV file as something to select from: every cell as text, missing only where nothing is written."""
    columns = ", ".join(f"{text(name)}: 'VARCHAR'" for name in names)
    return (
        f"read_csv({text(path)}, auto_detect = false, header = true, delim = {text(separator)}, "
        "quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false, columns = {" + columns + "})"
    )


def counted(source: str, columns: Sequence[str], weight: str) -> str:
    """The distinct rows of some columns, and how many there are of each."""
    own = ", ".join(map(quoted, columns))
    return f"SELECT {own}, count(*) AS {quoted(weight)} FROM {source} GROUP BY {own}"


def complete(columns: Sequence[str], table: str = "") -> str:
    """The condition that none of the columns is missing."""
    prefix = table + "." if table else ""
    return " AND ".join(f"{prefix}{quoted(column)} IS NOT NULL" for column in columns) or "true"


def n_of_rows(weight: str | None, table: str = "") -> str:
    """How many rows there are: counted, or told by a column of a table that is counted already."""
    return "count(*)" if weight is None else f"sum({table + '.' if table else ''}{quoted(weight)})::BIGINT"


def distinct_values(source: str, column: str, without_null: Sequence[str], weight: str | None = None) -> str:
    """The values of a column, a null too, with their rows, and with those of them that no null rule leaves out."""
    own, rows = quoted(column), n_of_rows(weight)
    kept = f"coalesce({rows.removesuffix('::BIGINT')} FILTER (WHERE {complete(without_null)}), 0)::BIGINT"
    return f"SELECT {own} AS value, {rows} AS n_rows, {kept} AS n_kept FROM {source} GROUP BY {own}"


def base_table(
    name: str, source: str, columns: Sequence[str], without_null: Sequence[str], weight: str | None = None
) -> str:
    """The frequency set of all columns at level 0: the fact table joined with every dimension, and counted."""
    codes = ", ".join(f"d{c}.l0 AS c{c}" for c in range(len(columns)))
    joins = "".join(
        f"\n  JOIN dimension_{c} d{c} ON f.{quoted(column)} IS NOT DISTINCT FROM d{c}.value"
        for c, column in enumerate(columns)
    )
    where = f"\n  WHERE {complete(without_null, 'f')}" if without_null else ""
    rows = n_of_rows(weight, "f")
    return f"CREATE TEMP TABLE {name} AS\n  SELECT {codes}, {rows} AS n\n  FROM {source} f{joins}{where}\n  GROUP BY ALL"


def rolled_up(name: str, source: str, steps: Mapping[int, tuple[int, int]]) -> str:
    """A frequency set from a finer one: columns joined with the steps of their dimension, counts added up.

    ``steps`` has the level before and after for every column that stays; the others are left out.
    """
    codes = ", ".join(f"{_after(c, *levels)} AS c{c}" for c, levels in steps.items())
    joins = _joins(steps)
    return f"CREATE TEMP TABLE {name} AS\n  SELECT {codes}, sum(n)::BIGINT AS n\n  FROM {source} s{joins}\n  GROUP BY ALL"


def _after(c: int, before: int, after: int) -> str:
    return f"s.c{c}" if before == after else f"m{c}.after"


def _joins(steps: Mapping[int, tuple[int, int]]) -> str:
    return "".join(
        f"\n  JOIN (SELECT DISTINCT l{before} AS before, l{after} AS after FROM dimension_{c}) m{c} ON s.c{c} = m{c}.before"
        for c, (before, after) in steps.items()
        if before != after
    )


def rows_below(table: str, k: int) -> str:
    """Rows in classes of fewer than k."""
    return f"SELECT coalesce(sum(n), 0)::BIGINT FROM {table} WHERE n < {int(k)}"


def rows_below_by_node(table: str, column: int, k: int) -> str:
    """The same for every node of a column."""
    return f"SELECT c{column}, sum(n)::BIGINT FROM {table} WHERE n < {int(k)} GROUP BY c{column}"


def rows_below_by_code(table: str, base: str, steps: Mapping[int, tuple[int, int]], column: int, k: int) -> str:
    """The same for every code of a column, which the frequency set itself does not tell any more."""
    classes = " AND ".join(f"r.c{c} = {_after(c, *levels)}" for c, levels in steps.items())
    return (
        f"SELECT s.c{column}, sum(s.n)::BIGINT\n  FROM {base} s{_joins(steps)}\n  JOIN {table} r ON {classes}\n"
        f"  WHERE r.n < {int(k)}\n  GROUP BY s.c{column}"
    )


def kept_classes(table: str, k: int) -> str:
    """How many classes of at least k there are, and the sum of their squared sizes."""
    return f"SELECT count(*), coalesce(sum(n::HUGEINT * n), 0) FROM {table} WHERE n >= {int(k)}"


def n_values(table: str, column: int) -> str:
    """How many nodes of a column occur."""
    return f"SELECT count(DISTINCT c{column}) FROM {table}"
