"""Cuts chosen from counts alone against those of the kernel, node by node until nothing is left to cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_inputs import Inputs, random_inputs

from amongst import kernels
from amongst.kernels.axis import FIXED_POINT, Axis
from amongst.kernels.cut_order import Histogram
from amongst.partition.mondrian.top_cuts import choose_cut, ends
from thorough import some


def histograms(given_: Inputs, rows: np.ndarray) -> list[Histogram]:
    weight = np.ones(len(given_.columns[0]), dtype=np.int64) if given_.weight is None else given_.weight
    made = []
    for column in given_.columns:
        codes, place = np.unique(column[rows].astype(np.int64), return_inverse=True)
        counts = np.zeros(len(codes), dtype=np.int64)
        np.add.at(counts, place, weight[rows])
        made.append(Histogram(codes, counts))
    return made


def by_counting(given_: Inputs, cuts: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    group_of_row = np.empty(len(given_.columns[0]), dtype=np.int32)
    boxes: list[tuple[list[int], list[int]]] = []
    stack = [np.arange(len(group_of_row))]
    while stack:
        rows = stack.pop()
        counted = histograms(given_, rows)
        cut = choose_cut(counted, given_.axes, given_.k, cuts)
        if cut is None:
            group_of_row[rows] = len(boxes)
            boxes.append(ends(counted, given_.axes))
            continue
        own = given_.columns[cut.column][rows].astype(np.int64)
        wild = own == given_.axes[cut.column].wildcard
        left = np.where(wild, cut.wildcards_left, own <= cut.last_left)
        stack += [rows[~left], rows[left]]
    return group_of_row, np.array([box[0] for box in boxes]), np.array([box[1] for box in boxes])


def same_as_kernel(given_: Inputs, cuts: int) -> None:
    ours = by_counting(given_, cuts)
    theirs = kernels.mondrian(given_.columns, given_.weight, given_.axes, given_.k, cuts=cuts, relaxed=False)
    for a, b in zip(ours, theirs[:3], strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("cuts", [0, 1, 2])
def test_cuts_by_counting_are_the_kernels_cuts(cuts: int) -> None:
    rng = np.random.default_rng(500 + cuts)
    for _ in range(some(300)):
        same_as_kernel(random_inputs(rng), cuts)


@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 2]))
def test_cuts_by_counting_on_tables_that_hypothesis_finds(seed: int, cuts: int) -> None:
    same_as_kernel(random_inputs(np.random.default_rng(seed), most_columns=6, most_rows=200), cuts)


def test_counts_above_four_thousand_million_do_not_wrap() -> None:
    many = 1 << 33
    axis = Axis(2, position=np.array([0, FIXED_POINT]))
    counted = Histogram(np.array([0, 1], dtype=np.int64), np.array([many, many + 2], dtype=np.int64))
    cut = choose_cut([counted], [axis], many, 0)
    assert cut is not None
    assert cut.last_left == 0
    assert choose_cut([counted], [axis], many + 1, 0) is None
