"""Lines and stacked bars: what is drawn, and where."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest

from benchmarks.papers.curves import HEIGHT, WIDTH, curve_chart, said
from benchmarks.papers.stacks import stack_chart


def circles(drawn: str) -> list[tuple[float, float]]:
    found = re.findall(r'<circle cx="([^"]+)" cy="([^"]+)"', drawn)
    return [(float(x), float(y)) for x, y in found]


def test_a_point_for_every_number_that_can_be_placed():
    series = {"a": [1.0, None, 3.0], "b": [0.0, 2.0, 4.0]}
    assert len(circles(curve_chart("t", "k", "y", [1, 2, 3], series))) == 5
    assert len(circles(curve_chart("t", "k", "y", [1, 2, 3], series, log_y=True))) == 4


def test_larger_numbers_lie_higher_and_all_lie_on_the_page():
    for log in (False, True):
        places = circles(curve_chart("t", "k", "y", [1, 10, 100], {"a": [1.0, 10.0, 100.0]}, log_y=log, log_x=log))
        assert [y for _, y in places] == sorted((y for _, y in places), reverse=True)
        assert all(0 < x < WIDTH and 0 < y < HEIGHT for x, y in places)
    steps = [b - a for (a, _), (b, _) in pairwise(places)]
    assert abs(steps[0] - steps[1]) < 0.2  # equal ratios, equal steps


@pytest.mark.parametrize("xs", [["A1", "A1A2"], [5.0, 5.0], [0, 10]])
@pytest.mark.parametrize("values", [[0.0, 0.0], [None, None], [1e-9, 1e12]])
@pytest.mark.parametrize("log", [False, True])
def test_whatever_comes_is_a_picture(xs, values, log):
    drawn = curve_chart("a < b & c", "x", "y", xs, {"one <b>": values}, log_x=log, log_y=log)
    ElementTree.fromstring(drawn)
    assert "nan" not in drawn
    assert "<b>" not in drawn


def test_names_at_the_ends_of_lines_do_not_lie_on_each_other():
    series = {f"series {i}": [1.0, 1.0 + i / 1000] for i in range(6)}
    drawn = curve_chart("t", "k", "y", [1, 2], series)
    heights = sorted(float(y) for y in re.findall(r'<text x="[^"]+" y="([^"]+)" class="t\d"', drawn))
    assert len(heights) == 6
    assert min(b - a for a, b in pairwise(heights)) > 14


def test_bars_stand_on_each_other():
    drawn = stack_chart("t", "x", "y", [3], {"low": [1.0], "high": [3.0]})
    ElementTree.fromstring(drawn)
    rects = re.findall(r'<rect x="[^"]+" y="([^"]+)" width="[^"]+" height="([^"]+)" class="s\d"><title>', drawn)
    (low_top, low), (high_top, high) = [(float(y), float(h)) for y, h in rects]
    assert abs(high_top + high - low_top) < 0.2
    assert abs(high - 3 * low) < 0.5


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0, "0"),
        (0.0123, "0.0123"),
        (0.00012, "1.2e-4"),
        (999, "999"),
        (1234, "1,234"),
        (12345, "12.3k"),
        (3.2e6, "3.2M"),
        (None, "-"),
        ("A1", "A1"),
    ],
)
def test_numbers_are_told_short(value, words):
    assert said(value) == words
