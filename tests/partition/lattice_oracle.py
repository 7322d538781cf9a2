"""Random small lattices, and what a search should find on them: every node counted over plain tuples."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa

import amongst as am
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import with_null_leaf
from amongst.partition.ask import Ask, ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.schema.tree import Tree

Node = tuple[int, ...]

NULL_RULES = (None, None, None, "own value", "match anything")
"""None most often: most columns have no nulls."""


@dataclass(frozen=True)
class Case:
    """A table with its hierarchies, told twice: to amongst as codes and trees, to the oracle as names.

    Attributes
    ----------
    rows : list of tuple of int
        The value of every column, as a number; the last number of a column with nulls is its null.
    names : list of list of list
        ``names[column][level][value]``: what the value is called at the level.
    coded : CodedTable
        The same for amongst.
    """

    rows: list[Node]
    names: list[list[list[Any]]]
    coded: CodedTable
    k: int
    suppression: float
    limits: dict[str, int]

    @property
    def heights(self) -> Node:
        """The highest level that is allowed of every column."""
        own = (len(levels) - 1 for levels in self.names)
        return tuple(self.limits.get(f"c{c}", height) for c, height in enumerate(own))

    @property
    def most_suppressed(self) -> int:
        share = isinstance(self.suppression, float)
        return int(self.suppression * len(self.rows) + 1e-9) if share else int(self.suppression)

    def sets(self) -> FrequencySets:
        return FrequencySets(self.coded)

    def ask(self, sets: FrequencySets) -> Ask:
        return ask(self.coded, sets, [am.KAnonymity(self.k)], self.suppression, self.limits)


def random_case(rng: np.random.Generator, *, most_columns: int = 4, most_rows: int = 24) -> Case:
    """A small table over random trees, with a k, a suppression limit and limits on the levels."""
    n_rows = int(rng.integers(2, most_rows + 1))
    made = [_column(rng, f"c{c}", n_rows) for c in range(int(rng.integers(1, most_columns + 1)))]
    coded = CodedTable([column for column, _ in made], n_rows)
    rows = list(zip(*(column.codes.tolist() for column, _ in made), strict=True))
    names = [levels for _, levels in made]
    suppression = rng.choice([0.0, 0.0, 0.1, 0.3, 1.0]).item()
    if rng.random() < 0.3:
        suppression = int(rng.integers(0, n_rows + 1))
    limited = [c for c in range(len(names)) if rng.random() < 0.15]
    limits = {f"c{c}": int(rng.integers(0, len(names[c]))) for c in limited}
    return Case(rows, names, coded, int(rng.integers(1, min(n_rows, 6) + 1)), suppression, limits)


def _column(rng: np.random.Generator, name: str, n_rows: int) -> tuple[CodedColumn, list[list[Any]]]:
    n_values, null_rule = int(rng.integers(1, 7)), NULL_RULES[rng.integers(len(NULL_RULES))]
    levels = _merged_step_by_step(rng, n_values)
    tree = _tree(levels) if rng.random() < 0.85 else None
    if tree is None:
        levels = [list(range(n_values)), ["*"] * n_values]
    codes = rng.integers(0, n_values, n_rows)
    if null_rule is not None:
        codes[rng.random(n_rows) < 0.25] = n_values
    has_null = bool((codes == n_values).any())
    if has_null:
        levels = _with_null(levels, flat=tree is None)
        if tree is not None and null_rule == "own value":
            tree = with_null_leaf(tree)
    numeric = tree is None or rng.random() < 0.4
    # Whole numbers, so that sums of them are the same in any order.
    position = np.sort(rng.choice(20, n_values, replace=False)).astype(np.float64) if numeric else None
    span = 0.0 if position is None else _span(position[np.unique(codes[codes < n_values])])
    column = CodedColumn(
        name,
        "numeric" if numeric else "categorical",
        codes.astype(np.uint8),
        pa.array([f"v{value}" for value in range(n_values)]),
        position,
        0.0,
        span,
        tree,
        float(rng.choice([1.0, 1.0, 0.5, 3.0])),
        n_values if has_null else None,
        null_rule if has_null else None,
    )
    return column, levels


def _span(occurring: np.ndarray) -> float:
    return float(occurring.max() - occurring.min()) if len(occurring) else 0.0


def _merged_step_by_step(rng: np.random.Generator, n_values: int) -> list[list[int]]:
    """Levels from all values apart to all together; the name of a node is its first value."""
    levels = [list(range(n_values))]
    for _ in range(int(rng.integers(0, 3))):
        merged, below = [0], levels[-1]
        for value in range(1, n_values):
            joins = below[value] == below[value - 1] or rng.random() < 0.4
            merged.append(merged[-1] if joins else value)
        levels.append(merged)
    return [*levels, [0] * n_values]


def _tree(levels: list[list[int]]) -> Tree:
    n_values = len(levels[0])
    start = np.array(levels, dtype=np.int32)
    end = np.array(
        [[max(i for i in range(n_values) if level[i] == node) for node in level] for level in levels],
        dtype=np.int32,
    )
    labels = [{node: f"{height}:{node}" for node in level} for height, level in enumerate(levels)]
    return Tree([f"v{value}" for value in range(n_values)], start, end, labels)


def _with_null(levels: list[list[Any]], *, flat: bool) -> list[list[Any]]:
    """The null is alone beside the tree; it joins the others one level above the root, or at a flat root."""
    together = ["*"] * (len(levels[0]) + 1)
    return [*[[*level, None] for level in (levels[:1] if flat else levels)], together]


def counts(case: Case, node: Node, columns: tuple[int, ...] | None = None) -> Counter[tuple[Any, ...]]:
    """The frequency set of some columns at a node, counted row by row."""
    chosen = tuple(range(len(node))) if columns is None else columns
    return Counter(
        tuple(case.names[c][level][row[c]] for c, level in zip(chosen, node, strict=True)) for row in case.rows
    )


def holds(case: Case, node: Node) -> bool:
    """Whether enough rows can be kept, and any at all."""
    sizes = counts(case, node).values()
    below = sum(size for size in sizes if size < case.k)
    return below <= case.most_suppressed and below < len(case.rows)


def all_nodes(case: Case) -> list[Node]:
    return list(product(*(range(height + 1) for height in case.heights)))


def safe_nodes(case: Case) -> set[Node]:
    """Every node that holds, each looked at."""
    return {node for node in all_nodes(case) if holds(case, node)}


def generalizes(upper: Node, lower: Node) -> bool:
    return upper != lower and all(u >= v for u, v in zip(upper, lower, strict=True))


def minimal_nodes(nodes: set[Node]) -> set[Node]:
    return {node for node in nodes if not any(generalizes(node, other) for other in nodes)}
