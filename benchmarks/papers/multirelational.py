"""Nergiz, Clifton, Nergiz, *MultiRelational k-Anonymity*, TKDE 2009: figures 4 to 6."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from amongst import datasets
from amongst.models import KAnonymity
from amongst.relations.check_keys import check_keys
from amongst.relations.check_tables import check_tables
from amongst.relations.forest import Forest, build_forest
from amongst.relations.measure import DatabaseUtility, measure_database
from amongst.relations.methods import find_database_method
from amongst.relations.stores import read_database
from benchmarks.papers.claims import Part, below, similar
from benchmarks.papers.experiment import Experiment, Figure, Panel, at
from benchmarks.papers.made import printed_now

MIRACLE, MIRACLE_X, BITMAP = "MiRaCle", "MiRaCleX", "bitmap"
METHODS = {MIRACLE: "miracle", MIRACLE_X: "miracle-x", BITMAP: "bitmap"}
NOTE = "Means over several draws of the students; a course has two to four books to choose from, as in the paper."
Series = dict[str, list[float | None]]


@cache
def forest_of(n_persons: int, seed: int) -> Forest:
    made = datasets.load_database("students", n_persons=n_persons, seed=seed, least_books=2, most_books=4)
    stored = read_database(made.tables)
    schema = check_tables(made.schema, stored)
    return build_forest(schema, stored, check_keys(schema, stored), seed)


def _draws(scale: str) -> range:
    return range(at(scale, 1, 3, 5))


def students(scale: str) -> int:
    return at(scale, 200, 1000)


def _about(scale: str) -> str:
    n = len(_draws(scale))
    drawn = "1 draw" if n == 1 else f"{n} draws"
    return f"{students(scale):,} made-up students with courses and books, {drawn}, cluster limit 150"


def _ks(scale: str) -> list[int]:
    return at(scale, [5, 25], [5, 10, 25, 50, 75, 100])


def _grouped(forest: Forest, name: str, k: int, threshold: float | None, complete: bool) -> Any:
    options: dict[str, Any] = {} if threshold is None else {"threshold": threshold}
    if complete:
        options["complete"] = True
    if printed_now():
        options["rules"] = "paper"
    return find_database_method(METHODS[name]).run(forest, [KAnonymity(k)], **options)


def utility_of(
    n_persons: int, seed: int, name: str, k: int, threshold: float | None = None, complete: bool = False
) -> DatabaseUtility:
    """What a method loses on a draw; figures 4 and 5 look at much the same."""
    complete = complete and name == BITMAP  # it makes no difference to the others
    return _measured(n_persons, seed, name, k, threshold, complete, printed_now())


@cache
def _measured(
    n_persons: int, seed: int, name: str, k: int, threshold: float | None, complete: bool, printed: bool
) -> DatabaseUtility:
    forest = forest_of(n_persons, seed)
    return measure_database(forest, _grouped(forest, name, k, threshold, complete))


def _means(scale: str, of: Callable[[DatabaseUtility], float], asked: Sequence[tuple[Any, ...]]) -> Series:
    """The mean over the draws, of every method with everything that is asked: k, threshold, complete."""
    return {
        name: [
            statistics.mean(of(utility_of(students(scale), seed, name, *one)) for seed in _draws(scale))
            for one in asked
        ]
        for name in METHODS
    }


def _figure_4(scale: str) -> Figure:
    ks, thresholds = _ks(scale), at(scale, [0.0, 0.4], [0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    k = at(scale, 25, 50)
    lm = _means(scale, lambda utility: utility.lm, [(k,) for k in ks])
    by_threshold = _means(scale, lambda utility: utility.lm, [(k, threshold) for threshold in thresholds])
    dm = _means(scale, lambda utility: utility.dm, [(k,) for k in ks])
    panels = [
        Panel("(a) LM by k", "k", "LM", ks, lm),
        Panel(f"(b) LM by threshold, k = {k}", "threshold", "LM", thresholds, by_threshold),
        Panel("(c) DM by k", "k", "DM", ks, dm),
    ]
    return Figure(panels, _about(scale) + ", incomplete data")


def _check_4(figure: Figure) -> list[Part]:
    by_k, by_threshold, dm = figure.panels
    names = (MIRACLE, MIRACLE_X)
    return [
        *(below(by_k, name, [BITMAP], 1 / 0.7, f"(a) {name}'s LM at least 30 % below bitmap's") for name in names),
        *(below(by_k, name, [BITMAP], words=f"(a) {name}'s LM below bitmap's") for name in names),
        *(below(by_threshold, name, [BITMAP], words=f"(b) {name}'s LM below bitmap's") for name in names),
        *(below(dm, name, [BITMAP], words=f"(c) {name}'s DM below bitmap's") for name in names),
    ]


def _figure_5(scale: str) -> Figure:
    ks = _ks(scale)
    dm = _means(scale, lambda utility: utility.dm, [(k, None, True) for k in ks])
    return Figure([Panel("DM by k", "k", "DM", ks, dm)], _about(scale) + ", complete data")


def _figure_6(scale: str) -> Figure:
    ks = _ks(scale)
    forest = forest_of(students(scale), 0)
    series: dict[str, list[float | None]] = {name: [] for name in METHODS}
    for k in ks:
        for name, taken in series.items():
            seconds_of(forest, name, k)  # not counted: the first run reads everything from memory
            taken.append(min(seconds_of(forest, name, k) for _ in range(at(scale, 1, 3))))
    return Figure([Panel("time by k", "k", "CPU seconds", ks, series, log_y=True)], _about(scale))


def seconds_of(forest: Forest, name: str, k: int) -> float:
    began = time.process_time()
    _grouped(forest, name, k, None, False)
    return time.process_time() - began


EXPERIMENTS = [
    Experiment(
        "multirelational-4",
        "LM by k and by threshold, DM by k, incomplete data",
        "MiRaCle and MiRaCleX lose 30 to 40 % less than bitmap by LM, and are slightly better by DM.",
        _figure_4,
        _check_4,
        NOTE,
        both=True,
        why=(
            "DM is decided by how many persons are left over: all clusters are of one size, and somebody who is "
            "left over costs as much as there are persons. Over twelve draws, as printed, DM and the number left "
            "over correlate by 0.997 and more with each method; at k = 75 50 persons are left by MiRaCle and 42.4 "
            "by bitmap."
        ),
    ),
    Experiment(
        "multirelational-5",
        "DM by k, complete data",
        "All three cost about the same.",
        _figure_5,
        lambda figure: [similar(figure.panels[0], list(METHODS), 1.5, "the three within a factor of 1.5")],
        NOTE,
        both=True,
    ),
    Experiment(
        "multirelational-6",
        "Time by k",
        "MiRaCleX is at least 3 times faster than MiRaCle and bitmap.",
        _figure_6,
        lambda figure: [
            below(figure.panels[0], MIRACLE_X, [other], 3, f"MiRaCleX 3 times faster than {other}")
            for other in (MIRACLE, BITMAP)
        ],
        NOTE + " Converting the tables to a bitmap is not counted, as in the paper.",
        both=True,
        why=(
            "Our bitmap compares 64 bits at a time: at k = 25 0.011 s beside 0.097 s of MiRaCleX and 0.401 s of "
            "MiRaCle as printed."
        ),
    ),
]
