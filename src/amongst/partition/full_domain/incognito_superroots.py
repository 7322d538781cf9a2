"""Super-roots Incognito: one scan for all roots of a family."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.a_priori import FirstSet, a_priori
from amongst.partition.full_domain.graph_search import Graph
from amongst.partition.full_domain.shared_rollup import count_together
from amongst.partition.method import Method
from amongst.partition.papers import INCOGNITO


def incognito_superroots(
    sets: FrequencySets, ask: Ask, *, marking: str = "all", progress: Callable[[int, int], None] | None = None
) -> tuple[np.ndarray, int]:
    """Every full-domain generalization that satisfies the models, with one scan of the table per set of columns.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 3.3.1.
    Guarantees
        As ``incognito``.
    Choices
        The super-root of a family is the most general node that all its roots generalize (the example's
        <B0, S0, Z0>); a single root is its own. The roots roll up from it.
    Departures
        As ``incognito``. In a table of thousands of tuples, the roots are divided into groups with a super-root each
        where a sample of the tuples says that one for all would be nearly as large as the table.
    Cost
        One scan per subset of the columns, or per group.
    """

    def first_of(graph: Graph) -> FirstSet:
        return count_together(sets, graph.family, graph.roots()).__getitem__

    return a_priori(sets, ask, first_of, marking=marking, progress=progress)


METHOD = Method(
    name="incognito-superroots",
    family="full_domain",
    place=70,
    search=incognito_superroots,
    takes="monotone models",
    recoding="global",
    words="As incognito, with one scan of the table per set of columns.",
    paper=f"{INCOGNITO}, section 3.3.1",
    decides_on="counts",
    finds_all=True,
    minimal="levels",
)
