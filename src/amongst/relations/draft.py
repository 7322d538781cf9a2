"""A first schema for the tables of a database, with who the persons are and why: to be looked over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from amongst.brief import Brief
from amongst.errors import BadOption
from amongst.relations.find_persons import Persons, find_persons, is_lookup
from amongst.relations.guess_keys import guess_keys
from amongst.relations.relation import DatabaseSchema, Link, Relation, columns_of
from amongst.relations.stored import Keys, Reference, Stored
from amongst.schema.column import Column
from amongst.schema.problem import listed
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Draft(Brief):
    """What is suggested for a database.

    Attributes
    ----------
    schema : DatabaseSchema
    persons : Persons
    left_out : dict of str to str
        Tables that do not hang on the persons, and what they seem to be.
    """

    schema: DatabaseSchema
    persons: Persons
    left_out: Mapping[str, str]


def draft(stored: Stored, person: str | None = None) -> Draft:
    """Keys as the catalogue says or as they look, what hangs on the persons below them, columns as they look.

    Where it is not clear who the persons are, no table is left out and none is chosen.

    Parameters
    ----------
    person : str, optional
        The table with one row a person, in small or capital letters; looked for if left out.
    """
    tables = stored.tables
    keys = _keys(stored)
    persons = find_persons(tables, keys, None if person is None else _named(person, tables))
    if persons.table is None:
        parents = {name: own.references[0] for name, own in keys.items() if own.references}
        return Draft(_schema(tables, keys, parents, set()), persons, {})
    parents = _hung(persons.table, tables, keys)
    left_out = {
        name: _what(name, tables, keys, persons) for name in tables if name not in parents and name != persons.table
    }
    return Draft(_schema(tables, keys, parents, set(persons.others or ()), left_out, persons.table), persons, left_out)


def with_found_keys(stored: Stored, schema: DatabaseSchema) -> DatabaseSchema:
    """The schema with keys and references by names and values, where neither it nor the database names any.

    Columns that have a role are no keys. Raises where it is not clear which table has one row a person.
    """
    told = any(one.key or one.parent or one.links for one in schema.values())
    stated = any(own.references for own in stored.keys.values())
    tables = {name: stored.tables[name] for name in schema if name in stored.tables}
    if told or stated or len(tables) < 2:
        return schema
    free = {
        name: table.select([c for c in table.column_names if c not in schema[name].schema])
        for name, table in tables.items()
    }
    keys = guess_keys(free, {name: stored.keys.get(name, Keys()) for name in tables})
    if not any(own.references for own in keys.values()):
        return schema
    person = schema.told_person
    persons = find_persons(tables, keys, None if person is None else _named(person, tables))
    if persons.table is None:
        refuse_unsure(persons)
    assert persons.table is not None
    parents = _hung(persons.table, tables, keys)
    found = {
        name: replace(_keyed(name, keys, parents, persons.table), columns=schema[name].schema)
        for name in tables
        if name in parents or name == persons.table
    }
    return schema.of({name: found.get(name, one) for name, one in schema.items()})


def refuse_unsure(persons: Persons) -> None:
    """Raise where nothing says which table has one row a person, with the tables that may be."""
    if persons.table is None:
        may_be = [f"'{name}': {'; '.join(why)}" for name, why in (persons.others or {}).items()]
        raise BadOption(
            "It is not clear which table has one row a person.",
            found=may_be or "no table that speaks of people, has a key and is referred to by others",
            fix='name it: --person TABLE, or person = "TABLE" in [input]',
        )


def _named(person: str, tables: Mapping[str, pa.Table]) -> str:
    alike = [name for name in tables if name.casefold() == person.casefold()]
    if person in tables or len(alike) == 1:
        return person if person in tables else alike[0]
    raise BadOption(
        "There is no such table of persons.",
        found=f"the tables are: {listed(list(tables))}",
        fix="name the table with one row a person",
    )


def _keys(stored: Stored) -> dict[str, Keys]:
    """Those of the catalogue; where it has no references, guessed ones."""
    known = {name: stored.keys.get(name, Keys()) for name in stored.tables}
    if any(keys.references for keys in known.values()):
        usable = {name: tuple(one for one in own.references if _usable(one, known)) for name, own in known.items()}
        return {name: Keys(own.primary, usable[name]) for name, own in known.items()}
    return guess_keys(stored.tables, known)


def _usable(reference: Reference, known: Mapping[str, Keys]) -> bool:
    """Whether it refers to the key of another table or of this one."""
    primary = known[reference.table].primary if reference.table in known else ()
    same = reference.other_columns == primary or not any(reference.other_columns)
    return len(reference.columns) == len(primary) > 0 and same


def _hung(person: str, tables: Mapping[str, pa.Table], keys: Mapping[str, Keys]) -> dict[str, Reference]:
    """For every table below the persons the reference to its parent: complete rather than not, then the nearest."""
    parents: dict[str, Reference] = {}
    reached = [person]
    for above in reached:
        for name, own in keys.items():
            leading = [one for one in own.references if one.table == above]
            if leading and name not in reached:
                parents[name] = leading[0]
                reached.append(name)
    for name in parents:
        below = _below(name, parents)
        able = [one for one in keys[name].references if one.table in reached and one.table not in below]
        parents[name] = min(
            able,
            key=lambda one: (any(tables[name][c].null_count for c in one.columns), -tables[one.table].num_rows),
        )
    return parents


def _below(name: str, parents: Mapping[str, Reference]) -> set[str]:
    below = {name}
    while more := {one for one, reference in parents.items() if reference.table in below} - below:
        below |= more
    return below


def _what(name: str, tables: Mapping[str, pa.Table], keys: Mapping[str, Keys], persons: Persons) -> str:
    if name in (persons.others or ()):
        return "another kind of persons"
    return "a lookup table" if is_lookup(name, tables, keys) else "its rows belong to no one person"


def _schema(
    tables: Mapping[str, pa.Table],
    keys: Mapping[str, Keys],
    parents: Mapping[str, Reference],
    kinds: set[str],
    leave_out: Sequence[str] | Mapping[str, str] = (),
    person: str | None = None,
) -> DatabaseSchema:
    """Columns that lead to rows of the persons besides the parent are references, with new keys; those that lead from
    person to person, or to other kinds of persons, are left out.
    """
    inside: set[str] = {person, *parents} if person is not None else set()
    relations = {}
    for name, table in tables.items():
        if name in leave_out:
            continue
        own = _keyed(name, keys, parents, person)
        others = _others(name, keys, parents, columns_of(own.key))
        about_others = [one for one in others if one.table in kinds - inside or {name, one.table} == {person}]
        gone = {c for one in about_others for c in one.columns}
        relations[name] = replace(own, columns=_columns(table, own.keys, gone))
    return DatabaseSchema(relations, tuple(leave_out), person=person if _refers(person, keys, inside) else None)


def _keyed(name: str, keys: Mapping[str, Keys], parents: Mapping[str, Reference], person: str | None) -> Relation:
    """Keys and references of a table, without its columns."""
    inside: set[str] = {person, *parents} if person is not None else set()
    referred_to = {one.table for own in keys.values() for one in own.references if one.table in inside}
    up, primary = parents.get(name), keys[name].primary
    key = primary if len(primary) == 1 or name in referred_to else ()
    others = _others(name, keys, parents, key)
    links = [Link(one.columns, one.table) for one in others if one.table in inside and {name, one.table} != {person}]
    return Relation(
        key=key,
        parent=None if up is None else up.table,
        foreign_key=None if up is None else up.columns,
        references=links,
    )


def _others(
    name: str, keys: Mapping[str, Keys], parents: Mapping[str, Reference], key: tuple[str, ...]
) -> list[Reference]:
    """The references besides the one to the parent, and besides the key."""
    taken = {key, *([parents[name].columns] if name in parents else [])}
    return [one for one in keys[name].references if one.columns not in taken]


def _refers(person: str | None, keys: Mapping[str, Keys], inside: set[str]) -> bool:
    """Whether the table of the persons refers to a table that hangs on it: then a circle needs a beginning."""
    return person is not None and any(one.table in inside - {person} for one in keys[person].references)


def _columns(table: pa.Table, keys: Sequence[str], second: set[str]) -> Schema:
    from amongst.schema.suggest import suggest

    rest = table.select([column for column in table.column_names if column not in keys])
    if not rest.num_columns or not rest.num_rows:  # of a table without rows nothing is known: nothing of it is told
        return Schema({name: Column(role="identifier") for name in rest.column_names})
    suggested = suggest(rest).schema
    made = {name: Column(role="identifier") if name in second else one for name, one in suggested.items()}
    missing = {name for name, one in made.items() if one.role == "quasi" and rest[name].null_count}
    return Schema({name: replace(one, nulls="own value") if name in missing else one for name, one in made.items()})
