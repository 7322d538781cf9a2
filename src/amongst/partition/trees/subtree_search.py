"""The search for the full-subtree recoding with the least loss: greedy steps first, then branch and bound."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from amongst import kernels
from amongst.partition.trees.subtree_recoding import Cuts, Step, SubtreeRecoding, Undo

NEARLY = 1e-9
"""Losses in rows that differ by less are equal: sums of the same numbers differ in their last digits."""

Place = tuple[int, int]
"""A column and a node of its tree."""


@dataclass
class Found:
    """The best recoding so far.

    Attributes
    ----------
    total : float
        Its loss, in rows.
    bound : float
        No recoding loses less than this.
    n_tried, n_looked : int
        Steps that were tried, and tuples that were looked at for it.
    """

    cuts: Cuts
    total: float
    bound: float = 0.0
    n_tried: int = 0
    n_looked: int = 0

    @property
    def optimal(self) -> bool:
        return self.bound >= self.total - NEARLY


def by_gain(state: SubtreeRecoding, step: Step) -> float:
    return step.gain


def by_gain_per_class(state: SubtreeRecoding, step: Step) -> float:
    """Loss saved for every class more: room for further steps is what a step uses up."""
    before = len(np.unique(state.class_of_tuple[step.tuples]))
    return step.gain / (1 + len(step.rows_of_part) - before)


def specialize(state: SubtreeRecoding, score: Callable[[SubtreeRecoding, Step], float] = by_gain) -> int:
    """Take the step with the best score while one helps; returns how many were tried."""
    n_tried, waiting = 0, [(-np.inf, place) for place in state.inner_nodes()]
    while waiting:
        _, place = heapq.heappop(waiting)
        step = state.try_step(*place)
        n_tried += 1
        if step is None or not _helps(state, step):
            continue
        # The scores of others may have fallen since, so the best is worked out again until it stands.
        own = score(state, step)
        if waiting and -own > waiting[0][0]:
            heapq.heappush(waiting, (-own, place))
            continue
        state.take(step)
        tree = state.forest.trees[step.c]
        for child in tree.children(step.node):
            if not tree.is_leaf[child]:
                heapq.heappush(waiting, (-np.inf, (step.c, int(child))))
    return n_tried


def _helps(state: SubtreeRecoding, step: Step) -> bool:
    """A step that costs nothing is taken: what it publishes is more specific."""
    return step.gain > NEARLY or (step.gain >= -NEARLY and step.n_suppressed == state.n_suppressed)


@dataclass
class Frame:
    """A node of the search tree: what could still be specialized here, and what each could save at most."""

    open: dict[Place, float] = field(default_factory=dict)
    undo: Undo | None = None


def branch_and_bound(
    state: SubtreeRecoding,
    found: Found,
    most_tried: int,
    most_looked: int,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Walk through all recodings that hold, but for those that cannot beat the best; starts at the roots.

    A node of a cut is either replaced by its children, with everything that makes possible, or it stays for
    good. Every recoding is met once. What lies below a frame saves at most the sum of what each open node
    could save on its own, were all the others to stay: steps in one column do not touch each other's classes,
    and steps in others only make classes smaller.
    """
    frames = [Frame(_reaches(state, state.inner_nodes(), found))]
    bounds: list[float] = []
    while frames:
        frame = frames[-1]
        bound = state.total - sum(frame.open.values())
        if frame.open and bound < found.total - NEARLY:
            if found.n_tried < most_tried and found.n_looked < most_looked:
                frames.append(_descend(state, frame, found))
                if progress is not None:
                    progress(found.n_looked, most_looked)
                continue
            bounds.append(bound)  # not looked at any further
        frames.pop()
        if frame.undo is not None:
            state.back(frame.undo)
    found.bound = min([found.total, *bounds])


def _descend(state: SubtreeRecoding, frame: Frame, found: Found) -> Frame:
    """Specialize the node that can save most; in the frame itself it stays from now on."""
    place = max(frame.open, key=lambda other: (frame.open[other], other))
    del frame.open[place]
    step = state.try_step(*place)
    assert step is not None
    undo = state.take(step)
    if state.total < found.total - NEARLY:
        found.cuts, found.total = [cut.copy() for cut in state.cuts], state.total
    tree = state.forest.trees[step.c]
    children = [(step.c, int(child)) for child in tree.children(step.node) if not tree.is_leaf[child]]
    return Frame(_reaches(state, [*frame.open, *children], found), undo)


def _reaches(state: SubtreeRecoding, places: list[Place], found: Found) -> dict[Place, float]:
    reach_of_place = {place: _reach(state, place, found) for place in places}
    return {place: reach for place, reach in reach_of_place.items() if reach is not None}


def _reach(state: SubtreeRecoding, place: Place, found: Found) -> float | None:
    """What specializing below a node could save at most, the other columns as they are; None if it cannot be.

    Goes down as long as a step would hold on its own.
    """
    c, node = place
    forest, tree = state.forest, state.forest.trees[c]
    order, where = forest.by_code[c], forest.below(c, node)
    reached = np.full(tree.n_codes, tree.penalty[node])
    waiting = [node]
    while waiting:
        above = waiting.pop()
        inside = forest.below(c, above)
        found.n_tried, found.n_looked = found.n_tried + 1, found.n_looked + inside.stop - inside.start
        if state.try_step(c, above) is None:
            if above == node:
                return None
            continue
        for child in tree.children(above):
            reached[tree.start[child] : tree.end[child] + 1] = tree.penalty[child]
            if not tree.is_leaf[child]:
                waiting.append(int(child))
    saved = order.weighed[where] * kernels.look_up(order.codes[where], tree.penalty[node] - reached)
    return float((saved[state.kept[order.tuples[where]]] if state.n_suppressed else saved).sum())
