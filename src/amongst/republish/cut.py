"""Which boxes of the tree to publish, so that the new release holds beside all earlier ones.

What an intruder can do who has all releases and knows the quasi-identifiers of a person and in which releases she is:
(1) look at her class in each of them, (2) keep the rows that all her classes have in common, value by value, (3)
subtract: in a box that is made of whole classes in two releases, what one has more of a value than the other is that
of people who came or went.

All releases publish boxes of one tree. So the classes of somebody who stays where she is contain each other, the boxes
of (3) are those in which both releases are whole, and all three can be counted from the rows of each value in each box.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from amongst.republish.promise import Promise

FAR = np.iinfo(np.int64).max
NEAR_THE_END = 0.3
"""What each person costs whom the classes of a box have too few in common to lose later, in rows that lose everything:
a box that just holds must be given up next month, and with it the boxes around it."""


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
    arrived, departed : ndarray of int64, shape (nodes, rows), optional
        People by how many rows they have more, or fewer, in a box now than then.
    left : dict of int to list of int
        Of boxes that are made of several classes those classes from which somebody went.
    """

    is_class: np.ndarray
    whole: np.ndarray
    count: np.ndarray
    stayed: np.ndarray
    arrived: np.ndarray | None = None
    departed: np.ndarray | None = None
    left: Mapping[int, list[int]] = field(default_factory=dict)

    def shows_few(self, x: int, count: np.ndarray, promise: Promise) -> bool:
        """Whether the difference in a box with these rows shows too few who came or went."""
        came, went = self.moved(x, count)
        if self.arrived is None or self.departed is None:
            return promise.shows_few(came, went)
        return bool(
            promise.shows_few(came, went, self.arrived[x] * came.any(), self.departed[x])
            or self.cornered(x, came, went, promise)
        )

    def cornered(self, x: int, came: np.ndarray, went: np.ndarray, promise: Promise) -> list[int]:
        """The classes of those who went for whom their class and what the difference shows leave too few values."""
        shown = np.maximum(promise.rows(went) - promise.rows(came), 0)
        assert self.departed is not None
        if x not in self.left or shown.sum() != self.departed[x].sum():
            return []  # some hide behind others, or some changed and she cannot tell who
        own = promise.n_values(np.minimum(shown, promise.rows(self.count[self.left[x]])))
        return [c for c, n in zip(self.left[x], own.tolist(), strict=True) if n < promise.newcomers]

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
    *,
    room: int = 0,
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
    room : int
        So many people more than k should be left in common by each box, for later months; those that are missing have
        a price.

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
        if alone is not None and room:
            left = np.minimum(ways[x], alone.count[None]) if earlier else alone.count[None]
            missing = promise.k + room - int(promise.people(left).sum(axis=-1).min())
            alone.price += NEAR_THE_END * max(missing, 0)
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
            kept = _mended(kept, one, x, promise)
    if promise.breaks_alone(kept) or any(one.shows_few(x, kept, promise) for one in beside):
        return None
    if earlier and promise.breaks_common(np.minimum(ways, kept[None])).any():
        return None
    dropped = count - kept
    price = int(promise.rows(kept).sum()) * loss + float(promise.rows(dropped).sum())
    return Chosen([x], [promise.people(dropped)], kept, price)


def _mended(count: np.ndarray, one: Earlier, x: int, promise: Promise) -> np.ndarray:
    """Leave out what a difference would show of too few: those who came, or others beside those who went."""
    if not one.shows_few(x, count, promise):
        return count
    came, went = one.moved(x, count)
    nobody = np.zeros_like(came)
    few_came = 0 < int(promise.people(came).sum()) <= promise.newcomers + promise.crowd
    if few_came and promise.shows_few(came, nobody):
        count, few_came = count - came, False
    if not promise.most_rows:
        count = _less_gained(count, one, x, promise)
        count = _more_lost(count, one, x, promise)
    if not promise.most_rows and one.departed is not None:
        for c in one.cornered(x, *one.moved(x, count), promise):
            came, went = one.moved(x, count)
            shown = np.maximum(went - came, 0)
            missing = promise.newcomers - int(promise.n_values(np.minimum(shown, one.count[c])))
            count = _one_less(count, (shown == 0) & (count > 1) & (one.count[c] > 0), max(missing, 0))
    return count - one.moved(x, count)[0] if few_came and one.shows_few(x, count, promise) else count


def _less_gained(count: np.ndarray, one: Earlier, x: int, promise: Promise) -> np.ndarray:
    """Leave out the rows by which a difference tells the values of those who are known to have come."""
    came, went = one.moved(x, count)
    gained = np.maximum(came - went, 0)
    few = one.arrived is not None and promise.names(gained, one.arrived[x] * came.any())
    return count - gained if few and int(gained.sum()) <= promise.newcomers + promise.crowd else count


def _more_lost(count: np.ndarray, one: Earlier, x: int, promise: Promise) -> np.ndarray:
    """Leave out rows of other values beside those who went, so that theirs can be more of them."""
    came, went = one.moved(x, count)
    lost = np.maximum(went - came, 0)
    few = promise.shows_few(np.zeros_like(came), went)
    few |= one.departed is not None and promise.names(lost, one.departed[x])
    if not went.any() or not few:
        return count
    missing = max(promise.newcomers - int(promise.n_values(lost)), promise.crowd - int(lost.sum()), 0)
    return _one_less(count, (went == came) & (count > 1), missing)


def _one_less(count: np.ndarray, can: np.ndarray, n: int) -> np.ndarray:
    """Of the commonest values that can be spared one row each."""
    at, count = np.flatnonzero(can), count.copy()
    count[at[np.argsort(-count[at], kind="stable")][:n]] -= 1
    return count


def _in_parts(
    x: int, parts: Sequence[int], best: Sequence[Chosen | None], earlier: Sequence[Earlier], promise: Promise
) -> Chosen | None:
    chosen = [one for one in (best[part] for part in parts) if one is not None]
    if not parts or len(chosen) < len(parts):
        return None
    count = np.sum([one.count for one in chosen], axis=0)
    if any(one.is_class[x] and one.shows_few(x, count, promise) for one in earlier):
        return None
    return Chosen(
        [node for one in chosen for node in one.nodes],
        [dropped for one in chosen for dropped in one.dropped],
        count,
        sum(one.price for one in chosen),
    )
