"""The sweep: from the finest generalization to the coarsest, rows that are alike and enough become groups."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from amongst import kernels
from amongst.encode import CodedTable, FrequencySet, frequency_set
from amongst.encode.coded import CodedColumn
from amongst.kernels import cluster
from amongst.kernels.price import Prices
from amongst.models import Model, smallest_group
from amongst.partition.feasible import refuse_small_table
from amongst.partition.frequency_sets import level_maps
from amongst.partition.lattice import mark_below
from amongst.partition.partition import Partition
from amongst.partition.pricing import boxed, prices_of

FAIR = 0.9
"""A group is fair that costs no more than this share of its step's mean loss over the table."""

RATIO = 1.35
"""Each window is so much wider than the one before."""


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
        ``patient=False`` none is: two to four times as fast, and some percent more loss.
    Cost
        O(steps x tuples) at worst; most steps are ruled out by others.
    """
    k = smallest_group(models)
    refuse_small_table(table, k)
    tuples = frequency_set(table.codes)
    prices = prices_of(table)
    group_of_tuple = sweep_tuples(table, tuples, prices, k, most_steps, progress, patient=patient)
    return boxed(table, kernels.gather(group_of_tuple, tuples.tuple_of_row), tuples=tuples.n_tuples)


@dataclass(frozen=True, eq=False)
class Ladder:
    """The steps of one column: a key of every tuple at every level, and the mean loss there."""

    keys: list[np.ndarray]
    radix: list[int]
    loss: np.ndarray


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
    window = window_column(table)
    ladders = [_ladder(table, tuples, prices, c) for c in range(table.n_qi) if c != window]
    widths, width_loss, position = _windows(table, tuples, prices, window)
    shape = (*[len(ladder.keys) for ladder in ladders], len(widths))
    order, mean_loss = _in_order([ladder.loss for ladder in ladders] + [width_loss], shape, most_steps)
    group = np.full(tuples.n_tuples, -1, dtype=np.int32)
    alive = np.arange(tuples.n_tuples) if position is None else np.argsort(position, kind="stable")
    alive = alive.astype(np.uint32)
    in_vain, n_groups, n_steps = np.zeros(shape, dtype=bool), 0, 0

    def step(node: tuple[int, ...], only_look: bool) -> int:
        nonlocal n_steps
        n_steps += 1
        keys = [ladder.keys[level] for ladder, level in zip(ladders, node[:-1], strict=True)]
        radix = np.array(
            [ladder.radix[level] for ladder, level in zip(ladders, node[:-1], strict=True)], dtype=np.int64
        )
        width = int(widths[node[-1]])
        return cluster.sweep_step(
            keys, radix, alive, tuples.count, position, width, k, n_groups, group, only_look=only_look
        )

    codes = np.stack([column.astype(np.int64) for column in tuples.codes], axis=1)
    queue = _Queue(order, mean_loss)
    while (found := queue.next()) is not None:
        flat, fair = found
        node = tuple(int(level) for level in np.unravel_index(flat, shape))
        if in_vain[node]:
            continue
        n_new = step(node, False)
        if n_new == 0:
            _rule_out(node, in_vain, shape, lambda other: step(other, True) == 0)
            continue
        if patient and n_steps <= most_steps:
            n_new, dearer = _keep_fair(prices, codes, group, alive, n_groups, n_new, fair)
            if dearer is not None:
                queue.postpone(flat, dearer)
        n_groups += n_new
        if n_new:
            alive = alive[group[alive] < 0]
            if progress is not None:
                progress(queue.n_taken, len(order))
            if int(tuples.count[alive].sum(dtype=np.int64)) < k:
                break
    return _join_leftovers(tuples, prices, group, alive, n_groups)


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


def window_column(table: CodedTable) -> int:
    """The numeric or date column with the most values, or -1."""
    numeric = [
        c for c, column in enumerate(table.columns) if column.kind in ("numeric", "date") and column.null_code is None
    ]
    return max(numeric, key=lambda c: (table.columns[c].n_values, -c), default=-1)


def _ladder(table: CodedTable, tuples: FrequencySet, prices: Prices, c: int) -> Ladder:
    column, price = table.columns[c], prices.columns[c]
    maps = level_maps(column) if column.position is None or column.tree is not None else _bins(column)
    count = np.bincount(tuples.codes[c], weights=tuples.count, minlength=price.n)
    losses = []
    for number in maps:
        occurs = np.flatnonzero(count)
        first = np.full(int(number.max()) + 1, price.n)
        last = np.zeros(int(number.max()) + 1, dtype=np.int64)
        np.minimum.at(first, number[occurs], occurs)
        np.maximum.at(last, number[occurs], occurs)
        losses.append(float(count[occurs] @ price.of(first[number[occurs]], last[number[occurs]])))
    keys = [kernels.look_up(tuples.codes[c], number) for number in maps]
    radix = [int(number.max()) + 1 for number in maps]
    return Ladder(keys, radix, np.array(losses) / tuples.count.sum())


def _bins(column: CodedColumn) -> list[np.ndarray]:
    """Bins of 1, 2, 4, ... neighbouring codes, for ordered columns without a tree; nulls stay apart until the last."""
    n = column.n_values + (column.null_code is not None)
    codes = np.arange(n)
    bins = [codes >> shift for shift in range(max(n - 1, 1).bit_length() + 1)]
    if column.null_code is not None:
        bins = [np.where(codes == column.null_code, own.max() + 1, own) for own in bins] + [np.zeros(n, dtype=np.int64)]
    return [own.astype(np.uint32) for own in bins]


def _windows(
    table: CodedTable, tuples: FrequencySet, prices: Prices, window: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """The widths of the window column in price units, what they cost, and the position of every tuple."""
    if window < 0:
        return np.zeros(1, dtype=np.int64), np.zeros(1), None
    price = prices.columns[window]
    assert price.position is not None
    gaps = np.diff(np.unique(price.position))
    least = max(int(gaps.min(initial=price.full)), price.full // 4096, 1)
    n_steps = int(np.ceil(np.log(max(price.full / least, 1.0)) / np.log(RATIO))) + 1
    widths = np.unique(
        np.concatenate([[0], np.rint(least * RATIO ** np.arange(n_steps)), [price.full]]).astype(np.int64)
    )
    widths = widths[widths <= price.full]
    return widths, widths.astype(np.float64) * 0.8, price.position[tuples.codes[window]]


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
