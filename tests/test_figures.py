"""Measured tables of the pages are those that benchmarks kept, and every kept one tells when, where and with what."""

from __future__ import annotations

import datetime
import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "benchmarks"
KEPT = sorted((BENCHMARKS / "results").glob("*.json"))
sys.path.insert(0, str(BENCHMARKS))  # benchmarks are programs that stand beside each other
from figures import MARKED, Figures, filled, keep, pages  # noqa: E402

by_file = pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)
def test_a_page_tells_what_was_measured(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert filled(text) == text, "make figures"


def test_every_kept_table_stands_in_a_page() -> None:
    marked = {(name, table) for page in pages() for _, name, table, _ in MARKED.findall(page.read_text("utf-8"))}
    assert {(path.stem, table) for path in KEPT for table in json.loads(path.read_text("utf-8"))["tables"]} == marked


@by_file
def test_a_kept_table_tells_when_where_and_with_what(path: Path) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert datetime.date.fromisoformat(kept["date"]) >= datetime.date(2026, 1, 1)
    assert kept["machine"]["cores"] >= 1
    assert kept["machine"]["processor"]
    assert {"python", "amongst", "numpy", "pyarrow"} <= set(kept["versions"])
    program = re.fullmatch(r"python (benchmarks/[a-z_]+[.]py)( [^/]*)?", kept["command"])
    assert program, "no path of a machine"
    assert (ROOT / program[1]).exists()
    for table in kept["tables"].values():
        assert all(len(row) == len(table["heads"]) == len(table["formats"]) for row in table["rows"])
        assert table["rows"]


def test_make_bench_measures_every_kept_table() -> None:
    """And nobody need know which program wrote a file."""
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert [path.stem for path in KEPT if f"--json $(RESULTS)/{path.name}" not in recipe] == []


def test_what_is_kept_comes_back_as_it_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "argv", ["x/spine.py", "--json", str(tmp_path / "a.json"), "--hierarchies", "/home/me/arx"]
    )
    figures = Figures(heads=("what", "CPU s"), formats=("", ".2f"), rows=[["read", 1.236], ["not run", None]])
    keep(tmp_path / "a.json", {"b": figures}, "no-such-package")
    page = filled("before\n<!-- figures: a.b -->\nold\n<!-- end of figures -->\nafter\n", tmp_path)
    assert "| what | CPU s |\n| --- | ---: |\n| read | 1.24 |\n| not run |  |\n" in page
    assert "`python benchmarks/spine.py --hierarchies arx`" in page
    assert "old" not in page
    assert filled(page, tmp_path) == page
