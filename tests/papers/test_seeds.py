"""Seeds that are far apart: the shortcut against looking at every pair."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.papers.utility import farthest_pair, penalty, seed_penalties

ROWS = st.integers(1, 4).flatmap(
    lambda d: st.lists(st.lists(st.integers(0, 15), min_size=d, max_size=d), min_size=1, max_size=20)
)


@given(ROWS)
def test_the_farthest_pair_is_that_of_all_pairs(rows):
    table = np.array(rows)
    every = max(float(penalty(table, row).max()) for row in table)
    assert np.isclose(farthest_pair(table), every)


@given(ROWS)
def test_seeds_come_nearer_to_it_round_by_round(rows):
    table = np.array(rows)
    found = seed_penalties(table, 0, 4)
    assert all(a <= b + 1e-12 for a, b in pairwise(found))
    assert found[-1] <= farthest_pair(table) + 1e-12
