"""Proof of l-diversity, in each of its senses."""

from __future__ import annotations

import math

import numpy as np

from amongst.models import LDiversity
from amongst.published.finding import Finding
from amongst.verify.evidence import Evidence
from amongst.verify.histogram import Histogram
from amongst.verify.sensitive import SLACK, SQL_SLACK, Judged, prove_columns
from amongst.verify.verdict import Reached


def prove(model: LDiversity, evidence: Evidence) -> tuple[Reached, list[Finding]]:
    """Judge by the model's sense."""
    return prove_columns(model, evidence, _judge)


def sql(model: LDiversity, distance: str) -> str:
    """What must hold in a class, over its entries."""
    if model.kind == "frequency":
        return f"max(c) <= any_value(n) / {model.l!r} + {SQL_SLACK}"
    if model.kind == "distinct":
        return f"count(*) >= {model.l!r}"
    if model.kind == "entropy":
        return f"ln(any_value(n)) - sum(c * ln(c)) / any_value(n) >= ln({model.l!r}) - {SQL_SLACK}"
    tail = f"coalesce(list_sum(list_reverse_sort(list(c))[{model.l}:]), 0)"
    return f"max(c) < {model.c!r} * {tail} * (1 - 1e-12)"


def left_open(model: LDiversity, n_values: np.ndarray, l: np.ndarray) -> np.ndarray:  # noqa: E741
    """What two releases together leave of it."""
    return n_values if model.kind == "distinct" else l


def _judge(model: LDiversity, histogram: Histogram) -> Judged:
    return {"frequency": _frequency, "distinct": _distinct, "entropy": _entropy, "recursive": _recursive}[model.kind](
        model, histogram
    )


def _frequency(model: LDiversity, histogram: Histogram) -> Judged:
    """No value has more than 1/l of the rows; of the people, where they are counted."""
    most = histogram.largest(histogram.count)
    if isinstance(model.l, int) or float(model.l).is_integer():
        fails = most * int(model.l) > histogram.size
    else:
        fails = most > histogram.size / model.l + SLACK
    return Judged(fails, float((histogram.size / most).min(initial=math.inf)))


def _distinct(model: LDiversity, histogram: Histogram) -> Judged:
    return Judged(histogram.n_values < model.l, _least(histogram.n_values))


def _entropy(model: LDiversity, histogram: Histogram) -> Judged:
    """The entropy is at least log l: the values are as evenly spread as l equally frequent ones."""
    spread = -histogram.sum(histogram.own * np.log(histogram.own))
    return Judged(spread < math.log(model.l) - SLACK, float(np.exp(spread.min(initial=math.inf))))


def _recursive(model: LDiversity, histogram: Histogram) -> Judged:
    """The most frequent value has strictly fewer than c times all those from the l-th on."""
    assert model.c is not None
    ranked = histogram.by_frequency()
    upto = np.cumsum(ranked.count)
    before = (upto - ranked.count) - (upto - ranked.count)[ranked.first][ranked.class_of_entry]
    tail = ranked.whole[ranked.class_of_entry] - before
    most = ranked.count[ranked.first][ranked.class_of_entry]
    # Rounding must not turn equal into less.
    holds = most < model.c * tail * (1 - 1e-12)
    largest = ranked.sum(holds.astype(np.int64))  # tails shrink, so the places that hold come first
    return Judged(largest < model.l, _least(largest))


def _least(numbers: np.ndarray) -> float:
    return int(numbers.min()) if len(numbers) else math.inf
