"""Neighbours merged n at a time, level by level, until one node remains; and everything in one step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from amongst.errors import BadHierarchy
from amongst.schema.assemble import ROOT, Level, assemble
from amongst.schema.digest import digest_of
from amongst.schema.problem import Problem, are, count, raise_all, values_are
from amongst.schema.tree import Tree
from amongst.schema.value_text import range_label, reader_like, text_of


@dataclass(frozen=True)
class Fanout:
    """Nodes of ``n`` neighbours each; the last of a level may have fewer. ``order`` lists the values."""

    n: int
    order: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        problems = []
        if not isinstance(self.n, int) or isinstance(self.n, bool) or self.n < 2:
            problems.append(Problem("the fan-out is not a whole number of at least 2", "use fanout(4) or the like"))
        if self.order is not None:
            object.__setattr__(self, "order", tuple(map(text_of, self.order)))
            n_twice = len(self.order) - len(set(self.order))
            if n_twice:
                problems.append(Problem(f"the order repeats {count(n_twice, 'value')}", "name every value once"))
        raise_all(BadHierarchy, "This fan-out cannot be a hierarchy.", problems)

    def bind(self, values: list[Any], kind: str) -> Tree:
        leaves, problems = self._leaves(values, kind)
        levels = []
        size = self.n
        while size < len(leaves):
            levels.append(_level(leaves, size))
            size *= self.n
        return assemble(leaves, levels, problems)

    def _leaves(self, values: list[Any], kind: str) -> tuple[list[Any], list[Problem]]:
        if self.order is None:
            return natural_order(values, kind), []
        problems = []
        leaves, n_unread = _read_all(self.order, values, kind)
        n_missing = len(set(values) - set(leaves))
        if n_unread:
            text = f"{are(n_unread, 'value of the order', 'values of the order')} not of the column's type"
            problems.append(Problem(text, "write them as the column has them", {"count": n_unread}))
        if n_missing:
            text = values_are(n_missing, "not in the order")
            problems.append(Problem(text, "add them to the order", {"problem": "not covered", "count": n_missing}))
        if not n_unread and not _agrees(leaves, values, kind):
            text = "the order is not the order of the column"
            problems.append(Problem(text, 'use kind = "categorical", or the column\'s own order'))
        return leaves, problems

    def named_by(self, tree: Tree, stays: np.ndarray) -> Tree:
        """The tree with nodes that are named by the first and the last of their leaves that stay.

        Without an order leaves are the values of the table, also of people who are left out: none of theirs is a name.
        """
        if self.order is not None:
            return tree
        at = np.flatnonzero(stays)
        labels = [tree.labels[0], *(self._names(tree, level, at) for level in range(1, tree.n_levels))]
        return replace(tree, labels=labels)

    def _names(self, tree: Tree, level: int, at: np.ndarray) -> dict[int, str]:
        """The names of the nodes of a level by the leaves ``at`` which stay; a node without one keeps its own."""
        own = tree.labels[level]
        node = np.array(list(own), dtype=np.int64)
        first = np.searchsorted(at, node)
        last = np.searchsorted(at, tree.end[level, node], side="right") - 1
        return {
            n: range_label(tree.leaves[at[a]], tree.leaves[at[b]]) if a <= b and own[n] != ROOT else own[n]
            for n, a, b in zip(node.tolist(), first.tolist(), last.tolist(), strict=True)
        }

    def to_dict(self) -> dict[str, Any]:
        return {"fanout": self.n} if self.order is None else {"fanout": self.n, "order": list(self.order)}

    def describe(self) -> str:
        return f"neighbours merged {self.n} at a time"

    def public_dict(self) -> dict[str, Any]:
        return {"fanout": self.n} if self.order is None else {"fanout": self.n, "sha256": digest_of(self.order)}


@dataclass(frozen=True)
class Flat:
    """One step from every value to the root."""

    def bind(self, values: list[Any], kind: str) -> Tree:
        return assemble(natural_order(values, kind), [])

    def to_dict(self) -> dict[str, Any]:
        return {"flat": True}

    def describe(self) -> str:
        return "one step to *"

    def public_dict(self) -> dict[str, Any]:
        return self.to_dict()


def natural_order(values: list[Any], kind: str) -> list[Any]:
    """As given for an ordered column, ascending otherwise."""
    return list(values) if kind == "ordered" else sorted(values)


def _level(leaves: list[Any], size: int) -> Level:
    return Level(np.arange(len(leaves)) // size, lambda first, last: range_label(leaves[first], leaves[last]))


def _read_all(order: tuple[str, ...], values: list[Any], kind: str) -> tuple[list[Any], int]:
    read = reader_like(values, kind)
    leaves, n_unread = [], 0
    for text in order:
        try:
            leaves.append(read(text))
        except ValueError:
            n_unread += 1
    return leaves, n_unread


def _agrees(leaves: list[Any], values: list[Any], kind: str) -> bool:
    if kind in ("numeric", "date"):
        return leaves == sorted(leaves)
    known = set(values)
    return kind != "ordered" or [leaf for leaf in leaves if leaf in known] == values
