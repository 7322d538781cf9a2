"""Small histories of people who come, go and change, with several rows each where asked."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

import amongst as am

TOWNS = {"north": ["aa", "ab"], "south": ["ba", "bb"]}
SCHEMA = {
    "who": am.Column(role="identifier"),
    "age": am.Column(role="quasi", kind="numeric"),
    "town": am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.nested(TOWNS)),
    "ill": am.Column(role="sensitive"),
}


@dataclass(frozen=True)
class Row:
    """One row of a person: what others may know of her, and what they may not."""

    who: int
    age: int | None
    town: str
    secret: tuple[str, ...]


@dataclass(frozen=True)
class Habits:
    """What may happen from one month to the next."""

    come: float = 0.2
    leave: float = 0.1
    change_quasi: float = 0.1
    change_secret: float = 0.1
    several: float = 0.0
    nulls: float = 0.0
    n_secrets: int = 1
    n_values: int = 4


def schema_of(habits: Habits) -> am.Schema:
    more = {"drug": am.Column(role="sensitive")} if habits.n_secrets > 1 else {}
    return am.Schema({**SCHEMA, **more})


def history(seed: int, n: int, n_months: int, habits: Habits) -> list[list[Row]]:
    rng = np.random.default_rng(seed)
    months, rows, last = [], [row for who in range(n) for row in _person(rng, who, habits)], n
    for month in range(n_months):
        if month:
            people = sorted({row.who for row in rows})
            gone = {who for who in people if rng.random() < habits.leave}
            rows = [_changed(rng, row, habits) for row in rows if row.who not in gone]
            for _ in range(rng.binomial(max(len(people), 1), habits.come)):
                rows += _person(rng, last, habits)
                last += 1
        months.append(rows)
    return months


def _person(rng: np.random.Generator, who: int, habits: Habits) -> list[Row]:
    age = None if rng.random() < habits.nulls else int(rng.integers(0, 10))
    town = str(rng.choice(["aa", "ab", "ba", "bb"]))
    rows = [Row(who, age, town, _secret(rng, habits))]
    while rng.random() < habits.several and len(rows) < 4:
        other = rng.random() < 0.2
        rows.append(replace(rows[0], age=int(rng.integers(0, 10)) if other else age, secret=_secret(rng, habits)))
    return rows


def _secret(rng: np.random.Generator, habits: Habits) -> tuple[str, ...]:
    skew = np.arange(habits.n_values, 0, -1) / np.arange(habits.n_values, 0, -1).sum()
    return tuple(f"{'xy'[i]}{rng.choice(habits.n_values, p=skew)}" for i in range(habits.n_secrets))


def _changed(rng: np.random.Generator, row: Row, habits: Habits) -> Row:
    if rng.random() < habits.change_quasi:
        row = replace(row, age=int(rng.integers(0, 10)))
    return replace(row, secret=_secret(rng, habits)) if rng.random() < habits.change_secret else row


def table_of(rows: list[Row], habits: Habits) -> pa.Table:
    columns = {
        "who": pa.array([f"p{row.who}" for row in rows], pa.string()),
        "age": pa.array([row.age for row in rows], pa.int64()),
        "town": pa.array([row.town for row in rows], pa.string()),
        "ill": pa.array([row.secret[0] for row in rows], pa.string()),
    }
    if habits.n_secrets > 1:
        columns["drug"] = pa.array([row.secret[1] for row in rows], pa.string())
    return pa.table(columns)
