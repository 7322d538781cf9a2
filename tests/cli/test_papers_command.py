"""``amongst papers``: the list, a run, and wrong usage."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import amongst
from benchmarks.papers import experiments


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


@pytest.mark.parametrize("arguments", [("list",), ("run", "fast")])
def test_where_amongst_has_no_source_beside_it_the_experiments_are_missed_in_words(arguments, tmp_path):
    code = (
        "import pathlib, amongst.cli, amongst.cli.commands.papers as one; "
        "one.CHECKOUT = pathlib.Path.cwd(); amongst.cli.main()"
    )
    asked = [sys.executable, "-c", code, "papers", *arguments]
    ran = subprocess.run(asked, capture_output=True, text=True, cwd=tmp_path)
    assert ran.returncode == 2
    assert "not installed" in ran.stderr
    assert "found:" in ran.stderr
    assert "fix:" in ran.stderr
    assert ran.stdout == ""


def test_the_package_needs_none_of_the_experiments():
    source = Path(amongst.__file__).parent
    naming = [
        path.name for path in source.rglob("*.py") if re.search(r"benchmarks(\"|[./]papers)", path.read_text("utf-8"))
    ]
    assert naming == ["papers.py"]
