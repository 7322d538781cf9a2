"""Many labels at once: the common shapes by Arrow's linear-time patterns, the rest one by one."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.published.labels import Label, parse

BLOCK = 1 << 12
"""Labels that are Python's texts at a time."""
KINDS = ("value", "range", "mask", "set", "node", "all", "null")

# Up to 15 digits are exact as a float; what is longer or unusual goes the slow way.
_NUMBER = r"-?[0-9]{1,15}(?:\.[0-9]{1,20})?"
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}:[0-9]{2})?"
_FIRST = "0001-01-01"
_SHAPES = {"numeric": (_NUMBER, "-"), "date": (_DATE, " - ")}


@dataclass(frozen=True, eq=False)
class Labels:
    """What a list of labels says, as arrays; the fields are those of ``Label``.

    Attributes
    ----------
    kind : ndarray of int8
        Index into ``KINDS``.
    lo, hi : ndarray of float64
        NaN where there is no place.
    lo_closed, hi_closed, empty : ndarray of bool
    members : dict of int to tuple of str
        The members of those labels that have some.
    """

    kind: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    lo_closed: np.ndarray
    hi_closed: np.ndarray
    empty: np.ndarray
    members: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def are(self, kind: str) -> np.ndarray:
        """Which labels are of this kind."""
        return self.kind == KINDS.index(kind)


def parse_all(
    texts: pa.Array,
    kind: str | None = None,
    *,
    nodes: Container[str] | None = None,
    order: Mapping[str, int] | None = None,
) -> Labels:
    """Read many labels; the same as ``parse`` on each of them.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.published.distinct_labels import parse_all
    >>> labels = parse_all(pa.array(["[25-26]", "30"]), "numeric")
    >>> labels.lo.tolist(), labels.hi.tolist()
    ([25.0, 30.0], [26.0, 30.0])
    """
    n = len(texts)
    labels = Labels(
        kind=np.full(n, -1, dtype=np.int8),
        lo=np.full(n, np.nan),
        hi=np.full(n, np.nan),
        lo_closed=np.ones(n, dtype=bool),
        hi_closed=np.ones(n, dtype=bool),
        empty=np.zeros(n, dtype=bool),
    )
    if nodes is not None:
        inside = [
            text is not None and text in nodes and (not text or text.strip("*") != "") for text in texts.to_pylist()
        ]
        labels.kind[np.array(inside, dtype=bool)] = KINDS.index("node")
    if kind in _SHAPES:
        _fill_common(labels, texts, kind)
    if kind == "categorical" and order is None:
        plain = pc.invert(pc.match_substring_regex(texts, r"[*{]")).fill_null(False)
        labels.kind[plain.to_numpy(zero_copy_only=False) & (labels.kind < 0)] = KINDS.index("value")
    left = np.flatnonzero(labels.kind < 0)
    known: dict[str, str] = {}  # a value stands in many sets, and is one text in all of them
    for begin in range(0, len(left), BLOCK):
        some = left[begin : begin + BLOCK]
        for i, text in zip(some.tolist(), texts.take(pa.array(some)).to_pylist(), strict=True):
            _fill_one(labels, i, parse(text, kind, nodes=nodes, order=order), known)
    return labels


def _fill_common(labels: Labels, texts: pa.Array, kind: str) -> None:
    """Single values, and ranges as amongst writes them."""
    end, dash = _SHAPES[kind]
    shape = rf"^(?:(?P<value>{end})|\[(?P<lo>{end}){dash}(?P<hi>{end})\])$"
    # Where the text does not fit, flatten() makes all parts null; a part that is not there is empty.
    parts = pc.extract_regex(texts, pattern=shape).flatten()
    value, lo, hi = (_places(pc.if_else(pc.equal(part, ""), None, part), kind) for part in parts)
    alone = (labels.kind < 0) & ~np.isnan(value)
    pair = (labels.kind < 0) & ~(np.isnan(lo) | np.isnan(hi))
    labels.kind[alone], labels.kind[pair] = KINDS.index("value"), KINDS.index("range")
    labels.lo[alone] = labels.hi[alone] = value[alone]
    labels.lo[pair], labels.hi[pair] = lo[pair], hi[pair]
    labels.empty[:] = labels.lo > labels.hi


def _places(texts: pa.Array, kind: str) -> np.ndarray:
    """The place of every text, NaN where there is none."""
    if kind == "numeric":
        return texts.cast(pa.float64()).to_numpy(zero_copy_only=False).astype(np.float64)
    try:
        seconds = texts.cast(pa.timestamp("s"))
    except pa.ArrowInvalid:  # some are not in the calendar
        return _places_one_by_one(texts)
    if pc.min(texts).as_py() is not None and pc.min(texts).as_py() < _FIRST:  # Arrow has a year 0
        return _places_one_by_one(texts)
    place = seconds.cast(pa.int64()).to_numpy(zero_copy_only=False).astype(np.float64) / 86_400.0
    return np.asarray(place)


def _places_one_by_one(texts: pa.Array) -> np.ndarray:
    days = texts.dictionary_encode()
    place = [parse(text, "date").lo for text in days.dictionary.to_pylist()]
    place_of_day = np.array([np.nan if p is None else p for p in place] + [np.nan], dtype=np.float64)
    return place_of_day[days.indices.fill_null(-1).to_numpy(zero_copy_only=False)]


def _fill_one(labels: Labels, i: int, label: Label, known: dict[str, str]) -> None:
    labels.kind[i] = KINDS.index(label.kind)
    labels.lo[i] = np.nan if label.lo is None else label.lo
    labels.hi[i] = np.nan if label.hi is None else label.hi
    labels.lo_closed[i], labels.hi_closed[i] = label.lo_closed, label.hi_closed
    labels.empty[i] = label.empty
    if label.members:
        labels.members[i] = tuple(known.setdefault(one, one) for one in label.members)
