"""Which persons, and which rows, nobody can tell apart: equal signatures of whole trees, made by SQL."""

from __future__ import annotations

from typing import Any

from amongst.relations.relation import DatabaseSchema
from amongst.sql_text import quoted


def sign(database: Any, schema: DatabaseSchema) -> None:
    """Make for every table ``t`` the tables ``sig t`` and ``kind t``.

    ``sig t`` has for every row (``rid``) its key, its reference, and ``sig``: equal where the row and everything that
    hangs on it is published alike, as far as its tables are in trees. ``kind t`` has for every row its person, the
    person's group (``grp``) and ``kind``: equal where the row cannot be told from another one, whatever is asked of the
    published values above, at and below it. Of tables of which it is known who has rows, that tells persons apart too.
    """
    for name in reversed(schema.in_order()):
        database.execute(_signature_sql(name, schema))
    for name in schema.in_order():
        database.execute(_kind_sql(name, schema))
    for name in schema.in_order():
        if schema[name].known == "presence":
            has = f"SELECT DISTINCT person, 1 AS has FROM {quoted('kind ' + name)}"
            who = f"SELECT p.person, p.grp, h.has FROM {quoted('kind ' + schema.person)} p LEFT JOIN ({has}) h"
            _tell_apart(
                database,
                schema,
                f"SELECT person, dense_rank() OVER (ORDER BY grp, has) AS grp FROM ({who} USING (person))",
            )
    if any(relation.links for relation in schema.values()):
        _sign_links(database, schema)


def _tell_apart(database: Any, schema: DatabaseSchema, groups: str) -> None:
    """Give every person the group that SQL says, and rows of persons of different groups different kinds."""
    database.execute(f"CREATE OR REPLACE TEMP TABLE regrouped AS {groups}")
    for name in schema.in_order():
        made = quoted("kind " + name)
        database.execute(
            f"CREATE OR REPLACE TABLE {made} AS SELECT n.* REPLACE (p.grp AS grp, "
            f"dense_rank() OVER (ORDER BY p.grp, n.kind) AS kind) FROM {made} n JOIN regrouped p USING (person)"
        )


def _sign_links(database: Any, schema: DatabaseSchema) -> None:
    """Tell persons apart by where references lead: those that stay together are alike row for row.

    Within a person, rows of one kind are numbered in the order of their keys. Two persons whose rows, so named, hang on
    and refer to rows of the same names have the same picture, rows and references and all: the names are a one-to-one
    map of one onto the other. Where keys lie in another order two that are alike may be told apart, never the
    other way round.
    """
    trees = [name for name in schema.in_order() if schema[name].in_trees]
    for name in trees:
        key = "coalesce(CAST(k AS VARCHAR), CAST(rid AS VARCHAR))"
        place = f"row_number() OVER (PARTITION BY person, kind ORDER BY length({key}), {key})"
        database.execute(
            f"CREATE TABLE {quoted('row ' + name)} AS SELECT *, {place} AS place FROM {quoted('kind ' + name)}"
        )
    parts = []
    for i, name in enumerate(trees):
        relation = schema[name]
        told = [f"'{i}'", "r.kind", "r.place"]
        joins = [f"JOIN {quoted(name)} t ON t.rowid = r.rid"]
        targets = [(relation.foreign_key, relation.parent)] if relation.parent is not None else []
        targets += [(link.columns[0], link.table) for link in relation.links if link.table in trees]
        for j, (column, other) in enumerate(targets):
            joins.append(f"LEFT JOIN {quoted('row ' + str(other))} o{j} ON o{j}.k = t.{quoted(str(column))}")
            told += [f"coalesce(o{j}.kind, 0)", f"coalesce(o{j}.place, 0)", f"(t.{quoted(str(column))} IS NULL)"]
        text = f"concat_ws(' ', {', '.join(told)})"
        parts.append(f"SELECT r.person, {text} AS said FROM {quoted('row ' + name)} r {' '.join(joins)}")
    picture = f"SELECT person, list(said ORDER BY said) AS all_said FROM ({' UNION ALL '.join(parts)}) GROUP BY person"
    _tell_apart(database, schema, f"SELECT person, dense_rank() OVER (ORDER BY all_said) AS grp FROM ({picture})")
    _name_by_place(database, schema, trees)


def _name_by_place(database: Any, schema: DatabaseSchema, trees: list[str]) -> None:
    """Where somebody of a group has a reference, rows of one kind are told apart by their places in the picture."""
    led = [
        f"SELECT DISTINCT r.grp FROM {quoted('kind ' + name)} r JOIN {quoted(name)} t ON t.rowid = r.rid "
        f"WHERE t.{quoted(link.columns[0])} IS NOT NULL"
        for name in trees
        for link in schema[name].links
        if link.table in trees
    ]
    if not led:
        return
    database.execute(f"CREATE OR REPLACE TEMP TABLE with_references AS {' UNION '.join(led)}")
    for name in trees:
        made = quoted("kind " + name)
        place = "CASE WHEN w.grp IS NULL THEN 0 ELSE p.place END"
        database.execute(
            f"CREATE OR REPLACE TABLE {made} AS SELECT n.* REPLACE (dense_rank() OVER (ORDER BY n.kind, {place}) "
            f"AS kind) FROM {made} n JOIN {quoted('row ' + name)} p USING (rid) LEFT JOIN with_references w "
            f"ON w.grp = n.grp"
        )


def _signature_sql(name: str, schema: DatabaseSchema) -> str:
    relation = schema[name]
    key = f"base.{quoted(relation.key)}" if isinstance(relation.key, str) else "NULL"
    reference = f"base.{quoted(relation.foreign_key)}" if isinstance(relation.foreign_key, str) else "NULL"
    joins, terms = [], [f"base.{quoted(column)}" for column in relation.schema.quasi if relation.in_trees]
    for i, child in enumerate(one for one in schema.children(name) if schema[one].in_trees):
        below = f"SELECT f, list(sig ORDER BY sig) AS sigs FROM {quoted('sig ' + child)} GROUP BY f"
        joins.append(f"LEFT JOIN ({below}) c{i} ON c{i}.f = base.{quoted(str(relation.key))}")
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
