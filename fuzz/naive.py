"""Does a table of texts hold the models? Lists and dicts only, by the definitions."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import amongst as am

Row = dict[str, Any]


def holds(model: Any, rows: Sequence[Row], quasi: Sequence[str], sensitive: Sequence[str]) -> bool:
    """Whether the published rows hold a model; a null is a value of its own."""
    if isinstance(model, am.KOfSubsets):
        subsets = itertools.combinations(quasi, min(model.m, len(quasi)))
        return all(_sizes_hold(rows, subset, model.k) for subset in subsets)
    if isinstance(model, am.KAnonymity):
        return _sizes_hold(rows, quasi, model.k)
    columns = [model.column] if model.column is not None else sensitive
    whole = {column: Counter(row[column] for row in rows) for column in columns}
    for members in classes(rows, quasi):
        for column in columns:
            if not _one(model, Counter(row[column] for row in members), whole[column], [r[column] for r in members]):
                return False
    return True


def classes(rows: Sequence[Row], quasi: Sequence[str]) -> list[list[Row]]:
    found: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in quasi)].append(row)
    return list(found.values())


def _sizes_hold(rows: Sequence[Row], quasi: Sequence[str], k: int) -> bool:
    return all(len(members) >= k for members in classes(rows, quasi))


def _one(model: Any, count: Counter[Any], whole: Counter[Any], values: list[Any]) -> bool:
    n, total = sum(count.values()), sum(whole.values())
    share = {value: c / n for value, c in count.items()}
    usual = {value: c / total for value, c in whole.items()}
    slack = 1e-7
    if isinstance(model, am.LDiversity):
        return _diverse(model, count, n, slack)
    if isinstance(model, am.AlphaK):
        return n >= model.k and max(share.values()) <= model.alpha + slack
    if isinstance(model, am.TCloseness):  # "equal" only: the other distances need an order or a tree
        return sum(abs(share.get(value, 0.0) - p) for value, p in usual.items()) / 2 <= model.t + slack
    if isinstance(model, am.BetaLikeness):
        bound = {value: min(model.beta, -math.log(p)) if model.enhanced else model.beta for value, p in usual.items()}
        return all(p <= usual[value] * (1 + bound[value]) + slack for value, p in share.items())
    if isinstance(model, am.DeltaDisclosure):
        if model.absent == "counted" and len(share) < len(usual):
            return False
        return all(abs(math.log(p / usual[value])) <= model.delta + slack for value, p in share.items())
    if isinstance(model, am.Proximity):
        numbers = [value for value in values if value is not None]
        most = max((sum(low <= value <= low + model.width for value in numbers) for low in numbers), default=0)
        return max(most, len(values) - len(numbers)) * model.l <= n + slack
    raise TypeError(model)


def _diverse(model: Any, count: Counter[Any], n: int, slack: float) -> bool:
    if model.kind == "frequency":
        return max(count.values()) * model.l <= n + slack
    if model.kind == "distinct":
        return len(count) >= model.l
    if model.kind == "entropy":
        return math.exp(-sum(c / n * math.log(c / n) for c in count.values())) >= model.l - slack
    sizes = sorted(count.values(), reverse=True)
    return sizes[0] < model.c * sum(sizes[int(model.l) - 1 :]) + slack
