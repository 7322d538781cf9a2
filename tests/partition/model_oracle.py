"""Every privacy model said once more, over plain lists: slow, and meant to be read beside its definition."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

import amongst as am

SLACK = 1e-9


def holds(
    model: Any,
    group: Sequence[Hashable],
    table: Sequence[Hashable],
    *,
    domain: Sequence[Hashable] = (),
    path_of: dict[Any, Sequence[Hashable]] | None = None,
) -> bool:
    """Whether a group with these sensitive values holds a model, in a table with those.

    Parameters
    ----------
    domain : sequence
        The values in order, for the ordered distance.
    path_of : dict
        For every value its nodes from the leaf to the root, for the hierarchical distance.
    """
    n, count = len(group), Counter(group)
    if isinstance(model, am.KAnonymity):
        return n >= model.k
    if isinstance(model, am.AlphaK):
        return n >= model.k and max(count.values()) <= model.alpha * n + SLACK
    if isinstance(model, am.LDiversity):
        return _diverse(model, count, n)
    if isinstance(model, am.Proximity):
        windows = [sum(c for v, c in count.items() if low <= v <= low + model.width) for low in count]
        return max(windows) * model.l <= n + SLACK
    share = {value: c / len(table) for value, c in Counter(table).items()}
    own = {value: count.get(value, 0) / n for value in share}
    if isinstance(model, am.BetaLikeness):
        limit = {v: min(model.beta, -math.log(p)) if model.enhanced else model.beta for v, p in share.items()}
        return all((own[v] - p) / p <= limit[v] + SLACK for v, p in share.items())
    if isinstance(model, am.DeltaDisclosure):
        if model.absent == "counted" and len(count) < len(share):
            return False
        return all(abs(math.log(own[v] / share[v])) <= model.delta + SLACK for v in count)
    assert isinstance(model, am.TCloseness)
    return distance(model.distance, own, share, domain, path_of or {}) <= model.t + SLACK


def _diverse(model: am.LDiversity, count: Counter[Any], n: int) -> bool:
    if model.kind == "frequency":
        return max(count.values()) * model.l <= n + SLACK
    if model.kind == "distinct":
        return len(count) >= model.l
    if model.kind == "entropy":
        return -sum(c / n * math.log(c / n) for c in count.values()) >= math.log(model.l) - SLACK
    sizes = sorted(count.values(), reverse=True)
    return sizes[0] < model.c * sum(sizes[int(model.l) - 1 :])


def distance(kind: str | None, own: dict, share: dict, domain: Sequence, path_of: dict) -> float:
    """The earth mover's distance, each by another way than that of the kernels."""
    if kind == "equal":
        return sum(max(own[v] - share[v], 0.0) for v in share)
    if kind == "ordered":
        # Earth moves to the right or to the left over each gap between neighbours.
        moved, carried = [], 0.0
        for v in domain[:-1]:
            carried += own.get(v, 0) - share.get(v, 0)
            moved.append(abs(carried))
        return sum(moved) / (len(domain) - 1) if len(domain) > 1 else 0.0
    return _by_flow(own, share, path_of)


def _by_flow(own: dict, share: dict, path_of: dict) -> float:
    """Pairs of values that share a low ancestor are matched first, which is optimal in a tree."""
    height = len(next(iter(path_of.values()))) - 1
    extra = {v: own[v] - share[v] for v in share}
    cost = 0.0
    for level in range(1, height + 1):
        for node in {path_of[v][level] for v in share}:
            inside = [v for v in share if path_of[v][level] == node]
            for give in inside:
                for take in inside:
                    moved = min(max(extra[give], 0.0), max(-extra[take], 0.0))
                    extra[give] -= moved
                    extra[take] += moved
                    cost += moved * level / height
    return cost
