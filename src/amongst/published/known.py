"""What the schema knows about the labels of a column, and which labels it does not understand."""

from __future__ import annotations

import datetime
import re
from collections.abc import Container
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.errors import BadHierarchy
from amongst.published.distinct_labels import Labels, parse_all
from amongst.published.labels import Label, parse
from amongst.schema.column import Column
from amongst.schema.tree import Tree
from amongst.schema.value_text import text_of


@dataclass(frozen=True)
class Known:
    """What may stand in a column.

    Attributes
    ----------
    kind : str or None
    nodes : container of str, or None
        The names of nodes: a dict of leaf counts where the hierarchy lists its leaves, a pattern where
        it follows from the values (masks, parts of the calendar).
    order : dict of str to int, or None
    listed : bool
        The hierarchy lists all leaves: a value that is no node is unknown.
    opaque : bool
        The column publishes ranges of texts in an order that is not known here, so that a range cannot
        be told from a value.
    costs : dict of str to float, or None
        What nodes cost where they have weights.
    """

    kind: str | None = None
    nodes: Any = None
    order: dict[str, int] | None = None
    listed: bool = False
    opaque: bool = False
    costs: dict[str, float] | None = None

    def read(self, texts: pa.Array) -> Labels:
        return parse_all(texts, self.kind, nodes=self.nodes, order=self.order)

    def read_one(self, text: str | None) -> Label:
        """One label, with places that are exact."""
        return parse(text, self.kind, nodes=self.nodes, order=self.order, exact=True)

    def understands(self, labels: Labels) -> np.ndarray:
        """Which labels say something that this column can say."""
        placed = ~np.isnan(labels.lo)
        if self.kind in ("numeric", "date") or self.order is not None:
            value, mask = placed, False
        else:
            value, mask = not self.listed, not self.listed
        understood = labels.are("node") | labels.are("all") | labels.are("null")
        understood |= labels.are("value") & value
        understood |= labels.are("range") & ~labels.empty
        understood |= labels.are("mask") & mask
        for i in np.flatnonzero(labels.are("set")).tolist():
            understood[i] = all(map(self._is_member, labels.members[i]))
        return understood

    def _is_member(self, text: str) -> bool:
        if self.order is not None:
            return text in self.order
        if self.kind in ("numeric", "date"):
            label = parse(text, self.kind)
            return label.kind == "value" and label.lo is not None
        return not self.listed or text in self.nodes


def known_labels(column: Column) -> Known:
    """What the schema knows about the labels of a column."""
    order = None if column.order is None else {text_of(value): i for i, value in enumerate(column.order)}
    if column.hierarchy is None:
        return Known(column.kind, None, order, opaque=column.kind == "ordered" and order is None)
    tree = _listed_tree(column)
    if tree is not None:
        return Known(column.kind, _leaves(tree), order, listed=True, costs=_costs(tree))
    fields = column.hierarchy.to_dict()
    if "digits" in fields:
        # Digits bound what a code can be, so a code that fits no level is unknown.
        return Known(column.kind, Digits(fields["digits"]), order, listed=True)
    if "prefix" in fields:
        return Known(column.kind, Prefixes(tuple(fields["prefix"])), order)
    if "dates" in fields:
        return Known(column.kind, Calendar(tuple(fields["dates"])), order)
    return Known(column.kind, None, order, opaque="fanout" in fields and order is None)


def _listed_tree(column: Column) -> Tree | None:
    """The tree of a hierarchy that lists its leaves itself."""
    assert column.hierarchy is not None
    try:
        tree = column.hierarchy.tree([], column.kind)
    except BadHierarchy:
        return None
    return tree if tree.n_leaves else None


def _leaves(tree: Tree) -> dict[str, int]:
    """How many leaves are under every node."""
    nodes: dict[str, int] = {}
    for level, labels in enumerate(tree.labels):
        for first, label in labels.items():
            nodes[label] = max(int(tree.end[level, first]) - first + 1, nodes.get(label, 0))
    return nodes


def _costs(tree: Tree) -> dict[str, float] | None:
    """What every node costs, where nodes have weights."""
    if tree.cost is None:
        return None
    return {
        label: float(tree.cost[level, first]) for level, own in enumerate(tree.labels) for first, label in own.items()
    }


@dataclass(frozen=True)
class Digits(Container[str]):
    """Codes of n digits, and codes of which the last digits became stars."""

    n: int

    def __contains__(self, text: object) -> bool:
        if not isinstance(text, str) or len(text) > self.n:
            return False
        head = text.rstrip("*")
        # A whole number has lost its leading zeros, so an unmasked code may be shorter.
        return head.isascii() and head.isdigit() and (len(text) == self.n or head == text)


@dataclass(frozen=True)
class Prefixes(Container[str]):
    """Texts of which the first so many characters are kept."""

    keeps: tuple[int, ...]

    def __contains__(self, text: object) -> bool:
        if not isinstance(text, str):
            return False
        head = text.rstrip("*")
        return head != text and len(head) in self.keeps


_PARTS = {
    "week": re.compile(r"([0-9]{4})-W([0-9]{2})"),
    "month": re.compile(r"([0-9]{4})-([0-9]{2})"),
    "quarter": re.compile(r"([0-9]{4})-Q([1-4])"),
    "year": re.compile(r"([0-9]{4})"),
    "decade": re.compile(r"([0-9]{3}0)s"),
}


@dataclass(frozen=True)
class Calendar(Container[str]):
    """Weeks, months, quarters, years and decades, as far as the hierarchy has them."""

    parts: tuple[str, ...]

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and self.days(text) is not None

    def days(self, text: str) -> tuple[int, int] | None:
        """The first and the last day of a part, counted from 1970; None for what is none."""
        for part in self.parts:
            found = _PARTS[part].fullmatch(text) if part in _PARTS else None
            if found:
                try:
                    return _first_and_last(part, [int(number) for number in found.groups()])
                except ValueError:
                    return None
        return None


def _first_and_last(part: str, numbers: list[int]) -> tuple[int, int]:
    year = numbers[0]
    if part == "week":
        first = datetime.date.fromisocalendar(year, numbers[1], 1)
        return _day(first), _day(first) + 6
    n_months = {"month": 1, "quarter": 3, "year": 12, "decade": 120}[part]
    month = 0 if len(numbers) == 1 else (numbers[1] - 1) * n_months
    first = datetime.date(year, month + 1, 1)
    after = month + n_months
    return _day(first), _day(datetime.date(year + after // 12, after % 12 + 1, 1)) - 1


def _day(date: datetime.date) -> int:
    return date.toordinal() - datetime.date(1970, 1, 1).toordinal()
