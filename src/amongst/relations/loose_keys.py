"""Keys that would be published as they are, under whatever role: a second reference, a copy of a key. Refused."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from amongst.errors import BadSchema
from amongst.relations.key_values import called_a_key, comparable, key_names
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Keys, Stored
from amongst.schema.problem import Problem, raise_all

if TYPE_CHECKING:
    import pyarrow as pa

WHAT = "Some columns hold keys of tables. Keys are dealt anew, and as they are these would lead to the original rows."
MOST = 0.9
"""A column whose values are keys to this share or more is a reference; a few may lead nowhere."""
EVIDENCE = 6.0
"""So many powers of ten against chance are proof."""
FEW_TEXTS = 3
"""Texts that are keys of rows are no chance, if there are so many of them."""
MANY = 10
"""Whole numbers that are all keys say nothing by themselves; so many, over half of the range of the keys, and called
a key, do."""


def refuse_loose_keys(schema: DatabaseSchema, stored: Stored, parents: dict[str, np.ndarray]) -> None:
    """Raise for every published column that is a reference by the catalogue, by its name or by its values.

    A second reference cannot be published yet: it links rows in ways that the search does not count.
    """
    persons = persons_of_rows(schema, stored, parents)
    problems = []
    for name in schema:
        for column in schema[name].schema.published:
            found = (
                _stated(name, column, schema, stored)
                or _by_values(name, column, schema, stored, persons)
                or _one_to_one(name, column, schema, stored)
            )
            if found is not None:
                text, other = found
                fix = 'give it role = "identifier", which leaves it out, or make it the reference to the parent'
                facts = {"problem": "loose key", "table": name, "column": column, "refers_to": other}
                problems.append(Problem(f"table '{name}', column '{column}': {text}", fix, facts))
    raise_all(BadSchema, WHAT, problems)


def persons_of_rows(schema: DatabaseSchema, stored: Stored, parents: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The person of every row of every table."""
    persons: dict[str, np.ndarray] = {}
    for name in schema.in_order():
        parent = schema[name].parent
        rows = stored.tables[name].num_rows
        persons[name] = np.arange(rows) if parent is None else persons[parent][parents[name]]
    return persons


def _stated(name: str, column: str, schema: DatabaseSchema, stored: Stored) -> tuple[str, str] | None:
    """What the catalogue says of a column: a reference to rows of persons, or the key of its own table."""
    known = stored.keys.get(name, Keys())
    about_persons = tables_about_persons(schema, stored)
    for reference in known.references:
        if _folded(column) in map(_folded, reference.columns) and _folded(reference.table) in about_persons:
            return f"the database says that it refers to '{reference.table}'", reference.table
    if len(known.primary) == 1 and _folded(known.primary[0]) == _folded(column):
        return "the database says that it is the key of its table", name
    return None


def tables_about_persons(schema: DatabaseSchema, stored: Stored) -> set[str]:
    """The tables whose rows belong to persons by the catalogue, also where they are left out. Lookup tables do not."""
    about = {_folded(name) for name in schema}
    while True:
        more = {
            _folded(name)
            for name, keys in stored.keys.items()
            if any(_folded(reference.table) in about for reference in keys.references)
        } - about
        if not more:
            return about
        about |= more


def _folded(name: str) -> str:
    return name.casefold()


def _by_values(
    name: str, column: str, schema: DatabaseSchema, stored: Stored, persons: dict[str, np.ndarray]
) -> tuple[str, str] | None:
    values = comparable(stored.tables[name].column(column))
    if values is None or len(values) == values.null_count:
        return None
    if _own_key(name, column, values):
        return "it tells all rows apart and is called as a key is", name
    named = {
        other: key_names(other, relation.key) for other, relation in schema.items() if isinstance(relation.key, str)
    }
    for other in sorted(named, key=lambda one: column.lower() not in named[one]):  # that of its name is told first
        keys = comparable(stored.tables[other].column(schema[other].key))
        if keys is None or len(keys) == 0:
            continue
        if _leads_to(column, values, keys, named[other], (persons[name], persons[other])):
            return f"its values are keys of '{other}'", other
    return None


def _one_to_one(name: str, column: str, schema: DatabaseSchema, stored: Stored) -> tuple[str, str] | None:
    """Keys of a table that is left out, each in one row alone: as telling as a key of its own. A code is in many."""
    import pyarrow.compute as pc

    values = comparable(stored.tables[name].column(column))
    if values is None or schema[name].schema[column].role == "quasi":
        return None
    distinct = pc.unique(values.drop_null())
    if len(distinct) < 2 or len(distinct) < len(values) - values.null_count:
        return None
    stated = {(_folded(r.table), _folded(c)) for r in stored.keys.get(name, Keys()).references for c in r.columns}
    few = len(distinct) < MANY  # so few rows may well have different codes
    for other in (one for one in stored.tables if one not in schema and not (few and one in schema.lookups)):
        alike = [c for c in stored.tables[other].column_names if _folded(c) == _folded(column)]
        keys = comparable(stored.tables[other].column(alike[0])) if alike else None
        by_name = keys is not None and keys.type == values.type and _holds_keys(distinct, keys)
        if by_name or (_folded(other), _folded(column)) in stated:
            return f"it refers to rows of '{other}', one to one", other
    return None


def _holds_keys(distinct: pa.Array, keys: pa.Array) -> bool:
    import pyarrow.compute as pc

    hits = pc.sum(pc.is_in(distinct, value_set=keys)).as_py()
    return bool(hits >= MOST * len(distinct) and pc.count_distinct(keys).as_py() == len(keys))


def _own_key(name: str, column: str, values: pa.Array) -> bool:
    import pyarrow.compute as pc

    if column.lower() not in key_names(name, "id") | {"id"} or values.null_count or len(values) < 2:
        return False
    return bool(pc.count_distinct(values).as_py() == len(values))


def _leads_to(
    column: str, values: pa.Array, keys: pa.Array, names: set[str], persons: tuple[np.ndarray, np.ndarray]
) -> bool:
    """Whether the values are keys, and not by chance."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if values.type != keys.type:
        values, keys = values.cast(pa.string()), keys.cast(pa.string())
    distinct = pc.unique(values.drop_null())
    hits = pc.sum(pc.is_in(distinct, value_set=keys)).as_py()
    if hits < MOST * len(distinct):
        return False
    if column.lower() in names:
        return True
    if _one_person(values, keys, *persons):
        return True
    if not pa.types.is_integer(keys.type):
        return hits >= FEW_TEXTS and not _are_numbers(distinct)
    return _no_chance(column, distinct, keys, hits)


def _one_person(values: pa.Array, keys: pa.Array, of_row: np.ndarray, of_key: np.ndarray) -> bool:
    """Whether the row and the row that its value names belong to one person, more often than chance would have it."""
    import pyarrow.compute as pc

    place = pc.index_in(values, value_set=keys, skip_nulls=True)
    rows = np.flatnonzero(place.is_valid().to_numpy(zero_copy_only=False))
    at = place.drop_null().to_numpy(zero_copy_only=False)
    same = of_row[rows] == of_key[at]
    if not len(rows) or same.mean() < MOST:
        return False
    n_persons = int(max(of_row.max(initial=0), of_key.max(initial=0))) + 1
    return len(np.unique(at[same])) * math.log10(max(n_persons, 1)) >= EVIDENCE


def _no_chance(column: str, distinct: pa.Array, keys: pa.Array, hits: int) -> bool:
    """Whether whole numbers avoid the gaps between the keys, or are called a key and spread as the keys do.

    Numbers before the first key or after the last are in no gap: a count of days may have a few of them.
    """
    import pyarrow.compute as pc

    least, most = pc.min_max(distinct).as_py().values()
    low, high = pc.min_max(keys).as_py().values()
    first, last = max(least, low), min(most, high)
    among, held = (
        pc.sum(pc.and_(pc.greater_equal(one, first), pc.less_equal(one, last))).as_py() for one in (distinct, keys)
    )
    if _against_chance(among, among - hits, 1 - min(held / (last - first + 1), 1.0)) >= EVIDENCE:
        return True
    return called_a_key(column) and hits >= MANY and most - least >= (high - low) / 2


def _against_chance(n: int, n_missed: int, share: float) -> float:
    """Powers of ten against n numbers hitting so few gaps by chance, where gaps are a share of the range (Chernoff).

    Examples
    --------
    >>> from amongst.relations.loose_keys import _against_chance
    >>> [round(_against_chance(20, missed, 0.5), 2) for missed in (0, 2, 10)]
    [6.02, 3.2, 0.0]
    """
    missed = n_missed / n
    if missed >= share:
        return 0.0
    in_gaps = missed * math.log10(missed / share) if missed else 0.0
    return n * (in_gaps + (1 - missed) * math.log10((1 - missed) / (1 - share)))


def _are_numbers(texts: pa.Array) -> bool:
    import pyarrow.compute as pc

    return bool(pc.all(pc.match_substring_regex(texts, r"^[0-9]+$")).as_py())
