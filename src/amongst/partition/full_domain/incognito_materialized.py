"""Incognito with some frequency sets of the cube kept, those that save most."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from amongst.errors import BadOption
from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets, NodeSet
from amongst.partition.full_domain.a_priori import FirstSet, a_priori, refuse_many_families
from amongst.partition.full_domain.graph_search import Graph
from amongst.partition.full_domain.shared_rollup import count_together, lowest_common
from amongst.partition.lattice import Levels
from amongst.partition.method import Method, Option
from amongst.partition.papers import INCOGNITO

MOST_VIEWS = 1 << 15
"""Of more frequency sets than this only some levels of every column are weighed against each other."""


def incognito_materialized(
    sets: FrequencySets,
    ask: Ask,
    *,
    room: float = 1.0,
    marking: str = "all",
    progress: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, int]:
    """Every full-domain generalization that satisfies the models, counted from frequency sets kept on purpose.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 7, its future work: to keep portions of the
        data cube, also at various points in the hierarchies, much as in Harinarayan, Rajaraman, Ullman,
        *Implementing Data Cubes Efficiently*, SIGMOD 1996.
    Guarantees
        As ``incognito``. What is kept has at most ``room`` times as many classes as the table has distinct tuples, by
        estimate.
    Choices
        A set of columns at some levels can be counted from any kept set that has these columns at the same levels or
        below. Kept is, one after the other, what saves most classes to read over all sets of columns and levels, each
        thought to be asked for once, per class it takes (their greedy rule, for a limit on space). Sizes are those of
        independent columns: too many rather than too few. A family's roots are counted together from the smallest kept
        set that all of them generalize.
    Departures
        The paper gives no algorithm. Of more than 32,768 sets every column has its values, the level in the middle and
        none at all.
    Cost
        As ``incognito``, with less to read; weighing takes a fraction of a second.
    """
    refuse_many_families(ask.lattice)
    if isinstance(room, bool) or not isinstance(room, (int, float)) or not room >= 0:
        raise BadOption("The room for frequency sets cannot be that.", found=f"room = {room!r}", fix="use 1, or more")
    everything = tuple(range(len(sets.heights)))
    kept: list[NodeSet] = []
    views = choose_views(sets.n_nodes, sets.tuples.n_classes, room * sets.tuples.n_classes)
    for view in sorted(views, key=sum):  # what others can be counted from comes before them
        columns = tuple(c for c in everything if view[c] < len(sets.n_nodes[c]))
        levels = tuple(view[c] for c in columns)
        source = smallest(kept, columns, levels)
        kept.append(sets.derive(source, columns, levels) if source is not None else sets.scan(columns, levels))

    def first_of(graph: Graph) -> FirstSet:
        roots = graph.roots()
        source = smallest(kept, graph.family, lowest_common(roots)) if roots else None
        if source is not None:
            levels = tuple(source.levels[source.columns.index(c)] for c in graph.family)
            if source.columns != graph.family:
                source = sets.derive(source, graph.family, levels)
        return count_together(sets, graph.family, roots, source).__getitem__

    return a_priori(sets, ask, first_of, marking=marking, progress=progress)


def smallest(kept: list[NodeSet], columns: tuple[int, ...], levels: Levels) -> NodeSet | None:
    """Of the kept sets that these columns at these levels can be counted from the one with the fewest classes."""
    level_of = dict(zip(columns, levels, strict=True))
    able = [
        one
        for one in kept
        if set(columns) <= set(one.columns)
        and all(level <= level_of[c] for c, level in zip(one.columns, one.levels, strict=True) if c in level_of)
    ]
    return min(able, key=lambda one: one.n_classes, default=None)


@dataclass(order=True)
class Promise:
    """What keeping a set saved for every class of it when that was last worked out."""

    less: float
    view: tuple[int, ...] = field(compare=True)
    when: int = field(compare=False)


def choose_views(n_nodes: list[list[int]], n_tuples: int, room: float) -> list[Levels]:
    """The sets to keep: for every column its level, or one more than the highest where the column is left out.

    A set answers all that has every column at its level or above, left out being the highest: in an array with a place
    for every set these are a block, so what one saves is a sum over a block. Savings only fall as more is kept, so one
    that was worked out before is a bound now, and few are worked out again.
    """
    states = _states(n_nodes)
    shape = tuple(map(len, states))
    sizes = _sizes(n_nodes, states, n_tuples)
    cost = np.full(shape, float(n_tuples))  # of what each set is counted from now
    queue = [Promise(-math.inf, place, -1) for place in np.ndindex(*shape) if 1 < sizes[place] < n_tuples]
    heapq.heapify(queue)
    chosen: list[Levels] = []
    while queue:
        best = heapq.heappop(queue)
        size = float(sizes[best.view])
        if size > room:
            continue
        if best.when < len(chosen):
            block = cost[tuple(slice(place, None) for place in best.view)]
            saved = float(np.maximum(block - size, 0.0).sum())
            if saved > size:  # counting it costs as much as it has classes, and more
                heapq.heappush(queue, Promise(-saved / size, best.view, len(chosen)))
            continue
        room -= size
        chosen.append(tuple(states[c][place] for c, place in enumerate(best.view)))
        at = tuple(slice(place, None) for place in best.view)
        cost[at] = np.minimum(cost[at], size)
    return chosen


def _states(n_nodes: list[list[int]]) -> list[list[int]]:
    """The levels of every column that are looked at, and one more for the column left out."""
    states = [[*range(len(of_level) - 1), len(of_level)] for of_level in n_nodes]  # the top says what no column says
    if math.prod(map(len, states)) > MOST_VIEWS:
        states = [sorted({own[0], own[(len(own) - 1) // 2], own[-1]}) for own in states]
    if math.prod(map(len, states)) > MOST_VIEWS:
        states = [[own[0], own[-1]] for own in states]
    return states


def _sizes(n_nodes: list[list[int]], states: list[list[int]], n_tuples: int) -> np.ndarray:
    """How many classes each set is expected to have if columns were independent and tuples spread evenly."""
    cells = np.ones(())
    for of_level, own in zip(n_nodes, states, strict=True):
        cells = np.multiply.outer(cells, [float(of_level[level]) if level < len(of_level) else 1.0 for level in own])
    return np.asarray(np.maximum(cells * -np.expm1(n_tuples * np.log1p(-np.minimum(1 / cells, 1 - 1e-12))), 1.0))


METHOD = Method(
    name="incognito-materialized",
    family="full_domain",
    place=85,
    search=incognito_materialized,
    takes="monotone models",
    recoding="global",
    words="As incognito, with the frequency sets kept that save most.",
    paper=f"{INCOGNITO}, section 7",
    decides_on="counts",
    finds_all=True,
    minimal="levels",
    explained={"room": Option(words="room for frequency sets")},
)
