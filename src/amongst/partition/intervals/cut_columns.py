"""The best cuts of one column while those of all others stay: exact, by dynamic programming."""

from __future__ import annotations

import numpy as np

from amongst.kernels import cuts as kernels
from amongst.partition.intervals.cut_certainty import NEVER
from amongst.partition.intervals.cut_search import Best, Problem, look_at


def descend_by_columns(problem: Problem, head: np.ndarray, order: list[int], best: Best, share: float) -> np.ndarray:
    """Choose the cuts of one column after the other anew until none can be better; no row is suppressed."""
    waiting = list(order)
    while waiting and not problem.budget.over(share):
        c = waiting.pop(0)
        other = _choose_anew(problem, head, c)
        if other is not None:
            head = other
            look_at(problem, problem.all_cells(), head, np.zeros_like(head), best)
            waiting += [one for one in order if one != c and one not in waiting]
    return head


def _choose_anew(problem: Problem, head: np.ndarray, c: int) -> np.ndarray | None:
    """The head with better cuts of one column, or None where there are none."""
    where = problem.table.of_column(c)
    prices = _interval_prices(problem, head, c)
    if prices is None:
        return None
    ends, total = _cheapest(prices)
    made = np.flatnonzero(head[where])
    if total >= int(prices[np.append(0, made + 1), np.append(made, len(prices) - 1)].sum()):
        return None
    other = head.copy()
    other[where] = False
    other[where.start + ends[:-1]] = True
    return other


def _interval_prices(problem: Problem, head: np.ndarray, c: int) -> np.ndarray | None:
    """What every interval of atoms of the column costs; None if the cuts of the others suppress rows."""
    problem.budget.count()
    table, where = problem.table, problem.table.of_column(c)
    others, fine = head.copy(), head.copy()
    others[where], fine[where] = False, True
    atoms, weight, own, size, gone = kernels.merge_cells(
        table.atoms, table.weight, table.first_cut, fine, others, problem.k
    )
    if gone:
        return None
    n_atoms = table.columns[c].n_atoms
    rows = np.zeros((len(size), n_atoms), dtype=np.int64)
    np.add.at(rows, (own, atoms[:, c]), weight)
    prices = np.full((n_atoms, n_atoms), NEVER)
    for first in range(n_atoms):
        in_class = np.cumsum(rows[:, first:], axis=1)  # of the intervals from the first atom on
        small = ((in_class > 0) & (in_class < problem.k)).any(axis=0)
        prices[first, first:][~small] = problem.cost.of_intervals(c, first, in_class)[~small]
    return prices


def _cheapest(prices: np.ndarray) -> tuple[np.ndarray, int]:
    """The last atoms of the intervals that cost least together, and what they cost."""
    n = len(prices)
    least, begins = np.full(n + 1, NEVER), np.zeros(n + 1, dtype=np.int64)
    least[0] = 0
    for first in range(n):
        total = least[first] + prices[first, first:]
        better = total < least[first + 1 :]
        least[first + 1 :][better], begins[first + 1 :][better] = total[better], first
    ends, at = [], n
    while at > 0:
        ends.append(at - 1)
        at = int(begins[at])
    return np.array(ends[::-1]), int(least[n])
