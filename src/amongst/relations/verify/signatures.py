"""Which persons, and which rows, nobody can tell apart: equal signatures of whole trees, made by SQL."""

from __future__ import annotations

from typing import Any

from amongst.relations.relation import DatabaseSchema
from amongst.relations.stores.ddl import quoted


def sign(database: Any, schema: DatabaseSchema) -> None:
    """Make for every table ``t`` the tables ``sig t`` and ``kind t``.

    ``sig t`` has for every row (``rid``) its key, its reference, and ``sig``: equal where the row and everything that
    hangs on it is published alike. ``kind t`` has for every row its person, the person's group (``grp``) and ``kind``:
    equal where the row cannot be told from another one, whatever is asked of the published values above, at and
    below it.
    """
    for name in reversed(schema.in_order()):
        database.execute(_signature_sql(name, schema))
    for name in schema.in_order():
        database.execute(_kind_sql(name, schema))


def _signature_sql(name: str, schema: DatabaseSchema) -> str:
    relation = schema[name]
    key = "NULL" if relation.key is None else f"base.{quoted(relation.key)}"
    reference = "NULL" if relation.foreign_key is None else f"base.{quoted(relation.foreign_key)}"
    joins, terms = [], [f"base.{quoted(column)}" for column in relation.schema.quasi]
    for i, child in enumerate(schema.children(name)):
        below = f"SELECT f, list(sig ORDER BY sig) AS sigs FROM {quoted('sig ' + child)} GROUP BY f"
        joins.append(f"LEFT JOIN ({below}) c{i} ON c{i}.f = base.{quoted(relation.key or '')}")
        terms.append(f"coalesce(c{i}.sigs, [])")
    ranked = f"dense_rank() OVER (ORDER BY {', '.join(terms)})" if terms else "1"
    return (
        f"CREATE TABLE {quoted('sig ' + name)} AS "
        f"SELECT base.rowid AS rid, {key} AS k, {reference} AS f, {ranked} AS sig "
        f"FROM {quoted(name)} base {' '.join(joins)}"
    )


def _kind_sql(name: str, schema: DatabaseSchema) -> str:
    relation = schema[name]
    made, own = quoted("kind " + name), quoted("sig " + name)
    if relation.parent is None:
        return f"CREATE TABLE {made} AS SELECT rid, k, rid AS person, sig AS grp, sig AS kind FROM {own}"
    above = quoted("kind " + relation.parent)
    return (
        f"CREATE TABLE {made} AS "
        f"SELECT s.rid, s.k, p.person, p.grp, dense_rank() OVER (ORDER BY p.kind, s.sig) AS kind "
        f"FROM {own} s JOIN {above} p ON p.k = s.f"
    )
