"""Which boxes of the tree to publish, so that the new release holds beside all earlier ones.

What an intruder can do who has all releases and knows the quasi-identifiers of a person and in which releases she is:
(1) look at her class in each of them, (2) keep the rows that all her classes have in common, value by value, (3)
subtract: in a box that is made of whole classes in two releases, what one has more of a value than the other is that
of people who came or went.

All releases publish boxes of one tree. So the classes of somebody who stays where she is contain each other, the boxes
of (3) are those in which both releases are whole, and all three can be counted from the rows of each value in each box.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

FAR = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Promise:
    """What must hold.

    Attributes
    ----------
    k : int
        Rows of a class, and rows that all classes of a person have in common.
    l : int
        Different values of these rows.
    share : float
        The largest share of one value in a class.
    newcomers : int
        Where a difference shows people who came or went, at least so many values can be theirs.
    crowd : int
        And they are at least so many.
    of : tuple of ndarray, shape (combinations, values)
        Where there are several sensitive columns: counts are those of combinations of values, and of every column 1
        where a combination has a value. Then l, share and newcomers are asked of every column.
    """

    k: int
    l: int = 1  # noqa: E741
    share: float = 1.0
    newcomers: int = 2
    crowd: int = 1
    of: tuple[np.ndarray, ...] = field(default=(), compare=False)

    @property
    def told(self) -> dict[str, Any]:
        """What was asked, as plain data."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.compare}

    def n_values(self, count: np.ndarray) -> np.ndarray:
        """How many different values there are, of the column that has fewest."""
        there = count > 0
        if not self.of:
            return np.asarray(there.sum(axis=-1))
        return np.minimum.reduce([((there @ one) > 0).sum(axis=-1) for one in self.of])

    def largest(self, count: np.ndarray) -> int:
        """The rows of the commonest value of any column."""
        return int(max((one.max(initial=0) for one in ([count @ of for of in self.of] or [count])), default=0))

    def breaks_alone(self, count: np.ndarray) -> bool:
        """Whether rows of these values may not be a class."""
        size = int(count.sum())
        return size < self.k or int(self.n_values(count)) < self.l or self.largest(count) > self.share * size + 1e-9

    def breaks_common(self, left: np.ndarray) -> np.ndarray:
        """Of several people: whether what all their classes have in common is too little."""
        return (left.sum(axis=-1) < self.k) | (self.n_values(left) < self.l)

    def shows_few(self, came: np.ndarray, went: np.ndarray) -> bool:
        """Whether a difference shows some who came or went, and too few of them, or too few values for them.

        Where somebody came with a value with which somebody went, the difference shows less than there is, and any
        value of the class can be that of either.
        """
        hidden = bool(np.minimum(came, went).any())
        return any(
            moved.any() and (moved.sum() < self.crowd or (not hidden and self.n_values(moved) < self.newcomers))
            for moved in (came, went)
        )


@dataclass(frozen=True, eq=False)
class Earlier:
    """An earlier release, by node of the tree.

    Attributes
    ----------
    is_class : ndarray of bool
        Which boxes it published.
    whole : ndarray of bool
        Its classes, and the boxes that are made of them.
    count : ndarray of int64, shape (nodes, values)
        Its rows in every whole box.
    stayed : ndarray of int64, shape (nodes, values)
        How many of these are in the same box now, with the same value.
    """

    is_class: np.ndarray
    whole: np.ndarray
    count: np.ndarray
    stayed: np.ndarray

    def moved(self, x: int, count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Who came into a box since, and who went, by value."""
        stayed = np.minimum(self.stayed[x], count)
        return count - stayed, self.count[x] - stayed


@dataclass
class Chosen:
    """A way to publish what is in a box: the boxes, what is left out of each by value, and the price."""

    nodes: list[int]
    dropped: list[np.ndarray]
    count: np.ndarray
    price: float


def choose(
    parts: Sequence[Sequence[int]],
    loss_of_node: np.ndarray,
    count: np.ndarray,
    earlier: Sequence[Earlier],
    promise: Promise,
    closed: Collection[int] = (),
) -> Chosen | None:
    """The boxes of least price that keep the promise; None where even the whole table does not.

    Parameters
    ----------
    parts
        The parts of every node, which come after it.
    loss_of_node : ndarray
        What a row loses that is published in the box.
    count : ndarray, shape (nodes, values)
        The new rows.
    closed
        Nodes that may neither be published nor divided: something else is in the way.

    Choices
        From the leaves up: a box is published as a whole where its parts cannot be, or where that is cheaper. Where
        only a difference is in the way, some rows may be left out; each costs as much as a row that loses everything.
    """
    ways = ways_down(parts, earlier, count.shape[1])
    best: list[Chosen | None] = [None] * len(parts)
    for x in range(len(parts) - 1, -1, -1):
        if x in closed and x:
            continue
        alone = _as_a_whole(x, float(loss_of_node[x]), count[x], earlier, promise, ways[x])
        below = _in_parts(x, parts[x], best, earlier, promise)
        best[x] = below if alone is None or (below is not None and below.price <= alone.price) else alone
    return best[0]


def ways_down(parts: Sequence[Sequence[int]], earlier: Sequence[Earlier], n_values: int) -> list[np.ndarray]:
    """Of every node, for all ways down to a leaf, what the classes of all earlier releases have in common."""
    n = len(parts)
    above = np.full((n, n_values), FAR, dtype=np.int64)
    for one in earlier:
        own = np.where(one.is_class[:, None], one.count, FAR)
        for x in range(n):
            for part in parts[x]:
                own[part] = np.minimum(own[part], own[x])
        above = np.minimum(above, own)
    ways: list[np.ndarray] = [above[:0]] * n
    for x in range(n - 1, -1, -1):
        ways[x] = np.unique(np.concatenate([ways[part] for part in parts[x]]), axis=0) if parts[x] else above[x][None]
    return ways


def _as_a_whole(
    x: int, loss: float, count: np.ndarray, earlier: Sequence[Earlier], promise: Promise, ways: np.ndarray
) -> Chosen | None:
    kept = count
    beside = [one for one in earlier if one.whole[x]]
    for _ in range(3):
        for one in reversed(beside):
            kept = _mended(kept, one.moved(x, kept), promise)
    if promise.breaks_alone(kept) or any(promise.shows_few(*one.moved(x, kept)) for one in beside):
        return None
    if earlier and promise.breaks_common(np.minimum(ways, kept[None])).any():
        return None
    dropped = count - kept
    return Chosen([x], [dropped], kept, int(kept.sum()) * loss + float(dropped.sum()))


def _mended(count: np.ndarray, moved: tuple[np.ndarray, np.ndarray], promise: Promise) -> np.ndarray:
    """Leave out what a difference would show of too few: those who came, or others beside those who went."""
    came, went = moved
    nobody = np.zeros_like(came)
    if not promise.shows_few(came, went):
        return count
    if promise.shows_few(came, nobody) and came.sum() <= promise.newcomers + promise.crowd:
        count, came = count - came, nobody
    if went.any() and promise.shows_few(nobody, went):
        missing = max(promise.newcomers - int(promise.n_values(went)), promise.crowd - int(went.sum()))
        can = np.flatnonzero((went == 0) & (count > 1))
        count = count.copy()
        count[can[np.argsort(-count[can], kind="stable")][:missing]] -= 1
    return count


def _in_parts(
    x: int, parts: Sequence[int], best: Sequence[Chosen | None], earlier: Sequence[Earlier], promise: Promise
) -> Chosen | None:
    chosen = [one for one in (best[part] for part in parts) if one is not None]
    if not parts or len(chosen) < len(parts):
        return None
    count = np.sum([one.count for one in chosen], axis=0)
    if any(one.is_class[x] and promise.shows_few(*one.moved(x, count)) for one in earlier):
        return None
    return Chosen(
        [node for one in chosen for node in one.nodes],
        [dropped for one in chosen for dropped in one.dropped],
        count,
        sum(one.price for one in chosen),
    )
