"""Do published columns that are no keys lead from row to row? From the published tables alone, by SQL.

A column may hold keys: those of the original tables, which name their rows to whoever has seen them, or the new
ones, which would link rows in ways that nobody counted. The signs are its name and whom its values belong to.
"""

from __future__ import annotations

import math
from typing import Any

from amongst.published.finding import Finding
from amongst.relations.stores.ddl import quoted
from amongst.relations.verify.neutral import Neutral

SHARE = 0.9
AGAINST_CHANCE = 6.0
"""Powers of ten."""
COMMON = {"id", "key", "no", "nr", "code", "name", "number"}
TYPES = (
    "BIGINT",
    "INTEGER",
    "SMALLINT",
    "TINYINT",
    "UBIGINT",
    "UINTEGER",
    "USMALLINT",
    "UTINYINT",
    "HUGEINT",
    "VARCHAR",
)


def loose_links(database: Any, published: Neutral) -> list[Finding]:
    """Columns with a role whose values are keys, or link rows of different tables as keys do."""
    columns = _columns(database, published)
    n_persons = max(int(database.execute(f"SELECT count(*) FROM {quoted(published.schema.person)}").fetchone()[0]), 1)
    enough = AGAINST_CHANCE / max(math.log10(n_persons), 1e-9)
    _all_keys(database, published)
    found: dict[tuple[str, str], str] = {}
    shared: dict[tuple[str, str], str] = {}
    for alike in _of_one_name(published, columns):
        held = [(*one, f"values {i}") for i, one in enumerate(alike)]
        for table, column, values in held:
            _values(database, table, column, values)
            if _named_as_a_key(database, published, table, column, values):
                found[table, column] = "is called as a key of another table, and names persons"
            elif _leads_to_own_rows(database, values, enough):
                found[table, column] = "leads to rows of the same person as a reference does"
        for i, (table, column, own) in enumerate(held):
            others = [(name, values) for name, _, values in held[i + 1 :] if name != table]
            linked = (name for name, theirs in others if _links(database, own, theirs, enough))
            if (other := next(linked, None)) is not None:
                shared[table, column] = f"links its rows with those of '{published.called[other]}' as a key does"
    told = [(one, words) for way in (found, shared) for one in columns if (words := way.get(one)) is not None]
    return [_finding(published, table, column, words) for (table, column), words in told]


def _columns(database: Any, published: Neutral) -> list[tuple[str, str]]:
    """The columns that may hold keys: whole numbers and texts."""
    found = []
    for name, relation in published.schema.items():
        kinds = {row[0]: row[1] for row in database.execute(f"DESCRIBE {quoted(name)}").fetchall()}
        held = [c for c in relation.schema if c in kinds and str(kinds[c]).split("(")[0] in (*TYPES, "ENUM")]
        found += [(name, column) for column in held]
    return found


def _of_one_name(published: Neutral, columns: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """The columns, those of one name together."""
    alike: dict[str, list[tuple[str, str]]] = {}
    for one in columns:
        alike.setdefault(published.column_called[one].casefold(), []).append(one)
    return list(alike.values())


def _all_keys(database: Any, published: Neutral) -> None:
    """Every key of every table, with its person."""
    parts = [
        f"SELECT '{name}' AS tbl, CAST(k AS VARCHAR) AS value, person FROM {quoted('kind ' + name)} WHERE k IS NOT NULL"
        for name, relation in published.schema.items()
        if relation.key is not None
    ]
    empty = "SELECT '' AS tbl, '' AS value, 0 AS person WHERE false"
    database.execute(f"CREATE OR REPLACE TEMP TABLE all_keys AS {' UNION ALL '.join([empty, *parts])}")


def _values(database: Any, table: str, column: str, to: str) -> None:
    """The values of a column, each with the persons who have it."""
    database.execute(
        f"CREATE OR REPLACE TEMP TABLE {quoted(to)} AS "
        f"SELECT DISTINCT CAST(t.{quoted(column)} AS VARCHAR) AS value, n.person FROM {quoted(table)} t "
        f"JOIN {quoted('kind ' + table)} n ON n.rid = t.rowid WHERE t.{quoted(column)} IS NOT NULL"
    )


def _named_as_a_key(database: Any, published: Neutral, table: str, column: str, values: str) -> bool:
    """Called as the key of another table is, with values that belong to one person each."""
    names = {
        published.column_called[other, relation.key].casefold()
        for other, relation in published.schema.items()
        if other != table and isinstance(relation.key, str)
    }
    if published.column_called[table, column].casefold() not in names - COMMON:
        return False
    persons = f"SELECT count(*) AS n FROM {quoted(values)} GROUP BY value"
    counted = f"SELECT count(*) FILTER (WHERE n = 1), count(*) FROM ({persons})"
    of_one, n_values = database.execute(counted).fetchone()
    return bool(n_values > 1 and of_one >= SHARE * n_values)


def _leads_to_own_rows(database: Any, values: str, enough: float) -> bool:
    """For some table: the values are its keys, of rows that belong to the same person."""
    rows = database.execute(
        f"SELECT count(*), count(DISTINCT o.value) FROM {quoted(values)} o JOIN all_keys a USING (value) "
        "WHERE a.person = o.person GROUP BY a.tbl"
    ).fetchall()
    (pairs,) = database.execute(f"SELECT count(*) FROM {quoted(values)}").fetchone()
    return any(same >= SHARE * pairs and n_values >= enough for same, n_values in rows)


def _links(database: Any, own: str, theirs: str, enough: float) -> bool:
    """Columns of one name in two tables, whose equal values belong to one person: a key that is in neither schema."""
    pairs, same, values = database.execute(
        "SELECT count(*), count(*) FILTER (WHERE o.person = t.person), "
        "count(DISTINCT o.value) FILTER (WHERE o.person = t.person) "
        f"FROM {quoted(own)} o JOIN {quoted(theirs)} t USING (value)"
    ).fetchone()
    return bool(pairs and same >= SHARE * pairs and values >= enough)


def _finding(published: Neutral, table: str, column: str, what: str) -> Finding:
    told, name = published.called[table], published.column_called[table, column]
    fix = 'leave the column out (role = "identifier"): only keys that were dealt anew may link rows'
    return Finding("loose-key", f"Table '{told}': '{name}' {what}.", fix=fix)
