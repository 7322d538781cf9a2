"""Good sets of cuts to begin with: the better the first answer, the more of the search can be left out."""

from __future__ import annotations

import numpy as np

from amongst.kernels.cuts import SPLIT
from amongst.partition.intervals.cut_columns import descend_by_columns
from amongst.partition.intervals.cut_restarts import restart
from amongst.partition.intervals.cut_search import Best, Look, Problem, allowed, look_at, with_cut

SHARE = 0.5
"""Of the budget, before the search itself begins."""
RESTARTS = 0.2


def first_answers(problem: Problem, greedy: np.ndarray) -> Best:
    """The best of several descents.

    They begin with the greedy cuts, and with as many cuts as one column can have: on skewed data the best
    cuts tend to follow one column. Then single cuts are forced into the best, and taken out of it, with the
    others chosen anew; and columns cut by lot are beginnings too. No row is suppressed.
    """
    best = Best(np.zeros_like(greedy), np.iinfo(np.int64).max)
    look_at(problem, problem.all_cells(), greedy, np.zeros_like(greedy), best)
    _improve(problem, greedy, best, SHARE)
    restart(problem, best, SHARE + RESTARTS)
    return best


def with_suppression(problem: Problem, greedy: np.ndarray, best: Best) -> None:
    """Improve the best where rows may be suppressed."""
    _improve(problem, greedy, best, SHARE)


def _improve(problem: Problem, greedy: np.ndarray, best: Best, share: float) -> None:
    no_cut, columns = np.zeros_like(greedy), list(range(len(problem.table.columns)))
    tail = allowed(problem, look_at(problem, problem.all_cells(), no_cut, ~no_cut, best))
    if problem.most_suppressed == 0:
        descend_by_columns(problem, greedy, columns, best, share)
        for c in columns:
            descend_by_columns(problem, no_cut, columns[c:] + columns[:c], best, share)
    _descend(problem, no_cut, tail, best, share)
    while _force_cuts(problem, tail, columns, best, share) and not problem.budget.over(share):
        descend_by_columns(problem, best.cuts, columns, best, share)
    _without_cuts(problem, tail, best, share)


def _force_cuts(problem: Problem, tail: np.ndarray, columns: list[int], best: Best, share: float) -> bool:
    """Make one cut more, and choose those of another column anew; whether any such change is better."""
    before, table = best.total, problem.table
    for cut in np.flatnonzero(tail & ~best.cuts):
        own = int(np.searchsorted(table.first_cut, cut, side="right")) - 1
        for c in columns:
            if c == own or not best.cuts[table.of_column(c)].any():
                continue
            head = with_cut(best.cuts, cut)
            head[table.of_column(c)] = False
            descend_by_columns(problem, head, [c], best, share)
            if problem.budget.over(share):
                return best.total < before
    return best.total < before


def _without_cuts(problem: Problem, tail: np.ndarray, best: Best, share: float) -> None:
    """Take one cut out, and descend again without it; begin anew whenever that is better."""
    before = None
    while best.total != before and not problem.budget.over(share):
        before = best.total
        for cut in np.flatnonzero(best.cuts):
            head, among = best.cuts.copy(), tail.copy()
            head[cut] = among[cut] = False
            _descend(problem, head, among, best, share)
            if best.total < before or problem.budget.over(share):
                break


def _descend(problem: Problem, head: np.ndarray, among: np.ndarray, best: Best, share: float) -> None:
    """Make the cut that lowers the cost most, again and again, until none does."""
    cells = problem.all_cells()
    while not problem.budget.over(share):
        look = look_at(problem, cells, head, among & ~head, best)
        cells = look.cells
        free, cut = _next(problem, look)
        if cut is None and not free.any():
            break
        head = head | free if cut is None else with_cut(head | free, cut)


def _next(problem: Problem, look: Look) -> tuple[np.ndarray, int | None]:
    """Cuts that change no class, and the one that lowers the cost most."""
    possible = allowed(problem, look)
    free = possible & (look.effects[SPLIT] == 0)
    better = np.flatnonzero(possible & ~free & (look.totals < look.total))
    return free, int(better[np.argmin(look.totals[better])]) if len(better) else None
