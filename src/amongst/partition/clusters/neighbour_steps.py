"""Steps for a lattice too large to look at: those at which rows are alike with their neighbours."""

from __future__ import annotations

import numpy as np

from amongst.encode import FrequencySet
from amongst.kernels.price import Price, Prices
from amongst.partition.clusters.ladders import Steps


def spread(tuples: np.ndarray, most: int) -> np.ndarray:
    """At most so many of them, evenly spaced."""
    if len(tuples) <= most:
        return tuples
    return tuples[np.linspace(0, len(tuples) - 1, most).astype(np.int64)]


def steps_of_neighbours(
    steps: Steps, tuples: FrequencySet, prices: Prices, alive: np.ndarray, anchors: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """The lowest step at which each anchor is alike with the k nearest rows, itself among them.

    Near is what costs little in one group with the anchor. Only tuples in ``alive`` are looked at.

    Returns
    -------
    nodes : ndarray of int64, shape (n, n_columns)
        Different steps, those of the least mean loss first.
    mean_loss : ndarray of float64
    """
    low, high = _boxes(tuples, prices, alive, anchors, k)
    nodes = np.empty((len(anchors), len(steps.ladders) + 1), dtype=np.int64)
    for place, (c, ladder) in enumerate(zip(steps.columns, steps.ladders, strict=True)):
        nodes[:, place] = ladder.level_of(low[:, c], high[:, c])
    nodes[:, -1] = 0
    if steps.window >= 0:
        position = prices.columns[steps.window].position
        assert position is not None
        width = position[high[:, steps.window]] - position[low[:, steps.window]]
        nodes[:, -1] = np.searchsorted(steps.widths, width)
    nodes = np.unique(nodes, axis=0)
    mean_loss = sum((loss[nodes[:, axis]] for axis, loss in enumerate(steps.losses)), np.zeros(len(nodes)))
    order = np.argsort(mean_loss, kind="stable")
    return nodes[order], mean_loss[order]


def _boxes(
    tuples: FrequencySet, prices: Prices, alive: np.ndarray, anchors: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """First and last code of every column among the k nearest rows of each anchor."""
    codes = [np.ascontiguousarray(own[alive]) for own in tuples.codes]
    stacked = np.stack(codes, axis=1)
    rows = tuples.count[alive].astype(np.int64)
    low = np.empty((len(anchors), len(codes)), dtype=stacked.dtype)
    high = np.empty_like(low)
    for number, anchor in enumerate(anchors.tolist()):
        cost = np.zeros(len(alive), dtype=np.int64)
        for price, own, every in zip(prices.columns, codes, tuples.codes, strict=True):
            cost += _price_to(price, int(every[anchor]))[own]
        near = stacked[_nearest(cost, rows, k)]
        low[number], high[number] = near.min(axis=0), near.max(axis=0)
    return low, high


def _price_to(price: Price, code: int) -> np.ndarray:
    """What every code of a column costs together with this one."""
    every = np.arange(price.n)
    return price.of(np.minimum(every, code), np.maximum(every, code))


def _nearest(cost: np.ndarray, rows: np.ndarray, k: int) -> np.ndarray:
    """The nearest tuples that have k rows together."""
    few = np.arange(len(cost)) if len(cost) <= k else np.flatnonzero(cost <= np.partition(cost, k - 1)[k - 1])
    few = few[np.argsort(cost[few], kind="stable")]
    return few[: int(np.searchsorted(np.cumsum(rows[few]), k)) + 1]
