"""Why claims of the Mondrian paper's figures do not hold here, or not for both versions."""

from __future__ import annotations

from typing import Any

import numpy as np

from amongst import datasets
from amongst.models import KAnonymity
from benchmarks.papers.experiment import Panel, at
from benchmarks.papers.made import Case, Way, make
from benchmarks.papers.mondrian import SINGLE, best_of_two, n_ranges
from benchmarks.papers.reasons.catalogue import Reason

PRINTED, OURS = Way("mondrian", {"rules": "paper"}, flat=True), Way("mondrian", flat=True)


def _drawn(skewed: bool, scale: str, k: int, n_columns: int = 5, **more: Any) -> Case:
    made = datasets.skewed if skewed else datasets.uniform
    data = made(n_rows=at(scale, 1000, 10_000), n_columns=n_columns, seed=0, **more)
    return Case(data.table, data.schema, [KAnonymity(k)])


def _both_sides(skewed: bool) -> Reason:
    """Figure 7 as printed and ours: which side of the median the rows at the median go to."""

    def reason(scale: str) -> list[Panel]:
        ks = at(scale, [5, 25], [2, 5, 10, 25, 50, 100])
        ways = {"at the median, as printed": PRINTED, "at its more even side, ours": OURS}
        made = {name: [make(_drawn(skewed, scale, k), way) for k in ks] for name, way in ways.items()}
        return [
            Panel("C_DM, one draw", "k", "C_DM", ks, {name: [one.dm for one in own] for name, own in made.items()}),
            Panel(
                "groups",
                "k",
                "groups",
                ks,
                {name: [float(one.partition.n_groups) for one in own] for name, own in made.items()},
            ),
        ]

    return reason


def _middle_value(scale: str) -> list[Panel]:
    """Figure 12: how many rows share the most frequent value of a column."""
    sigmas = at(scale, [0.1, 0.5], [0.1, 0.2, 0.3, 0.5, 1.0])
    cases = [_drawn(True, scale, 10, sigma=sigma) for sigma in sigmas]
    share = [float(np.mean([np.bincount(c.codes).max() / len(c.codes) for c in one.coded.columns])) for one in cases]
    series: dict[str, list[float | None]] = {
        "rows with the most frequent value of a column, %": [100 * one for one in share],
        "C_DM as printed": [make(one, PRINTED).dm for one in cases],
        "C_DM, ours": [make(one, OURS).dm for one in cases],
    }
    return [Panel("what lies at the median", "sigma", "", sigmas, series)]


def _steps(scale: str) -> list[Panel]:
    """Figure 13: the best single-dimensional cuts that were found after so many steps."""
    steps = at(scale, [20, 50], [500, 1500, 5000, 10_000])
    found: dict[str, list[float | None]] = {}
    for n_columns in at(scale, [4], [5, 6, 8]):
        case = _drawn(True, scale, 10, n_columns)
        made = [make(case, Way("k-optimize", {"node_budget": n}, flat=True)) for n in steps]
        found[f"{n_columns} columns"] = [one.dm for one in made]
        found[f"{n_columns} columns, at least"] = [float(one.partition.facts["lower_bound"]) for one in made]
    return [Panel(f"{SINGLE} C_DM, one draw", "steps", "C_DM", steps, found)]


def _other_draws(scale: str) -> list[Panel]:
    """Figure 15: the ranges of the two columns in other draws of the table."""
    draws = list(range(at(scale, 2, 8)))
    made = [best_of_two(scale, 10, seed) for seed in draws]
    ranges = {f"ranges of x{c + 1}": [float(n_ranges(one, c)) for one in made] for c in range(2)}
    return [Panel("k = 10", "draw", "ranges", [draw + 1 for draw in draws], ranges)]


REASONS: dict[str, Reason] = {
    "mondrian-10": _both_sides(False),
    "mondrian-11": _both_sides(True),
    "mondrian-12": _middle_value,
    "mondrian-13": _steps,
    "mondrian-15": _other_draws,
}
