"""Keys and references of published tables: unique, never missing, and never pointing nowhere."""

from __future__ import annotations

from typing import Any

from amongst.published.finding import Finding
from amongst.relations.stores.ddl import quoted
from amongst.relations.verify.neutral import Neutral


def keys_hold(database: Any, published: Neutral) -> list[Finding]:
    """Everything that is wrong with the keys: then functional dependencies or join paths are not what they were."""
    findings = []
    schema, called = published.schema, published.called
    for name, relation in schema.items():
        table, told = quoted(name), called[name]
        if relation.key is not None:
            key = quoted(relation.key)
            rows, present, distinct = database.execute(
                f"SELECT count(*), count({key}), count(DISTINCT {key}) FROM {table}"
            ).fetchone()
            if present < rows:
                findings.append(_finding("null-key", f"{rows - present:,} rows of '{told}' have no key."))
            if distinct < present:
                findings.append(_finding("doubled-key", f"The key of '{told}' does not tell its rows apart."))
        if relation.parent is not None and relation.foreign_key is not None:
            own, other = quoted(relation.foreign_key), quoted(schema[relation.parent].key or "")
            (orphans,) = database.execute(
                f"SELECT count(*) FROM {table} a WHERE a.{own} IS NULL OR NOT EXISTS "
                f"(SELECT 1 FROM {quoted(relation.parent)} b WHERE b.{other} = a.{own})"
            ).fetchone()
            if orphans:
                findings.append(
                    _finding("orphan", f"{orphans:,} rows of '{told}' refer to nothing in '{called[relation.parent]}'.")
                )
    return findings


def _finding(code: str, what: str) -> Finding:
    return Finding(code, what, fix="publish no such tables: the keys must hold as in the input")
