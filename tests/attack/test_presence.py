"""Patterns of presence over three or more releases, beside a naive count in dictionaries."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.attack import presence as under_test


def release(**boxes: str) -> pa.Table:
    """A published table: for every box a letter for the illness of each of its rows."""
    rows = [(box, ill) for box, letters in boxes.items() for ill in letters]
    return pa.table({"town": [box for box, _ in rows], "ill": [ill for _, ill in rows]})


def attacked(*tables: pa.Table, k: int = 2) -> am.attack:
    return am.attack(
        tables[-1], ["town"], sensitive=["ill"], against=list(tables[:-1]), attacks=["presence", "newcomers"], k=k
    )


def test_who_was_there_once_is_pinned_down_where_no_two_releases_do_it():
    """b, c and d came, then a, c and e went: whoever came and went again has c."""
    months = release(x="aaabbee"), release(x="aaabbbeecd"), release(x="aabbbed")
    found = attacked(*months, k=1)
    assert len(found.of("newcomers")) == 3
    assert not any(one.succeeded for one in found.of("newcomers"))
    one = found["presence"]
    assert one.succeeded
    assert one.figures["one_value_left"] == 2  # in the box, and in the whole
    assert "c" not in " ".join(one.achieved).split()


def test_the_same_three_times_tells_nothing():
    same = release(x="aabb", y="bc")
    assert not attacked(same, same, same)["presence"].succeeded


def test_it_says_what_it_lacks():
    one = release(x="aab")
    assert dict(attacked(one, one).skipped)["presence"].startswith("it needs two")
    other = one.rename_columns(["town", "sick"])
    found = am.attack(one, ["town"], sensitive=["ill"], against=[other, one], attacks=["presence"])
    assert "same" in dict(found.skipped)["presence"]


def naive(tables: list[pa.Table], k: int) -> tuple[int, int]:
    """One value left, and few people left: all patterns, places and values in plain dictionaries."""
    places = {town for table in tables for town in table["town"].to_pylist()} | {None}
    counts = {
        (t, place): Counter(ill for town, ill in zip(*table.to_pydict().values(), strict=True) if place in (None, town))
        for t, table in enumerate(tables)
        for place in places
    }
    pinned = few = 0
    for n_moves in (2, 3):
        for moves in combinations(range(len(tables) - 1), n_moves):
            for came_first in (True, False):
                for place in places:
                    if not all(counts[t, place] and counts[t + 1, place] for t in moves):
                        continue
                    moved = []
                    for i, t in enumerate(moves):
                        before, after = counts[t, place], counts[t + 1, place]
                        moved.append(after - before if (i % 2 == 0) == came_first else before - after)
                    left = {v: min(one[v] for one in moved) for v in set().union(*moved)}
                    left = {v: n for v, n in left.items() if n > 0}
                    pinned += len(left) == 1 and all(len(one) > 1 for one in moved)
                    few += 0 < sum(left.values()) < k and all(sum(one.values()) >= k for one in moved)
    return pinned, few


@pytest.mark.parametrize("seed", range(8))
def test_counts_are_those_of_dictionaries(seed):
    rng = np.random.default_rng(seed)
    tables = [
        pa.table(
            {"town": rng.choice(list("xyz"), n).astype(object), "ill": rng.choice(list("abcde"), n).astype(object)}
        )
        for n in rng.integers(8, 40, 3 + seed % 3)
    ]
    one = attacked(*tables, k=3)["presence"].figures
    assert (one["one_value_left"], one["few_people"]) == naive(tables, 3)


def test_of_too_many_boxes_the_smallest_are_looked_at(monkeypatch):
    monkeypatch.setattr(under_test, "MOST_CELLS", 6)
    months = release(x="aaabb", y="a" * 20), release(x="aaabbbc", y="a" * 21), release(x="aabbb", y="a" * 20)
    one = attacked(*months, k=1)["presence"]
    assert "the 2 smallest of 2" not in one.works
    assert one.figures["one_value_left"] >= 1
    monkeypatch.setattr(under_test, "MOST_CELLS", 3)
    assert "the 1 smallest of 2 boxes" in attacked(*months, k=1)["presence"].works
