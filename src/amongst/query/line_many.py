"""Many ranges on one line at once: how the labels of a column match each of them."""

from __future__ import annotations

import numpy as np

from amongst.query.line import LineLabels

BLOCK = 1 << 21


def match_ranges(labels: LineLabels, first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How every label matches every closed range ``first .. last``; the same as dividing the line by each.

    Returns
    -------
    share : ndarray of float64, shape (n_ranges, n_labels)
    can, must : ndarray of bool
    """
    step = max(1, BLOCK // max(len(labels.owner), 1))
    starts = range(0, max(len(first), 1), step)
    made = [_match(labels, first[i : i + step, None], last[i : i + step, None]) for i in starts]
    share, can, must = (np.concatenate(one) for one in zip(*made, strict=True))
    return share, can, must


def _match(labels: LineLabels, first: np.ndarray, last: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    order = np.argsort(labels.owner, kind="stable")
    owner, start = np.unique(labels.owner[order], return_index=True)
    own_lo, own_hi = labels.lo[order], labels.hi[order]
    lo, hi = np.maximum(own_lo, first), np.minimum(own_hi, last)
    if labels.whole:
        lo, hi = np.ceil(lo), np.floor(hi)
        own_lo, own_hi = np.ceil(own_lo), np.floor(own_hi)
    there = lo <= hi
    inside = there & (lo == own_lo) & (hi == own_hi)
    low, high, size = (one[order] for one in labels.expected())
    low, high = np.maximum(low, first), np.minimum(high, last)
    if labels.counts:
        low, high = np.ceil(low), np.floor(high)
    part = labels.size(low, high)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = np.where(part >= size, low <= high, part / size) * labels.weight[order]
    shape = (len(first), labels.n_labels)
    share, can, must = np.zeros(shape), np.zeros(shape, dtype=bool), np.zeros(shape, dtype=bool)
    share[:, owner] = np.add.reduceat(parts, start, axis=1)
    can[:, owner] = np.logical_or.reduceat(there, start, axis=1)
    must[:, owner] = np.logical_and.reduceat(inside, start, axis=1)
    return np.minimum(share * (1 - labels.nulls.share), 1.0), can, must & ~labels.nulls.can
