"""Masked codes: 53711 becomes 5371*, 537**, and so on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from amongst.errors import BadHierarchy
from amongst.schema.assemble import Level, assemble
from amongst.schema.problem import Problem, count, raise_all, values_are
from amongst.schema.tree import Tree
from amongst.schema.value_text import text_of


@dataclass(frozen=True)
class Digits:
    """Codes of ``n`` digits, masked from the right, one digit a level. Whole numbers get leading zeros."""

    n: int

    def __post_init__(self) -> None:
        if not _is_count(self.n):
            text = "the number of digits is not a whole number of at least 1"
            raise_all(BadHierarchy, "Digits cannot be masked so.", [Problem(text, "use digits(5) or the like")])

    def bind(self, values: list[Any], kind: str) -> Tree:
        text_of_value = {value: self._text(value) for value in values}
        leaves = _sorted_by(text_of_value, kind)
        texts = [text_of_value[leaf] for leaf in leaves]
        return assemble(leaves, _levels(texts, range(self.n - 1, 0, -1), equal=True), self._problems(texts))

    def _text(self, value: Any) -> str:
        return f"{value:0{self.n}d}" if isinstance(value, int) else text_of(value)

    def _problems(self, texts: list[str]) -> list[Problem]:
        n_other = sum(not (text.isascii() and text.isdigit()) for text in texts)
        n_short = sum(len(text) < self.n for text in texts)
        n_long = sum(len(text) > self.n for text in texts)
        problems = []
        if n_other:
            text = values_are(n_other, "not made of digits only")
            problems.append(Problem(text, "use prefix instead of digits", {"count": n_other}))
        if n_short:
            text = values_are(n_short, f"shorter than {count(self.n, 'digit')}")
            problems.append(Problem(text, "add the leading zeros, or use prefix", {"count": n_short}))
        if n_long:
            text = values_are(n_long, f"longer than {count(self.n, 'digit')}")
            problems.append(Problem(text, "give a larger number of digits, or use prefix", {"count": n_long}))
        return problems

    def to_dict(self) -> dict[str, Any]:
        return {"digits": self.n}

    def describe(self) -> str:
        return f"{count(self.n, 'digit')}, masked from the right"

    def public_dict(self) -> dict[str, Any]:
        return self.to_dict()


@dataclass(frozen=True)
class Prefix:
    """Texts of which so many leading characters are kept, level by level."""

    keeps: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "keeps", tuple(self.keeps))
        falling = all(b < a for a, b in pairwise(self.keeps))
        if not self.keeps or not all(_is_count(keep) for keep in self.keeps) or not falling:
            text = "the characters to keep are not whole numbers of at least 1 that become fewer"
            raise_all(BadHierarchy, "Prefixes cannot be kept so.", [Problem(text, "use prefix([3, 1]) or the like")])

    def bind(self, values: list[Any], kind: str) -> Tree:
        text_of_value = {value: text_of(value) for value in values}
        leaves = _sorted_by(text_of_value, kind)
        texts = [text_of_value[leaf] for leaf in leaves]
        return assemble(leaves, _levels(texts, self.keeps, equal=len(set(map(len, texts))) <= 1))

    def named_by(self, tree: Tree, stays: np.ndarray) -> Tree:
        """The tree with stars as the leaves that stay have them: their number tells how long the others are."""
        at = [leaf for leaf in np.flatnonzero(stays).tolist() if tree.leaves[leaf] is not None]
        texts = [text_of(tree.leaves[leaf]) for leaf in at]
        levels = _levels(texts, self.keeps, equal=len(set(map(len, texts))) <= 1)
        labels = [dict(level) for level in tree.labels]
        for above, level in enumerate(levels, start=1):
            first, last = 0, 0
            for node in np.unique(tree.start[above, at]).tolist() if at else []:
                last = int(np.searchsorted(at, tree.end[above, node], side="right"))
                labels[above][node] = level.label(first, last - 1)
                first = last
        return replace(tree, labels=labels)

    def to_dict(self) -> dict[str, Any]:
        return {"prefix": list(self.keeps)}

    def describe(self) -> str:
        return "the first " + ", ".join(map(str, self.keeps)) + " characters"

    def public_dict(self) -> dict[str, Any]:
        return self.to_dict()


def _is_count(number: Any) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 1


def _sorted_by(text_of_value: dict[Any, str], kind: str) -> list[Any]:
    """Values by text, so that equal prefixes are neighbours, unless the kind has an order of its own."""
    if kind == "ordered":
        return list(text_of_value)
    if kind in ("numeric", "date"):
        return sorted(text_of_value)
    return sorted(text_of_value, key=text_of_value.__getitem__)


def _levels(texts: list[str], keeps: Sequence[int], equal: bool) -> list[Level]:
    heads = np.array([text[: max(keeps)] for text in texts], dtype=str) if keeps else np.array([], dtype=str)
    return [_level(texts, heads, keep, equal) for keep in keeps]


def _level(texts: list[str], heads: np.ndarray, keep: int, equal: bool) -> Level:
    def label(first: int, last: int) -> str:
        longest = len(texts[first]) if equal else max(len(texts[i]) for i in range(first, last + 1))
        return texts[first][:keep] + "*" * (max(longest - keep, 0) if equal else longest > keep)

    return Level(heads.astype(f"U{keep}"), label)
