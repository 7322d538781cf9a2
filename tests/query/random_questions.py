"""Random questions over the random tables of the flow, each with a naive answer worked out row by row."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from amongst.schema.column import Column
from amongst.schema.value_text import text_of
from flow_tables import GRADES, REGIONS, Made

Row = dict[str, Any]
Truth = Callable[[Row], bool | None]
"""Three-valued: None where a missing value leaves it open."""

PLACES = {"North": {"oslo", "york"}, "South": {"rome", "nice", "bern"}, "Hot": {"rome", "nice"}, "Mild": {"bern"}}
assert set(REGIONS) < set(PLACES)


@dataclass(frozen=True)
class Asked:
    """A condition as SQL, and its truth for a row."""

    sql: str
    truth: Truth


def random_where(rng: np.random.Generator, made: Made, names: list[str], depth: int = 3) -> Asked:
    """AND, OR and NOT over random conditions."""
    draw = rng.random()
    if depth == 0 or draw < 0.4:
        return _condition(rng, made, str(rng.choice(names)))
    if draw < 0.55:
        inner = random_where(rng, made, names, depth - 1)
        return Asked(f"NOT ({inner.sql})", lambda row: _not(inner.truth(row)))
    parts = [random_where(rng, made, names, depth - 1) for _ in range(int(rng.integers(2, 4)))]
    if draw < 0.8:
        return Asked(" AND ".join(f"({p.sql})" for p in parts), lambda row: _all([p.truth(row) for p in parts]))
    return Asked(" OR ".join(f"({p.sql})" for p in parts), lambda row: _some([p.truth(row) for p in parts]))


def _not(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _all(truths: list[bool | None]) -> bool | None:
    return False if False in truths else None if None in truths else True


def _some(truths: list[bool | None]) -> bool | None:
    return True if True in truths else None if None in truths else False


def _condition(rng: np.random.Generator, made: Made, name: str) -> Asked:
    quoted = '"' + name + '"'
    if rng.random() < 0.1:
        negated = bool(rng.random() < 0.5)
        return Asked(f"{quoted} IS {'NOT ' if negated else ''}NULL", lambda row: (row[name] is None) != negated)
    values = [value for value in dict.fromkeys(made.cells(name)) if value is not None]
    if not values:
        return Asked(f"{quoted} IS NULL", lambda row: row[name] is None)
    # Floats do not tell larger whole numbers apart, so these are refused.
    values = [value for value in values if not isinstance(value, int) or abs(value) < 2**53] or [0]
    rule = made.schema[name]
    if rule.hierarchy is not None and "nested" in rule.hierarchy.to_dict() and rng.random() < 0.4:
        node = str(rng.choice(list(PLACES)))
        return Asked(f"{quoted} = '{node}'", _known(name, lambda value: value in PLACES[node]))
    if rule.hierarchy is not None and "digits" in rule.hierarchy.to_dict() and rng.random() < 0.4:
        kept = int(rng.integers(1, 5))
        mask = str(values[0])[:kept].ljust(5, "*")
        return Asked(f"{quoted} = '{mask}'", _known(name, lambda value: value[:kept] == mask[:kept]))
    if _has_size(values[0], rule) and rng.random() < 0.6:
        return _by_size(rng, name, quoted, values, rule)
    chosen = [values[i] for i in rng.integers(0, len(values), int(rng.integers(1, 4)))]
    negated = bool(rng.random() < 0.3)
    listed = ", ".join(_sql(value) for value in chosen)
    sql = f"{quoted} {'NOT ' if negated else ''}IN ({listed})"
    return Asked(sql, _known(name, lambda value: (value in chosen) != negated))


def _known(name: str, truth: Callable[[Any], bool]) -> Truth:
    return lambda row: None if row[name] is None else truth(row[name])


def _has_size(value: Any, rule: Column) -> bool:
    if rule.kind == "ordered":
        return True
    return rule.kind != "categorical" and isinstance(value, (int, float, dt.date)) and not isinstance(value, bool)


def _by_size(rng: np.random.Generator, name: str, quoted: str, values: list[Any], rule: Column) -> Asked:
    place = GRADES.index if rule.kind == "ordered" else (lambda value: value)
    first, last = sorted([values[int(rng.integers(len(values)))] for _ in range(2)], key=place)
    if isinstance(first, int) and rng.random() < 0.5 and abs(first) < 1000:
        first = first + int(rng.integers(-2, 3))
    ways: list[tuple[str, Callable[[Any], bool]]] = [
        (f"{quoted} BETWEEN {_sql(first)} AND {_sql(last)}", lambda v: place(first) <= place(v) <= place(last)),
        (f"{quoted} < {_sql(first)}", lambda v: place(v) < place(first)),
        (f"{quoted} <= {_sql(first)}", lambda v: place(v) <= place(first)),
        (f"{quoted} > {_sql(first)}", lambda v: place(v) > place(first)),
        (f"{_sql(first)} <= {quoted}", lambda v: place(v) >= place(first)),
        (f"{quoted} <> {_sql(last)}", lambda v: place(v) != place(last)),
    ]
    sql, truth = ways[int(rng.integers(len(ways)))]
    return Asked(sql, _known(name, truth))


def _sql(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return repr(value)
    return "'" + text_of(value).replace("'", "''") + "'"


def naive_figure(function: str, values: list[Any]) -> Any:
    """A figure of the values that are there, as SQL has it."""
    there = [value for value in values if value is not None]
    if function == "COUNT":
        return len(there)
    if not there:
        return None
    figures = {"SUM": sum, "AVG": lambda v: sum(v) / len(v), "MIN": min, "MAX": max}
    return figures[function](there)  # type: ignore[operator]
