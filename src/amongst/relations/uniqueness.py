"""Who stands alone in tables about persons: by the persons' own columns, whole trees, a few codes, the order of events.

The same count for the original and for what was published says what a release takes from an intruder. It asks for every
kind of knowledge, also those that the release was not made against.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from amongst.relations.relation import DatabaseSchema, Relation
from amongst.relations.verify.codes_shared import number_codes
from amongst.relations.verify.neutral import Neutral, neutral
from amongst.relations.verify.one_column_keys import with_one_column_keys
from amongst.relations.verify.signatures import sign
from amongst.schema.column import Column
from amongst.schema.schema import Schema
from amongst.sql_text import quoted

if TYPE_CHECKING:
    import pyarrow as pa

MOST_CODES = 3
"""Sets of up to so many codes are tried."""


@dataclass(frozen=True)
class Alone:
    """How many persons somebody with some knowledge finds alone, or among fewer than k."""

    knows: str
    persons: int
    alone: int
    few: int

    def to_dict(self) -> dict[str, Any]:
        return {"knows": self.knows, "persons": self.persons, "alone": self.alone, "few": self.few}


def uniqueness(tables: Mapping[str, pa.Table], schema: DatabaseSchema, k: int, m: int = 2) -> list[Alone]:
    """For every kind of knowledge how many persons are alone with it, and how many are among fewer than k.

    Parameters
    ----------
    tables : mapping of str to pyarrow.Table
        Published or original ones.
    schema : DatabaseSchema
        With keys and references. What it says is ``known`` is not asked.
    k : int
    m : int
        Up to so many codes (rows of other tables, by their quasi-identifiers) are known, with the own columns.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.relations.uniqueness import uniqueness
    >>> made = am.datasets.load_database("transcripts")
    >>> [(one.knows, one.alone) for one in uniqueness(made.tables, made.schema, k=2, m=1)]
    [("the persons' own columns", 0), ('1 code', 2), ('all rows of all tables', 4)]
    """
    schema = schema.complete()
    held = {name: tables[name] for name in schema}
    found = []
    with _numbered(held, _known(schema, "codes")) as (database, plain):
        found.append(_sizes(database, plain, "the persons' own columns", k))
        found += [_by_codes(database, plain, size, k) for size in range(1, min(m, MOST_CODES) + 1)]
        found += _by_order(database, plain, held, schema, k)
    with _numbered(held, _known(schema, "all")) as (database, plain):
        found.append(_sizes(database, plain, "all rows of all tables", k))
    return found


def _known(schema: DatabaseSchema, what: str) -> DatabaseSchema:
    """The schema in which that is known of all tables but the persons', and references tell nothing.

    A release keeps all columns of tables of which nothing is said to be known: here they are known.
    """

    def told(name: str, relation: Relation) -> Relation:
        columns = relation.schema
        if relation.known == "nothing":
            kept = {one: replace(rule, role="quasi") for one, rule in columns.items() if rule.role == "keep"}
            kept |= {
                one: Column(role="quasi") for one in relation.others if one not in columns
            }  # as a release has them
            columns = Schema({**columns, **kept})
        return replace(relation, columns=columns, known="all" if name == schema.person else what)

    return schema.of({name: told(name, relation) for name, relation in schema.items()})


class _numbered:
    """A database in memory with the tables, their kinds of rows and their codes."""

    def __init__(self, tables: Mapping[str, pa.Table], schema: DatabaseSchema) -> None:
        narrow, narrow_tables = with_one_column_keys(schema, tables)
        due = {name: [*one.keys, *one.schema.published] for name, one in narrow.items()}
        self.plain = neutral({name: narrow_tables[name].select(due[name]) for name in narrow}, narrow)

    def __enter__(self) -> tuple[Any, Neutral]:
        import duckdb

        self.database = duckdb.connect()
        for name, incoming in self.plain.tables.items():
            self.database.register("incoming", incoming)
            self.database.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM incoming")
            self.database.unregister("incoming")
        sign(self.database, self.plain.schema)
        number_codes(self.database, self.plain)
        return self.database, self.plain

    def __exit__(self, *_: object) -> None:
        self.database.close()


def _sizes(database: Any, plain: Neutral, knows: str, k: int) -> Alone:
    people = quoted("kind " + plain.schema.person)
    groups = f"SELECT count(*) AS n FROM {people} GROUP BY grp"
    return _alone(database, f"SELECT n, n AS many FROM ({groups})", knows, k)


def _alone(database: Any, counted: str, knows: str, k: int) -> Alone:
    """From the sizes of classes (n) and how many persons each stands for."""
    sums = ", ".join(f"coalesce(sum(many) FILTER (WHERE {which}), 0)" for which in ("true", "n = 1", f"n < {int(k)}"))
    persons, alone, few = database.execute(f"SELECT {sums} FROM ({counted})").fetchone()
    return Alone(knows, int(persons), int(alone), int(few))


def _by_codes(database: Any, plain: Neutral, size: int, k: int) -> Alone:
    """Persons of whom up to so many codes are known that fewer than k of their group have."""

    def shared_by(n: int) -> str:
        sets = ", ".join(f"h{i}.item" for i in range(n))
        joins = "".join(f" JOIN had h{i} ON h{i}.person = h0.person AND h{i}.item > h{i - 1}.item" for i in range(1, n))
        return f"SELECT h0.person, count(*) OVER (PARTITION BY h0.grp, {sets}) AS n FROM had h0{joins}"

    shared = " UNION ALL ".join(shared_by(n) for n in range(1, size + 1))  # some have fewer codes than are known
    rarest = f"SELECT person, min(n) AS n FROM ({shared}) GROUP BY person"
    people = quoted("kind " + plain.schema.person)
    everybody = (
        f"SELECT coalesce(r.n, {k}) AS n, 1 AS many FROM {people} p LEFT JOIN ({rarest}) r ON r.person = p.person"
    )
    return _alone(database, everybody, "1 code" if size == 1 else f"up to {size} codes", k)


def _by_order(
    database: Any, plain: Neutral, tables: Mapping[str, pa.Table], schema: DatabaseSchema, k: int
) -> list[Alone]:
    """Persons by the order of their codes in time, where a table has one column of times that is published as it is."""
    import pyarrow as pa

    called = {old: new for new, old in plain.called.items()}
    parts = []
    for t, (name, relation) in enumerate(schema.items()):
        times = [
            column
            for column in relation.schema.published
            if relation.schema[column].role != "quasi"
            and (
                relation.times.get(column) not in (None, "birth")
                or pa.types.is_temporal(tables[name].schema.field(column).type)
            )
        ]
        if relation.parent is None or not times or not relation.schema.quasi:
            continue
        new = {old: short for (table, short), old in plain.column_called.items() if table == called[name]}
        at, item = f"CAST(b.{quoted(new[times[0]])} AS VARCHAR)", f"{t} * 1099511627776 + n.code"
        near, own = quoted("near " + called[name]), quoted(called[name])
        parts.append(
            f"SELECT n.person, n.grp, {at} AS moment, {item} AS item FROM {near} n JOIN {own} b ON b.rowid = n.rid"
        )
    if not parts:
        return []
    events = " UNION ALL ".join(parts)
    lists = "any_value(grp) AS grp, list(item ORDER BY moment, item) AS told"
    told = f"SELECT person, {lists} FROM ({events}) GROUP BY person"
    counted = f"SELECT count(*) AS n, count(*) AS many FROM ({told}) GROUP BY grp, told"
    return [_alone(database, counted, "all codes in the order of time", k)]
