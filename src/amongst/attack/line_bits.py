"""People as bits for labels that are intervals: a run of places in order, which is what two starts differ by."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from amongst.published.readings import Reading
from amongst.published.tally import Distinct


@dataclass(frozen=True, eq=False)
class Runs:
    """Labels as runs of the values in order, missing ones last.

    Attributes
    ----------
    label_of_box : ndarray of int64
    first, after : ndarray of int64, one a label
        The run from the first value to before the last.
    rank_of_code : ndarray of int64
        The place of every value in the order.
    """

    label_of_box: np.ndarray
    first: np.ndarray
    after: np.ndarray
    rank_of_code: np.ndarray


def runs_of(reading: Reading, values: Distinct) -> Runs | None:
    """The labels of a column as runs of values; None where some label or value has no place on a line."""
    known = replace(reading.known, nodes=None, listed=False)
    if known.kind not in ("numeric", "date") and known.order is None:
        return None
    read = known.read(values.values.cast(pa.string()))
    place = np.where(read.are("value") & ~values.null_like, read.lo, np.nan)
    if (np.isnan(place) != values.null_like).any():
        return None
    ends = _bounds(reading) if reading.key.form == "bounds" else _labels(reading)
    if ends is None:
        return None
    label_of_box, low, high, sides, anything, missing = ends
    in_order = np.sort(place[~values.null_like])
    first = np.where(sides[0], np.searchsorted(in_order, low, "left"), np.searchsorted(in_order, low, "right"))
    after = np.where(sides[1], np.searchsorted(in_order, high, "right"), np.searchsorted(in_order, high, "left"))
    first = np.where(anything, 0, np.where(missing, len(in_order), first))
    after = np.where(anything | missing, len(place), np.maximum(after, first))
    rank = np.empty(len(place), dtype=np.int64)
    rank[np.argsort(place, kind="stable")] = np.arange(len(place))  # NaN goes last
    return Runs(label_of_box, first, after, rank)


Ends = tuple[np.ndarray, np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray], np.ndarray, np.ndarray]


def _labels(reading: Reading) -> Ends | None:
    labels = reading.labels[0]
    on_line = (labels.are("range") | labels.are("value")) & ~np.isnan(labels.lo)
    anything, null = labels.are("all"), labels.are("null")
    if not (on_line | anything | null).all():
        return None
    if reading.key.nulls == "match anything":
        anything, null = anything | null, np.zeros(len(null), dtype=bool)
    sides = labels.lo_closed, labels.hi_closed
    return reading.columns[0].codes, _filled(labels.lo), _filled(labels.hi), sides, anything, null


def _bounds(reading: Reading) -> Ends | None:
    low, high = reading.columns[0], reading.columns[-1]
    pairs, label_of_box = np.unique(low.codes * high.n_codes + high.codes, return_inverse=True)
    at, to = pairs // high.n_codes, pairs % high.n_codes
    lo, hi = reading.labels[0].lo[at], reading.labels[-1].lo[to]
    anything = reading.labels[0].are("null")[at] & reading.labels[-1].are("null")[to]
    if (np.isnan(lo) | np.isnan(hi))[~anything].any():
        return None
    closed = np.ones(len(pairs), dtype=bool)
    no = np.zeros(len(pairs), dtype=bool)
    return label_of_box.reshape(-1), _filled(lo), _filled(hi), (closed, closed), anything, no


def _filled(place: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(place), 0.0, place)


def bits_of(runs: Runs, code: np.ndarray) -> np.ndarray:
    """The people of every label, by the code of each of them: labels down, 64 people a word."""
    n_ranks, n_words = len(runs.rank_of_code), -(-len(code) // 64)
    rank = runs.rank_of_code[code]
    person = np.arange(len(code))
    # In the order in which packbits fills the bytes of a word.
    starts = np.zeros((n_ranks + 1, n_words * 8), dtype=np.uint8)
    np.bitwise_or.at(starts, (rank + 1, person // 8), (128 >> (person % 8)).astype(np.uint8))
    words = np.bitwise_or.accumulate(starts.view(np.uint64), axis=0)
    return np.asarray(words[runs.after] ^ words[runs.first])
