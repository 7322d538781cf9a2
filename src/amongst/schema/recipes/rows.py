"""A table of leaves and their ancestors: ``leaf, level 1, ..., top``, in any order of rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from amongst.errors import BadHierarchy
from amongst.schema.assemble import ROOT, Level, assemble, in_order
from amongst.schema.digest import digest_of
from amongst.schema.problem import Problem, are, count, listed, raise_all, values_are
from amongst.schema.tree import Tree
from amongst.schema.value_text import reader_like, text_of

Row = tuple[str, ...]


@dataclass(frozen=True)
class Rows:
    """Rows of equal length. Where the last fields are not all the same, a root ``*`` is added on top."""

    rows: tuple[Row, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if any(isinstance(row, str) or not isinstance(row, Sequence) for row in self.rows):
            problem = Problem("a row that is not a list of texts", "give lists: leaf, level 1, ..., top")
            raise_all(BadHierarchy, "These rows cannot be a hierarchy.", [problem])
        object.__setattr__(self, "rows", tuple(tuple(map(text_of, row)) for row in self.rows))

    def bind(self, values: list[Any], kind: str) -> Tree:
        return tree_of_rows(self.rows, values, kind)

    def to_dict(self) -> dict[str, Any]:
        return {"rows": [list(row) for row in self.rows]}

    def describe(self) -> str:
        return f"a table of {count(len(self.rows), 'leaf', 'leaves')}"

    def public_dict(self) -> dict[str, Any]:
        return {"rows": len(self.rows), "sha256": digest_of(self.rows)}


WITHIN_LIMITS = "within the limits of the column"
"""What is told of rows that limits made."""


class RowsWithinLimits(Rows):
    """Rows that limits made of the values that the input has: how many there are, and which, tells who was left out."""

    def describe(self) -> str:
        return WITHIN_LIMITS

    def public_dict(self) -> dict[str, Any]:
        return {"rows": WITHIN_LIMITS}


def tree_of_rows(rows: Sequence[Row], values: list[Any], kind: str, row_numbers: Sequence[int] = ()) -> Tree:
    """The tree of rows, over all their leaves, also those that the column does not have.

    ``row_numbers`` are the numbers to name rows by, where they are not 1, 2, 3 ...
    """
    n_fields = Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
    numbers = row_numbers or range(1, len(rows) + 1)
    problems = _shape_problems(rows, numbers, n_fields)
    problems += _coverage_problems(rows, values, kind)
    whole = [row for row in rows if len(row) == n_fields]
    problems += _parent_problems(whole, n_fields)
    problems += _label_problems(rows, numbers, n_fields) + _header_problems(rows, numbers, values)
    if any(problem.facts.get("problem") != "not covered" for problem in problems):
        raise_all(BadHierarchy, "The hierarchy does not fit the column.", problems)
    return _build(whole, values, kind, problems)


def _shape_problems(rows: Sequence[Row], numbers: Sequence[int], n_fields: int) -> list[Problem]:
    if not rows:
        return [Problem("the hierarchy has no rows", "give a row for every value: leaf;level 1;...;*")]
    problems = []
    if n_fields < 2:
        problems.append(Problem("most rows have a single field", "check the separator, or use flat()"))
    by_length: dict[int, list[int]] = {}
    for number, row in zip(numbers, rows, strict=True):
        if len(row) != n_fields:
            by_length.setdefault(len(row), []).append(number)
    for length, where in by_length.items():
        text = f"{_rows(where)}: {count(length, 'field')} where {n_fields} were expected"
        problems.append(Problem(text, "give all rows as many fields", {"problem": "ragged", "rows": where}))
    empty = [number for number, row in zip(numbers, rows, strict=True) if "" in row]
    if empty:
        problems.append(Problem(f"{_rows(empty)}: an empty field", "name it, or leave the row out", {"rows": empty}))
    return problems


def _rows(numbers: list[int]) -> str:
    return ("row " if len(numbers) == 1 else "rows ") + listed(numbers)


def _coverage_problems(rows: Sequence[Row], values: list[Any], kind: str) -> list[Problem]:
    """Leaves of another type, leaves given twice, values that are no leaf."""
    read = reader_like(values, kind)
    times: Counter[Any] = Counter()
    n_unread = 0
    for row in rows:
        try:
            times[read(row[0]) if row else None] += 1
        except ValueError:
            n_unread += 1
    n_twice = sum(n > 1 for n in times.values())
    n_missing = sum(value not in times for value in values)
    problems = []
    if n_unread:
        text = f"{count(n_unread, 'leaf', 'leaves')} cannot be read as the column's type"
        problems.append(Problem(text, "leave them out, or correct them", {"problem": "type", "count": n_unread}))
    if n_twice:
        text = f"{are(n_twice, 'leaf', 'leaves')} given more than once"
        problems.append(Problem(text, "give every leaf one row", {"problem": "duplicate", "count": n_twice}))
    if n_missing:
        text = values_are(n_missing, "not covered")
        fix = "add them to the hierarchy, or make them nulls"
        problems.append(Problem(text, fix, {"problem": "not covered", "count": n_missing}))
    return problems


def _parent_problems(rows: Sequence[Row], n_fields: int) -> list[Problem]:
    """Labels that stand under two different labels: a child with two parents."""
    problems = []
    for level in range(1, n_fields - 1):
        pairs = {(row[level], row[level + 1]) for row in rows}
        n_parents = Counter(child for child, _ in pairs)
        n_torn = sum(n > 1 for n in n_parents.values())
        if n_torn:
            have = "has" if n_torn == 1 else "have"
            text = f"{count(n_torn, 'label')} at level {level} {have} two parents at level {level + 1}"
            fix = "give every label one parent; rename labels that mean different things"
            problems.append(Problem(text, fix, {"problem": "two parents", "level": level, "count": n_torn}))
    return problems


def _label_problems(rows: Sequence[Row], numbers: Sequence[int], n_fields: int) -> list[Problem]:
    """Labels that are also a leaf which they do not hold: published, they would be read as that leaf."""
    row_of_leaf = {row[0]: row for row in rows if len(row) == n_fields}
    if row_of_leaf.keys().isdisjoint(label for row in row_of_leaf.values() for label in row[1:]):
        return []
    wrong = [
        number
        for number, row in zip(numbers, rows, strict=True)
        if len(row) == n_fields
        and any(label in row_of_leaf and row_of_leaf[label][level] != label for level, label in enumerate(row) if level)
    ]
    if not wrong:
        return []
    text = f"{_rows(wrong)}: a label that is the name of a leaf which is not below it"
    fix = "rename the label: whoever reads it would take it for that leaf"
    return [Problem(text, fix, {"problem": "label is a leaf", "rows": wrong})]


def _header_problems(rows: Sequence[Row], numbers: Sequence[int], values: list[Any]) -> list[Problem]:
    """A first row that is no value and does not end in ``*`` as all others do: names of columns."""
    tops = {row[-1] for row in rows[1:] if row}
    if len(rows) < 3 or tops != {ROOT} or not rows[0] or rows[0][-1] in tops:
        return []
    if rows[0][0] in {text_of(value) for value in values}:
        return []
    text = f"{_rows([numbers[0]])}: no value of the column, and another top than all other rows: a line of names"
    return [Problem(text, "leave the line of names out", {"problem": "header", "rows": [numbers[0]]})]


def _build(rows: Sequence[Row], values: list[Any], kind: str, problems: list[Problem]) -> Tree:
    """The tree of sound rows; ``problems`` are raised together with those that the order has."""
    read = reader_like(values, kind)
    leaves = [read(row[0]) for row in rows]
    columns = [[row[level] for row in rows] for level in range(1, len(rows[0]))]
    root = ROOT
    if len(set(columns[-1])) == 1:
        root = columns.pop()[0]
    node_levels = [_numbered(labels) for labels in columns]
    order = _leaf_order(leaves, values, kind, node_levels)
    levels = [_level(node[order], labels, order) for node, labels in zip(node_levels, columns, strict=True)]
    return assemble([leaves[i] for i in order.tolist()], levels, problems, root)


def _numbered(labels: list[str]) -> np.ndarray:
    """Every label as a number, by first appearance."""
    number = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return np.array([number[label] for label in labels], dtype=np.int64)


def _leaf_order(leaves: list[Any], values: list[Any], kind: str, node_levels: list[np.ndarray]) -> np.ndarray:
    """Where the kind has an order, that order; else in-order, siblings by first appearance.

    In an ordered column, leaves without a place in the order stand where their tree puts them.
    """
    rank = np.arange(len(leaves))
    if kind in ("numeric", "date"):
        return np.array(sorted(rank.tolist(), key=leaves.__getitem__), dtype=np.int64)
    if kind == "ordered":
        place = {value: i for i, value in enumerate(values)}
        rank = np.array([place.get(leaf, len(values) + i) for i, leaf in enumerate(leaves)])
        inner = in_order(rank, node_levels)
        ranked = rank[inner][rank[inner] < len(values)]
        # Sorted by rank alone, a label that breaks the order shows up as scattered when assembled.
        return inner if np.all(np.diff(ranked) > 0) else np.argsort(rank)
    return in_order(rank, node_levels)


def _level(node_of_leaf: np.ndarray, labels: list[str], order: np.ndarray) -> Level:
    return Level(node_of_leaf, lambda first, last: labels[int(order[first])])
