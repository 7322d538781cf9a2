"""One turn of one column: every open value is drawn anew from what its label allows, by its weight."""

from __future__ import annotations

import numpy as np

from amongst.analysis.coarse import Coarse
from amongst.analysis.ends import N_SWAPS, Ends
from amongst.analysis.guess import Weigh

N_CANDIDATES = 8
"""New values that are tried for every open one in a turn."""


def move(
    column: Coarse, value: np.ndarray, rows: np.ndarray, ends: Ends | None, weigh: Weigh, rng: np.random.Generator
) -> None:
    """Draw the values of some rows anew, in place.

    ``weigh(rows, tried)`` tells the log of how likely each row is to have each of the values tried, up to a constant
    of the row; ``tried`` has one line a candidate.
    """
    if ends is not None:
        held = np.zeros(len(value), dtype=bool)
        held[ends.rows[ends.holders(value, rng)]] = True
        rows = rows[~held[rows]]
    before = value.copy()
    if len(rows):
        tried = np.stack([value[rows], *(column.draw(rows, rng) for _ in range(N_CANDIDATES))])
        score = weigh(rows, tried) + rng.gumbel(size=tried.shape)
        value[rows] = tried[score.argmax(axis=0), np.arange(len(rows))]
    if ends is not None:
        back = ends.kept(before, value, rng)
        value[back] = before[back]
        for _ in range(N_SWAPS):
            ends.swap(value, lambda some, values: weigh(some, values[None, :])[0], rng)
