"""Names and cells stay text: in the figures, in the options of charts and in the markup of panels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("nicegui")

from hostile_table import CELLS, hostile_table

import amongst as am
from amongst.app import figures
from amongst.app.panels import markup
from amongst.app.panels.chart import refuse_code
from amongst.app.panels.front import front_table, point_markup
from amongst.app.panels.lattice import node_markup
from amongst.app.panels.partition import listed, partition_options
from amongst.app.panels.query import answer_table, error_markup
from amongst.app.panels.sample import sample_markup
from amongst.report.charts.front import Point, front_chart


@pytest.fixture(scope="module")
def made() -> tuple[Any, am.Schema, am.Release]:
    table, schema = hostile_table()
    return table, schema, am.anonymize(table, schema, [am.KAnonymity(5)], method="mondrian")


@pytest.fixture(scope="module")
def view(made: tuple[Any, am.Schema, am.Release]) -> dict[str, Any]:
    return figures.result_view(made[2])


def options_of(view: dict[str, Any], made: tuple[Any, am.Schema, am.Release], dark: bool) -> Iterator[dict[str, Any]]:
    release = made[2]
    names = view["partition"]["columns"]
    for x, y in pairwise(names):
        boxes = figures.partition_view(release, x, y)
        yield partition_options(boxes, "loss", dark)
        yield partition_options(boxes, "size", dark)


@pytest.mark.parametrize("dark", [False, True])
def test_options_hold_no_code_but_ours(view: dict[str, Any], made: Any, dark: bool) -> None:
    n = 0
    for options in options_of(view, made, dark):
        refuse_code(options)
        json.dumps(options, allow_nan=False)
        n += 1
    assert n >= 6


DRAWN = {"svg", "title", "desc", "g", "text", "line", "rect", "path", "circle"}
GIVEN = {"class", "role", "aria-labelledby", "id", "width", "height", "viewBox", "x", "y", "x1", "x2", "y1", "y2"}
GIVEN |= {"d", "cx", "cy", "r", "text-anchor", "data-place"}


def assert_only_drawn(svg: str) -> None:
    """Nothing but shapes and text, with attributes that only say where and how."""
    for one in ElementTree.fromstring(svg).iter():
        assert one.tag in DRAWN
        assert set(one.attrib) <= GIVEN
    assert "\x1b" not in svg
    assert "‮" not in svg


def test_drawings_hold_no_code(view: dict[str, Any], made: Any) -> None:
    table, schema, release = made
    lattice = figures.lattice_view(table, schema, [am.KAnonymity(5)], 0.5)
    answers = [figures.query_view(release, table, sql) for sql in view["questions"]]
    parts = [view["risk"], view["loss"], view["sizes"], *view["distributions"]]
    drawings = [*(part["drawing"] for part in parts), *lattice["drawings"]]
    drawings += [one for answer in answers for one in answer["drawings"]]
    assert len(drawings) > 10
    for drawing in drawings:
        assert_only_drawn(drawing)
    assert any("&lt;" in drawing for drawing in drawings)


def test_foreign_code_is_refused() -> None:
    with pytest.raises(ValueError, match="code"):
        refuse_code({"series": [{"data": [{":value": "alert(1)"}]}]})
    with pytest.raises(ValueError, match="plain word"):
        refuse_code({"series": [{"<b>": 1}]})


def test_markup_is_escaped(view: dict[str, Any], made: Any) -> None:
    table, schema, release = made
    lattice = figures.lattice_view(table, schema, [am.KAnonymity(5)], 0.5)
    answer = figures.query_view(release, table, view["questions"][-1])
    pieces = [
        sample_markup(view["sample"]),
        listed(view["partition"]),
        node_markup(lattice, 0),
        answer_table(answer),
        error_markup({"what": CELLS[0], "found": [CELLS[1]], "fix": CELLS[0]}),
    ]
    for piece in pieces:
        assert isinstance(piece, markup.Markup)
        assert "<script" not in piece
        assert "<img" not in piece
        assert "\x1b" not in piece
        assert "‮" not in piece
    assert "&lt;script&gt;" in pieces[0]


def test_text_that_was_not_escaped_is_refused() -> None:
    with pytest.raises(TypeError, match="Markup"):
        markup.show("<b>")  # type: ignore[arg-type]


def test_hostile_names_of_candidates_and_tables() -> None:
    evil = CELLS[0]
    point = {
        "index": 0, "name": evil, "method": evil, "options": {}, "k": 5, "models": [], "state": "verified", "why": "",
        "comparable": True, "loss": 0.1, "gcp": 0.1, "error": None, "ncp": [0.1], "on_front": True,
        "recommended": True, "classes": 3, "suppressed": "0%", "seconds": 1.0, "took": "1.0 s",
    }  # fmt: skip
    front = {
        "title": evil, "measure": "GCP", "seconds": 1.0, "n_rows": 10, "columns": [evil], "recommended": 0,
        "reasons": [evil], "points": [point, {**point, "state": "refused", "why": evil, "comparable": False}],
    }  # fmt: skip
    drawn = Point(place=0, name=evil, k=5, loss=0.1, on_front=True, recommended=True)
    for points in ([drawn], [drawn, replace(drawn, place=1, k=6)]):
        assert_only_drawn(front_chart(points, evil))
    schema = am.DatabaseSchema({evil: am.Relation({evil: am.Column(role="quasi")}, key="id")})
    assert_only_drawn(figures.schema_drawing(schema)["drawing"])
    for piece in (front_table(front), point_markup(front, point)):
        assert "<script" not in piece
