"""The best generalization by a measure, without deciding the whole lattice."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from amongst.errors import BadOption
from amongst.measure.at_levels import BOUNDED, LevelLoss
from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.choose import comparable
from amongst.partition.lattice import Lattice, Levels
from amongst.partition.method import Method
from amongst.partition.options import OF_LEVELS
from amongst.partition.papers import INCOGNITO

TURNS = (0.1, 0.9, 0.97)
"""Where in the order of their bounds the open nodes are looked at, in turn."""
MOST_LEVELS = 1 << 25
"""Nodes times columns of the largest lattice that is searched: all its nodes are held at once."""
SLACK = 1e-9
"""Bounds that differ by less may do so by rounding only."""


def full_domain_optimum(
    sets: FrequencySets, ask: Ask, *, choose: str = "gcp", progress: Callable[[int, int], None] | None = None
) -> tuple[np.ndarray, int]:
    """The full-domain generalization with the least loss among all that satisfy the models, by branch and bound.

    Paper
        Not one of the papers' searches: it answers the question for one node only. The bound uses what Incognito's
        section 2.1 says of suppression and what its generalization property says of the nodes below one.
    Guarantees
        The generalization that ``incognito`` publishes: of all that hold the one with the least loss; ties go to the
        lower height, then to the lower levels of the first columns. For the measures that can be bounded without
        counting.
    Choices
        A node's loss is at least its loss without suppression. A node that fails closes everything below it. A node
        that holds raises the bound of everything below it: the rows suppressed here are suppressed there too, and
        lose there at least what they lose here. Nodes with a high bound close many others when they fail, nodes with
        a low one make the best loss smaller when they hold: ``TURNS`` takes both.
    Departures
        None.
    Cost
        One scan of the tuples for every node looked at, of which there are few hundreds where the lattice has
        thousands. All nodes are held at once: up to some twenty columns of two levels.

    Returns
    -------
    nodes : ndarray of int, shape (1 or 0, n_columns)
        The node, where there is one.
    n_searched : int
    """
    if not isinstance(choose, str) or choose not in BOUNDED:
        raise BadOption(
            "This search needs a measure that adds up over columns and rows.",
            found=f"choose = {choose!r}" if isinstance(choose, str) else "a measure of one's own",
            fix="use one of: " + ", ".join(BOUNDED) + '; or method="incognito", which takes every measure',
        )
    if not can_hold(ask.lattice):
        raise BadOption(
            "The lattice is too large for branch and bound.",
            found=f"{ask.lattice.n_nodes:,} generalizations of {ask.lattice.n_columns} columns",
            fix='use method="full-domain-wide", which searches any lattice, or "datafly", which climbs one path; '
            "or limit the levels of some columns",
            n_nodes=ask.lattice.n_nodes,
        )
    node, n_searched = best_first(sets, ask, LevelLoss(sets, choose), progress=progress)
    return np.array([] if node is None else [node], dtype=np.int64).reshape(-1, ask.lattice.n_columns), n_searched


def can_hold(lattice: Lattice) -> bool:
    """Whether all the nodes of a lattice can be held at once."""
    return lattice.n_nodes * lattice.n_columns <= MOST_LEVELS


def best_first(
    sets: FrequencySets,
    ask: Ask,
    losses: LevelLoss,
    *,
    below: float = math.inf,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Levels | None, int]:
    """The node, or None where none holds that could lose less than ``below``, and how many were looked at."""
    columns = tuple(range(ask.lattice.n_columns))
    nodes, bound = _in_order(ask.lattice.shape, losses, below)
    low, n_nodes, n_searched = bound.copy(), len(bound), 0
    best: tuple[float, int, Levels] | None = None
    while len(nodes):
        place = int(TURNS[n_searched % len(TURNS)] * (len(nodes) - 1))
        node: Levels = tuple(nodes[place].tolist())
        found = sets.scan(columns, node)
        n_searched += 1
        finer = (nodes <= nodes[place]).all(axis=1)
        if not ask.holds(found):
            stays = ~finer
        else:
            added = losses.added_by_suppression(found, ask.k)
            low[finer] = np.maximum(low[finer], bound[finer] + added)
            key = (float(comparable(losses.of(found, ask.k))), sum(node), node)
            best = key if best is None or key < best else best
            stays = _may_win(nodes, bound, low, best)
            stays[place] = False
        nodes, bound, low = nodes[stays], bound[stays], low[stays]
        if progress is not None:
            progress(n_nodes - len(nodes), n_nodes)
    return None if best is None else best[2], n_searched


def _in_order(shape: Levels, losses: LevelLoss, below: float) -> tuple[np.ndarray, np.ndarray]:
    """The nodes that could lose less, with their bounds, by bound, then height, then levels: as ties are decided."""
    nodes: np.ndarray = np.indices(shape, dtype=np.min_scalar_type(max(shape))).reshape(len(shape), -1).T
    if below < math.inf:
        nodes = nodes[losses.bounds(nodes) < below]
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


METHOD = Method(
    name="full-domain-optimum",
    family="full_domain",
    place=20,
    search=full_domain_optimum,
    takes="monotone models",
    recoding="global",
    words="One level per column: what incognito would publish, found by branch and bound without finding all.",
    paper=f"after {INCOGNITO}, section 2.1",
    decides_on="counts",
    enumerates=False,
    minimal="levels",
    explained=OF_LEVELS,
)
