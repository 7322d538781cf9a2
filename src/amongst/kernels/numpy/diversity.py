"""Are the sensitive values of people who look alike spread enough? Without a compiler."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from amongst.kernels.relations import TableRows

FREQUENCY, DISTINCT, ENTROPY, RECURSIVE = range(4)
BOTH, ROWS, PERSONS = range(3)
ROUNDING = 1e-12


def spread_enough(sense: int, least: float, c: float, counts: Sequence[int], people: int) -> bool:
    """Whether values with these counts are diverse; ``people`` is 0 for counts of rows."""
    whole, most = sum(counts), max(counts, default=0)
    if whole == 0:
        return True
    if sense == DISTINCT:
        return len(counts) >= least
    if sense == FREQUENCY:
        return most * least <= (people or whole) * (1 + ROUNDING)
    if sense == ENTROPY:
        entropy = 0.0
        for count in counts:
            entropy -= count / whole * math.log(count / whole)
        return entropy >= math.log(least) - ROUNDING
    return most < c * sum(sorted(counts, reverse=True)[int(least) - 1 :])


def alike_nodes(tables: Sequence[TableRows], entity: Any) -> list[list[int]]:
    """A number for every node; nodes that nobody can tell apart by what is published have the same."""
    below: list[list[int]] = [[] for _ in tables]
    children = [[u for u, table in enumerate(tables) if table.parent == t] for t in range(len(tables))]
    for t in range(len(tables) - 1, -1, -1):
        number: dict[Any, int] = {}
        nodes = entity.nodes[t]
        for i in range(nodes.n):
            cells = zip(tables[t].prices, nodes.lo[i].tolist(), nodes.hi[i].tolist(), strict=True)
            key: list[Any] = [price.label(lo, hi) for price, lo, hi in cells]
            key += [tuple(sorted(below[u][slice(*entity.nodes[u].first[i : i + 2])])) for u in children[t]]
            below[t].append(number.setdefault(tuple(key), len(number)))
    alike: list[list[int]] = [[0] * entity.nodes[0].n]
    for t in range(1, len(tables)):
        up = tables[t].parent
        numbers: dict[tuple[int, int], int] = {}
        first = entity.nodes[t].first
        parents = np.repeat(np.arange(len(first) - 1), np.diff(first)).tolist()
        keys = [(alike[up][p], one) for p, one in zip(parents, below[t], strict=True)]
        alike.append([numbers.setdefault(key, len(numbers)) for key in keys])
    return alike


def diverse(tables: Sequence[TableRows], entity: Any, spreads: np.ndarray) -> bool:
    """Whether every sensitive column of a group is spread as asked, in rows and in people."""
    if not len(spreads):
        return True
    alike = alike_nodes(tables, entity)
    for t, column, sense, least, c, counted in spreads.tolist():
        t = int(t)
        rows: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        people: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        for member, own in enumerate(entity.nodes[t].rows):
            values = tables[t].sensitive[own, int(column)].tolist()
            for kind, value in zip(alike[t], values, strict=True):
                rows[kind][value] += 1
                people[kind][value].add(member)
        for kind, counts in rows.items():
            in_order = sorted(counts)
            by_people = [len(people[kind][value]) for value in in_order]
            by_rows = [counts[value] for value in in_order]
            if counted != PERSONS and not spread_enough(int(sense), least, c, by_rows, 0):
                return False
            if counted != ROWS and not spread_enough(int(sense), least, c, by_people, len(entity.members)):
                return False
    return True
