"""A few codes in their order: who is published with codes that came one after the other as is known of somebody."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.relations.attack import Intruder
from amongst.relations.attacks.few_codes import Codes, found_by
from amongst.relations.attacks.intruder import NO_ORIGINAL, DatabaseIntruder
from amongst.relations.persons import Persons

NEVER = np.iinfo(np.int64).max


def order_of_codes(intruder: DatabaseIntruder) -> Iterator[Finding | str]:
    """Draw m rows of somebody, order them by their times, and count who is published with the codes in this order.

    Paper: Tamersoy, Loukides, Nergiz, Saygin, Malin: *Anonymization of Longitudinal Electronic Medical Records*, IEEE
    TITB 2012, which protects against it.
    """
    shown, known = intruder.shown, intruder.known
    times = {} if known is None else _times(shown, known)
    if known is None or not times:
        yield NO_ORIGINAL if known is None else 'no table with known = "codes" tells times'
        return
    people, sampled = intruder.sample(known)
    held = Intruder(people.of(np.zeros(0, dtype=np.int64)).tables, known.schema)
    published = {name: Codes(shown, name, held) for name in times}
    after = {name: _days(shown.tables[name].column(column)) for name, column in times.items()}
    owner = np.concatenate([people.of_row[name] for name in times])
    day = np.concatenate([_days(people.tables[name].column(column)) for name, column in times.items()])
    rows = [(name, row) for name in times for row in people.tables[name].to_pylist()]
    owner = np.where(day < 0, -1, owner)  # nobody knows when these were
    groups = intruder.fitting(shown, people)
    found, tried = np.zeros(people.n, dtype=np.int64), np.zeros(people.n, dtype=bool)
    for person in range(people.n):
        own = np.flatnonzero(owner == person)
        if len(np.unique(day[own])) < 2:
            continue  # no order to know
        tried[person] = True
        drawn = intruder.rng.choice(own, min(intruder.m, len(own)), replace=False)
        drawn = drawn[np.argsort(day[drawn], kind="stable")]
        last, before = np.full(shown.n, -1, dtype=np.int64), -1
        for at in drawn.tolist():
            name, row = rows[at]
            last = _next(published[name], after[name], row, last, strict=bool(day[at] > before))
            before = int(day[at])
        found[person] = int((np.isin(shown.group, groups[person]) & (last < NEVER)).sum())
    k, n = intruder.k, int(tried.sum())
    rates = found_by("the order of codes", found[tried], k, sampled)
    yield Finding(
        attack="order of codes",
        kind="singling out",
        title="What the order of a few codes finds",
        knows=f"Somebody's own row, and up to {intruder.m} rows of {listed(list(times))}, drawn by lot, in order.",
        works="Published persons who can be hers and have the codes one after the other as is known are counted; "
        f"nobody is a safe answer. Tried for {n:,} persons with rows of more than one time.",
        achieved=(f"Found alone: {rates[0].words} persons.", f"Found among fewer than {k:,}: {rates[1].words}."),
        lower="Times told by the year or as ages, or left out; a larger k. No model promises anything about order.",
        succeeded=rates[1].success > 0,
        rates=rates,
        paper="Tamersoy et al.: Anonymization of Longitudinal Electronic Medical Records, IEEE TITB 2012",
    )


def _times(shown: Persons, known: Persons) -> dict[str, str]:
    """The first column with times of every table of which some codes are known, where both have one."""
    found = {}
    for name, relation in shown.schema.items():
        if relation.known == "codes" and relation.schema.quasi:
            both = [c for c in shown.tables[name].column_names if c in known.tables[name].column_names]
            dated = [c for c in both if all(_is_time(one.tables[name].column(c).type) for one in (shown, known))]
            if dated:
                found[name] = dated[0]
    return found


def _is_time(kind: pa.DataType) -> bool:
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def _days(column: pa.ChunkedArray) -> np.ndarray:
    """Times as numbers from 0 on, in microseconds; -1 where one is missing."""
    moments = column.cast(pa.timestamp("us")).cast(pa.int64()).fill_null(NEVER).to_numpy()
    missing = moments == NEVER
    return np.where(missing, -1, np.clip(moments + 2**62, 0, NEVER - 1))


def _next(codes: Codes, day: np.ndarray, row: dict[str, object], last: np.ndarray, *, strict: bool) -> np.ndarray:
    """For every published person the first time after ``last`` at which they have the code, if there is one."""
    person = codes.person
    able = codes.rows_like(row) & (day >= 0) & (person >= 0)
    able &= (day > last[person]) if strict else (day >= last[person])
    made = np.full(len(last), NEVER, dtype=np.int64)
    np.minimum.at(made, person[able], day[able])
    return made


ATTACK = Attack(
    name="order of codes",
    place=4,
    kind="singling out",
    words="Looks for persons who are published with a few codes in the order that is known.",
    needs="the original tables",
    carry_out=order_of_codes,
)
