"""Does a published table hold a model? By the definitions, in lists and dicts, from the published rows alone."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import amongst as am

Row = Mapping[str, Any]
SLACK = 1e-7


def classes(rows: Sequence[Row], keys: Sequence[str], wild: Sequence[str] = ()) -> list[list[Row]]:
    """The rows that each row cannot be told from. Where a key of ``wild`` is missing it may be anything."""
    if not wild:
        found: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
        for row in rows:
            found[tuple(row[key] for key in keys)].append(row)
        return list(found.values())
    return [[other for other in rows if _alike(row, other, keys, wild)] for row in rows]


def _alike(row: Row, other: Row, keys: Sequence[str], wild: Sequence[str]) -> bool:
    return all(row[key] == other[key] or (key in wild and None in (row[key], other[key])) for key in keys)


def holds(
    model: Any,
    rows: Sequence[Row],
    keys: Sequence[str],
    sensitive: Sequence[str],
    *,
    distances: Mapping[str, Any] | None = None,
    wild: Sequence[str] = (),
) -> bool:
    """Whether rows with these key columns hold a model.

    ``distances`` has for a sensitive column "ordered", or the path from every leaf to the root of its tree, where
    t-closeness without a distance of its own means that.
    """
    if isinstance(model, am.KAnonymity):
        return all(len(members) >= model.k for members in classes(rows, keys, wild))
    if isinstance(model, am.KOfSubsets):
        subsets = itertools.combinations(keys, min(model.m, len(keys)))
        return all(len(found) >= model.k for subset in subsets for found in classes(rows, subset, wild))
    columns = sensitive if model.column is None else [model.column]
    for column in columns:
        whole = Counter(row[column] for row in rows)
        distance = getattr(model, "distance", None) or (distances or {}).get(column, "equal")
        for members in classes(rows, keys):
            if not _class_holds(model, Counter(row[column] for row in members), whole, distance):
                return False
    return True


def _class_holds(model: Any, count: Counter[Any], whole: Counter[Any], distance: Any) -> bool:
    n, total = sum(count.values()), sum(whole.values())
    own = {value: c / n for value, c in count.items()}
    usual = {value: c / total for value, c in whole.items()}
    if isinstance(model, am.LDiversity):
        return _diverse(model, count, n)
    if isinstance(model, am.AlphaK):
        return n >= model.k and max(own.values()) <= model.alpha + SLACK
    if isinstance(model, am.TCloseness):
        return _apart(own, usual, distance) <= model.t + SLACK
    if isinstance(model, am.BetaLikeness):
        most = {value: min(model.beta, -math.log(p)) if model.enhanced else model.beta for value, p in usual.items()}
        return all(p <= usual[value] * (1 + most[value]) + SLACK for value, p in own.items())
    if isinstance(model, am.DeltaDisclosure):
        if model.absent == "counted" and len(own) < len(usual):
            return False
        return all(abs(math.log(p / usual[value])) <= model.delta + SLACK for value, p in own.items())
    if isinstance(model, am.Proximity):
        numbers = sorted(value for value in count.elements() if value is not None)
        most_near = max((sum(low <= one <= low + model.width for one in numbers) for low in numbers), default=0)
        return max(most_near, n - len(numbers)) * model.l <= n + SLACK
    raise TypeError(model)


def _diverse(model: am.LDiversity, count: Counter[Any], n: int) -> bool:
    if model.kind == "frequency":
        return max(count.values()) * model.l <= n + SLACK
    if model.kind == "distinct":
        return len(count) >= model.l
    if model.kind == "entropy":
        return math.exp(-sum(c / n * math.log(c / n) for c in count.values())) >= model.l - SLACK
    sizes = sorted(count.values(), reverse=True)
    return sizes[0] < (model.c or 0.0) * sum(sizes[int(model.l) - 1 :]) + SLACK


def _apart(own: dict[Any, float], usual: dict[Any, float], distance: Any) -> float:
    if distance == "equal":
        return sum(abs(own.get(value, 0.0) - p) for value, p in usual.items()) / 2
    if distance == "ordered":
        values = [*sorted(value for value in usual if value is not None), *([None] if None in usual else [])]
        carried = moved = 0.0
        for value in values[:-1]:
            carried += own.get(value, 0.0) - usual[value]
            moved += abs(carried)
        return moved / (len(values) - 1) if len(values) > 1 else 0.0
    paths = dict(distance)
    height = len(next(iter(paths.values()))) - 1
    if None in usual:  # a missing value hangs from the root
        paths[None] = (None,) * height + (next(iter(paths.values()))[-1],)
    moved = 0.0
    for level in range(height):
        extra: Counter[Any] = Counter()
        for leaf, path in paths.items():
            extra[(level, path[level])] += own.get(leaf, 0.0) - usual.get(leaf, 0.0)  # type: ignore[assignment]
        moved += sum(map(abs, extra.values())) / (2 * height)
    return moved
