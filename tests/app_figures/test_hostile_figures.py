"""Names and cells stay text: in the figures, in the options of charts and in the markup of panels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

pytest.importorskip("nicegui")

from hostile_table import CELLS, hostile_table

import amongst as am
from amongst.app import figures
from amongst.app.panels import markup
from amongst.app.panels.chart import refuse_code
from amongst.app.panels.distributions import distribution_options
from amongst.app.panels.front import front_table, point_markup
from amongst.app.panels.front_drawing import front_options
from amongst.app.panels.lattice import node_markup
from amongst.app.panels.lattice_drawing import border_options, hasse_options, height_options
from amongst.app.panels.loss import loss_options
from amongst.app.panels.partition import listed, partition_options
from amongst.app.panels.query import answer_options, answer_table, error_markup
from amongst.app.panels.risk import risk_options
from amongst.app.panels.sample import sample_markup
from amongst.app.panels.schema import schema_svg
from amongst.app.panels.sizes import size_options


@pytest.fixture(scope="module")
def made() -> tuple[Any, am.Schema, am.Release]:
    table, schema = hostile_table()
    return table, schema, am.anonymize(table, schema, [am.KAnonymity(5)])


@pytest.fixture(scope="module")
def view(made: tuple[Any, am.Schema, am.Release]) -> dict[str, Any]:
    return figures.result_view(made[2])


def options_of(view: dict[str, Any], made: tuple[Any, am.Schema, am.Release], dark: bool) -> Iterator[dict[str, Any]]:
    table, schema, release = made
    yield risk_options(view["risk"], dark)
    yield loss_options(view["loss"], dark)
    yield size_options(view["sizes"], dark)
    for one in view["distributions"]:
        yield distribution_options(one, dark)
    names = view["partition"]["columns"]
    for x, y in pairwise(names):
        boxes = figures.partition_view(release, x, y)
        yield partition_options(boxes, "loss", dark)
        yield partition_options(boxes, "size", dark)
    lattice = figures.lattice_view(table, schema, [am.KAnonymity(5)], 0.5)
    yield from (drawn(lattice, dark) for drawn in (hasse_options, height_options, border_options))
    for sql in view["questions"]:
        answer = figures.query_view(release, table, sql)
        yield from (answer_options(answer, i, dark) for i in range(len(answer["figures"])))


@pytest.mark.parametrize("dark", [False, True])
def test_options_hold_no_code_but_ours(view: dict[str, Any], made: Any, dark: bool) -> None:
    n = 0
    for options in options_of(view, made, dark):
        refuse_code(options)
        json.dumps(options, allow_nan=False)
        n += 1
    assert n > 12


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
    refuse_code(front_options(front))
    schema = am.DatabaseSchema({evil: am.Relation({evil: am.Column(role="quasi")}, key="id")})
    for piece in (front_table(front), point_markup(front, point), schema_svg(figures.schema_drawing(schema))):
        assert "<script" not in piece
