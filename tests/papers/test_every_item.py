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
        "equation": "1-3",
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

NAMED: dict[str, str] = {
    "mondrian": "quasi-identifier attribute set, equivalence class, k-anonymity property, k-anonymization, C_DM, "
    "C_AVG, single-dimensional partitioning, strict multidimensional partitioning, allowable multidimensional cut, "
    "minimal strict multidimensional partitioning, allowable single-dimensional cut, "
    "minimal single-dimensional partitioning, relaxed multidimensional partitioning, "
    "minimal relaxed multidimensional partition, range statistic, mean statistic, predicate-range matching, "
    "scalability, spatial representation",
    "fast": "equivalence class, NCP, GCP, breach probability, eligibility, value singularity, group order, "
    "border order, cover, end boundary, frontier, greedy step, fall-back step, Hilbert mapping, iDistance, "
    "auxiliary table, HilbFast, iDistFast, KL divergence, dual problem, Anatomy",
    "incognito": "quasi-identifier attribute set, frequency set, k-anonymity property, k-anonymization, "
    "domain generalization hierarchy, generalization lattice, distance vector, height, full-domain generalization, "
    "suppression threshold, minimality, binary search, bottom-up breadth-first search, generalization property, "
    "rollup property, subset property, star schema, graph generation, Super-roots Incognito, Cube Incognito, "
    "attribute suppression, single-dimension full-subtree recoding, unrestricted single-dimension recoding, "
    "single-dimension ordered-set partitioning, multi-dimension full-subgraph recoding, "
    "unrestricted multi-dimension recoding, multi-dimension ordered-set partitioning, cell suppression, "
    "cell generalization, strategic materialization",
    "multirelational": "person table, multiR schema, quasi-identifiers, structural equivalence, union, concatenation, "
    "LM, DM, universal anonymization, local anonymization, bitmap anonymization, schema preservation, "
    "dependency preservation, snowflake schema, join key atomicity, MiRaCle, MiRaCleX, threshold, cluster limit, "
    "level-by-level matching, anatomization, dMiRaCle",
    "utility": "k-anonymous, discernability, normalized average equivalence class size, "
    "normalized certainty penalty, weighted certainty penalty, closest common ancestor, weights of nodes, bottom-up, "
    "top-down, seed tuples, assignment, local greedy adjustment",
}
"""What the papers define by a name, without a number."""

KIND = re.compile(
    r"\b(definition|theorem|lemma|proposition|corollary|problem|algorithm|example|equation|figure|table)s? "
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
def test_everything_that_has_a_name_is_on_the_page(paper: str) -> None:
    told = " ".join(f"{row[0]} {row[1]}" for row in rows(paper)).lower()
    assert [name for name in NAMED[paper].split(", ") if name.lower() not in told] == []


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
