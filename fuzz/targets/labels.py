"""The readers of labels: of the verifier, and of questions."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
from draw import Draw
from invariant import Broken, result_or_own_error

import amongst as am
from amongst.published.distinct_labels import parse_all
from amongst.published.known import known_labels
from amongst.published.labels import parse
from amongst.query.read_line import Nodes, intervals_of_texts

TREE = am.Hierarchy.nested({"Europe": ["Italy", "France"], "*": ["Peru"]})
COLUMNS = [
    am.Column(),
    am.Column(role="quasi", kind="numeric"),
    am.Column(role="quasi", kind="date"),
    am.Column(role="quasi", kind="categorical"),
    am.Column(role="quasi", kind="ordered", order=("low", "mid-low", "high")),
    am.Column(role="quasi", kind="categorical", hierarchy=TREE),
    am.Column(role="quasi", kind="categorical", hierarchy=am.Hierarchy.digits(5)),
    am.Column(role="quasi", kind="date", hierarchy=am.Hierarchy.dates("month", "quarter", "year")),
    am.Column(role="quasi", kind="numeric", hierarchy=am.Hierarchy.intervals([5, 10])),
]


def seeds() -> list[bytes]:
    texts = ["*", "***", "25", "[25-26]", "[-5--2]", "[0.5-1.25]", "[1e-05-2e-05]", "[20, 30[", "]20,30)", "20-24"]
    texts += [">=65", "<18", "≤3", "[2020-01-01 - 2020-03-31]", "2020-01-01T10:00:00.5+02:00", "5371*", "**711"]
    texts += ["{a,b}", '{"a,b",c}', '{"\\"",}', "{}", "[low-mid-low]", "Europe", "2020-Q3", "1990s", "inf", "-inf"]
    texts += ["0001-01-01T00:00+05:00", "9999-12-31T23:59:59-12:00", "[1-inf]", "1" * 299, "+" * 40, "{" * 40]
    return [bytes([i % len(COLUMNS)]) + text.encode() for text in texts for i in range(len(COLUMNS))]


def one(data: bytes) -> None:
    draw = Draw(data)
    column = draw.choose(COLUMNS)
    text = draw.rest().decode("utf-8", errors="replace")
    known = known_labels(column)
    label = parse(text, known.kind, nodes=known.nodes, order=known.order)
    both = parse_all(pa.array([text, None, text]), known.kind, nodes=known.nodes, order=known.order)
    _same(label, both)
    known.understands(both)
    found = result_or_own_error(lambda: intervals_of_texts([text, None], Nodes(known, None)))
    if found is not None and not (found.lo <= found.hi).all():
        raise Broken("an interval whose ends are the wrong way round")


def _same(label: object, both: object) -> None:
    """The reader of one label and that of many say the same."""
    for i in (0, 2):
        if not both.are(label.kind)[i]:  # type: ignore[attr-defined]
            raise Broken(f"one reader says {label.kind}, the other does not")  # type: ignore[attr-defined]
        for one, other in ((label.lo, both.lo[i]), (label.hi, both.hi[i])):  # type: ignore[attr-defined]
            if not (math.isnan(other) if one is None else np.float64(one) == other):
                raise Broken("two readers place a label differently")
        if bool(label.empty) != bool(both.empty[i]):  # type: ignore[attr-defined]
            raise Broken("two readers disagree about an empty range")
    if not both.are("null")[1]:  # type: ignore[attr-defined]
        raise Broken("a missing cell that is not null")
