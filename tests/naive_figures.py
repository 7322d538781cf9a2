"""Figures of a published table by their definitions, in lists and dicts, from the published rows and the request."""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import amongst as am
from naive_judge import SLACK, Row, _apart, classes

NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"


def key_columns(rows: Sequence[Row], schema: am.Schema) -> list[str]:
    """The published columns that stand for quasi-identifiers."""
    ends = {name: (name, f"{name}_lower", f"{name}_upper") for name in schema.quasi}
    return [column for name in schema.quasi for column in ends[name] if column in rows[0]]


def ends_of(cell: Any) -> tuple[float, float] | None:
    """The ends of a range or of a single value on a number line."""
    if isinstance(cell, (int, float)):
        return float(cell), float(cell)
    if isinstance(cell, str):
        one = re.fullmatch(rf"\[?({NUMBER})(?:-({NUMBER})\]?)?", cell)
        if one:
            return float(one[1]), float(one[2] or one[1])
        days = re.fullmatch(r"\[?(\d{4}-\d\d-\d\d)(?: to (\d{4}-\d\d-\d\d)\])?", cell)
        if days:
            first, last = days[1], days[2] or days[1]
            return tuple(
                float((datetime.date.fromisoformat(d) - datetime.date(1970, 1, 1)).days) for d in (first, last)
            )  # type: ignore[return-value]
    return None


def loss_of(name: str, rows: Sequence[Row], schema: am.Schema) -> float:
    """The mean width of what is published in a column."""
    if f"{name}_lower" in rows[0]:
        pairs = [(float(row[f"{name}_lower"]), float(row[f"{name}_upper"])) for row in rows]
    else:
        cells = [row[name] for row in rows]
        if schema[name].kind not in ("numeric", "date"):
            return sum(_of_category(cell, cells, schema[name]) for cell in cells) / len(cells)
        pairs = [ends_of(cell) or ((math.inf, -math.inf) if cell == "*" else (0.0, 0.0)) for cell in cells]
    told = [pair for pair, row in zip(pairs, rows, strict=True) if row.get(name, "") not in ("*", None)]
    lowest, highest = min((lo for lo, _ in told), default=0), max((hi for _, hi in told), default=0)
    whole = highest - lowest
    width = [1.0 if lo > hi else (hi - lo) / whole if whole else 0.0 for lo, hi in pairs]
    width = [0.0 if row.get(name, "") is None else share for share, row in zip(width, rows, strict=True)]
    return sum(width) / len(width)


def _of_category(cell: Any, cells: Sequence[Any], column: am.Column) -> float:
    if cell == "*":
        return 1.0
    if cell is None:
        return 0.0
    if cell.startswith("{"):
        named = {member for other in cells if other and other != "*" for member in _members(other)}
        return len(_members(cell)) / len(named)
    return 0.0


def _members(cell: str) -> set[str]:
    return set(cell.strip("{}").split(",")) if cell.startswith("{") else {cell}


def sizes_of(rows: Sequence[Row], schema: am.Schema) -> list[int]:
    """The rows of every class of equal rows."""
    return [len(one) for one in classes(rows, key_columns(rows, schema))]


def told_sizes(rows: Sequence[Row], schema: am.Schema) -> list[int]:
    """For every distinct row how many it cannot be told from."""
    keys = key_columns(rows, schema)
    wild = [key for key in keys if key in schema and schema[key].nulls == "match anything"]
    alike = classes(rows, keys, wild) if wild else classes(rows, keys)
    if not wild:
        return [len(one) for one in alike]
    first = {tuple(row[key] for key in keys): len(one) for row, one in zip(rows, alike, strict=True)}
    return list(first.values())


def hidden_figures(rows: Sequence[Row], schema: am.Schema, name: str, distance: str) -> dict[str, float]:
    """How well the values of a sensitive column are hidden in the worst class."""
    whole = Counter(row[name] for row in rows)
    usual = {value: n / len(rows) for value, n in whole.items()}
    figures: dict[str, list[float]] = {}
    for members in classes(rows, key_columns(rows, schema)):
        count, n = Counter(row[name] for row in members), len(members)
        own = {value: c / n for value, c in count.items()}
        falling = sorted(count.values(), reverse=True)
        found = {
            "l_frequency": n / max(count.values()),
            "l_distinct": len(count),
            "l_entropy": math.exp(-sum(p * math.log(p) for p in own.values())),
            "l_recursive": sum(falling[0] < 2 * sum(falling[i:]) for i in range(len(falling))),
            "t": _apart(own, usual, distance),
            "beta": max(p / usual[value] for value, p in own.items()) - 1,
            "delta": max(abs(math.log(p / usual[value])) for value, p in own.items()),
        }
        for figure, worth in found.items():
            figures.setdefault(figure, []).append(worth)
    return {key: (min if key.startswith("l_") else max)(found) for key, found in figures.items()}


def reached(model: Any, rows: Sequence[Row], schema: am.Schema) -> float:
    """The best parameter of a model that the rows hold."""
    if isinstance(model, am.KAnonymity):
        return min(told_sizes(rows, schema))
    column = model.column or schema.sensitive[0]
    found = hidden_figures(rows, schema, column, "equal")
    return found["t"] if isinstance(model, am.TCloseness) else found[f"l_{model.kind}"]


def close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=SLACK, abs_tol=SLACK)
