"""Regions that cover the whole space: what is published follows from public trees, not from where the rows lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.kernels.conditions import Conditions
from amongst.kernels.holds import holds_by_class
from amongst.models import Model
from amongst.partition.feasible import feasible_conditions, refuse_small_table
from amongst.partition.method import Method, Option
from amongst.partition.partition import Partition
from amongst.partition.trees.forest import Forest
from amongst.partition.trees.node_groups import group_by_nodes
from amongst.partition.trees.region_splits import NEARLY, Regions, Split, saved_next, split


def regions(
    table: CodedTable,
    models: Sequence[Model],
    *,
    least: int = 0,
    drawn: float = 0.0,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Split the whole space along the hierarchies, and publish the regions as they were split.

    Paper
        None: the frame is that of LeFevre, DeWitt, Ramakrishnan, *Mondrian*, ICDE 2006, with the children of a node
        as the only cuts, and without shrinking what is published to the rows.
    Guarantees
        Every group has at least k rows, and at least ``least``, and holds the other models. Regions are disjoint and
        cover every combination of values that the hierarchies know: whoever is not in the data lies in one as well.
        A region is never tightened to its rows, so no end, member or child of a published node must occur in it; it is
        called after the node that was split off, also where one value of it alone occurs in the column.
    Choices
        A region is split in a column only where every child has what is asked: a part of a range or of the calendar
        that nobody is in has it not. It takes the column that saves most
        loss together with the best split that each child has next; ties go to the first column. Where models look at
        values, that a region was not split, or not by the best column, tells of them to who knows the method and
        everybody's quasi-identifiers. With ``drawn`` above 0 lots decide in such a share of the regions: half of these
        are not split, half by a column that is drawn, so that no way to deal out the values that the classes allow is
        ruled out. In regions of more than four times the rows asked for the share is smaller, as one over their rows:
        a world of which one lot is the reason is there less often, and so many more are. The seed stays inside.
    Departures
        Mondrian cuts between any two values and publishes the ranges of the rows: that loses less, and tells where the
        outermost of them lie.
    Cost
        O(d^2) passes over the tuples for every depth of the splits, at most the sum of the trees' heights.
    """
    _refuse_odd(least, drawn)
    conditions = feasible_conditions(table, models)
    k = max(conditions.k, least)
    refuse_small_table(table, k)
    forest, rng = Forest(table), np.random.default_rng(seed)
    space = _Space(np.zeros(forest.tuples.n_tuples, dtype=np.int64), np.zeros((1, forest.n_columns), dtype=np.int64))
    while space.live.any():
        found = space.regions(forest)
        best, column, splits = np.zeros(found.n_regions), np.full(found.n_regions, -1), []
        by_lot = rng.random(found.n_regions) < _share(forest, found, k, drawn if conditions.tests else 0.0)
        stays = by_lot & (rng.random(found.n_regions) < 0.5)
        for c in range(forest.n_columns):
            made = split(found, c, k)
            allowed = made.allowed & made.complete
            allowed &= _hold(forest, found, made, conditions, allowed)
            score = made.saved + saved_next(found, c, made, k, complete=True)
            better = allowed & (score > NEARLY) & ~stays
            score = np.where(by_lot, 1 + rng.random(found.n_regions), score)
            better &= score > best + NEARLY
            best[better], column[better] = score[better], c
            splits.append(made)
        space = space.divided(found, column, splits)
        if progress is not None:
            progress(int((~space.live).sum()), len(space.live))
    facts = {"regions": len(space.nodes), "least": k}
    return group_by_nodes(forest, space.class_of_tuple, space.nodes, facts, nodes="regions")


SMALL = 4
"""Regions of so many times the rows that are asked for are small."""


class _Space:
    """The whole space as disjoint classes of tuples, with the nodes of each; those that may still be split are live."""

    def __init__(self, class_of_tuple: np.ndarray, nodes: np.ndarray, live: np.ndarray | None = None) -> None:
        self.class_of_tuple, self.nodes = class_of_tuple, nodes
        self.live = np.ones(len(nodes), dtype=bool) if live is None else live

    def regions(self, forest: Forest) -> Regions:
        at = np.flatnonzero(self.live[self.class_of_tuple])
        number = np.cumsum(self.live) - 1
        return Regions(forest, at, number[self.class_of_tuple[at]], self.nodes[self.live])

    def divided(self, found: Regions, column: np.ndarray, splits: list[Split]) -> _Space:
        """After the splits: classes that stay keep their nodes, parts stand behind them and are live."""
        nodes, class_of_tuple, n = [self.nodes], self.class_of_tuple.copy(), len(self.nodes)
        for c, made in enumerate(splits):
            chosen = (column == c)[made.region_of_part]
            here = (column == c)[found.region_of_tuple]
            number = n + np.cumsum(chosen) - 1
            class_of_tuple[found.tuples[here]] = number[made.part_of_tuple[here]]
            own = found.nodes[made.region_of_part[chosen]]
            own[:, c] = made.child_of_part[chosen]
            nodes.append(own)
            n += len(own)
        used, class_of_tuple = np.unique(class_of_tuple, return_inverse=True)
        return _Space(class_of_tuple.reshape(-1), np.concatenate(nodes)[used], used >= len(self.nodes))


def _hold(forest: Forest, found: Regions, made: Split, conditions: Conditions, allowed: np.ndarray) -> np.ndarray:
    """Whether all parts of every region hold what is asked beside a number of rows."""
    if (not conditions.tests and conditions.unit is None) or not allowed.any():
        return np.ones(found.n_regions, dtype=bool)
    part_of_tuple = np.full(forest.tuples.n_tuples, -1, dtype=np.int32)
    there = allowed[found.region_of_tuple]
    part_of_tuple[found.tuples[there]] = made.part_of_tuple[there]
    part_of_row = kernels.gather(part_of_tuple, forest.tuples.tuple_of_row)
    holds = holds_by_class(conditions, part_of_row, len(made.region_of_part), forest.table.count)
    fails = np.bincount(made.region_of_part[~holds], minlength=found.n_regions) > 0
    return np.asarray(~fails | ~allowed)


def _share(forest: Forest, found: Regions, k: int, drawn: float) -> np.ndarray:
    """How often a lot decides about a region, by its rows."""
    rows = np.bincount(found.region_of_tuple, forest.tuples.count[found.tuples], found.n_regions)
    return np.asarray(drawn * np.minimum(SMALL * k / np.maximum(rows, 1), 1))


def _refuse_odd(least: int, drawn: float) -> None:
    wrong = [f"least = {least!r}"] if isinstance(least, bool) or not isinstance(least, int) or least < 0 else []
    wrong += [f"drawn = {drawn!r}"] if isinstance(drawn, bool) or not 0 <= drawn <= 1 else []
    if wrong:
        raise BadOption(
            "Regions need a whole number of rows, and a share.", found=wrong, fix="use least = 50, drawn = 0.2"
        )


METHOD = Method(
    name="regions",
    family="trees",
    place=35,
    group=regions,
    takes="models itself",
    recoding="global",
    keeps_all=True,
    words="Regions of hierarchy nodes that cover everybody, in the data or not, and follow no row.",
    paper="after LeFevre, DeWitt, Ramakrishnan: Mondrian, ICDE 2006, section 4",
    explained={
        "least": Option(words="rows that every region has at least"),
        "drawn": Option(words="in what share of the small regions lots decide, where models look at values"),
    },
)
