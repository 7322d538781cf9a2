"""Mondrian: cut the space of quasi-identifiers in two, and each half again, while both halves keep k rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst import kernels
from amongst.choices import OURS
from amongst.encode import CodedTable, mostly_distinct, tuples_of
from amongst.errors import BadOption, refuse_unknown_word
from amongst.kernels.conditions import Conditions
from amongst.models import Model
from amongst.partition.feasible import feasible_conditions
from amongst.partition.method import Method, Option
from amongst.partition.mondrian.large_counts import MOST_ROWS, mondrian_in_parts
from amongst.partition.mondrian.target_split import target_split
from amongst.partition.papers import MONDRIAN
from amongst.partition.partition import Partition
from amongst.partition.rules import as_printed, in_order

CUTS = {"ordered": 0, "hierarchy-first": 1, "hierarchy": 2}
RULES = {OURS: None, "paper": 3, "paper-first": 4}
"""The cuts of a version as printed."""


def kind_of_cuts(cuts: str) -> int:
    """The number by which kernels know the cuts; raises where they are none."""
    refuse_unknown_word("Mondrian does not know these cuts.", "cuts", cuts, CUTS)
    return CUTS[cuts]


def mondrian(
    table: CodedTable,
    models: Sequence[Model],
    *,
    cuts: str = "hierarchy-first",
    rules: str = OURS,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Strict multidimensional partitioning: rows with the same quasi-identifiers stay together.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Mondrian Multidimensional K-Anonymity*, ICDE 2006: the greedy
        algorithm of figure 7 (section 4); the bound of theorem 2 (section 2.3).
    Guarantees
        Every group has at least k rows and holds the other models. With k alone, and ``cuts="ordered"`` or
        ``"hierarchy-first"``, no allowable cut is left, so no group has more than 2d(k-1)+m rows, where d is
        the number of columns and m the number of copies of the most frequent tuple (in a table where no null
        matches anything: such rows are on both sides of every cut). Groups are disjoint boxes of codes.
    Choices
        The column with the widest normalized range is cut: numbers by (max-min) of the group over that of
        the table, categories with a tree by leaves under the lowest common ancestor over all leaves (the
        papers' NCP), each times the column's weight; ties go to the first column of the schema. Widths
        are compared in steps of 2^-30 of the table's, so that every machine sees the same ties. The
        median is the smallest value with at least half the rows at or below it. Cut on the side of the
        median that divides more evenly, ties with the median on the left. If that column has no allowable
        cut, the next widest is tried. Null as a value of its own: before the median, the cut between
        values and nulls is tried. A null that matches anything goes to the smaller side and widens nothing.
        With models of sensitive values a cut is allowable when both sides hold them; of a column the cuts are
        tried from the most even one on.
    Departures
        The paper cuts only above the median (``<= m`` against ``> m``), which can miss an allowable cut just
        below it, as theorem 4 tacitly assumes it does not; both sides are tried here. ``cuts`` is the
        paper's future work: with ``"hierarchy"``, categories with a tree are cut only between children of
        the lowest node that covers the group; ``"hierarchy-first"`` allows the paper's cut when no column
        has such a cut left; ``"ordered"`` is the paper's cut everywhere.
        ``rules="paper"`` departs in none of this: figure 7 as printed, with ``<= m`` against ``> m`` only, nulls in
        the order of the values, categories as wide as the places of their leaves in order, and widths compared without
        rounding, in as many columns as have a common scale below 2^42; ``cuts`` is not looked at.
        With models of sensitive values it is the l-diverse Mondrian of Ghinita et al. (section 6.2): the same median
        split, made where both sides hold them, of the widest column where they do; ``rules="paper-first"`` reads them
        otherwise, and stops where the widest column that keeps k does not. Why we depart: GCP 0.43 as printed and 0.11
        as ours on Adult (30,162 rows, k = 10), 0.35 and 0.18 on the made-up census (50,000 people, l = 5).
        Where a target is given, cuts are chosen by what they tell about it: see ``target_split``.
    Cost
        O(n log n) on the distinct tuples. When a sample shows that nearly all rows are distinct, the rows
        themselves are partitioned; the groups are the same.
    """
    kind = kind_of_cuts(cuts)
    if as_printed(rules, tuple(RULES)):
        kind, table = _refuse_target(table, rules), in_order(table)
    if table.target is not None:
        return target_split(table, models)
    conditions = feasible_conditions(table, models)
    if not conditions.only_size:
        return _with_conditions(table, conditions, kind, progress)
    k = conditions.k
    if table.count is None and mostly_distinct(table.codes):
        group, lo, hi, n_alone = kernels.mondrian(
            table.codes, None, table.axes, k, cuts=kind, relaxed=False, tick=progress
        )
        return Partition(group, lo, hi, facts={"uniques": n_alone})
    tuples = tuples_of(table)
    if table.n_rows > MOST_ROWS:
        group, lo, hi, n_alone = mondrian_in_parts(tuples.codes, tuples.count, table.axes, k, kind, tick=progress)
    else:
        group, lo, hi, n_alone = kernels.mondrian(
            tuples.codes, tuples.count, table.axes, k, cuts=kind, relaxed=False, tick=progress
        )
    return Partition(
        kernels.gather(group, tuples.tuple_of_row), lo, hi, facts={"tuples": tuples.n_tuples, "uniques": n_alone}
    )


def _refuse_target(table: CodedTable, rules: str) -> int:
    if table.target is not None:
        raise BadOption(
            "Mondrian as printed does not look at a target.", found=f"rules = {rules!r}", fix="leave one of them out"
        )
    kind = RULES[rules]
    assert kind is not None
    return kind


def _with_conditions(
    table: CodedTable, conditions: Conditions, cuts: int, progress: Callable[[int, int], None] | None
) -> Partition:
    """On the distinct tuples, with their rows as members, as the rows of a tuple differ in sensitive values."""
    if table.count is None and mostly_distinct(table.codes):
        group, lo, hi, n_alone = kernels.mondrian(
            table.codes, None, table.axes, conditions.k, cuts=cuts, relaxed=False, conditions=conditions, tick=progress
        )
        return Partition(group, lo, hi, facts={"uniques": n_alone})
    tuples = tuples_of(table)
    row_at, first = kernels.order_by_class(tuples.tuple_of_row.view(np.int32), tuples.n_tuples)
    group, lo, hi, n_alone = kernels.mondrian(
        tuples.codes,
        tuples.count,
        table.axes,
        conditions.k,
        cuts=cuts,
        relaxed=False,
        conditions=conditions.of_members(row_at, first.astype(np.uint32)),
        tick=progress,
    )
    return Partition(
        kernels.gather(group, tuples.tuple_of_row), lo, hi, facts={"tuples": tuples.n_tuples, "uniques": n_alone}
    )


METHOD = Method(
    name="mondrian",
    family="mondrian",
    place=10,
    group=mondrian,
    takes="models itself",
    recoding="global",
    tight=True,
    words="Cuts the widest column at its median again and again; equal rows stay together.",
    paper=f"{MONDRIAN}, section 4",
    decides_on="counts",
    by_parts="cuts",
    minimal="cuts",
    looks_at_target=True,
    any_width=True,
    usual=True,
    seconds=2.2,
    explained={
        "cuts": Option(words="cut along", choices=("hierarchy-first", "hierarchy", "ordered")),
        "rules": Option(words="rules", choices=tuple(RULES)),
    },
)
