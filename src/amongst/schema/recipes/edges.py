"""Intervals with edges of the user's choice: 0 to 17, 18 to 64, 65 to 120."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from amongst.errors import BadHierarchy
from amongst.schema.assemble import MORE_THAN_CAN_BE_COUNTED, Level, assemble
from amongst.schema.problem import Problem, count, raise_all, values_are
from amongst.schema.recipes.numbers import is_number, number_array, plain, sorted_numbers
from amongst.schema.tree import Tree
from amongst.schema.value_text import range_label

Edge = int | float


@dataclass(frozen=True)
class Edges:
    """Edges for every level, from fine to coarse; the edges of a level are among those of the one before.

    An interval holds its lower edge and not its upper one, except that the last interval holds both.
    The first edge may be ``-inf`` and the last ``inf``.
    """

    edges: tuple[tuple[Edge, ...], ...]

    def __post_init__(self) -> None:
        edges = tuple(tuple(plain(edge) for edge in level) for level in self.edges)
        object.__setattr__(self, "edges", edges)
        raise_all(BadHierarchy, "These edges cannot be a hierarchy.", self._problems())

    def _problems(self) -> list[Problem]:
        if not self.edges:
            return [Problem("no edges", "give a list of edges for every level")]
        problems = []
        for i, level in enumerate(self.edges, start=1):
            numbers = all(is_number(edge) and not math.isnan(edge) for edge in level)
            if len(level) < 2 or not numbers or any(b <= a for a, b in pairwise(level)):
                problems.append(Problem(f"level {i}: not two or more numbers that ascend", "sort the edges"))
        return problems or self._not_merging()

    def _not_merging(self) -> list[Problem]:
        problems = []
        for i, (fine, coarse) in enumerate(pairwise(self.edges), start=1):
            n_foreign = len(set(coarse) - set(fine))
            if n_foreign:
                text = f"levels {i} and {i + 1} do not merge: {count(n_foreign, 'edge')} of level {i + 1} cut "
                problems.append(Problem(text + f"intervals of level {i}", "use edges of the level before only"))
            elif (fine[0], fine[-1]) != (coarse[0], coarse[-1]):
                text = f"levels {i} and {i + 1} do not merge: level {i + 1} does not reach as far as level {i}"
                problems.append(Problem(text, "let all levels have the same first and last edge"))
        return problems

    def bind(self, values: list[Any], kind: str) -> Tree:
        leaves = sorted_numbers(values, kind)
        numbers = number_array(leaves)
        fine = self.edges[0]
        n_outside = int(np.sum((numbers < fine[0]) | (numbers > fine[-1])))
        problems = []
        if n_outside:
            text = values_are(n_outside, "not covered by the edges")
            problems.append(
                Problem(text, "widen the first or the last edge", {"problem": "not covered", "count": n_outside})
            )
        whole = all(isinstance(number, int) or math.isinf(number) for number in [*leaves, *fine])
        levels = [
            _level(numbers, edges, whole=whole, finer=finer)
            for edges, finer in zip(self.edges, [None, *self.edges], strict=False)
        ]
        return assemble(leaves, levels, problems, below_root=len(self.edges[-1]) - 1)

    def to_dict(self) -> dict[str, Any]:
        return {"edges": [list(level) for level in self.edges]}

    def describe(self) -> str:
        return "intervals with given edges, " + count(len(self.edges), "level")

    def public_dict(self) -> dict[str, Any]:
        # The edges are published anyway: every label shows two of them.
        return {"edges": [[str(edge) if math.isinf(edge) else edge for edge in level] for level in self.edges]}


def _level(numbers: np.ndarray, edges: tuple[Edge, ...], *, whole: bool, finer: tuple[Edge, ...] | None) -> Level:
    inner = np.array(edges[1:-1], dtype=object if numbers.dtype == object else None)
    index = np.searchsorted(inner, numbers, side="right")

    def label(first: int, last: int) -> str:
        i = int(index[first])
        return _label(edges[i], edges[i + 1], whole, closed=i == len(edges) - 2)

    def parts(first: int, last: int) -> int:
        lower, upper = edges[int(index[first])], edges[int(index[first]) + 1]
        if finer is not None:
            return finer.index(upper) - finer.index(lower)
        closed = upper == edges[-1]
        endless = math.isinf(lower) or math.isinf(upper) or not whole
        return MORE_THAN_CAN_BE_COUNTED if endless else int(upper - lower) + closed

    return Level(index, label, parts)


def _label(lower: Edge, upper: Edge, whole: bool, closed: bool) -> str:
    if math.isinf(lower) and math.isinf(upper):
        return "*"
    if math.isinf(lower):
        return f"<={upper}" if closed else f"<{upper}"
    if math.isinf(upper):
        return f">={lower}"
    if whole:
        return range_label(lower, upper if closed else upper - 1)
    return f"[{float(lower)!r}-{float(upper)!r}{']' if closed else '['}"
