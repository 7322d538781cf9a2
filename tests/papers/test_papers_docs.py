"""The page of the papers shows every figure, and has the pictures it shows."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.papers import experiments

DOCS = Path(__file__).parents[2] / "docs"


def test_every_figure_is_on_the_page_with_its_outcome():
    text = (DOCS / "papers.md").read_text(encoding="utf-8")
    sections = {part.split("\n", 1)[0]: part for part in text.split("\n### ")[1:]}
    assert list(sections) == [one.name for one in experiments()]
    for one in experiments():
        assert one.claim in sections[one.name]
        assert re.search(r"^- Here: (holds|does not hold)", sections[one.name], re.MULTILINE)
        assert re.search(r"(usual|full) scale", sections[one.name])


def test_the_pictures_are_there_and_small():
    text = (DOCS / "papers.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"!\[[^\]]*\]\(papers/([^)]+)\)", text))
    assert shown == {path.name for path in (DOCS / "papers").iterdir()}
    assert max((DOCS / "papers" / name).stat().st_size for name in shown) < 40_000
