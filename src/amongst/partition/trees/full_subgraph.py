"""Multi-dimension full-subgraph recoding: disjoint vectors of tree nodes that cover all tuples."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedTable
from amongst.models import Model
from amongst.partition.method import Method
from amongst.partition.papers import INCOGNITO
from amongst.partition.partition import Partition
from amongst.partition.trees.forest import Forest
from amongst.partition.trees.full_subtree import MOST_STEPS, best_recoding
from amongst.partition.trees.node_groups import group_by_nodes, lowest_nodes
from amongst.partition.trees.region_splits import Regions, Split, choose_splits, regions_of


def full_subgraph(
    table: CodedTable,
    models: Sequence[Model],
    *,
    suppression: float = 0.0,
    steps: int = MOST_STEPS,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """A full-subgraph recoding of low loss.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 5.1.3: the model, which the paper
        proposes without an algorithm. The search here is our own.
    Guarantees
        Every class has at least k rows. A published vector of nodes stands for every combination of values
        below it: no two of them have a combination in common, wherever in the space. The loss is never above
        that of ``full_subtree`` with the same options, and so not above that of any full-domain
        generalization where that one promises it. No region can be split into children of at least k rows any
        more.
    Choices
        Regions are split from the root, and from the classes of the best full-subtree recoding; the better
        result is taken. A region takes the column whose children save most loss together with the best split
        that each of them has next; ties go to the first column. Regions shrink to the lowest nodes above
        their rows.
    Departures
        The models of the paper do not suppress rows; ``suppression`` allows it as in the full-domain methods.
        A split may then leave children of fewer than k rows out, where that saves more than it loses.
    Cost
        O(d^2) passes over the tuples for every depth of the splits, at most the sum of the trees' heights;
        and that of ``full_subtree``, to which ``steps`` is passed.
    """
    state, _ = best_recoding(table, models, suppression, steps, progress)
    forest, k, most = state.forest, state.k, state.most_suppressed
    n_tuples = forest.tuples.n_tuples
    from_root = _specialize(forest, np.zeros(n_tuples, dtype=np.int64), k, most, progress)
    classes = np.where(state.kept, state.class_of_tuple.astype(np.int64), -1)
    from_subtrees = _specialize(forest, classes, k, most - state.n_suppressed, progress)
    best = min((from_root, from_subtrees), key=lambda region_of_tuple: _loss(forest, region_of_tuple))
    kept = np.flatnonzero(best >= 0)
    nodes = lowest_nodes(forest, kept, best[kept], int(best.max()) + 1)
    return group_by_nodes(forest, best, nodes, {"suppressed": int(forest.tuples.count[best < 0].sum())})


def _specialize(
    forest: Forest,
    region_of_tuple: np.ndarray,
    k: int,
    spare: int,
    progress: Callable[[int, int], None] | None,
) -> np.ndarray:
    """Split regions until none can be; -1 for tuples that are suppressed, before or on the way."""
    final = np.full(len(region_of_tuple), -1, dtype=np.int64)
    n_final = 0
    tuples = np.flatnonzero(region_of_tuple >= 0)
    region = region_of_tuple[tuples]
    while len(tuples):
        own, first, _ = kernels.distinct([region.astype(np.uint32)])
        regions = regions_of(forest, tuples, own.astype(np.int64), len(first))
        column, splits = choose_splits(regions, k, spare)
        stays = column[regions.region_of_tuple] < 0
        final[tuples[stays]] = n_final + regions.region_of_tuple[stays]
        n_final += regions.n_regions
        region, lost = _parts(regions, column, splits, k)
        spare -= int(forest.tuples.count[tuples[lost]].sum())
        goes_on = ~stays & ~lost
        tuples, region = tuples[goes_on], region[goes_on]
        if progress is not None:
            progress(len(final) - len(tuples), len(final))
    kept = final >= 0
    final[kept] = kernels.distinct([final[kept].astype(np.uint32)])[0]
    return final


def _parts(regions: Regions, column: np.ndarray, splits: list[Split], k: int) -> tuple[np.ndarray, np.ndarray]:
    """The part that every tuple falls into, and whether it is suppressed."""
    part = np.zeros(len(regions.tuples), dtype=np.int64)
    lost = np.zeros(len(regions.tuples), dtype=bool)
    for c, made in enumerate(splits):
        here = column[regions.region_of_tuple] == c
        own = made.part_of_tuple[here]
        part[here] = own.astype(np.int64) * len(splits) + c
        lost[here] = made.rows_of_part[own] < k
    return part, lost


def _loss(forest: Forest, region_of_tuple: np.ndarray) -> float:
    """In rows; a suppressed row counts 1."""
    kept = np.flatnonzero(region_of_tuple >= 0)
    nodes = lowest_nodes(forest, kept, region_of_tuple[kept], int(region_of_tuple.max()) + 1)
    total = float(forest.tuples.count[region_of_tuple < 0].sum())
    for c, tree in enumerate(forest.trees):
        penalty = tree.penalty[nodes[:, c]][region_of_tuple[kept]]
        total += float(forest.weight[c] * (forest.rows_that_lose[c][kept] * penalty).sum())
    return total


METHOD = Method(
    name="full-subgraph",
    family="trees",
    place=30,
    group=full_subgraph,
    takes="k",
    recoding="global",
    tight=True,
    words="Disjoint combinations of hierarchy nodes, split into children again and again.",
    paper=f"{INCOGNITO}, section 5.1.3",
)
