"""How many persons share codes that may be known. From the published tables, by SQL."""

from __future__ import annotations

from typing import Any

from amongst.relations.verify.neutral import Neutral
from amongst.sql_text import quoted


def number_codes(database: Any, published: Neutral) -> None:
    """Make for every table ``t`` the table ``near t``, and ``had``, which has every person with every code.

    A code is what the quasi-identifiers of a row say, together with those of the rows that it hangs on as far as these
    may be known as well, and with the kind of the paired row above it.
    """
    schema = published.schema
    parts = ["SELECT 0 AS grp, 0 AS person, 0 AS item WHERE false"]
    for t, name in enumerate(schema.in_order()):
        database.execute(_near_sql(published, name))
        if schema[name].known == "codes":
            near = quoted("near " + name)
            parts.append(f"SELECT DISTINCT grp, person, {t} * 1099511627776 + code AS item FROM {near}")
    database.execute(f"CREATE OR REPLACE TEMP TABLE had AS {' UNION ALL '.join(parts)}")


def codes_shared(database: Any, m: int) -> float:
    """The fewest persons of a group who have a set of up to m codes that somebody of it has; infinity without codes."""
    least = float("inf")
    for size in range(1, m + 1):
        sets = ", ".join(f"h{i}.item" for i in range(size))
        joins = "".join(
            f" JOIN had h{i} ON h{i}.person = h0.person AND h{i}.item > h{i - 1}.item" for i in range(1, size)
        )
        counted = f"SELECT count(*) AS n FROM had h0{joins} GROUP BY h0.grp, {sets}"
        (fewest,) = database.execute(f"SELECT min(n) FROM ({counted})").fetchone()
        least = least if fewest is None else min(least, float(fewest))
    return least


def _near_sql(published: Neutral, name: str) -> str:
    """For every row its person and group, the kind of the nearest paired row, and the number of its code."""
    relation = published.schema[name]
    made, own = quoted("near " + name), quoted("kind " + name)
    if relation.in_trees:
        return f"CREATE OR REPLACE TEMP TABLE {made} AS SELECT rid, k, person, grp, kind, 0 AS code FROM {own}"
    base, above = quoted(name), quoted("near " + str(relation.parent))
    code = "p.code"
    if relation.known == "codes":
        said = ["p.kind", "p.code", *(f"b.{quoted(column)}" for column in relation.schema.quasi)]
        code = f"dense_rank() OVER (ORDER BY {', '.join(said)})"
    key = f"b.{quoted(relation.key)}" if isinstance(relation.key, str) else "NULL"
    return (
        f"CREATE OR REPLACE TEMP TABLE {made} AS "
        f"SELECT b.rowid AS rid, {key} AS k, p.person, p.grp, p.kind, {code} AS code "
        f"FROM {base} b JOIN {above} p ON p.k = b.{quoted(str(relation.foreign_key))}"
    )
