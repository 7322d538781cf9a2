"""The schema of many tables: which table speaks of persons, and how the others hang on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from amongst.errors import BadSchema, refuse_unknown_word
from amongst.schema.column import Column
from amongst.schema.problem import Problem, raise_all
from amongst.schema.schema import Schema

WHAT = "The tables do not form a snowflake around one table of persons."
KNOWN = {
    "nothing": "nothing of its rows is known",
    "presence": "it is known who has rows in it",
    "count": "it is known how many rows everybody has",
    "codes": "some of its codes may be known, as many as the model says",
    "all": "all quasi-identifiers of all its rows may be known",
}
"""What an intruder may know of a table, the least first."""
TIMES = {
    "day": "days since the person's first event, which is told as 2000-01-01",
    "month": "the same, of the month alone",
    "year": "the same, of the year alone",
    "age": "the person's age in years",
    "shift": "moved by a number of days that is the person's own",
    "birth": "when the person was born; of the table of the persons, for ages",
}
"""How times of a table are published."""
TREES = ("count", "all")
"""What makes rows of persons who share a group be paired."""
Key = str | tuple[str, ...]
"""The column that holds a key, or the columns that hold it together."""


def columns_of(key: Key | Sequence[str] | None) -> tuple[str, ...]:
    """The columns of a key, none where there is none.

    Examples
    --------
    >>> from amongst.relations.relation import columns_of
    >>> columns_of("id"), columns_of(("ward", "bed")), columns_of(None)
    (('id',), ('ward', 'bed'), ())
    """
    if key is None:
        return ()
    return (key,) if isinstance(key, str) else tuple(key)


@dataclass(frozen=True)
class Link:
    """A reference besides the one to the parent: columns of this table that hold the key of another, or of its own."""

    columns: tuple[str, ...]
    table: str

    @property
    def words(self) -> str:
        return f"{' and '.join(self.columns)} -> {self.table}"


@dataclass(frozen=True)
class Relation:
    """One table of a database.

    Parameters
    ----------
    columns : Schema or mapping
        A role for every column that is no key.
    key : str or sequence of str, optional
        The column that names a row, or the columns that do together. A table that nothing refers to can do without.
        Where it is the foreign key as well, there is one row for each of the parent's.
    parent : str, optional
        The table it refers to. Left out for the table of the persons, and for it alone.
    foreign_key : str or sequence of str, optional
        The column that holds the parent's key; left out, it has the same name as the parent's key.
    references : mapping of str to str, or sequence of Link
        Other columns that hold keys: of which table. They get the new keys, and are missing where the row they lead to
        is not published, is another person's, or would tell persons of a group apart.
    known : {"all", "codes", "count", "presence", "nothing"}
        What an intruder may know of its rows. Quasi-identifiers of all but "all" and "codes" are published as they are.
    times : mapping of str to {"day", "month", "year", "age", "shift", "birth"}
        Columns with dates, and how they are told: since the person's first event of all tables, as an age, or moved by
        days of the person's own. They need a role as other columns do.
    looked_up : mapping of str to sequence of str
        Codes that a lookup table explains: the table, and its columns to go up to, the finest first.
    others : mapping of str to str
        Columns that hold keys of other kinds of persons, such as doctors: of which. They need no role.

    Examples
    --------
    >>> import amongst as am
    >>> visits = am.Relation({"ward": am.Column(role="quasi")}, key="visit", parent="patients", foreign_key="patient")
    >>> visits.parent
    'patients'
    """

    columns: Schema | Mapping[str, Column] = field(default_factory=lambda: Schema({}))
    key: Key | None = None
    parent: str | None = None
    foreign_key: Key | None = None
    references: Mapping[str, str] | Sequence[Link] = ()
    known: str = "all"
    times: Mapping[str, str] = field(default_factory=dict)
    looked_up: Mapping[str, Sequence[str]] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.columns, Schema):
            object.__setattr__(self, "columns", Schema(self.columns))
        for name in ("key", "foreign_key"):
            held = columns_of(getattr(self, name))
            object.__setattr__(self, name, held[0] if len(held) == 1 else held or None)
        if isinstance(self.references, Mapping):
            links = tuple(Link(columns_of(columns), table) for columns, table in self.references.items())
            object.__setattr__(self, "references", links)
        else:
            object.__setattr__(self, "references", tuple(self.references))

        for how in self.times.values():
            refuse_unknown_word("It is not clear how times of a table are told.", "times", how, TIMES, error=BadSchema)
        refuse_unknown_word(
            "It is not clear what an intruder knows of a table.", "known", self.known, KNOWN, error=BadSchema
        )

    @property
    def in_trees(self) -> bool:
        """Whether the rows of persons who share a group are paired, so that all have as many of them."""
        return self.known in TREES

    @property
    def links(self) -> tuple[Link, ...]:
        """The references besides the one to the parent."""
        assert isinstance(self.references, tuple)
        return self.references

    @property
    def schema(self) -> Schema:
        """The columns that are no keys."""
        assert isinstance(self.columns, Schema)
        return self.columns

    @property
    def keys(self) -> list[str]:
        """The columns that hold keys: its own, the parent's, and those of other references."""
        held = [*columns_of(self.key), *columns_of(self.foreign_key)]
        held += [column for link in self.links for column in link.columns]
        return list(dict.fromkeys(held))

    @property
    def one_to_one(self) -> bool:
        """Whether there is one row for each of the parent's: the reference is the key."""
        return self.key is not None and self.key == self.foreign_key


class DatabaseSchema(Mapping[str, Relation]):
    """What every table of a database is. Immutable; behaves as a mapping from name to Relation.

    Parameters
    ----------
    relations : mapping of str to Relation
    leave_out : sequence of str
        Tables of the database that are not published at all.
    lookups : sequence of str
        Tables that say what codes mean, and nothing of persons: published beside the others, unchanged.
    person : str, optional
        The table of the persons. Needed only where it refers to another table itself, so that a circle has a
        beginning; else it is the one without a parent.
    others : mapping of str to Relation
        Other kinds of persons, such as the doctors of patients: each table with its key, and columns that are
        quasi-identifiers or left out. k of them are published alike, and what refers to them refers to all of these.

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

    def __init__(
        self,
        relations: Mapping[str, Relation],
        leave_out: Sequence[str] = (),
        *,
        lookups: Sequence[str] = (),
        person: str | None = None,
        others: Mapping[str, Relation] | None = None,
    ) -> None:
        named = {**relations, **(others or {})}
        wrong = [name for name, relation in named.items() if not isinstance(relation, Relation)]
        if wrong:
            raise BadSchema(
                "The schema of a database maps names of tables to Relation objects.",
                found="no Relation for: " + ", ".join(map(str, wrong)),
                fix="write am.Relation({...}, key=..., parent=...) and the like",
            )
        self._relations = dict(relations)
        self.leave_out, self.lookups = tuple(leave_out), tuple(lookups)
        self.told_person, self.others = person, dict(others or {})

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
        return self.of({**self._relations, **relations})

    def of(self, relations: Mapping[str, Relation]) -> DatabaseSchema:
        """The same about other tables: what is left out, what is looked up, who the persons are."""
        return self._same(relations, self.told_person)

    def _same(self, relations: Mapping[str, Relation], person: str | None) -> DatabaseSchema:
        return DatabaseSchema(relations, self.leave_out, lookups=self.lookups, person=person, others=self.others)

    @property
    def needed(self) -> list[str]:
        """All tables that a release is made of."""
        return [*self, *self.lookups, *self.others]

    def with_person(self, person: str) -> DatabaseSchema:
        """A copy that says which table has one row a person."""
        return self._same(self._relations, person)

    def with_keys_of(self, other: DatabaseSchema) -> DatabaseSchema:
        """A copy with the keys and references of another schema where this one names none."""

        def filled(name: str, own: Relation) -> Relation:
            known = other.get(name, own)
            own = replace(own, key=own.key or known.key, references=own.links or known.links)
            if own.parent is None or (own.parent == known.parent and own.foreign_key is None):
                return replace(own, parent=known.parent, foreign_key=own.foreign_key or known.foreign_key)
            return own

        return self.of({name: filled(name, own) for name, own in self.items()})

    @property
    def person(self) -> str:
        """The table of the persons: the one that hangs on no other."""
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
        named = self.of({name: self._with_foreign_key(one) for name, one in self.items()})
        raise_all(BadSchema, WHAT, named.problems())
        return named

    def _with_foreign_key(self, relation: Relation) -> Relation:
        if relation.foreign_key is not None or relation.parent is None or relation.parent not in self:
            return relation
        return replace(relation, foreign_key=self[relation.parent].key)

    def problems(self) -> list[Problem]:
        """Everything about the tables that cannot be, without looking at data."""
        found = [
            *self._roots(),
            *self._references(),
            *self._links(),
            *self._others(),
            *self._key_roles(),
            *self._unreachable(),
        ]
        return found or self._known()

    def _known(self) -> list[Problem]:
        """Tables of which more is known than of those they hang on."""
        problems = []
        for name, relation in self.items():
            above = relation.parent
            if above is None and relation.known != "all":
                text = f"table '{name}' has the persons, and known = \"{relation.known}\""
                fix = "take it out: give columns that nobody knows another role than quasi"
                problems.append(Problem(text, fix, {"problem": "known", "table": name}))
            if above is not None and relation.in_trees and not self[above].in_trees:
                text = (
                    f"all is known of table '{name}' (known = \"{relation.known}\"), and less of '{above}' it hangs on"
                )
                fix = f'say known = "codes" or "nothing" of \'{name}\', or known = "all" of \'{above}\''
                problems.append(Problem(text, fix, {"problem": "known", "table": name, "parent": above}))
        return problems

    def with_known(self, known: Mapping[str, str]) -> DatabaseSchema:
        """A copy that says of some tables what may be known; their names are compared without case."""
        named = {name.casefold(): name for name in self}
        gone = [name for name in known if name.casefold() not in named]
        if gone:
            found = f"no table {', '.join(gone)} in the schema"
            raise BadSchema(
                "It is said what is known of a table that is not there.", found=found, fix="correct the name"
            )
        changed = {named[name.casefold()]: str(what) for name, what in known.items()}
        return self.with_relations(**{name: replace(self[name], known=what) for name, what in changed.items()})

    def as_known(self) -> DatabaseSchema:
        """The schema in which columns that nobody knows are published as they are.

        A reference to another kind of persons is a column: it tells which of them, as many as are alike, it may be.
        """

        def told(relation: Relation) -> Relation:
            whole = relation.known in ("all", "codes")
            columns = {
                name: replace(rule, role="keep") if rule.role == "quasi" and not whole else rule
                for name, rule in relation.schema.items()
            }
            looked_up = {c: up for c, up in relation.looked_up.items() if whole or c not in relation.schema.quasi}
            kind = Column(role="quasi", kind="categorical", nulls="own value") if whole else Column(role="keep")
            columns = {**dict.fromkeys(relation.others, kind), **columns}
            return replace(relation, columns=Schema(columns), looked_up=looked_up)

        return self.of({name: told(relation) for name, relation in self.items()})

    @property
    def bounded(self) -> bool:
        """Whether less than all is known of some table, so that rows of it need not be paired."""
        return any(not relation.in_trees for relation in self.values())

    def _roots(self) -> list[Problem]:
        roots = [name for name, relation in self.items() if relation.parent is None]
        if len(roots) == 1:
            return []
        if not self:
            fix = "draft a job and look it over: amongst inspect-database DATA --write JOB.toml; then --schema JOB.toml"
            return [Problem("nothing is said of any table", fix, {"problem": "no schema"})]
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
            elif len(columns_of(self[relation.parent].key)) != len(columns_of(relation.foreign_key)):
                n_own, n_key = (len(columns_of(one)) for one in (relation.foreign_key, self[relation.parent].key))
                text = f"table '{name}' refers to '{relation.parent}' by {n_own} columns, and its key has {n_key}"
                fix = "name as many columns, in the order of the key"
                problems.append(Problem(text, fix, {"problem": "wide key", **facts}))
        return problems

    def _links(self) -> list[Problem]:
        problems = []
        for name, relation in self.items():
            for link in relation.links:
                text, facts = f"table '{name}' refers to '{link.table}'", {"table": name, "refers_to": link.table}
                if link.table not in self:
                    fix = 'add that table, or give the column role = "identifier"'
                    text = f"{text}, which is not in the schema"
                    problems.append(Problem(text, fix, {"problem": "reference", **facts}))
                elif len(link.columns) != len(columns_of(self[link.table].key)):
                    text = f"{text} by {len(link.columns)} columns, and its key has another number of them"
                    problems.append(Problem(text, f"name the key of '{link.table}'", {"problem": "no key", **facts}))
        return problems

    def _others(self) -> list[Problem]:
        problems = []
        for name, relation in self.items():
            for column, kind in relation.others.items():
                text, facts = f"table '{name}' refers to '{kind}'", {"problem": "others", "table": name}
                if kind not in self.others:
                    fix = "add that table to others, or correct the name"
                    problems.append(Problem(f"{text}, which is no other kind of persons", fix, facts))
                elif column in relation.keys:
                    text = f"{text} by '{column}', which is a key as well"
                    problems.append(Problem(text, "make a copy of the column", facts))
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
