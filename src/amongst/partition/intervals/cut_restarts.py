"""Other beginnings: some columns cut by lot or not at all, then one column after the other chosen anew, exactly."""

from __future__ import annotations

import numpy as np

from amongst.partition.intervals.cut_columns import descend_by_columns
from amongst.partition.intervals.cut_search import Best, Problem, look_at

SEED = 7
PATIENCE = 60
"""Beginnings in a row that lead to nothing better."""
MOST_DRAWN = 4
"""Cuts of a column at a beginning."""


def restart(problem: Problem, best: Best, share: float) -> None:
    """Descend from drawn beginnings, until many in a row were in vain; lots are the same every time.

    One half of the beginnings have cuts in one column or two, the other half are the best cuts with one column or two
    cut anew by lot. Choosing one column after the other anew ends where no single column can be better; which such
    place it is depends on where one begins.
    """
    rng = np.random.default_rng(SEED)
    n_columns, in_vain = len(problem.table.columns), 0
    while in_vain < PATIENCE and not problem.budget.over(share):
        before = best.total
        drawn = rng.permutation(n_columns)[: int(rng.integers(1, 3))]
        head = _drawn(problem, best.cuts if rng.random() < 0.5 else np.zeros_like(best.cuts), drawn, rng)
        look = look_at(problem, problem.all_cells(), head, np.zeros_like(head), best)
        if look.cells.gone == 0:
            descend_by_columns(problem, head, rng.permutation(n_columns).tolist(), best, share)
        in_vain = 0 if best.total < before else in_vain + 1


def _drawn(problem: Problem, cuts: np.ndarray, columns: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Cuts with those of some columns drawn anew, about evenly over the rows."""
    head = cuts.copy()
    for c in columns.tolist():
        own = problem.table.of_column(c)
        head[own] = False
        n = int(rng.integers(0, MOST_DRAWN + 1))
        if n == 0 or own.stop == own.start:
            continue
        upto = np.cumsum(np.bincount(problem.table.atoms[:, c], weights=problem.table.weight))
        shares = (np.arange(n) + rng.random(n)) / n * upto[-1]
        head[own.start + np.minimum(np.searchsorted(upto, shares), own.stop - own.start - 1)] = True
    return head
