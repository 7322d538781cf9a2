"""Why claims of the figures on many tables do not hold here."""

from __future__ import annotations

import numpy as np

from benchmarks.papers.experiment import Panel, at
from benchmarks.papers.made import version
from benchmarks.papers.multirelational import METHODS, forest_of, seconds_of, students, utility_of
from benchmarks.papers.reasons.catalogue import Reason


def _left_over(scale: str) -> list[Panel]:
    """Figure 4: persons that no cluster takes, and how DM follows them over draws, as printed."""
    ks, draws = at(scale, [5], [25, 75]), range(at(scale, 2, 12))
    n_persons = students(scale)
    series: dict[str, list[float | None]] = {}
    with version("paper"):
        for name in METHODS:
            for k in ks:
                left, dm = [], []
                for seed in draws:
                    found = utility_of(n_persons, seed, name, k)
                    left.append(float(found.suppressed_persons))
                    dm.append(float(found.dm))
                series.setdefault(f"{name}: left over, mean", []).append(float(np.mean(left)))
                series.setdefault(f"{name}: DM, mean", []).append(float(np.mean(dm)))
                same = np.std(left) == 0 or np.std(dm) == 0
                series.setdefault(f"{name}: correlation of both", []).append(
                    None if same else float(np.corrcoef(left, dm)[0, 1])
                )
    return [Panel(f"{len(draws)} draws, as printed", "k", "", ks, series)]


def _times(scale: str) -> list[Panel]:
    """Figure 6: both versions."""
    ks, forest = at(scale, [5], [5, 25, 100]), forest_of(students(scale), 0)
    series: dict[str, list[float | None]] = {}
    for words, rules in (("as printed", "paper"), ("ours", "ours")):
        with version(rules):
            for name in METHODS:
                seconds_of(forest, name, ks[0])
                series[f"{name}, {words}"] = [seconds_of(forest, name, k) for k in ks]
    return [Panel("CPU seconds", "k", "", ks, series)]


REASONS: dict[str, Reason] = {"multirelational-4": _left_over, "multirelational-6": _times}
