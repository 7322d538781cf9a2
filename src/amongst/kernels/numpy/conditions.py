"""Conditions in numpy, one group at a time: what the compiled tally must equal."""

from __future__ import annotations

import numpy as np

from amongst.kernels.conditions import (
    CALLED,
    DISTINCT,
    ENTROPY,
    EQUAL,
    HIERARCHICAL,
    LIMITS,
    ORDERED,
    RECURSIVE,
    WEIGHED,
    Conditions,
    Test,
)

COUNT_SLACK, SHARE_SLACK = 1e-9, 1e-12


def hold(conditions: Conditions, items: np.ndarray, weight: np.ndarray | None = None) -> bool:
    """Whether some items may be a group."""
    if conditions.first is not None:
        items, weight = conditions.members(items), None
    if conditions.weight is not None:
        weight = conditions.weight[items]
    weight = np.ones(len(items), dtype=np.int64) if weight is None else weight.astype(np.int64)
    total = int(weight.sum()) if conditions.unit is None else len(np.unique(conditions.unit[items]))
    return total >= conditions.k and all(_holds(test, items, weight, total) for test in conditions.tests)


def holds_by_class(
    conditions: Conditions, row_at: np.ndarray, first_of_class: np.ndarray, weight: np.ndarray | None
) -> np.ndarray:
    """Whether every class may be a group; ``row_at`` has the items class by class."""
    parts = np.split(row_at, first_of_class[1:-1])
    return np.array([hold(conditions, part, None if weight is None else weight[part]) for part in parts], dtype=bool)


def _holds(test: Test, items: np.ndarray, weight: np.ndarray, total: int) -> bool:
    codes = test.codes[items]
    if test.pair is not None:
        _, first = np.unique(test.pair[items], return_index=True)
        codes, weight = codes[first], np.ones(len(first), dtype=np.int64)
    count = np.bincount(codes, weights=weight, minlength=test.n_values)
    whole = float(count.sum())
    if test.kind == CALLED:
        assert test.holds is not None
        assert test.share is not None
        return bool(test.holds(count, test.share, float(total)))
    if test.kind == LIMITS:
        return _within_limits(test, count, float(total) if test.of_people else whole)
    if test.kind == DISTINCT:
        return bool((count > 0).sum() + COUNT_SLACK >= test.bound)
    if test.kind == ENTROPY:
        some = count[count > 0]
        return bool(np.log(whole) - float((some * np.log(some)).sum()) / whole >= test.bound - SHARE_SLACK)
    if test.kind == RECURSIVE:
        sizes = np.sort(count)[::-1]
        tail = float(sizes[int(test.bound) - 1 :].sum())
        return bool(tail > 0 and sizes[0] < test.factor * tail * (1 - SHARE_SLACK))
    if test.kind in (EQUAL, ORDERED, HIERARCHICAL):
        return _distance(test, count / whole) <= test.bound + SHARE_SLACK
    if test.kind == WEIGHED:
        assert test.lower is not None
        return bool((count * test.lower).sum() >= test.bound * (1 - SHARE_SLACK))
    return _spread_out(test, count, whole)


def _within_limits(test: Test, count: np.ndarray, whole: float) -> bool:
    assert test.lower is not None
    assert test.upper is not None
    looked_at = count > 0
    if test.every_value and bool((test.lower[~looked_at] > 0).any()):
        return False
    low, high = test.lower[looked_at] * whole - COUNT_SLACK, test.upper[looked_at] * whole + COUNT_SLACK
    return bool(((count[looked_at] >= low) & (count[looked_at] <= high)).all())


def _distance(test: Test, own: np.ndarray) -> float:
    assert test.share is not None
    extra = own - test.share
    if test.kind == EQUAL:
        return float(np.abs(extra).sum()) / 2
    if test.kind == ORDERED:
        return float(np.abs(np.cumsum(extra)).sum()) / (test.n_values - 1) if test.n_values > 1 else 0.0
    assert test.node is not None
    height, cost = len(test.node) - 1, 0.0
    for level in range(1, height + 1):
        heads = np.flatnonzero(test.node[level - 1] == np.arange(test.n_values))
        parent = test.node[level][heads]
        gains = np.bincount(parent, weights=np.maximum(extra[heads], 0), minlength=test.n_values)
        losses = np.bincount(parent, weights=np.maximum(-extra[heads], 0), minlength=test.n_values)
        cost += level / height * float(np.minimum(gains, losses).sum())
        extra = np.bincount(parent, weights=extra[heads], minlength=test.n_values)
    return cost


def _spread_out(test: Test, count: np.ndarray, whole: float) -> bool:
    assert test.last is not None
    upto = np.concatenate([[0.0], np.cumsum(count)])
    inside = upto[test.last + 1] - upto[:-1]
    return bool(inside.max(initial=0.0) <= test.bound * whole + COUNT_SLACK)
