"""One word means one thing: what ``docs/architecture.md`` says of words is so in the code."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import amongst

ROOT = Path(amongst.__file__).parent
PAGE = (ROOT.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8").partition("## Words")[2]

NOT_YET = {
    *("app", "attack", "cli", "compare", "engines", "evidence", "harden", "job", "partition", "published", "query"),
    *("read", "relations", "report", "republish", "risk", "schema"),
}
"""Rooms in which something met from outside is still called ``told``, which means nine things. It may only shrink."""


def named(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Names that are met from elsewhere (functions, classes, parameters, attributes), their kind, and their type."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, "definition", ""
        elif isinstance(node, ast.arg):
            yield node.arg, "parameter", "" if node.annotation is None else ast.unparse(node.annotation)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, "attribute", ""


def constants(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(one, ast.Name) and one.id.isupper():
                    yield one.id


Names = dict[str, list[tuple[str, str, str]]]


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(ROOT).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in ROOT.rglob("*.py")
    }


@pytest.fixture(scope="module")
def names_of(trees: dict[str, ast.Module]) -> Names:
    return {path: list(named(tree)) for path, tree in trees.items()}


GLOSSARY = re.findall(r"^\| (?!-|word |name )([^|]+) \|", PAGE, re.MULTILINE)


def test_every_word_of_the_glossary_is_one_of_the_code_and_stands_there_once(names_of: Names) -> None:
    words = [one.strip("` ") for one in GLOSSARY]
    assert [word for word, times in Counter(words).items() if times > 1] == []
    parts = Counter(
        part
        for path, names in names_of.items()
        for name in [*path.removesuffix(".py").split("/"), *(name for name, *_ in names)]
        for part in [name, *re.sub(r"([A-Z])", r"_\1", name).lower().split("_")]
    )
    assert [word for word in words if not word.endswith("...") and not parts[word] and not parts[f"{word}s"]] == []


def test_told_is_no_name_that_is_met_from_elsewhere(names_of: Names) -> None:
    found = {
        path.partition("/")[0]
        for path, names in names_of.items()
        if path.endswith("told.py") or any(name in ("told", "Told") for name, *_ in names)
    }
    assert found <= NOT_YET


def test_a_limit_is_called_most(trees: dict[str, ast.Module]) -> None:
    wrong = [
        f"{path}: {name}"
        for path, tree in trees.items()
        for name in constants(tree)
        if re.match(r"_?(MAX|MAXIMUM|MIN|MINIMUM|UPPER|LIMIT|LIMIT_OF)_", name)
    ]
    assert wrong == []
    assert sum(name.startswith("MOST_") for tree in trees.values() for name in constants(tree)) > 50


OTHERWISE = {
    "person": ("individual", "respondent", "citizen"),
    "row": ("tuple_row",),
    "class": ("equivalence", "eqclass"),
    "suppressed": ("removed", "deleted_rows"),
    "sensitive": ("confidential",),
    "anonymize": ("anonymise", "sanitize", "deidentify"),
    "manifest": ("metafile",),
    "report_loss": ("callback",),
}
"""Words that would mean the same as one of ours."""


@pytest.mark.parametrize("word", OTHERWISE)
def test_what_has_a_word_has_no_second_one(word: str, names_of: Names) -> None:
    found = [
        f"{path}: {name}"
        for path, names in names_of.items()
        for name, *_ in names
        if set(name.lower().split("_")) & set(OTHERWISE[word]) or name.lower() in OTHERWISE[word]
    ]
    assert found == [] or found == ["risk/individual.py: individual_risk"]
