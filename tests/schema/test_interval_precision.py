"""Intervals where numbers are so large that floats skip some: labels that hold their values, or an error."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

import amongst as am
from amongst.errors import BadHierarchy
from amongst.published.labels import parse

LARGE = [2**52, 2**53 + 1, 2**60 + 3, -(2**60) - 1, 2**62]


@pytest.mark.parametrize("width", [1, 2, 7, 10**15, 0.5, 2.5, 1000.5, 1e6])
@pytest.mark.parametrize("kind", [int, float])
def test_every_value_lies_in_its_label_or_is_refused(width: float, kind: type) -> None:
    refused = 0
    for base, by in itertools.product(LARGE, range(4)):
        value = kind(base + by)
        try:
            tree = am.Hierarchy.intervals([width]).tree([value], "numeric")
        except BadHierarchy:
            refused += 1
            continue
        label = parse(tree.label(1, 0), "numeric", exact=True)
        assert not label.empty
        written = Fraction(repr(value))
        assert label.lo <= written
        assert written < label.hi or (label.hi_closed and written == label.hi)
    if width in (0.5, 2.5):
        assert refused > 0
    if isinstance(width, int) and kind is int:
        assert refused == 0
