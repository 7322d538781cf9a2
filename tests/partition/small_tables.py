"""Small random tables, twice: for the methods as coded tables, for the naive versions as plain columns."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
from naive import Plain

from amongst.encode import CodedTable, encode
from amongst.schema import Column, Hierarchy, Schema
from amongst.schema.check import check

TREES: list[list[Any]] = [
    [["a", "b"], ["c", "d", "e"]],
    [[["a", "b"], ["c"]], ["d", ["e", "f"]], "g"],
    ["a", "b", "c"],
    [["a"], [["b", "c"], ["d", "e", "f", "g"]]],
]
KINDS = ("numeric", "ordered", "plain", "tree")
NULLS = ("none", "own value", "match anything")


def small_table(
    rng: np.random.Generator,
    *,
    exact: bool = False,
    nulls: tuple[str, ...] = NULLS,
    kinds: tuple[str, ...] = KINDS,
) -> tuple[CodedTable, list[Plain]]:
    """A table of 1 to 30 rows and 1 to 4 columns, as codes and as plain columns.

    ``exact``: only widths and weights whose fractions are powers of two, so that equal widths are just equal.
    """
    n_rows, n_columns = int(rng.integers(1, 31)), int(rng.integers(1, 5))
    made = [_column(rng, n_rows, str(rng.choice(kinds)), str(rng.choice(nulls)), exact) for _ in range(n_columns)]
    names = [f"c{i}" for i in range(n_columns)]
    table = pa.table({name: cells for name, (cells, _, _) in zip(names, made, strict=True)})
    schema = check(Schema({name: rule for name, (_, rule, _) in zip(names, made, strict=True)}), table)
    heaviest = max(Fraction(rule.weight) for _, rule, _ in made)
    plain = [
        Plain(**fields, weight=Fraction(rule.weight) / heaviest, nulls=rule.nulls, exact=exact)
        for _, rule, fields in made
    ]
    return encode(table, schema), plain


def _column(
    rng: np.random.Generator, n_rows: int, kind: str, nulls: str, exact: bool
) -> tuple[Any, Column, dict[str, Any]]:
    weight = float(rng.choice([0.5, 1, 2, 4] if exact else [1, 1, 1, 0.3, 2, 7]))
    common: dict[str, Any] = {"role": "quasi", "weight": weight, "nulls": None if nulls == "none" else nulls}
    if kind == "tree":
        tree = TREES[0 if exact else int(rng.integers(len(TREES)))]
        tree = [["a", "b"], [["c"], "d"]] if exact and nulls != "own value" else tree
        return _tree_column(rng, n_rows, tree, common)
    values = _numbers(rng, exact) if kind == "numeric" else sorted("abcdefgh"[: int(rng.choice([1, 2, 3, 5]))])
    drawn = [values[i] for i in _draws(rng, len(values), n_rows)]
    if exact and kind == "numeric" and n_rows > 1:
        drawn[:2] = values[0], values[-1]
    cells = _with_nulls(rng, drawn, nulls)
    if kind == "numeric":
        order = sorted({cell for cell in cells if cell is not None})
        return (
            pa.array(cells, pa.int64()),
            Column(kind="numeric", **common),
            _fields(cells, order, {v: v for v in order}),
        )
    if kind == "ordered":
        order = list(rng.permutation(values))
        place = {value: i for i, value in enumerate(order)}
        rule = Column(kind="ordered", order=tuple(map(str, order)), **common)
        return pa.array(cells, pa.string()), rule, _fields(cells, order, place)
    order = sorted({cell for cell in cells if cell is not None})
    place = {value: i for i, value in enumerate(order)}
    return pa.array(cells, pa.string()), Column(kind="categorical", **common), _fields(cells, order, place)


def _tree_column(rng: np.random.Generator, n_rows: int, tree: list[Any], common: dict[str, Any]) -> Any:
    from naive import leaves

    order = leaves(tree)
    nulls = common["nulls"] or "none"
    cells = _with_nulls(rng, [order[i] for i in _draws(rng, len(order), n_rows)], nulls)
    rule = Column(kind="categorical", hierarchy=Hierarchy.nested(_named(tree)), **common)
    return pa.array(cells, pa.string()), rule, {"cells": cells, "order": order, "tree": tree}


def _named(node: list[Any], name: str = "n") -> dict[str, Any]:
    """The nested mapping that a hierarchy is made of; a single value beside nodes is a node of its own."""
    if not any(isinstance(child, list) for child in node):
        return {name: list(node)}
    inner: dict[str, Any] = {}
    for i, child in enumerate(node):
        inner |= _named(child if isinstance(child, list) else [child], f"{name}{i}")
    return inner if name == "n" else {name: inner}


def _fields(cells: list[Any], order: list[Any], place: dict[Any, int]) -> dict[str, Any]:
    return {"cells": cells, "order": order, "place": place}


def _numbers(rng: np.random.Generator, exact: bool) -> list[int]:
    if exact:
        span = int(rng.choice([1, 2, 4, 8]))
        return list(range(-3, span - 2))
    size = int(rng.choice([1, 2, 3, 6, 12]))
    return sorted({int(v) for v in rng.integers(-50, 200, size)})


def _draws(rng: np.random.Generator, n: int, n_rows: int) -> list[int]:
    if rng.random() < 0.3:
        return [int(i) for i in np.minimum(rng.geometric(0.5, n_rows) - 1, n - 1)]
    return [int(i) for i in rng.integers(0, n, n_rows)]


def _with_nulls(rng: np.random.Generator, cells: list[Any], nulls: str) -> list[Any]:
    share = 0.0 if nulls == "none" else float(rng.choice([0.1, 0.3, 0.9]))
    return [None if rng.random() < share else cell for cell in cells]
