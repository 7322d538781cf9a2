"""Minimal sample uniques: the fewest columns in which a row is alone, and what each column has to do with it.

Elliot, Manning, Mayes, Gurd and Bane, *SUDA: A Program for Detecting Special Uniques* (2005); Manning, Haglin and
Keane, *A recursive search algorithm for statistical disclosure assessment* (2008). A set of columns is a minimal
sample unique of a row when the row is alone in it, and in no smaller part of it.

Guarantees: all of up to ``largest`` columns are found. A row that is alone in a set is alone in every larger one, so a
set is minimal for it when it is alone in none of the sets with one column less. Sets are taken by their size, all
rows of one at once.

Choices: scores are those of the 2005 paper: with A columns and sets of up to M, a minimal unique of s columns counts
(A - s)(A - s - 1) ... (A - M) or, where M = A, down to 1. A missing value is a value of its own.

Cost: one grouping of the distinct rows for every set of columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

import numpy as np

from amongst.errors import BadOption
from amongst.risk.keys import Keys

MOST_SETS = 5_000
MOST_WORK = 200_000_000
"""Sets of columns times distinct rows that are looked at where nobody says how many."""


@dataclass(frozen=True, eq=False)
class MinimalUniques:
    """The minimal sample uniques of a table.

    Attributes
    ----------
    largest : int
        Sets of up to so many columns were looked at.
    n_rows : int
        Rows that are alone in one of these sets; people, where people are counted. So for all that follows.
    rows_of_size : dict of int to int
        For every number of columns how many rows have a minimal unique of it.
    contribution : dict of str to float
        The share of the scores that minimal uniques with this column have: it is 1 where all have it.
    sets : list of (tuple of str, int)
        Sets of columns and how many rows they are a minimal unique of, those of the fewest columns and most rows first.
    score_of_row : ndarray of float64
        The score of every row: 0 for those that are not alone. For study; reports do not show it.
    """

    largest: int
    n_rows: int
    rows_of_size: dict[int, int]
    contribution: dict[str, float]
    sets: list[tuple[tuple[str, ...], int]]
    score_of_row: np.ndarray


def most_columns(n_qi: int, n_classes: int) -> int:
    """The largest sets that can all be looked at in a few seconds."""
    n_sets, size = 0, 0
    most = min(MOST_SETS, MOST_WORK // max(n_classes, 1))
    while size < n_qi and (n_sets := n_sets + comb(n_qi, size + 1)) <= most:
        size += 1
    return max(size, 1)


def minimal_uniques(keys: Keys, largest: int | None = None) -> MinimalUniques:
    """Find them all, in sets of up to ``largest`` columns."""
    n_qi = len(keys.names)
    class_of_row, _, count = keys.distinct
    largest = _checked(largest, n_qi, len(count))
    single = np.flatnonzero(keys.members_of_class == 1)  # no others can be alone in anything
    who = _who(keys, single)
    score, alone = np.zeros(len(single)), np.zeros(len(single), dtype=bool)
    rows_of_size: dict[int, int] = {}
    total_of_column = np.zeros(n_qi)
    sets: list[tuple[tuple[str, ...], int]] = []
    for size, found in _by_size(keys, largest, single):
        worth = float(prod(n_qi - i for i in range(size, min(largest, n_qi - 1) + 1)))
        some = np.zeros(len(single), dtype=bool)
        for chosen, bits in found:
            minimal = np.unpackbits(bits, count=len(single)).astype(bool)
            n = int(minimal.sum())
            if n:
                score[minimal] += worth
                some |= minimal
                total_of_column[list(chosen)] += n * worth
                sets.append((tuple(keys.names[c] for c in chosen), len(np.unique(who[minimal]))))
        alone |= some
        rows_of_size[size] = len(np.unique(who[some]))
    sets.sort(key=lambda one: (len(one[0]), -one[1], one[0]))
    whole = float(score.sum())
    shares = total_of_column / whole if whole else total_of_column
    contribution = dict(zip(keys.names, shares.tolist(), strict=True))
    score_of_class = np.zeros(len(count))
    score_of_class[single] = score
    return MinimalUniques(
        largest, len(np.unique(who[alone])), rows_of_size, contribution, sets, score_of_class[class_of_row]
    )


def _who(keys: Keys, single: np.ndarray) -> np.ndarray:
    """The row, or the person, that is alone in each of these classes."""
    if keys.people is None:
        return single
    person_of_class = np.zeros(len(keys.members_of_class), dtype=np.int64)
    person_of_class[keys.people.class_of_pair] = keys.people.person_of_pair
    return np.asarray(person_of_class[single])


Found = Iterator[tuple[tuple[int, ...], np.ndarray]]


def _by_size(keys: Keys, largest: int, single: np.ndarray) -> Iterator[tuple[int, Found]]:
    """For every number of columns, every set with the rows that it is a minimal unique of, as bits."""
    before: dict[tuple[int, ...], np.ndarray] = {}
    for size in range(1, largest + 1):
        unique: dict[tuple[int, ...], np.ndarray] = {}
        yield size, _sets_of(keys, size, single, before, unique)
        before = unique


def _sets_of(
    keys: Keys,
    size: int,
    single: np.ndarray,
    before: dict[tuple[int, ...], np.ndarray],
    unique: dict[tuple[int, ...], np.ndarray],
) -> Found:
    for chosen in combinations(range(len(keys.names)), size):
        coarse, members = keys.members_on(chosen)
        minimal = unique[chosen] = np.packbits((members == 1)[coarse[single]])
        for part in combinations(chosen, size - 1) if size > 1 else ():
            minimal = minimal & ~before[part]
        yield chosen, minimal


def _checked(largest: int | None, n_qi: int, n_classes: int) -> int:
    if largest is None:
        return most_columns(n_qi, n_classes)
    if isinstance(largest, bool) or not isinstance(largest, int) or largest < 1:
        raise BadOption("The number of columns must be at least 1.", found=f"largest = {largest!r}", fix="use 3")
    n_sets = sum(comb(n_qi, size) for size in range(1, min(largest, n_qi) + 1))
    if n_sets > 20 * MOST_SETS:
        raise BadOption(
            "There are too many sets of columns to look at.",
            found=f"{n_sets:,} sets of up to {largest} of {n_qi} columns",
            fix=f"use largest <= {most_columns(n_qi, n_classes)}",
        )
    return min(largest, n_qi)
