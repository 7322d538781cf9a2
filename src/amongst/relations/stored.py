"""Tables that were read, with what the place they came from says of their keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from amongst.brief import Brief
from amongst.errors import BadSchema
from amongst.read.as_read import Spelling, as_read
from amongst.relations.relation import WHAT, DatabaseSchema, Relation
from amongst.schema.column import PUBLISHED_AS_IT_IS
from amongst.schema.problem import Problem, listed, raise_all
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Reference:
    """A foreign key as a catalogue states it."""

    columns: tuple[str, ...]
    table: str
    other_columns: tuple[str, ...]


@dataclass(frozen=True)
class Keys:
    """The keys of one table as a catalogue states them."""

    primary: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()


@dataclass(frozen=True, eq=False)
class Stored(Brief):
    """The tables of a database.

    Attributes
    ----------
    tables : dict of str to pyarrow.Table
    keys : dict of str to Keys
        From the catalogue; empty where there is none.
    kind : {"frames", "csv", "parquet", "duckdb", "sqlite", "postgresql"}
    name : str
        What to call it in a report.
    native : dict of str to callable
        For frames: makes a table of the kind that came in.
    digests : dict of str to str
        SHA-256 of the files it was read from.
    spelled : dict of str to dict of str to Spelling
        For every table of text: how numbers and times were written, where they print otherwise.
    """

    tables: dict[str, pa.Table]
    keys: dict[str, Keys]
    kind: str
    name: str
    native: Mapping[str, Any] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    spelled: Mapping[str, Mapping[str, Spelling]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", {name: self._as_spelled(name, own) for name, own in self.keys.items()})

    def _as_spelled(self, name: str, own: Keys) -> Keys:
        """Keys with the names as tables and columns have them: a catalogue may write them in other letters."""
        tables = {one.casefold(): one for one in self.tables}

        def spelled(columns: tuple[str, ...], table: str) -> tuple[str, ...]:
            known = self.tables[table].column_names if table in self.tables else []
            alike = {one.casefold(): one for one in known}
            return tuple(one if one in known else alike.get(one.casefold(), one) for one in columns)

        references = []
        for one in own.references:
            table = one.table if one.table in self.tables else tables.get(one.table.casefold(), one.table)
            references.append(Reference(spelled(one.columns, name), table, spelled(one.other_columns, table)))
        return Keys(spelled(own.primary, name), tuple(references))

    def as_read(self, name: str, table: pa.Table, columns: Schema) -> pa.Table:
        """A published table of this name in which what is published as it is has the texts of its file."""
        plain = {column for column, rule in columns.items() if rule.role in PUBLISHED_AS_IT_IS}
        return as_read(table, {column: one for column, one in self.spelled.get(name, {}).items() if column in plain})

    def schema_with_keys(self, schema: DatabaseSchema) -> DatabaseSchema:
        """The schema with the keys of the catalogue where it names none.

        Raises for keys of several columns, for a table with two foreign keys, and where catalogue and schema differ.
        """
        problems: list[Problem] = []
        relations = {name: self._with_keys(name, one, schema, problems) for name, one in schema.items()}
        raise_all(BadSchema, WHAT, problems)
        return DatabaseSchema(relations, schema.leave_out)

    def _with_keys(self, name: str, one: Relation, schema: DatabaseSchema, problems: list[Problem]) -> Relation:
        known = self.keys.get(name, Keys())
        inside = [one for one in known.references if one.table in schema and one.table != name]
        facts = {"table": name}
        if len(inside) > 1 and one.parent is None:
            parents = listed([reference.table for reference in inside])
            text = f"table '{name}' has {len(inside)} foreign keys, to {parents}"
            fix = "name the parent that leads to the persons, and give the other column a role, or leave a table out"
            problems.append(Problem(text, fix, {"problem": "two parents", **facts}))
            return one
        chosen = next(
            (r for r in inside if one.parent in (None, r.table) and one.foreign_key in (None, *r.columns)), None
        )
        referred_to = any(relation.parent == name for relation in schema.values())
        primary = known.primary if referred_to and one.key is None else ()
        wide = [key for key in (primary, chosen.columns if chosen else ()) if len(key) > 1]
        if wide:
            text = f"table '{name}' has a key of {len(wide[0])} columns"
            fix = "give the table a key of one column, and let others refer to that"
            problems.append(Problem(text, fix, {"problem": "wide key", **facts}))
            return one
        key = one.key or (known.primary[0] if len(known.primary) == 1 else None)
        if chosen is None:
            return replace(one, key=key)
        return replace(one, key=key, parent=chosen.table, foreign_key=chosen.columns[0])

    def undecided(self, schema: DatabaseSchema) -> list[str]:
        """Tables that are neither in the schema nor left out by it."""
        return [name for name in self.tables if name not in schema and name not in schema.leave_out]

    def suggested(self) -> DatabaseSchema:
        """A first schema: keys as the catalogue says or as they look, columns as they look. To be looked over."""
        from amongst.relations.draft import draft

        return draft(self).schema
