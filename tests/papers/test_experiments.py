"""Every experiment runs at the quick scale, and every check of a claim can fail."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import cache

import pytest

from amongst.errors import BadOption
from benchmarks.papers import PAPERS, Figure, Panel, Result, experiments, find, run
from benchmarks.papers.claims import verdict
from benchmarks.papers.experiment import SCALES, at

NAMES = [one.name for one in experiments()]
FIGURES = {
    "mondrian": [str(i) for i in range(10, 18)],
    "fast": [str(i) for i in range(12, 21)],
    "incognito": ["10", "11", "12", "nodes"],
    "multirelational": ["4", "5", "6"],
    "utility": [str(i) for i in range(6, 14)],
}


@cache
def quick(name: str) -> Result:
    return run(find(name)[0], "quick")


def test_every_figure_of_the_papers_is_there():
    assert list(PAPERS) == list(FIGURES)
    for paper, figures in FIGURES.items():
        assert [one.figure for one in experiments(paper)] == figures


def test_no_claim_is_made_twice_under_one_name():
    assert len(set(NAMES)) == len(NAMES) == 32


@pytest.mark.parametrize("name", NAMES)
def test_an_experiment_at_the_quick_scale(name, tmp_path):
    result = quick(name)
    assert result.figure.panels
    assert result.figure.data
    for panel in result.figure.panels:
        assert panel.series
        assert {len(values) for values in panel.series.values()} == {len(panel.xs)}
        assert all(value is None or value >= 0 for values in panel.series.values() for value in values)
    assert result.parts
    assert all(part.n > 0 for part in result.parts)
    assert result.verdict.words.startswith(("holds", "does not hold"))

    written = result.write(tmp_path)
    told = json.loads((tmp_path / f"{name}.json").read_text())
    assert told["scale"] == "quick"
    assert told["words"] == result.verdict.words
    page = (tmp_path / f"{name}.html").read_text()
    assert result.experiment.name in page
    assert "<script" not in page
    tables_only = all(panel.form == "table" for panel in result.figure.panels) and not result.figure.pictures
    assert (tmp_path / f"{name}.svg" in written) == (not tables_only)
    if not tables_only:
        drawn = (tmp_path / f"{name}.svg").read_text()
        assert ElementTree.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(--" not in drawn
        assert re.search(r"nan|inf", re.sub(r"<(title|desc).*?</\1>|<text.*?</text>", "", drawn)) is None


def changed(figure: Figure, change) -> Figure:
    def panel(one: Panel) -> Panel:
        series = {
            name: [None if v is None else change(i, j, float(v)) for j, v in enumerate(values)]
            for i, (name, values) in enumerate(one.series.items())
        }
        return replace(one, series=series)

    return Figure([panel(one) for one in figure.panels], figure.data, figure.pictures)


CHANGES = {
    "alike": lambda i, j, v: 1.0,
    "upside down": lambda i, j, v: 1 / (v + 1e-9),
    "the first series high": lambda i, j, v: 100.0 ** -(i + 1),
    "the last series high": lambda i, j, v: 100.0**i,
    "rising and falling": lambda i, j, v: 2.0 + (-1.0) ** j,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_claim_can_fail(name):
    """Of some made-up series at least one contradicts the main part of the claim."""
    result = quick(name)
    found = {words: verdict(result.experiment.check(changed(result.figure, c))) for words, c in CHANGES.items()}
    assert "does not hold" in {one.outcome for one in found.values()}, found


def test_names_stand_for_one_for_a_paper_and_for_all():
    assert [one.name for one in find("fast-12")] == ["fast-12"]
    assert len(find("utility")) == 8
    assert len(find("all")) == len(NAMES)
    for wrong in ("fast-99", "nothing", "mondrian-", ""):
        with pytest.raises(BadOption):
            find(wrong)


def test_scales():
    assert [at(scale, 1, 2, 3) for scale in SCALES] == [1, 2, 3]
    with pytest.raises(BadOption):
        run(find("utility-13")[0], "huge")


def test_the_nodes_of_the_incognito_paper_are_counted_as_in_its_table():
    [panel] = quick("incognito-nodes").figure.panels
    assert panel.series["Incognito"] == panel.series["Incognito, paper"] == [14, 35]
    assert panel.series["bottom-up"] == [14, 47]
