"""The schema of many tables: which table speaks of persons, and how the others hang on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from amongst.errors import BadSchema
from amongst.schema.column import Column
from amongst.schema.problem import Problem, raise_all
from amongst.schema.schema import Schema

WHAT = "The tables do not form a snowflake around one table of persons."


@dataclass(frozen=True)
class Relation:
    """One table of a database.

    Parameters
    ----------
    columns : Schema or mapping
        A role for every column that is no key.
    key : str, optional
        The column that names a row. A table that nothing refers to can do without.
    parent : str, optional
        The table it refers to. Left out for the table of the persons, and for it alone.
    foreign_key : str, optional
        The column that holds the parent's key; left out, it has the same name as the parent's key.

    Examples
    --------
    >>> import amongst as am
    >>> visits = am.Relation({"ward": am.Column(role="quasi")}, key="visit", parent="patients", foreign_key="patient")
    >>> visits.parent
    'patients'
    """

    columns: Schema | Mapping[str, Column] = field(default_factory=lambda: Schema({}))
    key: str | None = None
    parent: str | None = None
    foreign_key: str | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.columns, Schema):
            object.__setattr__(self, "columns", Schema(self.columns))

    @property
    def schema(self) -> Schema:
        """The columns that are no keys."""
        assert isinstance(self.columns, Schema)
        return self.columns

    @property
    def keys(self) -> list[str]:
        """The columns that hold keys."""
        return [name for name in (self.key, self.foreign_key) if name is not None]


class DatabaseSchema(Mapping[str, Relation]):
    """What every table of a database is. Immutable; behaves as a mapping from name to Relation.

    Parameters
    ----------
    relations : mapping of str to Relation
    leave_out : sequence of str
        Tables of the database that are not published at all.

    Examples
    --------
    >>> import amongst as am
    >>> schema = am.DatabaseSchema({
    ...     "patients": am.Relation({"age": am.Column(role="quasi")}, key="id"),
    ...     "visits": am.Relation({"ward": am.Column(role="quasi")}, parent="patients", foreign_key="patient"),
    ... })
    >>> schema.in_order()
    ['patients', 'visits']
    """

    def __init__(self, relations: Mapping[str, Relation], leave_out: Sequence[str] = ()) -> None:
        wrong = [name for name, relation in relations.items() if not isinstance(relation, Relation)]
        if wrong:
            raise BadSchema(
                "The schema of a database maps names of tables to Relation objects.",
                found="no Relation for: " + ", ".join(map(str, wrong)),
                fix="write am.Relation({...}, key=..., parent=...) and the like",
            )
        self._relations = dict(relations)
        self.leave_out = tuple(leave_out)

    def __getitem__(self, name: str) -> Relation:
        return self._relations[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._relations)

    def __len__(self) -> int:
        return len(self._relations)

    def __repr__(self) -> str:
        arrows = [f"{name} -> {one.parent}" if one.parent else name for name, one in self.items()]
        return f"DatabaseSchema({', '.join(arrows)})"

    def with_relations(self, **relations: Relation) -> DatabaseSchema:
        """A copy with some tables replaced or added."""
        return DatabaseSchema({**self._relations, **relations}, self.leave_out)

    def with_keys_of(self, other: DatabaseSchema) -> DatabaseSchema:
        """A copy with the keys and references of another schema where this one names none."""

        def filled(name: str, own: Relation) -> Relation:
            known = other.get(name, own)
            own = replace(own, key=own.key or known.key)
            if own.parent is None or (own.parent == known.parent and own.foreign_key is None):
                return replace(own, parent=known.parent, foreign_key=own.foreign_key or known.foreign_key)
            return own

        return DatabaseSchema({name: filled(name, own) for name, own in self.items()}, self.leave_out)

    @property
    def person(self) -> str:
        """The table of the persons: the one that refers to no other."""
        return next(name for name, relation in self.items() if relation.parent is None)

    def children(self, name: str) -> list[str]:
        """The tables that refer to this one."""
        return [child for child, relation in self.items() if relation.parent == name]

    def in_order(self) -> list[str]:
        """The tables, each after the one it refers to."""
        order = [self.person]
        for name in order:
            order += self.children(name)
        return order

    def complete(self) -> DatabaseSchema:
        """The schema with foreign keys named that were left out; raises where the tables are no snowflake.

        Checked is what section 4.1 of the paper assumes: one table of persons, one foreign key a table, keys that
        are no quasi-identifiers, every table reachable from the persons.
        """
        named = DatabaseSchema({name: self._with_foreign_key(one) for name, one in self.items()}, self.leave_out)
        raise_all(BadSchema, WHAT, named.problems())
        return named

    def _with_foreign_key(self, relation: Relation) -> Relation:
        if relation.foreign_key is not None or relation.parent is None or relation.parent not in self:
            return relation
        return replace(relation, foreign_key=self[relation.parent].key)

    def problems(self) -> list[Problem]:
        """Everything about the tables that cannot be, without looking at data."""
        return [*self._roots(), *self._references(), *self._key_roles(), *self._unreachable()]

    def _roots(self) -> list[Problem]:
        roots = [name for name, relation in self.items() if relation.parent is None]
        if len(roots) == 1:
            return []
        if not roots:
            fix = "take the parent of the table with one row a person out"
            return [Problem("no table of persons: every table refers to another", fix, {"problem": "no person"})]
        text = "several tables refer to no other: " + ", ".join(roots)
        fix = "give all but the table of persons a parent and a foreign key, or leave them out"
        return [Problem(text, fix, {"problem": "several persons", "tables": roots})]

    def _references(self) -> list[Problem]:
        problems = []
        for name, relation in self.items():
            if relation.parent is None:
                if relation.foreign_key is not None:
                    text, fix = "a foreign key but no parent", "name the parent, or take the foreign key out"
                    problems.append(Problem(f"table '{name}': {text}", fix, {"problem": "no parent", "table": name}))
                continue
            facts = {"table": name, "parent": relation.parent}
            if relation.parent not in self:
                text = f"table '{name}' refers to '{relation.parent}', which is not in the schema"
                problems.append(Problem(text, "add that table, or correct the name", {"problem": "parent", **facts}))
            elif self[relation.parent].key is None:
                text = f"table '{name}' refers to '{relation.parent}', which has no key"
                problems.append(Problem(text, f"name the key of '{relation.parent}'", {"problem": "no key", **facts}))
        return problems

    def _key_roles(self) -> list[Problem]:
        problems = []
        for name, relation in self.items():
            known = [key for key in relation.keys if key in relation.schema]
            quasi = [key for key in known if relation.schema[key].role == "quasi"]
            facts = {"problem": "key", "table": name, "columns": known}
            if quasi:
                text = f"table '{name}': the key {', '.join(quasi)} is a quasi-identifier"
                fix = "make a copy of the column for what it tells, and let keys tell nothing"
                problems.append(Problem(text, fix, {**facts, "problem": "quasi key"}))
            elif known:
                text = f"table '{name}': the key {', '.join(known)} has a role as well"
                problems.append(Problem(text, "take it out of the columns: keys are replaced by random ones", facts))
            if relation.key is not None and relation.key == relation.foreign_key:
                text = f"table '{name}': {relation.key} is its key and its foreign key"
                fix = "put its columns into the parent's table: it has one row for each of the parent's"
                problems.append(Problem(text, fix, {**facts, "problem": "one key"}))
        return problems

    def _unreachable(self) -> list[Problem]:
        """Tables from which following parents never ends at a table without one: a cycle."""
        in_cycle = []
        for name in self:
            seen, at = {name}, self[name].parent
            while at is not None and at in self and at not in seen:
                seen.add(at)
                at = self[at].parent
            if at is not None and at in self:
                in_cycle.append(name)
        if not in_cycle:
            return []
        text = "tables that refer to each other in a circle, or to one that does: " + ", ".join(in_cycle)
        fix = "leave one of the references out, or the tables"
        return [Problem(text, fix, {"problem": "cycle", "tables": in_cycle})]

    @classmethod
    def from_file(cls, path: str | Path) -> DatabaseSchema:
        """The schema of a job file with ``[tables.*]``."""
        from amongst.relations.schema_file import database_schema_from_file

        return database_schema_from_file(path)
