"""The boxes that are chosen, against all ways to choose boxes of a small tree."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amongst.republish.cut import Earlier, Promise, choose
from thorough import some

PARTS = [[1, 2], [3, 4], [5, 6], [], [], [], []]
LOSS = np.array([1.0, 0.6, 0.5, 0.2, 0.1, 0.3, 0.05])
BELOW = {0: {3, 4, 5, 6}, 1: {3, 4}, 2: {5, 6}, 3: {3}, 4: {4}, 5: {5}, 6: {6}}
LEAVES = st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=4, max_size=4)


def summed(leaves: list[list[int]]) -> np.ndarray:
    return np.array([np.sum([leaves[leaf - 3] for leaf in BELOW[x]], axis=0) for x in range(7)], dtype=np.int64)


def all_cuts(x: int = 0) -> list[list[int]]:
    below = (
        [list(itertools.chain(*one)) for one in itertools.product(*(all_cuts(part) for part in PARTS[x]))]
        if PARTS[x]
        else []
    )
    return [[x], *below]


def whole_in(cut: list[int], x: int) -> bool:
    return all(any(leaf in BELOW[c] and BELOW[c] <= BELOW[x] for c in cut) for leaf in BELOW[x])


def holds(
    cut: list[int], count: np.ndarray, old: list[int] | None, before: np.ndarray, stayed: np.ndarray, asked: Promise
) -> bool:
    if any(count[x].sum() < asked.k or (count[x] > 0).sum() < asked.l for x in cut):
        return False
    if old is None:
        return True
    for leaf in (3, 4, 5, 6):
        now, then = (next(c for c in one if leaf in BELOW[c]) for one in (cut, old))
        left = np.minimum(count[now], before[then])
        if left.sum() < asked.k or (left > 0).sum() < asked.l:
            return False
    for x in range(7):
        lowest = (
            whole_in(cut, x) and whole_in(old, x) and not any(whole_in(cut, y) and whole_in(old, y) for y in PARTS[x])
        )
        if lowest:
            same = np.minimum(stayed[x], count[x])
            came, went = count[x] - same, before[x] - same
            for moved in (came, went):
                if moved.any() and not np.minimum(came, went).any() and (moved > 0).sum() < asked.newcomers:
                    return False
    return True


@settings(max_examples=some(80), deadline=None)
@given(LEAVES, LEAVES, LEAVES, st.integers(1, 4), st.integers(1, 2), st.integers(0, 4))
def test_the_choice_holds_and_costs_no_more_than_any_that_leaves_nobody_out(
    now: list[list[int]], then: list[list[int]], stay: list[list[int]], k: int, values: int, which: int
) -> None:
    asked = Promise(k, values, newcomers=2)
    count, before = summed(now), summed(then)
    stayed = summed(np.minimum(np.minimum(now, then), stay).tolist())
    old = all_cuts()[which]
    first = holds(old, before, None, before, before, asked)
    earlier = []
    if first:
        is_class = np.isin(np.arange(7), old)
        whole = np.array([whole_in(old, x) for x in range(7)])
        earlier = [Earlier(is_class, whole, before, stayed)]
    found = choose(PARTS, LOSS, count, earlier, asked)
    prices = [
        sum(float(count[x].sum() * LOSS[x]) for x in cut)
        for cut in all_cuts()
        if holds(cut, count, old if first else None, before, stayed, asked)
    ]
    if found is None:
        assert not prices
        return
    if prices:
        assert found.price <= min(prices) + 1e-9
    kept = count.copy()
    for node, dropped in zip(found.nodes, found.dropped, strict=True):
        assert (dropped >= 0).all()
        kept[node] = count[node] - dropped
    for x in (2, 1, 0):
        if x not in found.nodes and whole_in(found.nodes, x):
            kept[x] = sum(kept[part] for part in PARTS[x])
    assert holds(found.nodes, kept, old if first else None, before, stayed, asked)


@pytest.mark.parametrize(
    ("came", "went", "arrived", "left_out"),
    [
        ([2, 0, 2, 0], [2, 1, 2, 0], 0, 1),  # one left with the second value, others changed between two others
        ([3, 0, 2, 0], [2, 1, 2, 0], 1, 2),  # somebody came besides, with a value that only she can have
        ([3, 0, 2, 0], [3, 0, 2, 0], 1, 0),  # each hides behind another
    ],
)
def test_a_row_or_two_are_left_out_where_a_change_does_not_hide_who_came_or_went(
    came: list[int], went: list[int], arrived: int, left_out: int
) -> None:
    then = np.array([8, 8, 8, 8])
    stayed = then - went
    both = np.stack([2 * then, then, then]), np.stack([stayed + then, stayed, then])
    now = both[1] + np.array([came, came, [0] * 4])
    known = np.array([[1], [1], [0]])
    there = np.ones(3, dtype=bool)
    earlier = Earlier(np.array([False, True, True]), there, *both, arrived=arrived * known, departed=known)
    asked = Promise(5, 2, newcomers=2)
    found = choose([[1, 2], [], []], np.array([1.0, 0.1, 0.1]), now, [earlier], asked)
    assert found is not None
    assert sorted(found.nodes) == [1, 2]
    assert sum(int(one.sum()) for one in found.dropped) == left_out
    node = found.nodes.index(1)
    assert not earlier.shows_few(1, now[1] - found.dropped[node], asked)


def test_a_box_that_just_holds_has_a_price_for_the_months_to_come() -> None:
    count, loss = np.array([[12, 12], [6, 6], [6, 6]]), np.array([0.3, 0.2, 0.2])
    asked = Promise(12, 2)
    nodes = [choose([[1, 2], [], []], loss, count, [], asked, room=room).nodes for room in (0, 4)]
    assert [sorted(one) for one in nodes] == [[1, 2], [0]]
    dear = np.array([0.5, 0.2, 0.2])  # worth more than the room
    assert sorted(choose([[1, 2], [], []], dear, count, [], asked, room=4).nodes) == [1, 2]
