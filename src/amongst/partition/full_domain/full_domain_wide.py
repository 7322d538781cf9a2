"""The best generalization of lattices that nobody can enumerate, and whether it is proved to be the best."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from amongst.errors import BadOption
from amongst.measure.at_levels import BOUNDED, LevelLoss
from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.choose import comparable
from amongst.partition.full_domain.known_border import KnownBorder
from amongst.partition.lattice import Levels
from amongst.partition.method import Method, Option
from amongst.partition.papers import INCOGNITO

SHARE_OF_TRIES = 0.5
"""How much of the looks goes into finding a good node, before the rest goes into proving that none is better."""

OPENED_PER_LOOK = 20
"""Parts of the lattice that may be divided for every look: dividing costs less."""

FAR = 3
"""A try begins with up to so many columns of the best node raised to the top."""

SLACK = 1e-9
"""Bounds that differ by less may do so by rounding only."""


def full_domain_wide(
    sets: FrequencySets,
    ask: Ask,
    *,
    choose: str = "gcp",
    looks: int = 2000,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, int, dict[str, Any]]:
    """A full-domain generalization with little loss in a lattice of any size, with a bound of what any can lose.

    Paper
        None: an implicit hitting set search (Moreno-Centeno, Karp, *The implicit hitting set approach to solve
        combinatorial optimization problems*, Operations Research 2013) over the lattice of Incognito, section 2.1.
    Guarantees
        The models hold, and no more rows are suppressed than allowed. Where ``facts["proved"]`` is true, no
        generalization that holds loses less; else ``facts["least"]`` is what none can go below.
    Choices
        First tries: from the top, the column goes one level down that gains most for the bits it tells, as long as the
        node holds; then again and again from the best node with up to three columns raised, in an order by lot that is
        always the same. Then the proof, which may find a better node too: a part of the lattice is what lies above
        a node, up to some levels. The part whose lowest node would lose least is taken. If a node above that lowest
        one is known to fail, every node that holds must be higher in some column: the part is divided by which.
        Else the lowest node is looked at; if it fails, it is generalized as far as it still does. If it holds, and
        suppresses nothing, nothing else in the part loses less. All is proved when no part is left that could lose
        less. Whatever is left of the looks, no column of the answer can go down alone where nothing is suppressed.
    Departures
        None.
    Cost
        One scan of the tuples for every look. Memory for the parts alone, so that any lattice will do.

    Returns
    -------
    nodes : ndarray of int, shape (1 or 0, n_columns)
    n_searched : int
    facts : dict
        ``proved`` and ``least``.
    """
    _refuse(choose, looks)
    losses = LevelLoss(sets, choose)
    border = KnownBorder(sets, ask, losses, progress)
    heights = ask.lattice.heights
    if not border.look_at(heights):
        return np.zeros((0, len(heights)), dtype=np.int64), border.n_looked_at, {}
    worth = _worth(sets, losses, heights)
    rng = np.random.default_rng(0)
    _descend(border, heights, worth, rng, looks, noise=0.0)
    while border.n_looked_at < SHARE_OF_TRIES * looks and _try(border, worth, rng, looks):
        pass
    least = _prove(border, worth, looks)
    assert border.best is not None
    _descend(border, border.best[2], worth, rng, border.n_looked_at + sum(heights) + len(heights), noise=0.0)
    facts = {"proved": bool(least >= border.best[0]), "least": min(least, border.best[0]), "loss": border.best[0]}
    return np.array([border.best[2]], dtype=np.int64), border.n_looked_at, facts


def _refuse(choose: object, looks: object) -> None:
    if not isinstance(choose, str) or choose not in BOUNDED:
        raise BadOption(
            "This search needs a measure that adds up over columns and rows.",
            found=f"choose = {choose!r}" if isinstance(choose, str) else "a measure of one's own",
            fix="use one of: " + ", ".join(BOUNDED),
        )
    if not isinstance(looks, int) or isinstance(looks, bool) or not 1 <= looks <= 10_000_000:
        raise BadOption("The looks must be a whole number from 1 on.", found=f"looks = {looks!r}", fix="use 2000")


def _worth(sets: FrequencySets, losses: LevelLoss, heights: Levels) -> list[np.ndarray]:
    """For every column and level what it gains to go one level down, for every bit that this tells."""
    found = []
    for c, (count, maps) in enumerate(zip(sets.rows_by_code(), sets.maps, strict=True)):
        share = [np.bincount(level, weights=count) / max(count.sum(), 1) for level in maps]
        bits = np.array([-(p[p > 0] * np.log2(p[p > 0])).sum() for p in share])
        at = np.zeros((len(maps), len(heights)), dtype=np.int64)
        at[:, c] = np.arange(len(maps))
        loss = losses.bounds(at)
        found.append(np.append(0.0, np.maximum(np.diff(loss), 0.0) / (np.maximum(-np.diff(bits), 0.0) + 1e-3)))
    return found


def _descend(
    border: KnownBorder, start: Levels, worth: list[np.ndarray], rng: np.random.Generator, looks: int, noise: float
) -> Levels:
    """From a node that holds down to one of which no column can go down alone."""
    node = list(start)
    factor = np.exp(noise * rng.standard_normal(len(node)))
    going = {c for c in range(len(node)) if node[c] > 0}
    while going and border.n_looked_at < looks:
        c = max(going, key=lambda one: (float(worth[one][node[one]] * factor[one]), -one))
        node[c] -= 1
        if not border.holds(tuple(node)):  # nor will it at a lower node
            node[c] += 1
            going.discard(c)
        elif node[c] == 0:
            going.discard(c)
    if border.n_looked_at < looks:
        border.look_at(tuple(node))  # its loss is told too where it was known to hold
    return tuple(node)


def _try(border: KnownBorder, worth: list[np.ndarray], rng: np.random.Generator, looks: int) -> bool:
    """One more descent, from near the best node; False where no column can be raised."""
    assert border.best is not None
    node, heights = list(border.best[2]), border.ask.lattice.heights
    low = [c for c in range(len(node)) if node[c] < heights[c]]
    if not low or len(border.failing) == 0:
        return False
    before = border.n_looked_at
    for c in rng.choice(low, size=min(len(low), int(rng.integers(1, FAR + 1))), replace=False):
        node[c] = heights[c]
    _descend(border, tuple(node), worth, rng, looks, noise=0.7)
    return border.n_looked_at > before or bool(rng.random() < 0.98)  # all that is near is known


Part = tuple[float, int, Levels, Levels]
"""The bound of its lowest node, a number that orders ties, the lowest node, and the highest levels."""


def _prove(border: KnownBorder, worth: list[np.ndarray], looks: int) -> float:
    """What no node can go below, by parts of the lattice; the best loss where no part is left."""
    heights, losses = border.ask.lattice.heights, border.losses
    # Columns that gain much are raised last: what is left then are columns that must be given up together.
    order = sorted(range(len(heights)), key=lambda c: float(worth[c].max()))
    bottom = (0,) * len(heights)
    parts: list[Part] = [(float(comparable(losses.bound(bottom))), 0, bottom, heights)]
    n_parts, most = 1, OPENED_PER_LOOK * looks
    while parts:
        least, _, node, top = parts[0]
        assert border.best is not None
        enough = border.best[0] - SLACK * max(border.best[0], 1.0)
        if least >= enough:
            return border.best[0]
        if n_parts > most or border.n_looked_at >= looks:
            return least
        fails = border.fails_by(node)
        if fails is None and not border.look_at(node):
            border.raised_while_it_fails(node, order)
            continue
        heapq.heappop(parts)
        if fails is None and border.ask.most_suppressed == 0:
            continue  # the lowest node holds: all others of the part lose at least as much
        beyond = np.array(node) if fails is None else fails
        for low, high in _divided(node, top, beyond):
            bound = float(comparable(losses.bound(low)))
            if bound < enough:
                n_parts += 1
                heapq.heappush(parts, (bound, n_parts, low, high))
    return border.best[0] if border.best is not None else float("inf")


def _divided(node: Levels, top: Levels, beyond: np.ndarray) -> Iterator[tuple[Levels, Levels]]:
    """The nodes of a part that are higher than ``beyond`` in some column, as parts that share none."""
    high = list(top)
    for c in np.flatnonzero(beyond < np.array(top)).tolist():
        above = int(beyond[c]) + 1
        yield (*node[:c], max(node[c], above), *node[c + 1 :]), tuple(high)
        high[c] = above - 1


METHOD = Method(
    name="full-domain-wide",
    family="full_domain",
    place=25,
    search=full_domain_wide,
    takes="monotone models",
    recoding="global",
    words="One level per column, for any number of columns: the best found, and whether it is proved to be the best.",
    paper=f"after {INCOGNITO}, section 2.1",
    decides_on="counts",
    enumerates=False,
    minimal="levels",
    explained={"looks": Option(words="combinations of levels that are counted at most")},
)
