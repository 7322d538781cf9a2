"""Why claims of the figures on Hilb and iDist do not hold here, or not for both versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from amongst import datasets
from amongst.models import KAnonymity
from amongst.partition.partition import Partition
from benchmarks.papers.experiment import Panel, at
from benchmarks.papers.fast import ANATOMY, HILB, IDIST, MONDRIAN, TOP_DOWN, ells, of_cube, people
from benchmarks.papers.made import GCP, Case, Measure, Way, first_rows, make
from benchmarks.papers.reasons.catalogue import Reason

PRINTED = {"rules": "paper"}
AS_PRINTED: Mapping[str, Way] = {
    HILB: Way("hilbert", PRINTED),
    IDIST: Way("idistance", PRINTED),
    MONDRIAN: Way("mondrian", PRINTED),
    TOP_DOWN: Way("top-down", PRINTED),
}


def _by_k(cases: Sequence[tuple[float, Case]], ways: Mapping[str, Way], measure: Measure = GCP, x: str = "k") -> Panel:
    series = {name: [float(measure.of(make(case, way))) for _, case in cases] for name, way in ways.items()}
    return Panel(measure.y_name, x, measure.y_name, [one for one, _ in cases], series)


def _centres(scale: str) -> list[Panel]:
    """Figure 12: iDist by exact distance with fewer and more centres, in rings, and TopDown; and C_DM."""
    adult = datasets.load("adult", part="train")
    table = first_rows(adult.table, at(scale, 2000, 30_162))
    cases = [(k, Case(table, adult.schema, [KAnonymity(k)])) for k in at(scale, [5, 25], [5, 10, 25, 50])]
    ways = {
        "iDist as printed, 512 centres": AS_PRINTED[IDIST],
        "iDist as printed, a centre for 400 rows": Way("idistance", {**PRINTED, "centres": table.num_rows // 400}),
        "iDist, in rings": Way("idistance"),
        TOP_DOWN: AS_PRINTED[TOP_DOWN],
    }
    both = {
        f"{name}, {words}": Way(method, options)
        for name, method in ((MONDRIAN, "mondrian"), (HILB, "hilbert"))
        for words, options in (("as printed", PRINTED), ("ours", {}))
    }
    return [_by_k(cases, ways), _by_k(cases, both, Measure("", "C_DM", lambda made: made.dm))]


def _size(scale: str) -> list[Panel]:
    """Figures 13 and 14: the paper's number of people."""
    panels = []
    for n in at(scale, [1000], [50_000, 200_000]):
        cases = [(k, people(n, [KAnonymity(k)])) for k in at(scale, [10], [10, 50, 100])]
        ways = {name: AS_PRINTED[name] for name in (HILB, IDIST, MONDRIAN)}
        panels.append(Panel(f"GCP, {n:,} people", "k", "GCP", [k for k, _ in cases], _by_k(cases, ways).series))
    return panels


def _both_genders(scale: str) -> list[Panel]:
    """Figure 15: groups of two columns that hold both genders."""
    n = at(scale, 2000, 50_000)
    case = people(n, [KAnonymity(50)], 2)
    place = next(c for c, column in enumerate(case.coded.columns) if column.name == "gender")

    def mixed(partition: Partition) -> float:
        return 100 * float(np.mean(partition.lo[:, place] != partition.hi[:, place]))

    made = {"as printed": make(case, AS_PRINTED[MONDRIAN]), "ours": make(case, Way("mondrian"))}
    series: dict[str, list[float | None]] = {
        "groups with both genders, %": [mixed(one.partition) for one in made.values()],
        "groups": [float(one.partition.n_groups) for one in made.values()],
        "GCP": [one.gcp for one in made.values()],
    }
    return [Panel("Mondrian, d = 2", "", "", list(made), series)]


def _other_reading(scale: str) -> list[Panel]:
    """Figure 18: l-diverse Mondrian in both readings."""
    n = at(scale, 2000, 200_000)
    cases = [(d, people(n, ells(5), d)) for d in at(scale, [2, 3], [1, 2, 3, 4, 5, 6, 7])]
    ways = {
        "the next column is tried (paper)": Way("mondrian", PRINTED),
        "the group is finished (paper-first)": Way("mondrian", {"rules": "paper-first"}),
        "ours": Way("mondrian"),
        "Hilb as printed": AS_PRINTED[HILB],
    }
    return [_by_k(cases, ways, x="d")]


def _more_people(scale: str) -> list[Panel]:
    """Figure 20: the divergence of level 2 with more people, l = 2, and by the level of the cube."""
    ways = {name: AS_PRINTED[name] for name in (HILB, IDIST, MONDRIAN)} | {ANATOMY: Way("anatomy")}
    sizes = at(scale, [500, 1000], [20_000, 80_000, 200_000])
    by_size = _by_k([(n, people(n, ells(2))) for n in sizes], ways, of_cube(2), "N")
    case = people(at(scale, 500, 20_000), ells(5))
    made = {name: make(case, way) for name, way in ways.items()}
    levels = at(scale, [1, 2], [1, 2, 3, 4, 5, 6, 7])
    series = {name: [float(of_cube(level).of(one)) for level in levels] for name, one in made.items()}
    return [
        Panel("KL divergence, l = 2, level 2", "N", "", by_size.xs, by_size.series),
        Panel(f"KL divergence, l = 5, {case.table.num_rows:,} people", "level", "", levels, series),
    ]


REASONS: dict[str, Reason] = {
    "fast-12": _centres,
    "fast-13": _size,
    "fast-14": _size,
    "fast-15": _both_genders,
    "fast-18": _other_reading,
    "fast-20": _more_people,
}
