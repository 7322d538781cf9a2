"""Figures of a published table by their definitions, in lists and dicts, from the published rows and the request."""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import prod
from typing import Any

import amongst as am
from judges import Row, classes
from judges.t_closeness import apart

SLACK = 1e-7
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
    tree = {} if column.hierarchy is None else getattr(column.hierarchy.recipe, "mapping", {})
    below = _leaves(_node(cell, tree))
    return below / _leaves(tree) if below > 1 else 0.0


def _node(cell: str, tree: Any) -> Any:
    """What a tree of mappings and lists has below a node of this name; nothing for a leaf."""
    for part in tree if isinstance(tree, list) else [tree]:
        for name, below in part.items() if isinstance(part, dict) else ():
            if name == cell:
                return below
            if found := _node(cell, below):
                return found
    return {}


def _leaves(tree: Any) -> int:
    if isinstance(tree, dict):
        return sum(map(_leaves, tree.values()))
    return sum(map(_leaves, tree)) if isinstance(tree, list) else 1


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
            "t": apart(own, usual, distance),
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


def risk_of(rows: Sequence[Row], schema: am.Schema, k: int, largest: int) -> dict[str, Any]:
    """What ``am.risk`` tells of a published table alone, pair of rows by pair of rows."""
    cells = {name: [tuple(row[key] for key in _keys_of(name, rows)) for row in rows] for name in schema.quasi}
    wild = {name for name in schema.quasi if schema[name].nulls == "match anything"}
    whole = list(zip(*cells.values(), strict=True))
    kinds = Counter(whole)
    alike = {one: sum(n for other, n in kinds.items() if _fit(one, other, cells, wild)) for one in kinds}
    sizes = [alike[row] for row in whole]
    at_risk = sum(size < k for size in sizes)
    average = sum(1 / size for size in sizes) / len(sizes)
    sets = _minimal_uniques(whole, list(cells), largest)
    return {
        "rows": len(rows),
        "classes": len(kinds),
        "unique_rows": few(sizes.count(1), k),
        "prosecutor": {
            "highest": 1 / min(sizes),
            "average": average,
            "rows_at_risk": few(at_risk, k),
            "share_at_risk": None if 0 < at_risk < k else at_risk / len(rows),
        },
        "marketer": average,
        "columns": {(name,): _told_apart([name], cells) for name in cells},
        "contribution": _contribution(sets, list(cells), largest),
        "pairs": {pair: _told_apart(pair, cells) for pair in combinations(cells, 2)},
        "minimal": few(sum(bool(own) for own in sets), k),
        "minimal_of_size": {
            str(size): few(sum(any(len(one) == size for one in own) for own in sets), k)
            for size in range(1, largest + 1)
        },
        "minimal_sets": {one: few(n, k) for one, n in Counter(one for own in sets for one in own).items()},
    }


def few(number: int, k: int) -> int | str:
    """A count of people as it is told."""
    return f"fewer than {k}" if 0 < number < k else number


def _keys_of(name: str, rows: Sequence[Row]) -> list[str]:
    return [key for key in (name, f"{name}_lower", f"{name}_upper") if key in rows[0]]


def _fit(one: tuple[Any, ...], other: tuple[Any, ...], names: Any, wild: set[str]) -> bool:
    return all(
        a == b or (name in wild and (None in a or None in b)) for name, a, b in zip(names, one, other, strict=True)
    )


def _told_apart(names: Sequence[str], cells: dict[str, list[Any]]) -> dict[str, float]:
    values = Counter(zip(*[cells[name] for name in names], strict=True))
    n = sum(values.values())
    same = sum(times * (times - 1) // 2 for times in values.values())
    pairs = n * (n - 1) // 2
    return {"values": len(values), "distinction": len(values) / n, "separation": 1 - same / pairs}


def _minimal_uniques(whole: list[tuple[Any, ...]], names: list[str], largest: int) -> list[list[tuple[str, ...]]]:
    found: list[list[tuple[str, ...]]] = [[] for _ in whole]
    for size in range(1, largest + 1):
        for chosen in combinations(range(len(names)), size):
            parts = [tuple(row[c] for c in chosen) for row in whole]
            times, own = Counter(parts), tuple(names[c] for c in chosen)
            for i, part in enumerate(parts):
                if times[part] == 1 and not any(set(smaller) <= set(own) for smaller in found[i]):
                    found[i].append(own)
    return found


def _contribution(sets: list[list[tuple[str, ...]]], names: list[str], largest: int) -> dict[str, float]:
    def score(one: tuple[str, ...]) -> int:
        return prod(len(names) - i for i in range(len(one), min(largest, len(names) - 1) + 1))

    total = sum(score(one) for own in sets for one in own)
    return {name: sum(score(s) for own in sets for s in own if name in s) / total if total else 0.0 for name in names}
