"""Keys and references of published tables: unique, never missing, and never pointing nowhere."""

from __future__ import annotations

from typing import Any

from amongst.published.finding import Finding
from amongst.relations.relation import Link
from amongst.relations.verify.neutral import Neutral
from amongst.sql_text import quoted


def keys_hold(database: Any, published: Neutral) -> list[Finding]:
    """Everything that is wrong with the keys: then functional dependencies or join paths are not what they were."""
    findings: list[Finding | None] = []
    schema, called = published.schema, published.called
    for name, relation in schema.items():
        table, told = quoted(name), called[name]
        if isinstance(relation.key, str):
            key = quoted(relation.key)
            rows, present, distinct = database.execute(
                f"SELECT count(*), count({key}), count(DISTINCT {key}) FROM {table}"
            ).fetchone()
            if present < rows:
                findings.append(_finding("null-key", f"{rows - present:,} rows of '{told}' have no key."))
            if distinct < present:
                findings.append(_finding("doubled-key", f"The key of '{told}' does not tell its rows apart."))
        if relation.parent is not None and isinstance(relation.foreign_key, str):
            own, other = quoted(relation.foreign_key), quoted(str(schema[relation.parent].key))
            (orphans,) = database.execute(
                f"SELECT count(*) FROM {table} a WHERE a.{own} IS NULL OR NOT EXISTS "
                f"(SELECT 1 FROM {quoted(relation.parent)} b WHERE b.{other} = a.{own})"
            ).fetchone()
            if orphans:
                findings.append(
                    _finding("orphan", f"{orphans:,} rows of '{told}' refer to nothing in '{called[relation.parent]}'.")
                )
        findings += [_loose(database, published, name, link) for link in relation.links]
    return [one for one in findings if one is not None]


def _loose(database: Any, published: Neutral, name: str, link: Link) -> Finding | None:
    """A reference that leads nowhere, or to another person's row, which nobody has counted."""
    own = quoted(link.columns[0])
    (astray,) = database.execute(
        f"SELECT count(*) FROM {quoted(name)} a JOIN {quoted('kind ' + name)} n ON n.rid = a.rowid "
        f"WHERE a.{own} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM {quoted('kind ' + link.table)} b "
        f"WHERE b.k = a.{own} AND b.person = n.person)"
    ).fetchone()
    told = published.column_called[name, link.columns[0]]
    if not astray and not _says_too_much(database, published, name, link):
        return None
    if not astray:
        what = f"'{told}' of '{published.called[name]}' says which of the codes that may be known belong together."
        return _finding("codes-together", what)
    what = f"{astray:,} rows of '{published.called[name]}' refer by '{told}' to nothing, or to another person's rows."
    return _finding("astray", what)


def _says_too_much(database: Any, published: Neutral, name: str, link: Link) -> bool:
    """Whether a reference joins two tables of which something is known, and not all of both."""
    one, other = published.schema[name], published.schema[link.table]
    if (one.in_trees and other.in_trees) or other.parent is None or "nothing" in (one.known, other.known):
        return False
    (led,) = database.execute(f"SELECT count({quoted(link.columns[0])}) FROM {quoted(name)}").fetchone()
    return bool(led)


def _finding(code: str, what: str) -> Finding:
    return Finding(code, what, fix="publish no such tables: the keys must hold as in the input")
