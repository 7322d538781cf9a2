"""Do published columns that are no keys lead from row to row? From the published tables alone, by SQL.

A column may hold keys: those of the original tables, which name their rows to whoever has seen them, or the new
ones, which would link rows in ways that nobody counted. The signs are its name and whom its values belong to.
"""

from __future__ import annotations

import math
from typing import Any

from amongst.published.finding import Finding
from amongst.relations.verify.neutral import Neutral
from amongst.sql_text import quoted

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
        _values(database, alike)
        own_rows = _lead_to_own_rows(database, enough)
        for i, (table, column) in enumerate(alike):
            if _named_as_a_key(database, published, table, column, i):
                found[table, column] = "is called as a key of another table, and names persons"
            elif i in own_rows:
                found[table, column] = "leads to rows of the same person as a reference does"
        for i, j in _links(database, enough) if len(alike) > 1 else ():
            other = alike[j][0]
            if other != alike[i][0] and alike[i] not in shared:
                shared[alike[i]] = f"links its rows with those of '{published.called[other]}' as a key does"
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


def _values(database: Any, alike: list[tuple[str, str]]) -> None:
    """The values of columns of one name, each with the place of its column and the persons who have it."""
    parts = [
        f"SELECT DISTINCT {i} AS col, CAST(t.{quoted(column)} AS VARCHAR) AS value, n.person FROM {quoted(table)} t "
        f"JOIN {quoted('kind ' + table)} n ON n.rid = t.rowid WHERE t.{quoted(column)} IS NOT NULL"
        for i, (table, column) in enumerate(alike)
    ]
    database.execute(f"CREATE OR REPLACE TEMP TABLE held AS {' UNION ALL '.join(parts)}")


def _named_as_a_key(database: Any, published: Neutral, table: str, column: str, place: int) -> bool:
    """Called as the key of another table is, with values that belong to one person each."""
    names = {
        published.column_called[other, relation.key].casefold()
        for other, relation in published.schema.items()
        if other != table and isinstance(relation.key, str)
    }
    if published.column_called[table, column].casefold() not in names - COMMON:
        return False
    persons = f"SELECT count(*) AS n FROM held WHERE col = {place} GROUP BY value"
    counted = f"SELECT count(*) FILTER (WHERE n = 1), count(*) FROM ({persons})"
    of_one, n_values = database.execute(counted).fetchone()
    return bool(n_values > 1 and of_one >= SHARE * n_values)


def _lead_to_own_rows(database: Any, enough: float) -> set[int]:
    """The columns whose values are, for some table, its keys, of rows that belong to the same person."""
    rows = database.execute(
        "WITH pairs AS (SELECT col, count(*) AS n FROM held GROUP BY col) "
        "SELECT col, any_value(n), count(*), count(DISTINCT o.value) FROM held o JOIN all_keys a USING (value) "
        "JOIN pairs USING (col) WHERE a.person = o.person GROUP BY col, a.tbl"
    ).fetchall()
    return {col for col, pairs, same, n_values in rows if same >= SHARE * pairs and n_values >= enough}


def _links(database: Any, enough: float) -> list[tuple[int, int]]:
    """Pairs of columns of one name, whose equal values belong to one person: a key that is in neither schema."""
    rows = database.execute(
        "SELECT o.col, t.col, count(*), count(*) FILTER (WHERE o.person = t.person), "
        "count(DISTINCT o.value) FILTER (WHERE o.person = t.person) "
        "FROM held o JOIN held t ON o.value = t.value AND o.col < t.col GROUP BY ALL ORDER BY ALL"
    ).fetchall()
    return [(i, j) for i, j, pairs, same, n_values in rows if same >= SHARE * pairs and n_values >= enough]


def _finding(published: Neutral, table: str, column: str, what: str) -> Finding:
    told, name = published.called[table], published.column_called[table, column]
    fix = 'leave the column out (role = "identifier"): only keys that were dealt anew may link rows'
    return Finding("loose-key", f"Table '{told}': '{name}' {what}.", fix=fix)
