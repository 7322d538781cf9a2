"""A few codes: who is published with all of some rows that are known of somebody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.rate import Rate
from amongst.published.tally import one_key
from amongst.relations.attack import Intruder
from amongst.relations.attacks.intruder import NO_ORIGINAL, DatabaseIntruder
from amongst.relations.persons import Persons


def few_codes(intruder: DatabaseIntruder) -> Iterator[Finding | str]:
    """Draw m rows of somebody from tables of which some codes are known, and count who is published with all of them.

    Paper: Terrovitis, Mamoulis, Kalnis: *Privacy-preserving Anonymization of Set-valued Data*, VLDB 2008.
    """
    shown, known = intruder.shown, intruder.known
    tables = [name for name, one in shown.schema.items() if one.known == "codes" and one.schema.quasi]
    if known is None or not tables:
        yield NO_ORIGINAL if known is None else 'no table has known = "codes"'
        return
    people, sampled = intruder.sample(known)
    held = Intruder(people.of(np.zeros(0, dtype=np.int64)).tables, known.schema)
    published = {name: Codes(shown, name, held) for name in tables}
    codes = [(name, row) for name in tables for row in people.tables[name].to_pylist()]
    owner = np.concatenate([people.of_row[name] for name in tables])
    groups = intruder.fitting(shown, people)
    found, tried = np.zeros(people.n, dtype=np.int64), np.zeros(people.n, dtype=bool)
    for person in range(people.n):
        own = np.flatnonzero(owner == person)
        if not len(own):
            continue
        tried[person] = True
        drawn = intruder.rng.choice(own, min(intruder.m, len(own)), replace=False)
        has = np.isin(shown.group, groups[person])
        for at in drawn.tolist():
            has &= published[codes[at][0]].persons_with(codes[at][1])
        found[person] = int(has.sum())
    k, n = intruder.k, int(tried.sum())
    rates = found_by("a few codes", found[tried], k, sampled)
    yield Finding(
        attack="few codes",
        kind="singling out",
        title="What a few codes find",
        knows=f"Somebody's own row, and up to {intruder.m} rows of {listed(tables)}, drawn by lot.",
        works="Published persons who can be hers and have a row for each of them are counted; nobody is a safe answer. "
        f"Tried for {n:,} persons.",
        achieved=(
            f"Found alone: {rates[0].words} persons.",
            f"Found among fewer than {k:,}: {rates[1].words}.",
        ),
        lower=f"KmAnonymity with m of at least {intruder.m}, or a larger k.",
        succeeded=rates[1].success > 0,
        rates=rates,
        paper="Terrovitis, Mamoulis, Kalnis: Privacy-preserving Anonymization of Set-valued Data, VLDB 2008",
    )


def rows_said(shown: Persons, name: str) -> tuple[np.ndarray, np.ndarray]:
    """What the rows of a table say by their quasi-identifiers, numbered: a row of each, and the number of every row."""
    table = shown.tables[name]
    cells = [table.column(one).combine_chunks().cast(pa.string()) for one in shown.schema[name].schema.quasi]
    encoded = [one.dictionary_encode() for one in cells]
    codes = [one.indices.fill_null(len(one.dictionary)).to_numpy().astype(np.int64) for one in encoded]
    _, first, said = np.unique(one_key(codes, table.num_rows), return_index=True, return_inverse=True)
    return first, said.reshape(-1)


def found_by(what: str, found: np.ndarray, k: int, sampled: bool) -> tuple[Rate, Rate]:
    """How many of those who were tried are found alone, and among fewer than k; ``found``: who can be each of them."""
    few = (found > 0) & (found < k)
    return (
        Rate(f"found alone by {what}", float((found == 1).sum()), len(found), k, sampled),
        Rate(f"found among fewer than {k}", float(few.sum()), len(found), k, sampled),
    )


class Codes:
    """The published rows of a table by what they say: who has a row that can stand for one that is known?"""

    def __init__(self, shown: Persons, name: str, held: Intruder) -> None:
        self.name, self.held, self.n = name, held, shown.n
        self.columns = list(shown.schema[name].schema.quasi)
        first, self.said = rows_said(shown, name)
        self.labels = shown.tables[name].select(self.columns).take(first).to_pylist()
        self.person = shown.of_row[name]

    def persons_with(self, row: Mapping[str, Any]) -> np.ndarray:
        has = np.zeros(self.n + 1, dtype=bool)
        has[self.person[self.rows_like(row)]] = True
        return has[:-1]

    def rows_like(self, row: Mapping[str, Any]) -> np.ndarray:
        """The published rows that can stand for one that is known."""
        fits = np.array(
            [
                all(self.held.holds(self.name, one, label[one], row[one]) for one in self.columns)
                for label in self.labels
            ],
            dtype=bool,
        )
        return np.asarray(fits[self.said], dtype=bool)


ATTACK = Attack(
    name="few codes",
    place=1,
    kind="singling out",
    words="Looks for persons who are published with a few codes that are known.",
    needs="the original tables",
    carry_out=few_codes,
)
