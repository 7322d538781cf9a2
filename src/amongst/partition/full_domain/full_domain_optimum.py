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
from amongst.partition.papers import INCOGNITO

TURNS = (0.1, 0.9, 0.97)
"""Where in the order of their bounds the open nodes are looked at, in turn."""
MOST_LEVELS = 1 << 25
"""Nodes times columns of the largest lattice that is searched: all its nodes are held at once."""
SLACK = 1e-9
"""Bounds that differ by less may do so by rounding only."""
LITTLE_LEFT = 0.8
"""Arrays of nodes are made anew when such a share of them is left."""


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
    open_nodes = _Open(ask.lattice.shape, losses, below)
    columns = tuple(range(ask.lattice.n_columns))
    n_nodes, n_searched = open_nodes.n_left, 0
    best: tuple[float, int, Levels] | None = None
    while open_nodes.n_left:
        node, place = open_nodes.at(TURNS[n_searched % len(TURNS)])
        found = sets.scan(columns, node)
        n_searched += 1
        if ask.holds(found):
            key = (float(comparable(losses.of(found, ask.k))), sum(node), node)
            best = key if best is None or key < best else best
            open_nodes.raise_below(node, losses.added_by_suppression(found, ask.k))
            open_nodes.keep_those_that_may_beat(best, place)
        else:
            open_nodes.close_below(node)
        if progress is not None:
            progress(n_nodes - open_nodes.n_left, n_nodes)
    return None if best is None else best[2], n_searched


class _Open:
    """The nodes that could lose less than the best, by bound, then height, then levels: as ties are decided."""

    def __init__(self, shape: Levels, losses: LevelLoss, below: float) -> None:
        nodes: np.ndarray = np.indices(shape, dtype=np.min_scalar_type(max(shape))).reshape(len(shape), -1).T
        if below < math.inf:
            nodes = nodes[losses.bounds(nodes) < below]
        bound = comparable(losses.bounds(nodes))
        order = np.lexsort([*reversed(nodes.T), nodes.sum(axis=1), bound])
        self._levels = np.ascontiguousarray(nodes[order].T)  # column by column: what is finer is found by whole columns
        self._bound = bound[order]
        self._low = self._bound.copy()
        self._stays = np.ones(len(order), dtype=bool)
        self.n_left = len(order)

    def at(self, share: float) -> tuple[Levels, int]:
        """The node so far along the order, and its place."""
        place = int(np.flatnonzero(self._stays)[int(share * (self.n_left - 1))])
        return tuple(self._levels[:, place].tolist()), place

    def _finer(self, node: Levels) -> np.ndarray:
        finer = self._stays.copy()
        for levels, level in zip(self._levels, node, strict=True):
            finer &= levels <= level
        return finer

    def close_below(self, node: Levels) -> None:
        """A node fails, and with it what is finer."""
        self._keep(self._stays & ~self._finer(node))

    def raise_below(self, node: Levels, added: float) -> None:
        """A node holds: what is finer leaves out the same rows, and loses so much more by that."""
        finer = self._finer(node)
        self._low[finer] = np.maximum(self._low[finer], self._bound[finer] + added)

    def keep_those_that_may_beat(self, best: tuple[float, int, Levels], place: int) -> None:
        """The nodes that could still be better than the best one, but for the one that was looked at."""
        may = self._stays & (self._bound <= best[0]) & (self._low <= best[0] + SLACK * max(best[0], 1.0))
        may[place] = False
        for tied in np.flatnonzero(may & (self._bound == best[0])):
            levels = tuple(self._levels[:, tied].tolist())
            may[tied] = (sum(levels), levels) < best[1:]
        self._keep(may)

    def _keep(self, stays: np.ndarray) -> None:
        self.n_left = int(np.count_nonzero(stays))
        self._stays = stays
        if self.n_left < LITTLE_LEFT * len(stays):  # arrays are made anew now and then, not for every node
            self._levels = np.ascontiguousarray(self._levels[:, stays])
            self._bound, self._low, self._stays = self._bound[stays], self._low[stays], stays[stays]


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
)
