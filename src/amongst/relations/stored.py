"""Tables that were read, with what the place they came from says of their keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from amongst.brief import Brief
from amongst.errors import BadSchema
from amongst.read.as_read import Spelling, as_read
from amongst.read.staying import by_cells_that_stay
from amongst.relations.relation import WHAT, DatabaseSchema, Link, Relation, columns_of
from amongst.schema.column import PUBLISHED_AS_IT_IS, Column
from amongst.schema.problem import Problem, listed, raise_all
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import numpy as np
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
    text : frozenset of str
        The tables that came as text: the types of what is published follow from the published cells.
    """

    tables: dict[str, pa.Table]
    keys: dict[str, Keys]
    kind: str
    name: str
    native: Mapping[str, Any] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    spelled: Mapping[str, Mapping[str, Spelling]] = field(default_factory=dict, repr=False)
    text: frozenset[str] = frozenset()

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
        told = {column: one for column, one in self.spelled.get(name, {}).items() if column in plain}
        shown = as_read(table, told)
        if name not in self.text or shown.num_rows == self.tables[name].num_rows:
            return shown
        return by_cells_that_stay(shown, [column for column in shown.column_names if column in plain])

    def cells_in(self, name: str, column: str, rows: np.ndarray) -> pa.ChunkedArray:
        """The cells of these rows; of a table of text in the type that they have, whatever others have."""
        import pyarrow as pa

        table = self.tables[name].select([column])
        some = table.take(pa.array(rows, pa.int64()))
        if name in self.text and 0 < len(rows) < table.num_rows:
            some = self.as_read(name, some, Schema({column: Column(role="keep")}))
        return some.column(column)

    def type_in(self, name: str, column: str, rows: np.ndarray) -> pa.DataType:
        """The type of a column in these rows, as ``cells_in``."""
        return self.cells_in(name, column, rows).type

    def schema_with_keys(self, schema: DatabaseSchema) -> DatabaseSchema:
        """The schema with the keys of the catalogue where it names none, and names as the tables have them.

        References besides the one to the parent are added where their columns have no role. Raises for a table with
        several foreign keys that does not name its parent.
        """
        schema = self.in_own_letters(schema)
        problems: list[Problem] = []
        relations = {name: self._with_keys(name, one, schema, problems) for name, one in schema.items()}
        raise_all(BadSchema, WHAT, problems)
        schema = schema.of(relations)
        return schema.of({name: self._with_links(name, one, schema) for name, one in schema.items()})

    def in_own_letters(self, schema: DatabaseSchema) -> DatabaseSchema:
        """The schema with the names of tables and columns as they are here, where they differ in capitals alone."""
        tables = _alike(self.tables)

        def table(name: str) -> str:
            return name if name in self.tables else tables.get(name.casefold(), name)

        relations = {}
        for name, one in (*schema.items(), *schema.others.items()):
            held = self.tables[table(name)].column_names if table(name) in self.tables else []
            own, alike = set(held), _alike(held)
            spelled = {c: c if c in own else alike.get(c.casefold(), c) for c in [*one.schema, *one.keys, *one.others]}
            relations[table(name)] = replace(
                one,
                columns=Schema({spelled[c]: rule for c, rule in one.schema.items()}),
                key=tuple(spelled[c] for c in columns_of(one.key)),
                parent=None if one.parent is None else table(one.parent),
                foreign_key=tuple(spelled[c] for c in columns_of(one.foreign_key)),
                references=[Link(tuple(spelled[c] for c in k.columns), table(k.table)) for k in one.links],
                times={spelled.get(c, c): how for c, how in one.times.items()},
                looked_up={spelled.get(c, c): (table(up), *more) for c, (up, *more) in one.looked_up.items()},
                others={spelled.get(c, c): table(kind) for c, kind in one.others.items()},
            )
        return DatabaseSchema(
            {name: one for name, one in relations.items() if name not in map(table, schema.others)},
            [table(name) for name in schema.leave_out],
            lookups=[table(name) for name in schema.lookups],
            person=None if schema.told_person is None else table(schema.told_person),
            others={table(name): relations[table(name)] for name in schema.others},
        )

    def _with_keys(self, name: str, one: Relation, schema: DatabaseSchema, problems: list[Problem]) -> Relation:
        known = self.keys.get(name, Keys())
        inside = [r for r in known.references if r.table in schema and r.table != name and name != schema.told_person]
        linked = {link.columns for link in one.links}
        inside = [r for r in inside if r.columns not in linked and not set(r.columns) & set(one.schema)]
        if len(inside) > 1 and one.parent is None:
            parents = listed([reference.table for reference in inside])
            text = f"table '{name}' has {len(inside)} foreign keys, to {parents}"
            fix = (
                "name the parent that leads to the persons: the others are then published as references, with new keys"
            )
            problems.append(Problem(text, fix, {"problem": "two parents", "table": name}))
            return one
        chosen = next(
            (
                r
                for r in inside
                if one.parent in (None, r.table)
                and (one.foreign_key is None or columns_of(one.foreign_key) == r.columns)
            ),
            None,
        )
        wide = len(known.primary) > 1 and any(column in one.schema for column in known.primary)
        key = one.key or (None if wide else known.primary)
        if chosen is None:
            return replace(one, key=key)
        return replace(one, key=key, parent=chosen.table, foreign_key=chosen.columns)

    def _with_links(self, name: str, one: Relation, schema: DatabaseSchema) -> Relation:
        """The table with the references that the catalogue states of columns without a role, but for the parent's."""
        taken = {columns_of(one.foreign_key), *(link.columns for link in one.links)}
        found = [
            Link(r.columns, r.table)
            for r in self.keys.get(name, Keys()).references
            if r.table in schema and r.columns not in taken and not set(r.columns) & set(one.schema)
            if r.other_columns == columns_of(schema[r.table].key) or not any(r.other_columns)
        ]
        return replace(one, references=[*one.links, *found]) if found else one

    def found_keys(self, told: DatabaseSchema, used: DatabaseSchema) -> list[str]:
        """The references of a schema that was used which neither the one that was told nor the database names."""
        if any(one.parent or one.key for one in told.values()) or any(own.references for own in self.keys.values()):
            return []
        return [
            f"{name}.{' + '.join(columns_of(one.foreign_key))} -> {one.parent}"
            for name, one in used.items()
            if one.parent
        ]

    def undecided(self, schema: DatabaseSchema) -> list[str]:
        """Tables that are neither in the schema nor left out by it."""
        decided = {*schema.needed, *schema.leave_out}
        return [name for name in self.tables if name not in decided]

    def suggested(self) -> DatabaseSchema:
        """A first schema: keys as the catalogue says or as they look, columns as they look. To be looked over."""
        from amongst.relations.draft import draft

        return draft(self).schema


def _alike(names: Iterable[str]) -> dict[str, str]:
    """Names by what they are without case, where that is clear."""
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(name.casefold(), []).append(name)
    return {one: found[0] for one, found in folded.items() if len(found) == 1}
