"""Whether what is published for a cell holds it: a reading of labels that shares nothing with the package."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import numpy as np

from amongst.schema import Column


def holds(published: dict[str, Any], name: str, column: Column, cell: Any, values: list[Any]) -> bool:
    """Whether the published row says nothing wrong about the cell of column ``name``.

    ``values`` are all cells of the column, in case the label is a node that is made of them.
    """
    if f"{name}_lower" in published and name not in published:
        return _between(column, published[f"{name}_lower"], published[f"{name}_upper"], cell)
    label = published[name]
    if isinstance(label, dict):
        return _between(column, label["lower"], label["upper"], cell)
    if label is None:
        return cell is None
    if label == "*":
        return True
    if cell is None:
        return False
    assert isinstance(label, str), label
    if label in texts(cell):
        return True
    if column.hierarchy is not None and label_holds_leaf(column, label, cell, values):
        return True  # methods that choose nodes publish them, whatever the column asks for
    if texts(cell) & set(members(label)):
        return True  # and so do methods that choose sets
    return column.publish == "range" and in_range(column, label, cell)


def text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return cell if isinstance(cell, str) else repr(cell + 0.0) if isinstance(cell, float) else str(cell)


def texts(cell: Any) -> set[str]:
    """How a cell may be written: one of 32 bits also with the fewest digits that stand for it."""
    short = isinstance(cell, float) and _is_short(cell)
    return {text(cell)} | ({text(float(str(np.float32(cell))))} if short else set())


def _is_short(number: float) -> bool:
    with np.errstate(over="ignore"):
        return float(np.float32(number)) == number


def _between(column: Column, lower: Any, upper: Any, cell: Any) -> bool:
    """Bounds of values; none at all for nulls, and where values and nulls are together."""
    if lower is None and upper is None:
        return True
    return cell is not None and _place(column, lower) <= _place(column, cell) <= _place(column, upper)


def members(label: str) -> list[str]:
    """``{a,"b,c"}`` as its members, character by character."""
    if not (label.startswith("{") and label.endswith("}")):
        return []
    found, current, quoted, escaped = [], "", False, False
    for sign in label[1:-1]:
        if escaped:
            current, escaped = current + sign, False
        elif quoted and sign == "\\":
            escaped = True
        elif sign == '"':
            quoted = not quoted
        elif sign == "," and not quoted:
            found.append(current)
            current = ""
        else:
            current += sign
    return [*found, current]


def in_range(column: Column, label: str, cell: Any) -> bool:
    """``[a-b]`` by trying every dash: some way to read it must put the cell between a and b, in order."""
    if not (label.startswith("[") and label.endswith("]")):
        return _same(label, cell)
    inner = label[1:-1]
    for at, sign in enumerate(inner):
        if sign != "-":
            continue
        ends = inner[:at].rstrip(), inner[at + 1 :].lstrip()
        for short in (False, True):
            first, last = (_read(column, end, cell, short) for end in ends)
            if first is not None and last is not None and first <= _place(column, cell) <= last:
                return True
    return False


def _same(label: str, cell: Any) -> bool:
    try:
        return type(cell)(label) == cell
    except (TypeError, ValueError):
        return isinstance(cell, dt.date) and type(cell).fromisoformat(label) == cell


def _place(column: Column, cell: Any) -> Any:
    return cell if column.order is None else column.order.index(cell)


def _read(column: Column, end: str, cell: Any, short: bool) -> Any:
    """The end of a range; ``short`` where it stands for a number of 32 bits."""
    try:
        if column.order is not None:
            return column.order.index(members("{" + end + "}")[0] if end.startswith('"') else end)
        if short:
            return float(np.float32(end)) if isinstance(cell, float) and _is_short(cell) else None
        if isinstance(cell, (int, float)):
            return Decimal(end) if isinstance(cell, int) else float(end)
        return type(cell).fromisoformat(end)
    except (ValueError, ArithmeticError):
        return None


def label_holds_leaf(column: Column, label: str, cell: Any, values: list[Any]) -> bool:
    """Whether a node of the tree with this label has the cell below it."""
    assert column.hierarchy is not None
    known = list(column.order or dict.fromkeys(value for value in values if value is not None))
    tree = column.hierarchy.tree(known, column.kind)
    leaf = tree.leaves.index(cell)
    return any(tree.label(level, leaf) == label for level in range(tree.n_levels))
