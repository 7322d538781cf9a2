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
    findings = []
    for table, column in columns:
        _values(database, table, column, "own")
        if _named_as_a_key(database, published, table, column):
            findings.append(
                _finding(published, table, column, "is called as a key of another table, and names persons")
            )
        elif _leads_to_own_rows(database, enough):
            findings.append(_finding(published, table, column, "leads to rows of the same person as a reference does"))
    return findings + _shared(database, published, columns, enough)


def _columns(database: Any, published: Neutral) -> list[tuple[str, str]]:
    """The columns that may hold keys: whole numbers and texts."""
    found = []
    for name, relation in published.schema.items():
        kinds = {row[0]: row[1] for row in database.execute(f"DESCRIBE {quoted(name)}").fetchall()}
        held = [c for c in relation.schema if c in kinds and str(kinds[c]).split("(")[0] in (*TYPES, "ENUM")]
        found += [(name, column) for column in held]
    return found


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


def _named_as_a_key(database: Any, published: Neutral, table: str, column: str) -> bool:
    """Called as the key of another table is, with values that belong to one person each."""
    names = {
        published.column_called[other, relation.key].casefold()
        for other, relation in published.schema.items()
        if other != table and relation.key is not None
    }
    if published.column_called[table, column].casefold() not in names - COMMON:
        return False
    of_one, values = database.execute(
        "SELECT count(*) FILTER (WHERE n = 1), count(*) FROM (SELECT count(*) AS n FROM own GROUP BY value)"
    ).fetchone()
    return values > 1 and of_one >= SHARE * values


def _leads_to_own_rows(database: Any, enough: float) -> bool:
    """For some table: the values are its keys, of rows that belong to the same person."""
    rows = database.execute(
        "SELECT count(*), count(DISTINCT o.value) FROM own o JOIN all_keys a USING (value) "
        "WHERE a.person = o.person GROUP BY a.tbl"
    ).fetchall()
    (pairs,) = database.execute("SELECT count(*) FROM own").fetchone()
    return any(same >= SHARE * pairs and values >= enough for same, values in rows)


def _shared(database: Any, published: Neutral, columns: list[tuple[str, str]], enough: float) -> list[Finding]:
    """Columns of one name in two tables, whose equal values belong to one person: a key that is in neither schema."""
    findings = []
    for i, (table, column) in enumerate(columns):
        name = published.column_called[table, column].casefold()
        others = [
            (t, c) for t, c in columns[i + 1 :] if t != table and published.column_called[t, c].casefold() == name
        ]
        if not others:
            continue
        _values(database, table, column, "own")
        for other in others:
            _values(database, *other, "theirs")
            pairs, same, values = database.execute(
                "SELECT count(*), count(*) FILTER (WHERE o.person = t.person), "
                "count(DISTINCT o.value) FILTER (WHERE o.person = t.person) FROM own o JOIN theirs t USING (value)"
            ).fetchone()
            if pairs and same >= SHARE * pairs and values >= enough:
                told = published.called[other[0]]
                findings.append(
                    _finding(published, table, column, f"links its rows with those of '{told}' as a key does")
                )
                break
    return findings


def _finding(published: Neutral, table: str, column: str, what: str) -> Finding:
    told, name = published.called[table], published.column_called[table, column]
    fix = 'leave the column out (role = "identifier"): only keys that were dealt anew may link rows'
    return Finding("loose-key", f"Table '{told}': '{name}' {what}.", fix=fix)
