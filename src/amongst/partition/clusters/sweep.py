"""The sweep: from the finest generalization to the coarsest, rows that are alike and enough become groups."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence

import numpy as np

from amongst import kernels
from amongst.encode import CodedTable, FrequencySet, frequency_set
from amongst.kernels import cluster
from amongst.kernels.price import Prices
from amongst.models import Model, smallest_group
from amongst.partition.clusters.ladders import Node, Steps, steps_of
from amongst.partition.clusters.neighbour_steps import spread, steps_of_neighbours
from amongst.partition.feasible import refuse_small_table
from amongst.partition.lattice import mark_below
from amongst.partition.method import Method
from amongst.partition.partition import Partition
from amongst.partition.pricing import boxed, prices_of

MOST_NODES = 1 << 20
"""A lattice of more steps is not put in order as a whole: the rows tell which of its steps are worth taking."""

FAIR = 0.9
"""A group is fair that costs no more than this share of its step's mean loss over the table."""


def sweep(
    table: CodedTable,
    models: Sequence[Model],
    *,
    most_steps: int = 20_000,
    patient: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Local recoding by a sweep over the lattice: every row is grouped at the cheapest generalization that still can.

    Paper
        None: it combines the lattice of LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 2, with local
        recoding by the NCP of Xu et al., *Utility-Based Anonymization Using Local Recoding*, KDD 2006.
    Guarantees
        Every group has at least k rows. Rows of one tuple stay together.
    Choices
        A step is a level for every column but one, and a width for that one (the numeric column with the most values,
        if there is any). Steps are taken in the order of their mean loss over the table. At a step, tuples without a
        group that agree at these levels and lie within the width become groups of at least k, greedily from the
        lowest value on; what is left waits for a coarser step. A group that costs more than 0.9 of the step's mean loss
        is undone: its step is taken again when the steps have come to that price, unless others took its tuples.
        When a step makes no group, no finer step can, and
        its coarser neighbours are tried ahead of their turn to rule out more. What is left at the end, fewer than
        k rows, joins the groups where it costs least.
    Departures
        With more than ``most_steps`` steps every so-manieth is taken, and after so many no group is undone. With
        ``patient=False`` none is: two to four times as fast, and some percent more loss. With more than a million
        steps, as nine columns have and more, those are taken at which a tuple without a group is alike with the k
        nearest rows without one; then again for what is left. No more than ``most_steps`` tuples are asked for
        their neighbours, and what is left after that becomes one group.
    Cost
        O(steps x tuples x columns) at worst; most steps are ruled out by others.
    """
    k = smallest_group(models)
    refuse_small_table(table, k)
    tuples = frequency_set(table.codes)
    prices = prices_of(table)
    group_of_tuple = sweep_tuples(table, tuples, prices, k, most_steps, progress, patient=patient)
    return boxed(table, kernels.gather(group_of_tuple, tuples.tuple_of_row), tuples=tuples.n_tuples)


def sweep_tuples(
    table: CodedTable,
    tuples: FrequencySet,
    prices: Prices,
    k: int,
    most_steps: int,
    progress: Callable[[int, int], None] | None = None,
    *,
    patient: bool = True,
) -> np.ndarray:
    """The group of every tuple."""
    state = _State(steps_of(table, tuples, prices), tuples, prices, k, most_steps if patient else 0)
    if state.steps.n_nodes <= MOST_NODES:
        _through_lattice(state, most_steps, progress)
    else:
        _through_neighbours(state, most_steps, progress)
    return _join_leftovers(tuples, prices, state.group, state.alive, state.n_groups)


class _State:
    """Which tuples have a group by now, and how one more step is taken."""

    def __init__(self, steps: Steps, tuples: FrequencySet, prices: Prices, k: int, most_patient: int) -> None:
        self.steps, self.tuples, self.prices, self.k, self.most_patient = steps, tuples, prices, k, most_patient
        self.codes = np.stack([column.astype(np.int64) for column in tuples.codes], axis=1)
        self.group = np.full(tuples.n_tuples, -1, dtype=np.int32)
        alive = np.arange(tuples.n_tuples) if steps.position is None else np.argsort(steps.position, kind="stable")
        self.alive = alive.astype(np.uint32)
        self.n_groups, self.n_taken = 0, 0

    @property
    def done(self) -> bool:
        return int(self.tuples.count[self.alive].sum(dtype=np.int64)) < self.k

    def fails(self, node: Node) -> bool:
        """Whether a step would make no group."""
        return self._step(node, only_look=True) == 0

    def take(self, node: Node, fair: int) -> tuple[int, int | None]:
        """Take a step: how many groups it finds, and the price at which it is to be taken again, if any."""
        n_new, dearer = self._step(node), None
        if n_new and self.n_taken <= self.most_patient:
            kept, dearer = _keep_fair(
                self.prices,
                self.codes,
                group=self.group,
                alive=self.alive,
                n_before=self.n_groups,
                n_new=n_new,
                fair=fair,
            )
        else:
            kept = n_new
        self.n_groups += kept
        if kept:
            self.alive = self.alive[self.group[self.alive] < 0]
        return n_new, dearer

    def _step(self, node: Node, *, only_look: bool = False) -> int:
        self.n_taken += 1
        keys, radix, width = self.steps.at(node)
        position, count = self.steps.position, self.tuples.count
        return cluster.sweep_step(
            keys,
            radix,
            alive=self.alive,
            weight=count,
            position=position,
            width=width,
            k=self.k,
            next_group=self.n_groups,
            group=self.group,
            only_look=only_look,
        )


def _through_lattice(state: _State, most_steps: int, progress: Callable[[int, int], None] | None) -> None:
    """The steps of a lattice that can be held as a whole."""
    shape = state.steps.shape
    order, mean_loss = _in_order(state.steps.losses, shape, most_steps)
    in_vain = np.zeros(shape, dtype=bool)
    queue = _Queue(order, mean_loss)
    while (found := queue.next()) is not None:
        flat, fair = found
        node = tuple(int(level) for level in np.unravel_index(flat, shape))
        if in_vain[node]:
            continue
        before = state.n_groups
        n_new, dearer = state.take(node, fair)
        if n_new == 0:
            _rule_out(node, in_vain, shape, state.fails)
        if dearer is not None:
            queue.postpone(flat, dearer)
        if state.n_groups > before:
            if progress is not None:
                progress(queue.n_taken, len(order))
            if state.done:
                return


def _through_neighbours(state: _State, most_steps: int, progress: Callable[[int, int], None] | None) -> None:
    """The steps at which tuples are alike with their neighbours, of those without a group, again and again.

    The cheapest step of a round always makes a group: nothing has been taken from its tuples yet. So every round
    leaves fewer tuples, until the steps allowed are used up and the rest becomes one group.
    """
    n_rows, n_looked = int(state.tuples.count.sum(dtype=np.int64)), 0
    while not state.done and n_looked < most_steps:
        anchors = spread(state.alive, most_steps - n_looked)
        n_looked += len(anchors)
        nodes, mean_loss = steps_of_neighbours(state.steps, state.tuples, state.prices, state.alive, anchors, state.k)
        queue = _Queue(np.arange(len(nodes)), mean_loss)
        while not state.done and (found := queue.next()) is not None:
            number, fair = found
            _, dearer = state.take(tuple(nodes[number].tolist()), fair)
            if dearer is not None:
                queue.postpone(number, dearer)
        if progress is not None:
            left = int(state.tuples.count[state.alive].sum(dtype=np.int64))
            progress(n_rows - left, n_rows)
    if not state.done:
        state.most_patient = 0
        state.take(tuple(size - 1 for size in state.steps.shape), 0)


class _Queue:
    """The steps by the price at which their groups are fair: first by mean loss, then what the cheapest asks."""

    def __init__(self, order: np.ndarray, mean_loss: np.ndarray) -> None:
        self._order, self._mean_loss = order, mean_loss
        self._postponed: list[tuple[int, int]] = []
        self.n_taken = 0

    def next(self) -> tuple[int, int] | None:
        """A step and its fair price; None at the end."""
        fresh = self.n_taken < len(self._order)
        flat = int(self._order[self.n_taken]) if fresh else -1
        fair = math.floor(FAIR * self._mean_loss[flat])
        if self._postponed and (not fresh or self._postponed[0][0] <= fair):
            fair, flat = heapq.heappop(self._postponed)
            return flat, fair
        self.n_taken += 1
        return (flat, fair) if fresh else None

    def postpone(self, flat: int, price: int) -> None:
        heapq.heappush(self._postponed, (price, flat))


def _keep_fair(
    prices: Prices, codes: np.ndarray, group: np.ndarray, alive: np.ndarray, n_before: int, n_new: int, fair: int
) -> tuple[int, int | None]:
    """Of the groups just made keep those that cost no more than is fair: their number, and the next price.

    The tuples of the others have no group again.
    """
    tuples = alive[group[alive] >= n_before]
    own = group[tuples] - n_before
    order = np.argsort(own, kind="stable")
    first = np.searchsorted(own[order], np.arange(n_new))
    rows = codes[tuples[order]]
    price = prices.of_boxes(np.minimum.reduceat(rows, first), np.maximum.reduceat(rows, first))
    kept = price <= fair
    if kept.all():
        return n_new, None
    number = np.cumsum(kept) - 1 + n_before
    group[tuples] = np.where(kept[own], number[own], -1)
    return int(kept.sum()), int(price[~kept].min())


def _rule_out(
    node: tuple[int, ...], in_vain: np.ndarray, shape: tuple[int, ...], fails: Callable[[tuple[int, ...]], bool]
) -> None:
    """Mark a step in vain, all finer ones, and what can be found of coarser ones.

    If no width helps at these levels, climb over the levels while none helps; else find the widest that does not.
    """
    levels, low, high = node[:-1], node[-1], shape[-1] - 1
    mark_below(in_vain, node)
    if low < high and not fails((*levels, high)):
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fails((*levels, middle)) else (low, middle)
        mark_below(in_vain, (*levels, low))
        return
    mark_below(in_vain, (*levels, high))
    while True:
        higher = [
            (*levels[:c], levels[c] + 1, *levels[c + 1 :]) for c in range(len(levels)) if levels[c] + 1 < shape[c]
        ]
        higher = [other for other in higher if not in_vain[(*other, high)]]
        if not higher or not fails((*higher[-1], high)):
            return
        levels = higher[-1]
        mark_below(in_vain, (*levels, high))


def _in_order(losses: list[np.ndarray], shape: tuple[int, ...], most_steps: int) -> tuple[np.ndarray, np.ndarray]:
    """The steps by their mean loss, cheapest first, and that loss of all of them.

    The last one, where all tuples are alike, is always there.
    """
    total = np.zeros(shape)
    for axis, loss in enumerate(losses):
        total += loss.reshape([-1 if a == axis else 1 for a in range(len(shape))])
    order = np.argsort(total, axis=None, kind="stable")
    most_steps = 2 * most_steps  # about half are ruled out by others
    if len(order) > most_steps:
        order = order[np.unique(np.linspace(0, len(order) - 1, most_steps).astype(np.int64))]
    top = int(np.ravel_multi_index([size - 1 for size in shape], shape))
    return np.append(order[order != top], top), total.ravel()


def _join_leftovers(
    tuples: FrequencySet, prices: Prices, group: np.ndarray, alive: np.ndarray, n_groups: int
) -> np.ndarray:
    if n_groups == 0:
        return np.zeros(tuples.n_tuples, dtype=np.int32)
    if len(alive) == 0:
        return group
    grouped = group >= 0
    codes = np.stack([column.astype(np.int64) for column in tuples.codes], axis=1)
    order = np.argsort(group[grouped], kind="stable")
    first = np.searchsorted(group[grouped][order], np.arange(n_groups))
    lo = np.minimum.reduceat(codes[grouped][order], first)
    hi = np.maximum.reduceat(codes[grouped][order], first)
    size = np.bincount(group[grouped], weights=tuples.count[grouped], minlength=n_groups).astype(np.int64)
    for one in alive.tolist():
        low, high = np.minimum(lo, codes[one]), np.maximum(hi, codes[one])
        own = int(tuples.count[one])
        added = prices.of_boxes(low, high) * (size + own) - prices.of_boxes(lo, hi) * size
        g = int(np.argmin(added))
        group[one], lo[g], hi[g], size[g] = g, low[g], high[g], size[g] + own
    return group


METHOD = Method(
    name="sweep",
    family="clusters",
    place=20,
    group=sweep,
    takes="models",
    recoding="local",
    tight=True,
    words="From the finest generalization to the coarsest, rows that are alike and enough become groups.",
    paper="after LeFevre, DeWitt, Ramakrishnan: Incognito, SIGMOD 2005, section 2, with NCP of Xu et al., KDD 2006",
    usual=True,
    seconds=8.0,
)
