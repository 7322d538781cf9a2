"""The best generalization by a measure, without deciding the whole lattice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst.measure.at_levels import LevelLoss
from amongst.partition.ask import Ask
from amongst.partition.choose import comparable
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.lattice import Levels

TURNS = (0.1, 0.9, 0.97)
"""Where in the order of their bounds the open nodes are looked at, in turn."""
SLACK = 1e-9
"""Bounds that differ by less may do so by rounding only."""


def best_first(
    sets: FrequencySets, ask: Ask, losses: LevelLoss, *, progress: Callable[[int, int], None] | None = None
) -> tuple[Levels | None, int]:
    """The generalization with the least loss among all that satisfy the models, by branch and bound.

    The same node as ``choose_node`` over the complete answer: ties go to the lower height, then to the lower levels
    of the first columns.

    Paper
        None; the bound uses what Incognito's section 2.1 says of suppression and what its generalization property
        says of the nodes below one.
    Guarantees
        Optimal for every measure that ``LevelLoss`` can bound.
    Choices
        A node's loss is at least its loss without suppression. A node that fails closes everything below it. A node
        that holds raises the bound of everything below it: the rows suppressed here are suppressed there too, and
        lose there at least what they lose here. Nodes with a high bound close many others when they fail, nodes with
        a low one make the best loss smaller when they hold: ``TURNS`` takes both.
    Departures
        Not one of the papers' searches: it answers the question for one node only.
    Cost
        One scan of the tuples for every node looked at, of which there are few hundreds where the lattice has
        thousands.

    Returns
    -------
    node : tuple of int, or None where no node holds
    n_searched : int
    """
    columns = tuple(range(ask.lattice.n_columns))
    nodes, bound = _in_order(ask.lattice.shape, losses)
    low, n_nodes, n_searched = bound.copy(), len(bound), 0
    best: tuple[float, int, Levels] | None = None
    while len(nodes):
        place = int(TURNS[n_searched % len(TURNS)] * (len(nodes) - 1))
        node: Levels = tuple(nodes[place].tolist())
        found = sets.scan(columns, node)
        n_searched += 1
        below = (nodes <= nodes[place]).all(axis=1)
        if not ask.holds(found):
            stays = ~below
        else:
            added = losses.added_by_suppression(found, ask.k)
            low[below] = np.maximum(low[below], bound[below] + added)
            key = (float(comparable(losses.of(found, ask.k))), sum(node), node)
            best = key if best is None or key < best else best
            stays = _may_win(nodes, bound, low, best)
            stays[place] = False
        nodes, bound, low = nodes[stays], bound[stays], low[stays]
        if progress is not None:
            progress(n_nodes - len(nodes), n_nodes)
    return None if best is None else best[2], n_searched


def _in_order(shape: Levels, losses: LevelLoss) -> tuple[np.ndarray, np.ndarray]:
    """All nodes with their bounds, by bound, then height, then levels: as ties are decided."""
    nodes = np.indices(shape, dtype=np.min_scalar_type(max(shape))).reshape(len(shape), -1).T
    bound = comparable(losses.bounds(nodes))
    order = np.lexsort([*reversed(nodes.T), nodes.sum(axis=1), bound])
    return np.ascontiguousarray(nodes[order]), bound[order]


def _may_win(nodes: np.ndarray, bound: np.ndarray, low: np.ndarray, best: tuple[float, int, Levels]) -> np.ndarray:
    """The nodes that could still be better than the best one."""
    may = (bound <= best[0]) & (low <= best[0] + SLACK * max(best[0], 1.0))
    for place in np.flatnonzero(may & (bound == best[0])):
        levels = tuple(nodes[place].tolist())
        may[place] = (sum(levels), levels) < best[1:]
    return may
