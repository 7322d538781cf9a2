"""Every reason that is given for a claim that does not hold is an experiment, and the words say what it found."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from benchmarks.papers import experiments, find
from benchmarks.papers.full import kept as full_runs
from benchmarks.papers.reasons import kept, reason_of
from benchmarks.papers.write_docs import table

PAGE = Path(__file__).parents[2] / "docs" / "papers.md"
GIVEN = [one for one in experiments() if one.why]
ELSEWHERE = {"incognito-nodes"}
"""Shown by a search of its own: ``benchmarks/papers/incognito_search.py``."""

STEPS_AND_SIZES = [5000.0, 10_000.0, 20_000.0, 50_000.0, 80_000.0, 200_000.0]
FIGURE = re.compile(r"\d[\d,]*\.\d+|\d{1,3}(?:,\d{3})+")


def test_every_reason_has_an_experiment_and_every_experiment_a_reason() -> None:
    shown = {one.name for one in experiments() if reason_of(one.name)}
    assert shown == {one.name for one in GIVEN} - ELSEWHERE
    assert set(kept()) == shown


@pytest.mark.parametrize("name", sorted(kept()))
def test_a_reason_runs_at_the_quick_scale(name: str) -> None:
    reason = reason_of(name)
    assert reason is not None
    for panel in reason("quick"):
        assert panel.series
        assert {len(values) for values in panel.series.values()} == {len(panel.xs)}
        assert all(value is None or math.isfinite(value) for values in panel.series.values() for value in values)


TIMED = {"multirelational-6", "utility-12"}
"""Their figures are seconds, which change from run to run."""


@pytest.mark.parametrize("name", sorted(set(kept()) - TIMED))
def test_what_the_words_say_stands_in_the_tables(name: str) -> None:
    """Every figure of the reason, rounded as the words round it, is in a table below them."""
    [one] = find(name)
    panels = kept()[name]["panels"]
    found = [float(v) for p in panels for vs in p["series"].values() for v in vs if v is not None]
    found += [float(v) for p in panels for words in [*p["series"], p["title"]] for v in re.findall(r"\d\.\d+", words)]
    for words in FIGURE.findall(one.why):
        digits = len(words.partition(".")[2])
        told = float(words.replace(",", ""))
        assert any(abs(v - told) <= 0.5001 * 10**-digits for v in found + STEPS_AND_SIZES), words


def test_the_tables_are_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, found in kept().items():
        assert f"`amongst papers why {name}`" in page
        assert all(table(panel) in page for panel in found["panels"]), name


def test_runs_at_full_size_are_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, one in full_runs().items():
        assert find(name)
        told = "stopped after" if "stopped_after" in one else f"| {one['peak_mb']:,} |"
        assert re.search(rf"^\| {name} \| .*{re.escape(told)}", page, re.MULTILINE)
