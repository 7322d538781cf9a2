"""Columns on a line: numbers, dates as days, ordered values by their place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amongst.query.cells import Cells, merge_truths
from amongst.query.nulls import Nulls

EXACT = float(1 << 53)
"""Whole numbers from here on are not all floats."""


@dataclass(frozen=True)
class Span:
    """A set of numbers: closed intervals side by side, in order. An open end is the float next to it."""

    parts: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, parts: Sequence[tuple[float, float]]) -> Span:
        """The union of closed intervals."""
        merged: list[tuple[float, float]] = []
        for lo, hi in sorted(part for part in parts if part[0] <= part[1]):
            if merged and lo <= after(merged[-1][1]):
                merged[-1] = (merged[-1][0], max(hi, merged[-1][1]))
            else:
                merged.append((lo, hi))
        return cls(tuple(merged))

    def complement(self) -> Span:
        """All numbers that are not in it."""
        gaps, start = [], -np.inf
        for lo, hi in self.parts:
            if lo > start:
                gaps.append((start, before(lo)))
            if hi == np.inf:
                return Span(tuple(gaps))
            start = after(hi)
        return Span((*gaps, (start, np.inf)))


def before(number: float) -> float:
    return float(np.nextafter(number, -np.inf))


def after(number: float) -> float:
    return float(np.nextafter(number, np.inf))


@dataclass(frozen=True, eq=False)
class LineLabels:
    """What the labels of a column on a line say: closed intervals, one or more a label.

    Attributes
    ----------
    owner : ndarray of int64, one an interval
        The label that the interval belongs to.
    lo, hi : ndarray of float64
        The value lies between them; infinite where nothing is known.
    weight : ndarray of float64
        The share of the interval in its label, by the estimate.
    nulls : Nulls
    domain : tuple of float, or None
        What an infinite interval is taken for in estimates.
    counts : bool
        Whole numbers, so estimates count values and do not measure lengths.
    whole : bool
        Nothing but whole numbers can be behind the labels: bounds may rely on it.
    """

    owner: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    weight: np.ndarray
    nulls: Nulls
    domain: tuple[float, float] | None
    counts: bool
    whole: bool

    @property
    def n_labels(self) -> int:
        return len(self.nulls.can)

    def cells(self, spans: Sequence[Span], null_truth: np.ndarray) -> Cells:
        """Divide the line by the conditions ``spans``."""
        first, last = _segments(spans)
        truth_of_segment = np.array([_inside(span, first) for span in spans], dtype=bool).T
        truth, cell_of_segment, null = merge_truths(truth_of_segment.reshape(len(first), len(spans)), null_truth)
        shape = (len(truth), self.n_labels)
        found = Cells(
            truth=truth,
            share=np.zeros(shape),
            can=np.zeros(shape, dtype=bool),
            null=null,
            lo=np.full(shape, np.inf),
            hi=np.full(shape, -np.inf),
            mean=np.zeros(shape),
        )
        low, high, size = self.expected()
        for segment, cell in enumerate(cell_of_segment.tolist()):
            self._add(found, cell, float(first[segment]), float(last[segment]), (low, high, size))
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = found.mean / found.share
        found.share[...] *= 1 - self.nulls.share
        found.share[-1], found.can[-1] = self.nulls.share, self.nulls.can
        hard = found.can & ~null[:, None]
        lo, hi = np.where(hard, found.lo, np.nan), np.where(hard, found.hi, np.nan)
        with np.errstate(invalid="ignore"):
            middle = np.where(np.isfinite(lo) & np.isfinite(hi), lo / 2 + hi / 2, np.where(np.isfinite(lo), lo, hi))
        mean = np.where(hard, np.where(np.isfinite(mean), mean, middle), np.nan)
        return Cells(truth=truth, share=found.share, can=found.can, null=null, lo=lo, hi=hi, mean=mean)

    def _add(
        self, found: Cells, cell: int, first: float, last: float, expected: tuple[np.ndarray, np.ndarray, np.ndarray]
    ) -> None:
        """Add what the labels have in common with one segment to its cell."""
        lo, hi = np.maximum(self.lo, first), np.minimum(self.hi, last)
        if self.whole:
            lo, hi = np.ceil(lo), np.floor(hi)
        there = lo <= hi
        owner = self.owner[there]
        found.can[cell][owner] = True
        np.minimum.at(found.lo[cell], owner, lo[there])
        np.maximum.at(found.hi[cell], owner, hi[there])
        low, high = np.maximum(expected[0], first), np.minimum(expected[1], last)
        if self.counts:
            low, high = np.ceil(low), np.floor(high)
        part = self.size(low, high)
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.where(part >= expected[2], low <= high, part / expected[2])
        # Halves first: the sum of two large floats may be infinite.
        middle = np.where(low <= high, low / 2 + high / 2, 0.0)
        share = self.weight * share
        found.share[cell] += np.bincount(self.owner, share, self.n_labels)
        middle = np.where(share > 0, middle, 0.0)  # nothing of what is infinite is nothing
        found.mean[cell] += np.bincount(self.owner, share * middle, self.n_labels)

    def expected(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The intervals as the estimate takes them, without infinite ends, and their sizes."""
        lo, hi = self.lo, self.hi
        if self.domain is not None:
            lo = np.where(np.isneginf(lo), np.minimum(self.domain[0], hi), lo)
            hi = np.where(np.isposinf(hi), np.maximum(self.domain[1], lo), hi)
        else:
            lo, hi = np.where(np.isneginf(lo), np.minimum(-1.0, hi), lo), np.where(np.isposinf(hi), 1.0, hi)
            hi = np.maximum(lo, hi)
        return lo, hi, self.size(lo, hi)

    def size(self, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """Half the length of intervals, or half the count of whole numbers in them."""
        with np.errstate(over="ignore", invalid="ignore"):
            # Halves, because two ends may be further apart than the largest float.
            size = hi / 2 - lo / 2 + (0.5 if self.counts else 0.0)
        point = 0.5 if self.counts else 0.0  # also where an infinite number is a value of its own
        return np.where(hi > lo, size, np.where(hi == lo, point, 0.0))


def _segments(spans: Sequence[Span]) -> tuple[np.ndarray, np.ndarray]:
    """The line cut wherever a condition begins or ends."""
    starts = {-np.inf}
    for span in spans:
        starts.update(lo for lo, _ in span.parts)
        starts.update(after(hi) for _, hi in span.parts if hi < np.inf)
    first = np.array(sorted(starts))
    last = np.append(np.nextafter(first[1:], -np.inf), np.inf)
    return first, last


def _inside(span: Span, first: np.ndarray) -> np.ndarray:
    """Which segments, known by where they begin, lie in the span: none lies half in it."""
    if not span.parts:
        return np.zeros(len(first), dtype=bool)
    lo, hi = np.array(span.parts).T
    at = np.searchsorted(lo, first, side="right") - 1
    return (at >= 0) & (first <= hi[np.maximum(at, 0)])
