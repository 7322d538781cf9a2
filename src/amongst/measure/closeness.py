"""The distance of every class to the whole table, as t-closeness measures it."""

from __future__ import annotations

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.encode.node_ends import node_of_value
from amongst.measure.value_counts import ValueCounts


def distances(counts: ValueCounts, column: CodedColumn, distance: str) -> np.ndarray:
    """One a class, by the "equal", "ordered" or "hierarchical" distance between values."""
    if distance == "ordered":
        return _ordered(counts)
    if distance == "equal":
        return _equal(counts.class_of, counts.value, counts.own, counts.share, len(counts.first))
    # What a level does not tell apart need not move there: the mean of the levels below the root.
    levels = node_of_value(column)[:-1]
    parts = [_at_level(counts, nodes.astype(np.int64)) for nodes in levels]
    return np.mean(parts, axis=0) if parts else np.zeros(len(counts.first))


def _at_level(counts: ValueCounts, node_of_value: np.ndarray) -> np.ndarray:
    m, n_classes = len(node_of_value), len(counts.first)
    key, place = np.unique(counts.class_of * m + node_of_value[counts.value], return_inverse=True)
    own = np.bincount(place.reshape(-1), weights=counts.own)
    share = np.bincount(node_of_value, weights=counts.share, minlength=m)
    return _equal(key // m, key % m, own, share, n_classes)


def _equal(class_of: np.ndarray, value: np.ndarray, own: np.ndarray, share: np.ndarray, n: int) -> np.ndarray:
    """Half the sum of the differences; values that a class has not differ by their share in the table."""
    differs = np.abs(own - share[value]) - share[value]
    return (1 + np.bincount(class_of, weights=differs, minlength=n)) / 2


def _ordered(counts: ValueCounts) -> np.ndarray:
    """The cumulated shares of a class change at its own values only; in between, sums over the table's are known."""
    m = len(counts.share)
    if m < 2:
        return np.zeros(len(counts.first))
    below = np.cumsum(counts.share)
    upto = np.cumsum(counts.own)
    upto -= (upto - counts.own)[counts.first][counts.class_of]
    until = np.append(counts.value[1:], m)
    until[np.append(counts.first[1:], len(until)) - 1] = m
    apart = np.add.reduceat(_between(below, counts.value, until, upto), counts.first)
    head = counts.value[counts.first]
    return (apart + _between(below, np.zeros_like(head), head, np.zeros(len(head)))) / (m - 1)


def _between(below: np.ndarray, start: np.ndarray, until: np.ndarray, level: np.ndarray) -> np.ndarray:
    """The sum of |level - below| from one value to before another."""
    summed = np.concatenate([[0.0], np.cumsum(below)])
    turn = np.clip(np.searchsorted(below, level, side="right"), start, until)
    return level * (2 * turn - start - until) - 2 * summed[turn] + summed[start] + summed[until]
