"""The page of known answers, read from the tests that show them.

A test that reproduces an answer of a paper or of another tool says so::

    @pytest.mark.known_answer("mondrian", "figure 3", what="groups of Patients, k = 2", answer="{1, 3}, {2, 5}, {4, 6}")

The page is made from the text of the tests, without running or importing them; ``make conformance`` writes it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TESTS = Path(__file__).parents[1]
PAGE = TESTS.parent / "docs" / "conformance.md"

SOURCES = {
    "mondrian": "LeFevre, DeWitt, Ramakrishnan: Mondrian Multidimensional K-Anonymity, ICDE 2006",
    "fast": "Ghinita, Karras, Kalnis, Mamoulis: Fast Data Anonymization with Low Information Loss, VLDB 2007",
    "incognito": "LeFevre, DeWitt, Ramakrishnan: Incognito: Efficient Full-Domain K-Anonymity, SIGMOD 2005",
    "multirelational": "Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009",
    "utility": "Xu, Wang, Pei, Wang, Shi, Fu: Utility-Based Anonymization Using Local Recoding, KDD 2006",
    "t-closeness": "Li, Li, Venkatasubramanian: t-Closeness, ICDE 2007",
    "l-diversity": "Machanavajjhala, Gehrke, Kifer, Venkitasubramaniam: l-Diversity, ICDE 2006",
    "arx": "ARX, its own tests (`src/test/org/deidentifier/arx/test`)",
    "sdcmicro": "sdcMicro, help pages of `freqCalc` and `indivRisk`",
    "pycanon": "pyCANON, its own tests",
}

HEAD = """\
# Conformance: known answers that are reproduced

Answers that papers print and that other tools test themselves against, each with the test that reproduces it. This
page is made from the tests by `make conformance`, and a test keeps it up to date. A paper's claim of the form "this
loses less than that" is no known answer and is not here; nor is what was compared only with a slower program of ours.
"""


@dataclass(frozen=True)
class KnownAnswer:
    """What is known, from where, and the test that shows it."""

    source: str
    where: str
    what: str
    answer: str
    file: Path
    test: str


def known_answers(folder: Path = TESTS) -> list[KnownAnswer]:
    """All answers that tests are marked with, by file and line."""
    files = sorted(folder.rglob("test_*.py"))
    return [answer for file in files for answer in _answers_in(file)]


def _answers_in(file: Path) -> Iterator[KnownAnswer]:
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        for mark in node.decorator_list if isinstance(node, ast.FunctionDef) else []:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.known_answer":
                source, where = (ast.literal_eval(one) for one in mark.args)
                told = {str(one.arg): ast.literal_eval(one.value) for one in mark.keywords}
                yield KnownAnswer(source, where, file=file, test=node.name, **told)


def numbers_not_in_the_test(known: KnownAnswer) -> list[str]:
    """Numbers of an answer that its test's file does not have: the page would say what no test shows."""
    text = known.file.read_text(encoding="utf-8")
    tree = ast.parse(text)
    for node in ast.walk(tree):  # the marks themselves prove nothing
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = [one for one in node.decorator_list if "known_answer" not in ast.unparse(one)]
    shown = set(re.findall(r"\d+(?:\.\d+)?", ast.unparse(tree)))
    answer = re.sub(r"(?<=\d),(?=\d{3}\b)", "", known.answer)
    return [number for number in re.findall(r"\d+(?:\.\d+)?", answer) if number not in shown]


def page_of(known: list[KnownAnswer]) -> str:
    """The page in Markdown: a table for every source, in the order of the sources."""
    parts = [HEAD, f"{len(known)} answers from {len({one.source for one in known})} sources.\n"]
    for source, title in SOURCES.items():
        own = [one for one in known if one.source == source]
        if own:
            rows = ["| where | what | answer | test |", "|---|---|---|---|", *map(_row, own)]
            parts.append("\n".join([f"## {title}\n", *rows]) + "\n")
    return "\n".join(parts)


def _row(known: KnownAnswer) -> str:
    file = known.file.relative_to(TESTS.parent).as_posix()
    cells = (known.where, known.what, known.answer, f"[`{known.test}`](../{file})")
    return "| " + " | ".join(cell.replace("|", "\\|").replace("<", "&lt;") for cell in cells) + " |"
