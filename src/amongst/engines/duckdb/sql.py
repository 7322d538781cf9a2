"""The SQL of the star schema, as text: what each statement says can be read and tested without a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amongst.sql_text import quoted, text


def file_source(path: str, nulls: Sequence[str] = ()) -> str:
    """A file as something to select from; the cells of a CSV are text, as they are when it is read into memory."""
    if path.lower().endswith((".parquet", ".pq")):
        return f"read_parquet({text(path)})"
    missing = "[" + ", ".join(text(cell) for cell in ("", *nulls)) + "]"
    return f"read_csv({text(path)}, header = true, all_varchar = true, nullstr = {missing}, strict_mode = true)"


def distinct_values(source: str, column: str, where: str = "true") -> str:
    """The values of a column in rows that count."""
    return f"SELECT DISTINCT {quoted(column)} AS value FROM {source} WHERE {where}"


def base_table(name: str, source: str, columns: Sequence[str], without_null: Sequence[str]) -> str:
    """The frequency set of all columns at level 0: the fact table joined with every dimension, and counted."""
    codes = ", ".join(f"d{c}.l0 AS c{c}" for c in range(len(columns)))
    joins = "".join(
        f"\n  JOIN dimension_{c} d{c} ON f.{quoted(column)} IS NOT DISTINCT FROM d{c}.value"
        for c, column in enumerate(columns)
    )
    where = " AND ".join(f"f.{quoted(column)} IS NOT NULL" for column in without_null)
    where = f"\n  WHERE {where}" if where else ""
    return (
        f"CREATE TEMP TABLE {name} AS\n  SELECT {codes}, count(*) AS n\n  FROM {source} f{joins}{where}\n  GROUP BY ALL"
    )


def rolled_up(name: str, source: str, steps: Mapping[int, tuple[int, int]]) -> str:
    """A frequency set from a finer one: columns joined with the steps of their dimension, counts added up.

    ``steps`` has the level before and after for every column that stays; the others are left out.
    """
    names, joins = [], ""
    for c, (before, after) in steps.items():
        if before == after:
            names.append(f"s.c{c} AS c{c}")
            continue
        names.append(f"m{c}.after AS c{c}")
        step = f"SELECT DISTINCT l{before} AS before, l{after} AS after FROM dimension_{c}"
        joins += f"\n  JOIN ({step}) m{c} ON s.c{c} = m{c}.before"
    codes = ", ".join(names)
    select = f"SELECT {codes}, sum(n)::BIGINT AS n\n  FROM {source} s{joins}\n  GROUP BY ALL"
    return f"CREATE TEMP TABLE {name} AS\n  {select}"


def members_below(name: str, source: str, found: str, levels: Mapping[int, int], k: int) -> str:
    """The rows of a set at level 0 that lie in classes of fewer than k of a coarser one."""
    joins = ""
    for c, level in levels.items():
        joins += f"\n  JOIN (SELECT DISTINCT l0, l{level} AS node FROM dimension_{c}) m{c} ON s.c{c} = m{c}.l0"
    same = " AND ".join(f"f.c{c} = m{c}.node" for c in levels)
    return (
        f"CREATE TEMP TABLE {name} AS\n  SELECT s.* FROM {source} s{joins}"
        f"\n  JOIN {found} f ON {same}\n  WHERE f.n < {int(k)}"
    )


def rows_below(table: str, k: int) -> str:
    return f"SELECT coalesce(sum(n), 0)::BIGINT FROM {table} WHERE n < {int(k)}"


def n_classes(table: str) -> str:
    return f"SELECT count(*) FROM {table}"


def n_values(table: str, column: int) -> str:
    return f"SELECT count(DISTINCT c{column}) FROM {table}"
