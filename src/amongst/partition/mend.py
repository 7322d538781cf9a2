"""Mending: groups that do not hold a model are joined with those near them, and the loss is won back."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from amongst.encode import CodedTable
from amongst.errors import BadOption, Infeasible
from amongst.kernels.conditions import Conditions
from amongst.kernels.holds import holds_by_class
from amongst.kernels.price import Prices
from amongst.models import KAnonymity, Model, beyond_rows, of_population
from amongst.partition.conditions import asks_for_rows_only, survives_joining
from amongst.partition.feasible import feasible_conditions
from amongst.partition.mondrian.gain_split import gain_split
from amongst.partition.partition import Partition
from amongst.partition.population import inside_boxes, numbers_of_boxes, people_in_groups, widest_boxes
from amongst.partition.pricing import boxed, prices_of
from amongst.partition.refine import refine

FAR_MORE = 2
"""Joined groups that lose more than so many times what a split by gain does are not worth refining."""

Run = Callable[..., Partition]


def mended(run: Run, *, native: bool = False, together: bool = False) -> Run:
    """A method that holds every model: what it groups by size alone is mended where that is not enough.

    A native method holds all models of sensitive values itself, so that only a population is left to look at.
    With ``together`` equal rows are never parted: groups are joined, and nothing else.
    """

    @functools.wraps(run)
    def run_and_mend(table: CodedTable, models: Sequence[Model], **options: Any) -> Partition:
        if asks_for_rows_only(table, models):
            return run(table, models, **options)
        settled = survives_joining(table, models) and not of_population(models)
        if native and settled:
            return run(table, models, **options)
        conditions = feasible_conditions(table, models)
        found = run(table, [KAnonymity(conditions.k), *models], **options)
        return mend(
            table, models, conditions, found, options.get("progress"), together=together and not options.get("divides")
        )

    return run_and_mend


def only_k(run: Run, name: str, *, few_columns: bool = False) -> Run:
    """A method that groups by size alone, on all columns or also on few of them, and says so."""

    @functools.wraps(run)
    def run_for_k(table: CodedTable, models: Sequence[Model], **options: Any) -> Partition:
        sizes = [model for model in models if not (few_columns and model.counts == "subsets")]
        if not asks_for_rows_only(table, sizes):
            raise BadOption(
                f"The method {name!r} takes k-anonymity of rows only.",
                found="asked: " + (", ".join(beyond_rows(sizes)) or "people counted by a unit"),
                fix="use mondrian, best, hilbert, top-down, incognito, or another of `amongst methods` that takes it",
            )
        return run(table, models, **options)

    return run_for_k


def mend(
    table: CodedTable,
    models: Sequence[Model],
    conditions: Conditions,
    partition: Partition,
    progress: Callable[[int, int], None] | None = None,
    *,
    together: bool = False,
) -> Partition:
    """A partition whose groups hold all models.

    Guarantees
        Every group holds the models: at the worst all rows are one group, which the models allow.
    Choices
        The smallest group that fails is joined with one of those near its rows: one that makes it hold, else any,
        where the loss grows least. Where nearly all groups fail, joining may end in groups far too large: if a split
        by gain that holds the models loses less than half, it takes their place. Then moves, swaps and splits win
        back what they can (see ``refine``). Groups that lack people of a population are joined with the group where
        that costs least. A partition that holds everything is left as it is.
    """
    joins_well = survives_joining(table, models)
    if not joins_well:
        partition = _join_alike(table, partition)
    if not conditions.only_size and not holds_by_class(conditions, partition.group_of_row, partition.n_groups).all():
        partition = _worth_refining(table, models, conditions, partition, divides=not together)
        if not together:
            partition = refine(table, models, partition, conditions=conditions, progress=progress)
        if not joins_well:
            partition = _settle(table, conditions, partition)
    people = of_population(models)
    return _join_for_population(table, people, conditions, partition) if people else partition


def _worth_refining(
    table: CodedTable, models: Sequence[Model], conditions: Conditions, partition: Partition, *, divides: bool
) -> Partition:
    """The partition with groups that fail joined to others; a split by gain where that would lose far less."""
    joined = refine(table, models, partition, passes=0, conditions=conditions)
    split = gain_split(table, models, divides=divides)
    loss_of = loss_under(prices_of(table))
    return split if loss_of(joined) > FAR_MORE * loss_of(split) else joined


def loss_under(prices: Prices) -> Callable[[Partition], int]:
    """The loss of a partition, in price units."""
    return lambda one: int(one.size_of_group @ prices.of_boxes(one.lo.astype(np.int64), one.hi.astype(np.int64)))


def _join_alike(table: CodedTable, partition: Partition) -> Partition:
    """Groups that publish the same are one to a reader: what breaks when groups are joined is looked at as one."""
    box_of_group = numbers_of_boxes(*widest_boxes(table, partition)).astype(np.int32)
    if int(box_of_group.max(initial=-1)) + 1 == partition.n_groups:
        return partition
    kept = partition.group_of_row >= 0
    return boxed(table, np.where(kept, box_of_group[partition.group_of_row], -1), **partition.facts)


def _settle(table: CodedTable, conditions: Conditions, partition: Partition) -> Partition:
    """Join groups that look alike, and those that fail then with the group where that costs least, until all hold."""
    while True:
        partition = _join_alike(table, partition)
        fails = ~holds_by_class(conditions, partition.group_of_row, partition.n_groups)
        if not fails.any() or partition.n_groups == 1:
            return partition
        partition = _joined(table, partition, fails)


def _join_for_population(
    table: CodedTable, models: Sequence[Model], conditions: Conditions, partition: Partition
) -> Partition:
    while True:
        fails = ~holds_by_class(conditions, partition.group_of_row, partition.n_groups)
        # What is published may be wider than the box, and groups may publish the same: at worst the people of the
        # box stand against the rows of all groups that may look alike, and the rows of one against all in the node.
        widest = widest_boxes(table, partition)
        meant, _ = inside_boxes(table, partition, partition.lo, partition.hi)
        most_meant, n_outside = inside_boxes(table, partition, *widest)
        people, alike = people_in_groups(table, partition, *widest)
        for model in models:
            fails |= model.breaks(fewest=people, most=alike, fit_fewest=meant, fit_most=most_meant)
        everybody_fits = n_outside == 0 or not any(model.everybody_must_fit for model in models)
        if not fails.any() and everybody_fits:
            return partition
        if partition.n_groups == 1:
            raise _too_few_people(models, int(meant[0]), int(people[0]), n_outside, people=table.unit is not None)
        if not fails.any():
            fails[:] = True  # somebody of the population fits nothing: wider groups may have room
        partition = _joined(table, partition, fails)


def _joined(table: CodedTable, partition: Partition, fails: np.ndarray) -> Partition:
    """Every group that fails joined with the one where that costs least; a group is joined once."""
    prices = prices_of(table)
    group = partition.group_of_row.copy()
    joined = np.zeros(partition.n_groups, dtype=bool)
    lo, hi, size = partition.lo.astype(np.int64), partition.hi.astype(np.int64), partition.size_of_group
    loss = prices.of_boxes(lo, hi) * size
    for g in np.flatnonzero(fails).tolist():
        if joined[g]:
            continue
        cost = prices.of_boxes(np.minimum(lo, lo[g]), np.maximum(hi, hi[g])) * (size + size[g]) - loss - loss[g]
        cost[joined] = np.iinfo(np.int64).max
        cost[g] = np.iinfo(np.int64).max
        other = int(np.argmin(cost))
        if joined[other] or other == g:
            continue
        group[group == other] = g
        joined[[g, other]] = True
    return boxed(table, group, **partition.facts)


def _too_few_people(models: Sequence[Model], meant: int, n_rows: int, n_outside: int, *, people: bool) -> Infeasible:
    asked = " ".join(model.words() for model in models)
    if n_outside and any(model.everybody_must_fit for model in models):
        return Infeasible(
            f"Groups of rows cannot reach this: {asked}",
            found="even as one group the rows publish no more than their own values and nodes, and people of the "
            "population lie outside: they are known not to be in the data",
            fix='use a lower bound of 0, or method="full-domain-optimum" with hierarchies that cover the population',
            people=meant,
        )
    return Infeasible(
        f"No grouping can reach this: {asked}",
        found=f"all {n_rows:,} {'people' if people else 'rows'} as one group fit {meant:,} people of the population",
        fix="give the whole population, or ask for less",
        people=meant,
    )
