"""Why claims of the figures on utility-based recoding do not hold here, or not for both versions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from amongst import datasets
from amongst.models import KAnonymity
from amongst.partition.rules import in_order
from benchmarks.papers.experiment import Panel, at
from benchmarks.papers.made import Case, Made, Way, make
from benchmarks.papers.reasons.catalogue import Reason
from benchmarks.papers.regions import penalty_of_regions
from benchmarks.papers.utility import BOTTOM_UP, MULTI, TOP_DOWN, WAYS, adult_case, farthest_pair
from benchmarks.papers.utility import seed_penalties as penalties_of_seeds

PRINTED = {"rules": "paper"}
AS_PRINTED: Mapping[str, Way] = {name: Way(way.method, {**way.options, **PRINTED}) for name, way in WAYS.items()}


def _by_order(scale: str) -> list[Panel]:
    """Figure 6: MultiDim measured by the trees, and by the orders that it knows."""
    ks, case_of = at(scale, [5], [2, 5, 10, 25, 50, 100]), adult_case(scale)
    series: dict[str, list[float | None]] = {}
    for k in ks:
        case = case_of(k)
        lower = {name: make(case, AS_PRINTED[name]).certainty for name in (TOP_DOWN, BOTTOM_UP)}
        multi = make(case, AS_PRINTED[MULTI])
        for words, penalty in (("by trees", multi.certainty), ("by orders", penalty_by_order(multi))):
            for name, own in lower.items():
                series.setdefault(f"MultiDim {words} above {name}", []).append(penalty - own)
    return [Panel("certainty penalty, as printed", "k", "", ks, series)]


def penalty_by_order(made: Made) -> float:
    """The certainty penalty where a category is as wide as the places between its ends."""
    found = 0.0
    for c, column in enumerate(in_order(made.case.coded).columns):
        assert column.position is not None
        lo, hi = (column.position[ends[:, c]] for ends in (made.partition.lo, made.partition.hi))
        found += float(((hi - lo) * made.partition.size_of_group).sum()) / (column.span or 1.0)
    return found


def _regions(scale: str) -> list[Panel]:
    """Figure 10: MultiDim by regions and by smallest boxes, bottom-up, and both readings of top-down."""
    panels = []
    ds, n = at(scale, [2], [2, 4, 6, 8, 10]), at(scale, 1000, 10_000)
    for title, make_data in (("uniform", datasets.uniform), ("Gaussian", datasets.skewed)):
        series: dict[str, list[float | None]] = {}
        for d in ds:
            data = make_data(n_rows=n, n_columns=d, cardinality=16, seed=0)
            case = Case(data.table, data.schema, [KAnonymity(10)])
            found = {
                f"{MULTI}, regions": penalty_of_regions(case.coded, 10),
                f"{MULTI}, smallest boxes": make(case, AS_PRINTED[MULTI]).certainty,
                f"{BOTTOM_UP} as printed": make(case, AS_PRINTED[BOTTOM_UP]).certainty,
                f"{TOP_DOWN}, lower penalty": make(case, AS_PRINTED[TOP_DOWN]).certainty,
                f"{TOP_DOWN}, lower growth": make(case, Way("top-down", {"assign": "increase"})).certainty,
            }
            for name, value in found.items():
                series.setdefault(name, []).append(value)
        panels.append(Panel(f"certainty penalty, {title}", "d", "", ds, series))
    return panels


def _doubled(scale: str) -> list[Panel]:
    """Figure 11: as printed bottom-up merges groups that have doubled, so that k decides how full they are."""
    ks, n = at(scale, [5, 8], [8, 10, 16, 20]), at(scale, 1000, 10_000)
    data = datasets.uniform(n_rows=n, n_columns=6, cardinality=16, seed=0)
    cases = [Case(data.table, data.schema, [KAnonymity(k)]) for k in ks]
    ways = {
        MULTI: AS_PRINTED[MULTI],
        f"{BOTTOM_UP} as printed": AS_PRINTED[BOTTOM_UP],
        f"{BOTTOM_UP}, ours": Way("bottom-up"),
    }
    made = {name: [make(case, way) for case in cases] for name, way in ways.items()}
    series: dict[str, list[float | None]] = {f"{name}: C_DM": [one.dm for one in own] for name, own in made.items()}
    series |= {
        f"{name}: rows a group": [one.case.coded.n_rows / one.partition.n_groups for one in own]
        for name, own in made.items()
    }
    return [Panel("uniform, six columns", "k", "", ks, series)]


def _growth(scale: str) -> list[Panel]:
    """Figure 12: the time of ever more rows, both versions."""
    sizes = at(scale, [500, 1000], [5_000, 10_000, 20_000, 40_000])
    cases = []
    for n in sizes:
        data = datasets.uniform(n_rows=n, n_columns=4, cardinality=16)
        cases.append(Case(data.table, data.schema, [KAnonymity(10)]))
    series: dict[str, list[float | None]] = {}
    for words, ways in (("as printed", AS_PRINTED), ("ours", WAYS)):
        for name, way in ways.items():
            make(cases[0], way)
            series[f"{name}, {words}"] = [make(case, way).seconds for case in cases]
    return [Panel("CPU seconds", "N", "", sizes, series)]


def _dependent(scale: str) -> list[Panel]:
    """Figure 13: the same seeds where Gaussian columns depend on each other."""
    n, draws, rounds = at(scale, 500, 10_000), at(scale, 5, 20), [1, 2, 3, 6]
    series: dict[str, list[float | None]] = {}
    for correlation in (0.0, 0.5, 0.8):
        rng = np.random.default_rng(0)
        normal = rng.multivariate_normal(np.zeros(4), np.full((4, 4), correlation) + (1 - correlation) * np.eye(4), n)
        rows = np.unique(np.clip(np.rint(7.5 + 3.2 * normal), 0, 15).astype(np.int64), axis=0)
        starts = rng.integers(0, len(rows), draws)
        found = np.array([penalties_of_seeds(rows, int(start), rounds[-1]) for start in starts])
        share = found.mean(axis=0) / farthest_pair(rows)
        series[f"correlation {correlation:g}"] = [100 * float(share[r - 1]) for r in rounds]
    return [Panel("share of the largest penalty, %", "rounds", "", rounds, series)]


REASONS: dict[str, Reason] = {
    "utility-6": _by_order,
    "utility-10": _regions,
    "utility-11": _doubled,
    "utility-12": _growth,
    "utility-13": _dependent,
}
