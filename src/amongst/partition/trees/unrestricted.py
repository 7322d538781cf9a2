"""Unrestricted single-dimension recoding: every value of a column goes where it will, for the whole table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.errors import BadOption, refuse_unknown_word
from amongst.models import Model, smallest_group
from amongst.partition.ask import refuse_not_monotone
from amongst.partition.feasible import refuse_small_table
from amongst.partition.intervals.cut_table import CutTable, cut_table, even_cuts
from amongst.partition.intervals.k_optimize import k_optimize
from amongst.partition.method import Method, Option
from amongst.partition.papers import INCOGNITO
from amongst.partition.partition import Partition
from amongst.partition.trees.code_tree import code_tree
from amongst.partition.trees.full_subtree import best_recoding
from amongst.partition.trees.set_search import merge_rare, take_apart
from amongst.partition.trees.set_ways import FreeSets, NodesAbove, Ways
from amongst.partition.trees.value_sets import ValueSets

MOST_VALUES = 200
"""A column with more is looked at in stretches of values."""
INTO = ("nodes", "sets")
MOST_NAMED = 1_000
"""Sets of a column with more values would not be readable."""
STEPS, NODES = 500, 300
"""How far the search goes for the answer that others give, which is one to begin with."""


def unrestricted(
    table: CodedTable,
    models: Sequence[Model],
    *,
    into: str = "nodes",
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """A recoding of every column on its own that need not treat values alike.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 5.1.1: the model, for which the paper
        gives no algorithm. This one is our own.
    Guarantees
        Every group has at least k rows. A value is published the same wherever it occurs. With
        ``into="nodes"``, the paper's model, that is the value itself or any node above it in its hierarchy,
        whatever the other values below that node become; a column without a hierarchy has one node, ``*``.
        With ``into="sets"`` it is the set of values that it shares its fate with, any values: ``{a,b}``.
        No single value can go to another set that loses less. The weighted GCP is never above that of
        ``full_subtree`` after 500 steps, or, as sets, of the intervals of ``k_optimize`` after 300 nodes.
    Choices
        Pairs of sets are merged until no class is too small, first the one by which classes lack least for
        what it loses. Then values are moved where they lose less. The same is done from the answer of
        ``full_subtree`` or ``k_optimize``, and the better is taken. Ties go to the first column and the
        smallest values.
    Departures
        The best recoding is not searched for. A column with more than 200 values is looked at in stretches:
        nodes of one level of its hierarchy, or as many rows each.
    Cost
        One look at all pairs of values that meet in a class for every merge.
    """
    refuse_not_monotone(models)
    refuse_unknown_word("Values can be recoded to nodes of their hierarchies or to sets.", "into", into, INTO)
    k = smallest_group(models)
    refuse_small_table(table, k)
    if into == "sets":
        _refuse_long_sets(table)
    cuts = cut_table(table, _stretches(table, into))
    own_of_column = list(zip(table.columns, cuts.columns, strict=True))
    ways: Sequence[Ways]
    if into == "sets":
        ways, known = [FreeSets(*own) for own in own_of_column], _as_intervals(table, models, cuts)
    else:
        ways = nodes = [NodesAbove(*own) for own in own_of_column]
        known = _as_subtrees(table, models, cuts, nodes)
    state, other = ValueSets(table, cuts, ways, k), ValueSets(table, cuts, ways, k)
    other.targets = known
    merge_rare(state, progress)
    take_apart(state)
    take_apart(other)
    return _partition(table, other if other.loss() < state.loss() else state, into)


def _stretches(table: CodedTable, into: str) -> list[np.ndarray]:
    if into == "sets":
        nothing = np.empty(0, dtype=np.int64)
        return [even_cuts(column, MOST_VALUES - 1, nothing) for column in table.columns]
    return [_node_cuts(column) for column in table.columns]


def _node_cuts(column: CodedColumn) -> np.ndarray:
    """Codes after which a node ends, at the deepest level with few enough nodes that hold values."""
    present = np.flatnonzero(np.bincount(column.codes))
    for of_code in reversed(code_tree(column).at_depth):
        last = np.append(np.diff(of_code[present]) != 0, False)
        if last.sum() < MOST_VALUES:
            return np.asarray(present[last])
    return present[:0]


def _as_intervals(table: CodedTable, models: Sequence[Model], cuts: CutTable) -> list[np.ndarray]:
    """The intervals of ``k_optimize`` as targets."""
    known = k_optimize(table, models, cost="gcp", node_budget=NODES, candidates=MOST_VALUES - 1)
    targets = []
    for c, own in enumerate(cuts.columns):
        lo = np.unique(known.lo[:, c])
        first, last = (np.searchsorted(lo, end, side="right") - 1 for end in (own.first, own.last))
        targets.append(_joined(first, last))
    return targets


def _as_subtrees(
    table: CodedTable, models: Sequence[Model], cuts: CutTable, ways: Sequence[NodesAbove]
) -> list[np.ndarray]:
    """The nodes of ``full_subtree`` as targets; a stretch goes to the lowest node above all of its own."""
    known, _ = best_recoding(table, models, 0.0, STEPS, None)
    targets = []
    for own, way, node_of_code in zip(cuts.columns, ways, known.cuts, strict=True):
        first, last = node_of_code[own.first], node_of_code[own.last]
        targets.append(way.tree.lowest_above(way.tree.start[first], way.tree.end[last]))
    return targets


def _joined(first: np.ndarray, last: np.ndarray) -> np.ndarray:
    """One number for stretches that share an interval; a stretch that spans several joins them."""
    begins = np.append(True, first[1:] > np.maximum.accumulate(last)[:-1])
    return np.flatnonzero(begins)[np.cumsum(begins) - 1]


def _partition(table: CodedTable, state: ValueSets, into: str) -> Partition:
    cuts = state.cuts
    shown, class_of_tuple, _ = state.classes()
    lo, hi = (np.empty((len(shown[0]), table.n_qi), dtype=np.uint32) for _ in range(2))
    for c, way in enumerate(state.ways):
        begin, end = _ends(cuts, c, way, state.targets[c])
        lo[:, c], hi[:, c] = begin[shown[c]], end[shown[c]]
    by_place = np.lexsort([*hi.T[::-1], *lo.T[::-1]])
    number = np.empty(len(by_place), dtype=np.int32)
    number[by_place] = np.arange(len(by_place), dtype=np.int32)
    group_of_row = kernels.gather(number[class_of_tuple], cuts.tuple_of_row)
    facts = {"tuples": cuts.n_distinct, "uniques": cuts.n_alone, "into": into}
    if into == "nodes":
        return Partition(group_of_row, lo[by_place], hi[by_place], facts=facts, nodes="hierarchy")
    sets: list[np.ndarray | None] = [
        np.where(np.bincount(column.codes, minlength=len(own.atom_of_code)) > 0, target[own.atom_of_code], -1)
        for column, own, target in zip(table.columns, cuts.columns, state.targets, strict=True)
    ]
    return Partition(group_of_row, lo[by_place], hi[by_place], facts=facts, set_of_code=sets)


def _ends(cuts: CutTable, c: int, way: Ways, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and last code of every target."""
    if isinstance(way, NodesAbove):
        return way.tree.lo, way.tree.hi
    own = cuts.columns[c]
    begin, end = np.full(own.n_atoms, own.first[-1]), np.zeros(own.n_atoms, dtype=np.int64)
    np.minimum.at(begin, target, own.first)
    np.maximum.at(end, target[: own.n_priced], own.last[: own.n_priced])
    return begin, np.maximum(begin, end)  # what matches anything alone has no end but itself


def _refuse_long_sets(table: CodedTable) -> None:
    long = [f"{column.name}: {column.n_values:,} values" for column in table.columns if column.n_values > MOST_NAMED]
    if long:
        raise BadOption(
            f"Columns with more than {MOST_NAMED:,} values are not published as sets.",
            found=long,
            fix='use into="nodes", or give these columns fewer values',
        )


METHOD = Method(
    name="unrestricted",
    family="trees",
    place=20,
    group=unrestricted,
    takes="k",
    recoding="global",
    words="Every value of a column becomes itself or any node above it (or any set), the same in the whole table.",
    paper=f"{INCOGNITO}, section 5.1.1",
    explained={"into": Option(choices=INTO)},
)
