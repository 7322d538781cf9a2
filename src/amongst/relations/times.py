"""Times of events as a person sees them: since the first event, as an age, or moved by days of the person's own.

A calendar date leads to the one who was there that day. Order and gaps within a person are what most studies need.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst.errors import BadSchema
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Stored
from amongst.schema.problem import Problem, raise_all

if TYPE_CHECKING:
    import pyarrow as pa

FIRST_DAY = np.datetime64("2000-01-01")
"""The day that every person's first event is published as."""
MOST_DAYS = 365
"""Times are moved by at most so many days, earlier or later."""
DAYS_OF_A_YEAR = 365.2425


def with_persons_times(stored: Stored, schema: DatabaseSchema, seed: int) -> Stored:
    """The tables with the times that the schema speaks of as the persons see them; the same where it speaks of none."""
    if not any(relation.times for relation in schema.values()):
        return stored
    from amongst.relations.check_keys import check_keys
    from amongst.relations.draft import with_found_keys
    from amongst.relations.wide_keys import narrowed

    whole = stored.schema_with_keys(with_found_keys(stored, stored.in_own_letters(schema))).complete()
    days = _days(whole, stored)
    narrow, tables = narrowed(whole, stored.tables)
    person_of = _persons(narrow, check_keys(narrow, replace(stored, tables=tables)), stored)
    n_persons = stored.tables[whole.person].num_rows
    first = _first(whole, days, person_of, n_persons)
    moved = np.random.default_rng([seed, 3]).integers(-MOST_DAYS, MOST_DAYS + 1, n_persons)
    born = next((days[whole.person, c] for c, how in whole[whole.person].times.items() if how == "birth"), None)
    made = dict(stored.tables)
    for (name, column), day in days.items():
        how, who = whole[name].times[column], person_of[name]
        if how != "birth":
            told = _told(how, day, first[who], moved[who], None if born is None else born[who])
            place = made[name].column_names.index(column)
            made[name] = made[name].set_column(place, column, told)
    spelled = {
        name: {column: one for column, one in own.items() if (name, column) not in days}
        for name, own in stored.spelled.items()
    }
    return replace(stored, tables=made, spelled=spelled)


def _days(schema: DatabaseSchema, stored: Stored) -> dict[tuple[str, str], np.ndarray]:
    """Every column of times as days; raises for what is none, and for ages without a birth."""
    import pyarrow as pa
    import pyarrow.compute as pc

    days, problems = {}, []
    births = [c for c, how in schema[schema.person].times.items() if how == "birth"]
    for name, relation in schema.items():
        for column, how in relation.times.items():
            cells = stored.tables[name].column(column) if column in stored.tables[name].column_names else None
            kind = None if cells is None else cells.type
            facts = {"problem": "times", "table": name, "column": column}
            if how == "birth" and cells is not None and pa.types.is_integer(kind):  # a year: its middle
                text = pc.binary_join_element_wise(cells.cast(pa.string()), "07-01", "-")
                cells = text.cast(pa.timestamp("s")).cast(pa.date32())
                kind = cells.type
            if cells is None or not (pa.types.is_date(kind) or pa.types.is_timestamp(kind)):
                found = "is not there" if cells is None else f"holds {kind}"
                problems.append(Problem(f"table '{name}': '{column}' {found}, and no dates", "correct times", facts))
            elif how == "birth" and (name != schema.person or len(births) > 1):
                text, fix = f"table '{name}': '{column}' is a birth", "one column of the persons' table is"
                problems.append(Problem(text, fix, facts))
            elif how == "age" and not births:
                text, fix = (
                    f"table '{name}': '{column}' is to be an age",
                    'say times = { ... = "birth" } of the persons',
                )
                problems.append(Problem(text, fix, facts))
            else:
                day = cells.cast(pa.timestamp("s")).cast(pa.int64()).to_numpy().astype(np.float64) // 86_400
                days[name, column] = day  # not a number where it is missing
    raise_all(BadSchema, "The times of the tables cannot be told as the persons see them.", problems)
    return days


def _persons(schema: DatabaseSchema, parent_rows: Mapping[str, np.ndarray], stored: Stored) -> dict[str, np.ndarray]:
    person_of = {schema.person: np.arange(stored.tables[schema.person].num_rows)}
    for name in schema.in_order()[1:]:
        person_of[name] = person_of[str(schema[name].parent)][parent_rows[name]]
    return person_of


def _first(
    schema: DatabaseSchema,
    days: Mapping[tuple[str, str], np.ndarray],
    person_of: Mapping[str, np.ndarray],
    n_persons: int,
) -> np.ndarray:
    """The day of every person's first event of all tables; 0 for those without one."""
    first = np.full(n_persons, np.inf)
    for (name, column), day in days.items():
        if schema[name].times[column] != "birth":
            there = ~np.isnan(day)
            np.minimum.at(first, person_of[name][there], day[there])
    return np.where(np.isinf(first), 0.0, first)


def _told(how: str, day: np.ndarray, first: np.ndarray, moved: np.ndarray, born: np.ndarray | None) -> pa.ChunkedArray:
    import pyarrow as pa

    missing = np.isnan(day)
    if how == "age":
        assert born is not None
        missing |= np.isnan(born)
        years = np.floor((np.where(missing, 0, day) - np.where(missing, 0, born)) / DAYS_OF_A_YEAR)
        return pa.chunked_array([pa.array(years.astype(np.int64), mask=missing)])
    day = np.where(missing, 0, day)
    if how == "shift":
        dates = (day + moved).astype(np.int64).astype("datetime64[D]")
    else:
        dates = FIRST_DAY + (day - first).astype(np.int64)
        dates = dates.astype({"day": "datetime64[D]", "month": "datetime64[M]", "year": "datetime64[Y]"}[how])
    return pa.chunked_array([pa.array(dates.astype("datetime64[D]"), mask=missing)])
