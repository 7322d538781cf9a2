"""From values to places on the page, and round places to label."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from amongst.report.wording import tick

_EPOCH = datetime.date(1970, 1, 1).toordinal()


@dataclass(frozen=True)
class Scale:
    """A line from ``lo`` to ``hi`` drawn from ``start`` to ``end``.

    Examples
    --------
    >>> from amongst.report.charts.scale import Scale
    >>> float(Scale(0, 10, 100, 200)(2.5))
    125.0
    """

    lo: float
    hi: float
    start: float
    end: float
    log: bool = False

    def __call__(self, values: Any) -> np.ndarray:
        values = np.asarray(values, dtype=np.float64)
        lo, hi = self.lo, self.hi
        if self.log:
            values, lo, hi = np.log(values), math.log(lo), math.log(hi)
        # Halves, because the difference of two huge numbers may not fit a float.
        return self.start + (values / 2 - lo / 2) / (hi / 2 - lo / 2) * (self.end - self.start)


def span(*arrays: np.ndarray) -> tuple[float, float]:
    """The finite range of some arrays, widened where it is a single point; (0, 1) for nothing."""
    values = np.concatenate([np.asarray(array, dtype=np.float64).ravel() for array in arrays])
    values = values[np.isfinite(values)]
    if not len(values):
        return 0.0, 1.0
    lo, hi = float(values.min()), float(values.max())
    if hi / 2 - lo / 2 > max(1e-12 * max(abs(lo), abs(hi)), 1e-290):
        return lo, hi
    pad = max(abs(lo) * 1e-3, 0.5)
    return lo - pad, hi + pad


def ticks(lo: float, hi: float, n: int = 5, *, whole: bool = False) -> np.ndarray:
    """About ``n`` round numbers from ``lo`` to ``hi``.

    Examples
    --------
    >>> from amongst.report.charts.scale import ticks
    >>> ticks(17, 90).tolist()
    [20.0, 40.0, 60.0, 80.0]
    """
    step = _round_step((hi / 2 - lo / 2) / max(n, 1) * 2)
    if whole:
        step = max(step, 1.0)
    marks = _multiples(lo, hi, step)
    # A step a little wider than the line can miss it.
    return marks if len(marks) or whole else _multiples(lo, hi, _round_step(step / 2.6))


def _multiples(lo: float, hi: float, step: float) -> np.ndarray:
    return np.arange(math.ceil(lo / step - 1e-9), math.floor(hi / step + 1e-9) + 1) * step


def log_ticks(lo: float, hi: float) -> np.ndarray:
    """1, 2 and 5 times powers of ten from ``lo`` to ``hi``; only the powers when there are many."""
    powers = 10.0 ** np.arange(math.floor(math.log10(lo)), math.ceil(math.log10(hi)) + 1)
    marks = powers if len(powers) > 4 else np.outer(powers, [1, 2, 5]).ravel()
    return marks[(marks >= lo * (1 - 1e-9)) & (marks <= hi * (1 + 1e-9))]


def day(number: float) -> str:
    """Days since 1970-01-01 as a date."""
    try:
        return datetime.date.fromordinal(_EPOCH + math.floor(number)).isoformat()
    except (ValueError, OverflowError):
        return tick(number)


def date_ticks(lo: float, hi: float, n: int = 5) -> tuple[np.ndarray, list[str]]:
    """Round dates from ``lo`` to ``hi`` (days since 1970-01-01) with their words: years, months or days."""
    try:
        first, last = (datetime.date.fromordinal(_EPOCH + math.floor(x)) for x in (lo, hi))
    except (ValueError, OverflowError):
        places = ticks(lo, hi, n)
        return places, [tick(place) for place in places]
    if last.year - first.year >= 3:
        years = ticks(first.year, last.year, n, whole=True).astype(int).tolist()
        dates = [(datetime.date(year, 1, 1), str(year)) for year in years]
    elif (last - first).days >= 60:
        months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
        every = -(-len(months) // n)
        starts = [datetime.date(month // 12, month % 12 + 1, 1) for month in months[::every]]
        dates = [(start, start.strftime("%Y-%m")) for start in starts]
    else:
        return (places := ticks(lo, hi, n, whole=True)), [day(place) for place in places]
    kept = [(date.toordinal() - _EPOCH, word) for date, word in dates if lo <= date.toordinal() - _EPOCH <= hi]
    return np.array([place for place, _ in kept], dtype=np.float64), [word for _, word in kept]


def _round_step(step: float) -> float:
    if not math.isfinite(step) or step <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(step))
    return next((m * power for m in (1.0, 2.0, 5.0) if m * power >= step * (1 - 1e-9)), 10.0 * power)
