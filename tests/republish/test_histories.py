"""Series over random small histories, held against an intruder in lists and sets who has all their releases."""

from __future__ import annotations

import itertools
from collections import Counter

import intruder_of_releases as naive
import numpy as np
import pytest
from histories import Habits, Row, history, schema_of, table_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.errors import Infeasible

KEY = b"a key for the tests only"
SHARE = st.sampled_from([0.0, 0.1, 0.3])
HABITS = st.builds(
    Habits,
    come=SHARE,
    leave=SHARE,
    change_quasi=SHARE,
    change_secret=SHARE,
    several=st.sampled_from([0.0, 0.4]),
    nulls=st.sampled_from([0.0, 0.1]),
    n_secrets=st.sampled_from([1, 2]),
    n_values=st.sampled_from([3, 5]),
)


def seen_of(release: am.Release, secret: list[str]) -> naive.Seen:
    kept = release.source.table.to_pylist()
    rows = [Row(int(one["who"][1:]), one["age"], one["town"], tuple(one[name] for name in secret)) for one in kept]
    return naive.seen(release.arrow.to_pylist(), rows, ["age", "town"], secret)


def releases_of(months: list[list[Row]], habits: Habits, k: int, values: int, newcomers: int) -> list[naive.Seen]:
    models = [am.KAnonymity(k), *([am.LDiversity(values, "distinct")] if values > 1 else [])]
    series = am.Series(schema_of(habits), models, person="who", key=KEY, newcomers=newcomers)
    secret, found = ["ill", "drug"][: habits.n_secrets], []
    for rows in months:
        try:
            release = series.next(table_of(rows, habits))
        except Infeasible:
            break
        assert release.verdict.ok
        found.append(seen_of(release, secret))
        assert series.told[-1].n_left_out == len(rows) - len(found[-1].rows)
    return found


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 1_000_000),
    st.integers(12, 60),
    st.integers(2, 4),
    HABITS,
    st.integers(2, 4),
    st.integers(1, 3),
    st.sampled_from([1, 2, 2, 3]),
)
@example(
    382_807_887, 46, 5, Habits(0.3, 0.0, 0.3, 0.0, 0.0, 0.1, 2, 5), 2, 3, 1
)  # some who move are left out, then more
def test_an_intruder_with_all_releases_is_left_what_was_promised(
    seed: int, n: int, n_months: int, habits: Habits, k: int, values: int, newcomers: int
) -> None:
    releases = releases_of(history(seed, n, n_months, habits), habits, k, values, newcomers)
    if not releases:
        return
    for _, left in naive.in_common(releases):
        assert sum(left.values()) >= k
        assert naive.n_values(left) >= values
    for first, second in itertools.combinations(releases, 2):
        assert naive.told_by_difference(first, second, newcomers) == []


def test_people_of_many_rows_are_counted_once() -> None:
    """Three people of four rows each are three people, and no class of four."""
    habits = Habits(several=0.9)
    rows = [Row(who, who % 3, "aa", (f"x{i % 3}",)) for who in range(3) for i in range(4)]
    series = am.Series(schema_of(habits), [am.KAnonymity(4)], person="who", key=KEY)
    with pytest.raises(Infeasible):
        series.next(table_of(rows, habits))
    more = [Row(who, who % 3, "aa", (f"x{i % 3}",)) for who in range(9) for i in range(4)]
    release = series.next(table_of(more, habits))
    people = Counter((row["age"], row["town"]) for row in release.arrow.to_pylist())
    assert min(people.values()) >= 16


def test_independent_releases_do_not_withstand_the_same_intruder() -> None:
    habits = Habits(change_quasi=0.0, change_secret=0.0)
    told = Counter()
    for seed in range(4):
        found = []
        for rows in history(seed, 40, 3, habits):
            made = am.anonymize(table_of(rows, habits), schema_of(habits), [am.KAnonymity(3)], method="mondrian")
            found.append(seen_of(made, ["ill"]))
        told["few"] += sum(sum(left.values()) < 3 for _, left in naive.in_common(found))
        told["shown"] += len(naive.told_by_difference(found[0], found[1], 2))
    assert told["few"]
    assert told["shown"]


def test_a_range_is_not_as_wide_as_somebody_who_is_left_out() -> None:
    """Who is left out widens no published box: not in the first release, and not later."""
    rng = np.random.default_rng(4)
    rows = [Row(who, int(rng.integers(0, 10)), "aa", (f"x{rng.integers(0, 3)}",)) for who in range(40)]
    habits = Habits()
    series = am.Series(schema_of(habits), [am.KAnonymity(3)], person="who", key=KEY)
    series.next(table_of(rows, habits))
    alone = [*rows, Row(99, 77, "aa", ("x9",))]
    release = series.next(table_of(alone, habits))
    assert series.told[-1].n_left_out
    assert "77" not in str(release.arrow.to_pylist())
    assert "77" not in str(series.tree.tokens(0) if series.tree else "")
