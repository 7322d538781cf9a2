"""Cube Incognito: frequency sets of all subsets of columns first, the largest first."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets, NodeSet
from amongst.partition.full_domain.a_priori import FirstSet, a_priori, refuse_many_families
from amongst.partition.full_domain.graph_search import Graph
from amongst.partition.full_domain.shared_rollup import LARGE, count_together
from amongst.partition.lattice import families
from amongst.partition.method import Method
from amongst.partition.papers import INCOGNITO


def incognito_cube(
    sets: FrequencySets, ask: Ask, *, marking: str = "all", progress: Callable[[int, int], None] | None = None
) -> tuple[np.ndarray, int]:
    """Every full-domain generalization that satisfies the models, from one scan of the table.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 3.3.2.
    Guarantees
        As ``incognito``.
    Choices
        The frequency set of a subset at level 0 is projected from the smallest one that has one column more.
        Roots roll up from the set of their family, in the steps that ``incognito_superroots`` takes.
    Departures
        As ``incognito``. In a large table, a set that would have more than half as many classes as the table has
        tuples is not kept: the tuples stand in for it, and are scanned again.
    Cost
        One scan; up to 2^d frequency sets at level 0 are held at once, so it suits columns with few values.
    """
    refuse_many_families(ask.lattice)
    zero = cube(sets)

    def first_of(graph: Graph) -> FirstSet:
        return count_together(sets, graph.family, graph.roots(), zero.pop(graph.family)).__getitem__

    return a_priori(sets, ask, first_of, marking=marking, progress=progress)


def cube(sets: FrequencySets) -> dict[tuple[int, ...], NodeSet | None]:
    """The frequency sets of all subsets of the columns at level 0; None for those that the tuples stand in for."""
    n_columns = len(sets.heights)
    everything = tuple(range(n_columns))
    whole = sets.scan(everything, (0,) * n_columns)
    found: dict[tuple[int, ...], NodeSet | None] = {everything: whole}
    for size in range(n_columns - 1, 0, -1):
        for family in families(n_columns, size):
            larger = [found[tuple(sorted((*family, c)))] for c in everything if c not in family]
            smallest = min((one or whole for one in larger), key=lambda one: one.n_classes)
            n_classes = sets.estimate(smallest, family, (0,) * size) if whole.n_classes > LARGE else 0
            found[family] = sets.project(smallest, family) if 2 * n_classes <= whole.n_classes else None
    return found


METHOD = Method(
    name="incognito-cube",
    family="full_domain",
    place=80,
    search=incognito_cube,
    takes="monotone models",
    recoding="global",
    words="As incognito, with the frequency sets of all sets of columns worked out first.",
    paper=f"{INCOGNITO}, section 3.3.2",
    decides_on="counts",
    finds_all=True,
    minimal="levels",
)
