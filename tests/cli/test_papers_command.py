"""``amongst papers``: the list, a run, and wrong usage."""

from __future__ import annotations

import json

import pytest

from amongst.papers import experiments


def test_the_list_names_every_figure(amongst):
    ran = amongst("papers", "list")
    assert ran.returncode == 0
    assert all(one.name in ran.stdout for one in experiments())
    assert json.loads(amongst("papers", "--json").stdout)["figures"][0]["name"] == "mondrian-10"


def test_a_run_prints_data_and_verdict_and_writes_files(amongst, tmp_path):
    ran = amongst("papers", "run", "utility-13", "incognito-nodes", "--quick", "--out", "figures")
    assert ran.returncode == 0
    assert ran.stderr == ""
    assert "quick scale" in ran.stdout
    assert "QID size  bottom-up, paper  bottom-up" in ran.stdout
    assert "found  holds" in ran.stdout
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert names == {
        "papers.html",
        *(f"utility-13.{kind}" for kind in ("json", "svg", "html")),
        *(f"incognito-nodes.{kind}" for kind in ("json", "html")),
    }
    page = (tmp_path / "figures" / "papers.html").read_text()
    assert 'id="utility-13"' in page
    assert 'id="incognito-nodes"' in page


def test_a_run_as_json(amongst, tmp_path):
    ran = amongst("papers", "run", "incognito-nodes", "--quick", "--json")
    [told] = json.loads(ran.stdout)["figures"]
    assert (told["name"], told["outcome"], told["scale"]) == ("incognito-nodes", "holds", "quick")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [("run",), ("run", "mondrian-99"), ("list", "fast"), ("draw", "fast"), ("run", "utility-13", "--quick", "--full")],
)
def test_wrong_usage(amongst, arguments):
    ran = amongst("papers", *arguments)
    assert ran.returncode == 2
    assert "fix:" in ran.stderr
