"""A reader of a paper finds every numbered item of it on the paper's page, with code or test, and how it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"

ITEMS: dict[str, dict[str, str]] = {
    "mondrian": {"figure": "1-17", "lemma": "1-2", "proposition": "1-3", "theorem": "1-5"},
    "fast": {
        "corollary": "1",
        "definition": "1-3",
        "figure": "1-20",
        "lemma": "1-5",
        "problem": "1-2",
        "table": "1",
    },
    "incognito": {"example": "3.1 3.2", "figure": "1-13"},
    "multirelational": {
        "algorithm": "1-6",
        "definition": "1-10",
        "figure": "1-6",
        "lemma": "2-3",
        "table": "1-7",
        "theorem": "1 4-5",
    },
    "utility": {"example": "1", "figure": "1-13"},
}
"""What the papers number, in the texts that we have."""

KIND = re.compile(
    r"\b(definition|theorem|lemma|proposition|corollary|problem|algorithm|example|figure|table)s? "
    r"([0-9][0-9.]*(?:(?:, | to | and |, and )[0-9][0-9.]*)*)"
)
MISSING: dict[str, set[str]] = {}
"""What is named as missing. It may only become less."""


def rows(paper: str) -> list[list[str]]:
    lines = (DOCS / f"paper-{paper}.md").read_text(encoding="utf-8").splitlines()
    table = [line.strip("|").split("|") for line in lines if line.startswith("|")]
    assert [cell.strip() for cell in table[0]] == ["in the paper", "what it is", "code", "test", "how it stands"]
    return [[cell.strip() for cell in row] for row in table[2:]]


def numbers(text: str) -> set[str]:
    """1-3 of "1 to 3", "1, 2 and 3" or "1-3"."""
    found: set[str] = set()
    for part in re.split(r", and |, | and | (?=[0-9])", text.replace(" to ", "-").rstrip(".")):
        first, _, last = part.partition("-")
        found |= {str(n) for n in range(int(first), int(last) + 1)} if last else {first}
    return found


def listed(paper: str) -> set[tuple[str, str]]:
    found = [KIND.findall(row[0]) for row in rows(paper)]
    return {(kind, number) for one in found for kind, text in one for number in numbers(text)}


def expected(paper: str) -> set[tuple[str, str]]:
    return {(kind, number) for kind, text in ITEMS[paper].items() for number in numbers(text)}


@pytest.mark.parametrize("paper", ITEMS)
def test_every_numbered_item_is_on_the_page_and_no_other(paper: str) -> None:
    assert expected(paper) - listed(paper) == set()
    assert listed(paper) - expected(paper) == set()


@pytest.mark.parametrize("paper", ITEMS)
def test_every_item_leads_to_code_or_a_test_and_says_how_it_stands(paper: str) -> None:
    for item, _, code, test, stands in rows(paper):
        assert stands, item
        leads = "](../" in code + test or code == "the same" or "](" in stands
        assert leads or stands == "nothing to run" or "missing" in stands or "hierarchies are" in stands, item
    missing = {row[0] for row in rows(paper) if "missing" in row[4]}
    assert missing == MISSING.get(paper, set())


@pytest.mark.parametrize("paper", ITEMS)
def test_every_measured_figure_has_its_verdict(paper: str) -> None:
    verdicts = set(re.findall(r"papers\.md#(" + paper + r"-[0-9a-z]+)", "".join(row[4] for row in rows(paper))))
    text = (DOCS / "papers.md").read_text(encoding="utf-8")
    assert verdicts == set(re.findall(r"^### (" + paper + r"-[0-9a-z]+)$", text, re.MULTILINE))


@pytest.mark.parametrize("paper", ITEMS)
def test_what_a_page_leads_to_is_there(paper: str) -> None:
    text = (DOCS / f"paper-{paper}.md").read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        assert (DOCS / link).exists(), link
