"""Charts of nothing, of little and of extremes: always well-formed, always finite."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from story_examples import boxes

from amongst.report import Axis, Distribution, Heat, PartitionView
from amongst.report.charts.answers import Line, answer_chart
from amongst.report.charts.boxes import LEAST, MOST_BOXES, lay_out, shade_of_box
from amongst.report.charts.class_sizes import bin_edges, class_size_chart
from amongst.report.charts.crowds import crowd_chart
from amongst.report.charts.distribution import distribution_chart
from amongst.report.charts.front import Point, front_chart
from amongst.report.charts.loss import loss_chart
from amongst.report.charts.partition import partition_chart
from amongst.report.charts.scale import Scale, date_ticks, day, log_ticks, span, ticks
from amongst.report.shown import show

EXTREMES = [0.0, -1e-300, 1e308, -1e308, 1e18, 1e18 + 256, -5.0, 2**63]


def tree(chart: Markup) -> ElementTree.Element:
    root = ElementTree.fromstring(str(chart))
    assert root.find("title") is not None
    assert root.find("desc") is not None
    assert not re.search("nan|inf|e[+-]?[0-9]", " ".join(coordinates(root)))
    return root


def coordinates(root: ElementTree.Element) -> list[str]:
    names = {"x", "y", "x1", "x2", "y1", "y2", "width", "height", "d", "transform"}
    return [value for element in root.iter() for key, value in element.attrib.items() if key in names]


def view(x_lo: list[float], x_hi: list[float], size: list[int], **parts: object) -> PartitionView:
    zeros = np.zeros(len(x_lo))
    return PartitionView(
        x=Axis("x"),
        y=Axis("y"),
        x_lo=np.array(x_lo),
        x_hi=np.array(x_hi),
        y_lo=zeros,
        y_hi=zeros,
        size=np.array(size),
        **parts,
    )


@pytest.mark.parametrize("n_groups", [0, 1, 2, 500])
@pytest.mark.parametrize("heat", [False, True])
def test_partition_of_any_size(n_groups: int, heat: bool) -> None:
    chart = partition_chart(boxes(n_groups, heat), 10)
    n_drawn = len(lay_out(boxes(n_groups)).box)
    assert chart.count("<path") == n_drawn + (3 if heat else 0)
    tree(chart)


def test_heat_below_the_threshold_stays_empty() -> None:
    counts = np.array([[9, 10], [0, 500]])
    heat = Heat(np.array([0, 1, 2]), np.array([0, 1, 2]), counts)
    chart = str(partition_chart(view([0], [2], [10], heat=heat), 10))
    assert re.search('<g class="heat">(.*?)</g>', chart).group(1).count("<path") == 2  # type: ignore[union-attr]


def test_points_and_lines_are_large_enough_to_see() -> None:
    layout = lay_out(view([0, 5, 5], [10, 5, 5], [3, 3, 3]))
    assert layout.box[:, 2:].min() == LEAST
    # The two equal points are one box with the rows of both.
    assert sorted(layout.size.tolist()) == [3, 6]
    assert layout.sentence == "3 groups, drawn as 2 different boxes."


def test_large_boxes_come_first_and_dense_ones_are_darkest() -> None:
    layout = lay_out(boxes(400))
    area = layout.box[:, 2] * layout.box[:, 3]
    assert (np.diff(area) <= 1e-6).all()
    shade, density = shade_of_box(layout), layout.size / area
    assert density[shade == shade.max()].min() >= density[shade == 0].max()


def test_boxes_keep_their_group() -> None:
    some = boxes(200)
    layout = lay_out(some)
    assert layout.x(some.x_lo[layout.group]) == pytest.approx(layout.box[:, 0], abs=0.06)


@pytest.mark.parametrize("n_groups", [MOST_BOXES + 2000, 100_000])
def test_too_many_boxes_are_a_sample_and_say_so(n_groups: int) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.random(n_groups), rng.random(n_groups)
    layout = lay_out(
        PartitionView(x=Axis("x"), y=Axis("y"), x_lo=x, x_hi=x + 0.1, y_lo=y, y_hi=y + 0.1, size=np.full(n_groups, 10))
    )
    assert len(layout.box) <= MOST_BOXES
    assert layout.sentence.startswith(f"{n_groups:,} groups, of which a sample is drawn")


@pytest.mark.parametrize("lo", EXTREMES)
@pytest.mark.parametrize("hi", EXTREMES)
def test_partition_of_extreme_numbers(lo: float, hi: float) -> None:
    tree(partition_chart(view([min(lo, hi)], [max(lo, hi)], [2**40]), 10))


@pytest.mark.parametrize("kind", ["date", "ordered", "categorical"])
def test_partition_of_other_kinds(kind: str) -> None:
    labels = ("<a>", "b", "c") if kind != "date" else ()
    axis = Axis("x", kind, labels)
    chart = partition_chart(
        PartitionView(x=axis, y=axis, x_lo=[0, 1], x_hi=[1, 2], y_lo=[0, 1], y_hi=[0, 2], size=[5, 6]), 2
    )
    tree(chart)
    assert ("&lt;a&gt;" in chart) == (kind != "date")


@pytest.mark.parametrize(
    ("sizes", "counts"),
    [
        ([], []),
        ([10], [1]),
        ([10], [10**9]),
        ([1, 10**12], [5, 1]),
        ([2, 3], [10**6, 1]),
        ([500, 900], [3, 4]),
    ],
)
@pytest.mark.parametrize("k", [None, 1, 10])
def test_class_sizes(sizes: list[int], counts: list[int], k: int | None) -> None:
    chart = class_size_chart(np.array(sizes), np.array(counts), k)
    bars = tree(chart).findall("rect")
    assert len(bars) == len(sizes)
    assert all(float(bar.attrib["height"]) >= 1.5 for bar in bars)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=30), st.integers(1, 50))
def test_bins_hold_every_size(sizes: list[int], k: int) -> None:
    edges, log = bin_edges(np.array(sizes), k)
    assert (np.diff(edges) >= 1).all()
    assert np.histogram(sizes, edges)[0].sum() == len(sizes)
    assert edges[-1] > max(sizes)
    assert edges[0] <= k
    assert len(edges) < 70
    assert log == (max(sizes) + 1 > 20 * edges[0] and max(sizes) + 1 - edges[0] > 64)


@pytest.mark.parametrize("losses", [[], [0.0], [1.0], [0.0, 0.0], [1e-9, 0.999999], [float("nan")], [1.7, -0.1]])
def test_loss(losses: list[float]) -> None:
    root = tree(loss_chart([f"<c{i}>" for i in range(len(losses))], losses))
    assert len(root.findall("rect")) == len(losses)


def test_loss_falls() -> None:
    chart = loss_chart(["a", "b", "c"], [0.1, 0.3, 0.2])
    names = [text.text for text in tree(chart).findall("text") if text.attrib.get("class") == "name"]
    assert names == ["b", "c", "a"]


@pytest.mark.parametrize(
    "edges",
    [[0, 1], [-1e308, 0, 1e308], [1e18, 1e18 + 256], [-5, -4, -3], [0, 1e-12, 2e-12], [5, 5.0001], [5, 5]],
)
@pytest.mark.parametrize("kind", ["numeric", "date"])
def test_distribution_of_extreme_numbers(edges: list[float], kind: str) -> None:
    counts = np.full(len(edges) - 1, 50)
    tree(distribution_chart("x", kind, show(Distribution("x", kind, counts, counts, np.array(edges)), 10)))


@pytest.mark.parametrize("counts", [[], [0], [9], [10], [10**12], [0, 10], [5, 5]])
def test_distribution_of_few_categories(counts: list[int]) -> None:
    labels = tuple(f"<c{i}>" for i in range(len(counts)))
    shown = show(Distribution("x", "categorical", np.array(counts), np.array(counts), None, labels), 10)
    chart = distribution_chart("x", "categorical", shown)
    tree(chart)
    assert ("too few rows" in chart) == (sum(counts) < 10)


def test_nothing_published_of_a_column() -> None:
    shown = show(Distribution("x", "numeric", np.array([50, 50]), np.zeros(2), np.arange(3)), 10)
    tree(distribution_chart("x", "numeric", shown))


@given(st.floats(-1e9, 1e9), st.floats(0, 1e9), st.integers(2, 10))
def test_ticks_are_round_few_and_inside(lo: float, more: float, n: int) -> None:
    lo, hi = span(np.array([lo, lo + more]))
    places = ticks(lo, hi, n)
    assert 0 < len(places) <= n + 1
    slack = 1e-6 * max(abs(lo), abs(hi))
    assert places.min() >= lo - slack
    assert places.max() <= hi + slack


def test_scale_and_log_scale() -> None:
    assert Scale(1, 100, 0, 10, log=True)([1, 10, 100]).tolist() == pytest.approx([0, 5, 10])
    assert log_ticks(10, 300).tolist() == [10, 20, 50, 100, 200]
    assert log_ticks(1, 1e6).tolist() == [1, 10, 100, 1e3, 1e4, 1e5, 1e6]


def test_dates_are_labelled_by_years_months_or_days() -> None:
    assert date_ticks(0, 3651, 5)[1] == ["1970", "1972", "1974", "1976", "1978"]
    assert date_ticks(0, 364, 4)[1] == ["1970-01", "1970-04", "1970-07", "1970-10"]
    assert date_ticks(0, 10, 5)[1][1] == "1970-01-03"
    assert day(0) == "1970-01-01"
    assert day(1e12) == "1T"


@pytest.mark.parametrize("end", EXTREMES)
@pytest.mark.parametrize("from_zero", [False, True])
def test_answers_of_extreme_numbers(end: float, from_zero: bool) -> None:
    lines = [
        Line(name="<all>", words="", lower=min(end, 3.0), upper=max(end, 3.0), estimate=end, truth=None),
        Line(name="none", words="", lower=None, upper=None, estimate=None, truth=end),
    ]
    root = tree(answer_chart(lines, "SUM(<x>)", from_zero=from_zero))
    assert len(root.findall("path")) == 1
    assert len([line for line in root.findall("line") if line.attrib["class"] == "limit"]) == 1


@pytest.mark.parametrize("n_bands", [0, 1, 9])
def test_crowds(n_bands: int) -> None:
    shares = [1 / n_bands] * n_bands if n_bands else []
    chart = crowd_chart([f"<{i}>" for i in range(n_bands)], shares, shares[::-1], [True] * n_bands, desc="rows")
    assert len(tree(chart).findall("rect")) == 3 * n_bands


@pytest.mark.parametrize("losses", [[0.0], [0.5, 0.1], [1.0, 1.0, 0.0]])
def test_candidates_of_one_k_are_bars_with_the_least_loss_first(losses: list[float]) -> None:
    points = [
        Point(place=i, name=f"<{i}>", k=5, loss=loss, on_front=i == 0, recommended=i == 1)
        for i, loss in enumerate(losses)
    ]
    marks = [int(mark.attrib["data-place"]) for mark in tree(front_chart(points, "GCP")).findall("g")]
    assert [losses[place] for place in marks] == sorted(losses)
