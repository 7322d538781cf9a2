"""What section 4.1 of Ghinita et al. (VLDB 2007) proves of optimal l-diverse partitions, by looking at all of them."""

from __future__ import annotations

import numpy as np
import pytest
from diverse_oracle import (
    best_partitions,
    eligible_line,
    extent,
    has_border_order,
    has_group_order,
    has_single_values,
    has_small_groups,
    is_covered,
)
from hypothesis import given
from hypothesis import strategies as st

seeds = st.integers(0, 2**32 - 1)
sizes = st.sampled_from([(4, 2), (5, 2), (6, 2), (7, 2), (8, 2), (6, 3), (7, 3), (8, 3), (9, 3), (9, 4)])


@given(seed=seeds, size=sizes)
def test_lemmas_2_to_5_some_best_partition_has_the_structure(seed: int, size: tuple[int, int]) -> None:
    n, l = size  # noqa: E741
    position, value = eligible_line(np.random.default_rng(seed), n, l)
    best = best_partitions(position, value, l)
    small = [groups for groups in best if has_small_groups(groups, l)]
    assert small
    assert all(has_single_values(groups, value) for groups in small)
    assert any(has_group_order(groups, value) for groups in small)
    assert any(has_group_order(groups, value) and has_border_order(groups) for groups in small)
    ordered = [groups for groups in small if has_group_order(groups, value) and has_border_order(groups)]
    assert any(is_covered(groups, value) for groups in ordered)


@pytest.mark.known_answer(
    "fast",
    "figure 5",
    what="groups that are not in order, and their better exchange",
    answer="the exchange is among the best partitions for l = 3",
)
def test_figure_5_group_order_violation() -> None:
    value = [3, 2, 2, 1, 1, 3]
    position = [0, 1, 2, 3, 4, 5]
    crossed, ordered = [(0, 2, 4), (1, 3, 5)], [(0, 1, 3), (2, 4, 5)]
    assert not has_group_order(crossed, value)
    assert has_group_order(ordered, value)
    assert extent(ordered, position) < extent(crossed, position)
    assert ordered in best_partitions(position, value, 3)


@pytest.mark.known_answer(
    "fast",
    "figure 6",
    what="borders that are not in order, and their better exchange",
    answer="the exchange is the only best partition for l = 3",
)
def test_figure_6_border_order_violation() -> None:
    value = [1, 2, 4, 1, 2, 3]
    position = [0, 1, 2, 3, 4, 5]
    nested, ordered = [(0, 1, 5), (2, 3, 4)], [(0, 1, 2), (3, 4, 5)]
    assert has_group_order(nested, value)
    assert not has_border_order(nested)
    assert best_partitions(position, value, 3) == [ordered]


@pytest.mark.known_answer(
    "fast",
    "figure 7",
    what="a row that is not covered, and the better exchange",
    answer="the exchange is the only best partition for l = 3",
)
def test_figure_7_cover_property_violation() -> None:
    value = [1, 3, 2, 4, 1, 2]
    position = [0, 1, 2, 3, 4, 5]
    crossed, covered = [(0, 2, 3), (1, 4, 5)], [(0, 1, 2), (3, 4, 5)]
    assert has_group_order(crossed, value)
    assert has_border_order(crossed)
    assert not is_covered(crossed, value)
    assert best_partitions(position, value, 3) == [covered]
