"""Membership: telling persons who are in the tables from persons who are not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from amongst.attack.declared import Attack
from amongst.attack.finding import Finding, listed
from amongst.attack.membership import with_spread
from amongst.attack.rate import Rate, Risk, apart
from amongst.errors import AmongstError
from amongst.relations.attacks.intruder import NO_ORIGINAL, DatabaseIntruder
from amongst.relations.persons import Persons, persons_of


def who_is_in_it(intruder: DatabaseIntruder) -> Iterator[Finding | str]:
    """Publish half of the persons anew, and count who of both halves fits some tree."""
    known = intruder.known
    if known is None or intruder.asked is None:
        yield NO_ORIGINAL
        return
    if not intruder.make_again or not intruder.split:
        yield "how the tables were made is not known here, or a split was not wanted"
        return
    if known.n < 4:
        yield "there are too few persons to tell members from others"
        return
    hits, tried = np.zeros(2), np.zeros(2, dtype=np.int64)
    advantages = []
    for _ in range(intruder.divisions):
        found = _divided(intruder, known)
        if isinstance(found, str):
            yield found
            return
        hits, tried = hits + found[0], tried + found[1]
        advantages.append(float(found[0][0] / found[1][0] - found[0][1] / found[1][1]))
    words = ("members who fit a tree", "others who fit a tree")
    rates = [Rate(words[i], float(hits[i]), int(tried[i]), intruder.k, True) for i in (0, 1)]
    advantage, ends = apart(*rates)
    ends = with_spread(advantage, ends, advantages)
    times = "" if intruder.divisions == 1 else f", {intruder.divisions} times with other lots"
    intruder.notes.append(
        f"To tell members from others {-(-known.n // 2):,} persons were published anew in the same way{times}; the "
        f"other {known.n // 2:,} are not in that release."
    )
    yield Finding(
        attack="membership",
        kind="singling out",
        title="Who is in the data",
        knows=f"All quasi-identifiers of somebody, in {listed(intruder.trees)}.",
        works="Whoever fits the tree of nobody is not in the data, and all others are taken for members. Tried for "
        f"{rates[0].n:,} persons in the data and {rates[1].n:,} who are not.",
        achieved=(
            f"Taken for members: {rates[0].words} of the persons in the data.",
            f"Taken for members though they are not in the data: {rates[1].words}.",
            f"Advantage, the difference of both: {advantage:.2%} (95% interval {ends[0]:.2%} to {ends[1]:.2%}).",
        ),
        lower="Say what is known of each table: trees of rows that nobody knows need not be told; and a larger k.",
        succeeded=ends[0] > 0,
        rates=tuple(rates),
        risk=Risk(rates[0], rates[1]),
        figures={
            "advantage": round(advantage, 6),
            "interval": [round(end, 6) for end in ends],
            "members": rates[0].n,
            "others": rates[1].n,
            "divisions": len(advantages),
            "spread": round(float(np.std(advantages)), 6),
        },
        paper="Carlini et al.: Membership Inference Attacks From First Principles, IEEE S&P 2022, for the question",
    )


def _divided(intruder: DatabaseIntruder, known: Persons) -> tuple[np.ndarray, np.ndarray] | str:
    """Of members and of others how many fit some tree, and how many were tried; or why that cannot be said."""
    from amongst.relations.anonymize import anonymize_database

    asked = intruder.asked
    assert asked is not None
    order = intruder.rng.permutation(known.n)
    inside, outside = (known.of(np.sort(one)) for one in np.array_split(order, 2))
    try:
        # Without the columns that were made for keys of several columns.
        own = {name: [*one.keys, *one.schema] for name, one in asked.items()}
        tables = {name: inside.tables[name].select(_there(inside.tables[name], own[name])) for name in own}
        again = anonymize_database(tables, asked, **intruder.make_again)
        shown = persons_of(again.arrow, known.schema)
    except AmongstError as error:
        return f"half of the persons could not be published in the same way: {error.what}"
    some = [intruder.sample(people)[0] for people in (inside, outside)]
    hits = [sum(len(one) > 0 for one in intruder.fitting(shown, people)) for people in some]
    return np.array(hits, dtype=np.float64), np.array([people.n for people in some])


def _there(table: pa.Table, names: list[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name in table.column_names]


ATTACK = Attack(
    name="membership",
    place=2,
    kind="singling out",
    words="Tells persons who are in the tables from persons who are not.",
    needs="the original tables",
    carry_out=who_is_in_it,
)
