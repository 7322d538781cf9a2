"""From published labels, bounds or plain values to places on a line."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from amongst.errors import BadQuestion
from amongst.published.known import Calendar, Digits, Known
from amongst.published.labels import parse
from amongst.query.cells import Cells
from amongst.query.line import EXACT, LineLabels, Span, after, before
from amongst.query.nulls import Nulls
from amongst.query.question import Condition, Literal
from amongst.schema.tree import Tree
from amongst.schema.value_text import text_of

MOST_LISTED, MOST_VALUES = 10_000_000, 100_000


@dataclass(frozen=True, eq=False)
class Intervals:
    """Closed intervals of labels, before what is known about missing values."""

    owner: np.ndarray
    lo: np.ndarray
    hi: np.ndarray


@dataclass(frozen=True, eq=False)
class Nodes:
    """Reads a text as an interval: a value, a range, or a node of the column's hierarchy."""

    known: Known
    tree: Tree | None = None

    def interval(self, text: str) -> tuple[float, float] | None:
        """The closed interval that a text stands for; None where it stands for none."""
        if self.tree is not None and (found := self._in_tree(text)) is not None:
            return found
        nodes = self.known.nodes
        if isinstance(nodes, Calendar) and (days := nodes.days(text)) is not None:
            return float(days[0]), before(days[1] + 1.0)
        if isinstance(nodes, Digits) and text in nodes:
            return float(text.replace("*", "0")), float(text.replace("*", "9"))
        label = parse(text, self.known.kind, order=self.known.order)
        if label.lo is None or label.hi is None or label.empty:
            return None
        lo = float(label.lo) if label.lo_closed else after(float(label.lo))
        return lo, float(label.hi) if label.hi_closed else before(float(label.hi))

    def limits(self) -> tuple[float, float] | None:
        """The ends of all values that an order or a hierarchy lists."""
        if self.known.order is not None:
            return 0.0, float(len(self.known.order) - 1)
        if isinstance(self.known.nodes, Digits):
            return 0.0, 10.0**self.known.nodes.n - 1
        places = [self._place(leaf) for leaf in self.tree.leaves] if self.tree is not None else []
        known = [place for place in places if place is not None]
        return (min(known), max(known)) if known and len(known) == len(places) else None

    def _in_tree(self, text: str) -> tuple[float, float] | None:
        assert self.tree is not None
        runs = [
            (first, int(self.tree.end[level, first]))
            for level, labels in enumerate(self.tree.labels)
            for first, label in labels.items()
            if label == text
        ]
        if not runs:
            return None
        places = [self._place(leaf) for first, last in runs for leaf in self.tree.leaves[first : last + 1]]
        known = [place for place in places if place is not None]
        return (min(known), max(known)) if len(known) == len(places) else None

    def _place(self, leaf: Any) -> float | None:
        place = parse(text_of(leaf), self.known.kind, order=self.known.order).lo
        return None if place is None else float(place)


def intervals_of_texts(texts: Sequence[str | None], nodes: Nodes) -> Intervals:
    """The intervals of labels. A text that says nothing here becomes the whole line; null has none."""
    known = nodes.known
    read = known.read(pa.array(texts, pa.string()))
    plain = (read.are("value") | read.are("range")) & np.isfinite(read.lo) & np.isfinite(read.hi) & ~read.empty
    lo = np.where(read.lo_closed, read.lo, np.nextafter(read.lo, np.inf))
    hi = np.where(read.hi_closed, read.hi, np.nextafter(read.hi, -np.inf))
    owner, found = [np.flatnonzero(plain)], [np.stack([lo[plain], hi[plain]], axis=1)]
    for i in np.flatnonzero(~plain & ~read.are("null")).tolist():
        parts = _members(read.members[i], nodes) if read.are("set")[i] else None
        whole = nodes.interval(str(texts[i])) if str(texts[i]).strip("*") else None
        parts = parts or [whole or (-np.inf, np.inf)]
        owner.append(np.full(len(parts), i))
        found.append(np.array(parts))
    ends = np.concatenate(found)
    return Intervals(np.concatenate(owner).astype(np.int64), ends[:, 0].copy(), ends[:, 1].copy())


def _members(members: Sequence[str], nodes: Nodes) -> list[tuple[float, float]] | None:
    parts = [nodes.interval(member) for member in members]
    return None if None in parts else [part for part in parts if part is not None]


def places_of_values(values: pa.Array) -> np.ndarray:
    """Numbers as they are, dates and times in days since 1970; not a number where a value is missing."""
    kind = values.type
    if pa.types.is_date32(kind):
        values = values.cast(pa.int32())
    elif pa.types.is_timestamp(kind) or pa.types.is_date64(kind):
        units = 1000 if pa.types.is_date64(kind) else {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[kind.unit]
        moments = values.cast(pa.int64()).cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        return np.asarray(moments / (86_400.0 * units))
    elif pa.types.is_float32(kind):  # by its digits, as labels say it: 24.1, not 24.100000381469727
        values = values.cast(pa.string())
    return np.asarray(values.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False))


def are_whole(texts: Sequence[str | None], kind: str | None) -> bool:
    """Whether values are written as whole numbers or as days: no point, no exponent, no time of day."""
    array = pa.array([text for text in texts if text and text.strip("*")], pa.string())
    if len(array) == 0:
        return False
    pattern = ":" if kind == "date" else r"[.eE]|inf"
    return not pc.any(pc.match_substring_regex(array, pattern)).as_py()


def line_labels(
    intervals: Intervals, nulls: Nulls, counts: bool, whole: bool, limits: tuple[float, float] | None = None
) -> LineLabels:
    """Labels on a line, with the last one for rows that are not in the release at all.

    ``limits`` are the smallest and the largest value that the column can have, where that is known.
    """
    n_labels = len(nulls.can)
    owner = np.append(intervals.owner, n_labels - 1)
    lo, hi = np.append(intervals.lo, -np.inf), np.append(intervals.hi, np.inf)
    domain = _domain(lo, hi)
    if limits is not None:
        domain = limits
        lo, hi = np.where(np.isneginf(lo), limits[0], lo), np.where(np.isposinf(hi), limits[1], hi)
    large = [np.isfinite(end) & (np.abs(end) >= EXACT) for end in (lo, hi)]
    any_large = bool(large[0].any() or large[1].any())
    if any_large:
        # Floats no longer tell whole numbers apart: what lies between them may be meant as well.
        whole = False
        lo, hi = np.where(large[0], np.nextafter(lo, -np.inf), lo), np.where(large[1], np.nextafter(hi, np.inf), hi)
    weight = 1.0 / np.bincount(owner, minlength=n_labels)[owner]
    return LineLabels(
        owner=owner,
        lo=lo,
        hi=hi,
        weight=weight,
        nulls=nulls,
        domain=domain,
        counts=counts and not any_large,
        whole=whole,
    )


def _domain(lo: np.ndarray, hi: np.ndarray) -> tuple[float, float] | None:
    ends = np.concatenate([lo, hi])
    ends = ends[np.isfinite(ends)]
    return (float(ends.min()), float(ends.max())) if len(ends) else None


@dataclass(frozen=True, eq=False)
class LineColumn:
    """A column on a line, ready for conditions."""

    name: str
    labels: LineLabels
    nodes: Nodes
    loose = False

    @property
    def n_labels(self) -> int:
        return self.labels.n_labels

    @property
    def sort(self) -> str:
        if self.nodes.known.order is not None:
            return "order"
        return "date" if self.nodes.known.kind == "date" else "number"

    @property
    def whole(self) -> bool:
        lo, hi = self.labels.lo[:-1], self.labels.hi[:-1]
        return self.labels.whole or bool((lo == hi).all() and (lo == np.floor(lo)).all())

    def said(self, place: float) -> Literal:
        """The value at a place: a number, a date as text, a value of the order."""
        if self.sort == "order":
            return list(self.nodes.known.order or ())[int(place)]
        if self.sort == "date":
            moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(days=place)
            return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat(sep=" ")
        return int(place) if np.isfinite(place) and place == int(place) else place

    def values(self) -> list[Literal] | None:
        """Whole numbers between the ends of its labels, or the plain values themselves."""
        lo, hi = self.labels.lo[:-1], self.labels.hi[:-1]
        ends = np.isfinite(lo) & np.isfinite(hi)
        if (lo[ends] == hi[ends]).all():
            return [self.said(place) for place in np.unique(lo[ends]).tolist()]
        if not self.labels.whole:
            return None
        width = float((hi[ends] - lo[ends]).max(initial=0.0))
        if width * ends.sum() > MOST_LISTED:
            first, last = lo[ends].min(), hi[ends].max()
            places = np.arange(first, last + 1) if last - first < MOST_VALUES else None
        else:
            runs = [np.arange(a, b + 1) for a, b in zip(np.ceil(lo[ends]), np.floor(hi[ends]), strict=True)]
            places = np.unique(np.concatenate(runs))
        return None if places is None else [self.said(place) for place in places.tolist()]

    def cells(self, conditions: Sequence[Condition]) -> Cells:
        spans = [self.span(condition) for condition in conditions]
        null_truth = np.array([one.kind == "null" and not one.negated for one in conditions], dtype=bool)
        return self.labels.cells(spans, null_truth)

    def span(self, condition: Condition) -> Span:
        """The places where a condition holds."""
        if condition.kind == "null":
            return Span.of([(-np.inf, np.inf)] if condition.negated else [])
        if condition.kind == "in":
            span = Span.of([self._interval(value) for value in condition.values])
        else:
            span = Span.of([self._between(condition)])
        return span.complement() if condition.negated else span

    def _between(self, condition: Condition) -> tuple[float, float]:
        first, last = condition.values
        lo = -np.inf if first is None else self._value(first)
        hi = np.inf if last is None else self._value(last)
        return (lo if condition.lo_closed else after(lo)), (hi if condition.hi_closed else before(hi))

    def _value(self, value: Literal) -> float:
        lo, hi = self._interval(value)
        if lo != hi:
            raise self._refused("a range or a node where a single value is needed", "compare with a single value")
        return lo

    def _interval(self, value: Literal | None) -> tuple[float, float]:
        if isinstance(value, bool) or value is None:
            raise self._refused("a truth value", "compare it with a number or a date")
        found = None
        if isinstance(value, str):
            found = self.nodes.interval(value)
        elif self.nodes.known.kind != "date" and self.nodes.known.order is None:
            if isinstance(value, int) and abs(value) >= EXACT:
                raise self._refused("a whole number of 2^53 or more", "compare it with smaller numbers")
            found = float(value), float(value)  # type: ignore[arg-type]
        if found is None:
            raise self._refused("a constant that has no place in it", self._fix())
        return found

    def _fix(self) -> str:
        if self.nodes.known.order is not None:
            return "use a value of its order"
        if self.nodes.known.kind == "date":
            return "write a date as '2024-01-31'; for a node of its hierarchy give the schema"
        return "use a number; for the name of a node give the schema of the release"

    def _refused(self, found: str, fix: str) -> BadQuestion:
        return BadQuestion(f"Column {self.name!r} cannot be asked so.", found=found, fix=fix)
