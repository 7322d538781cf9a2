"""Anatomy: groups in which every sensitive value occurs once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.encode import CodedTable, frequency_set
from amongst.encode.coded import CodedColumn
from amongst.errors import BadOption, Infeasible, refuse_unknown_word
from amongst.kernels.one_dimensional import sort_keys
from amongst.models import Model, smallest_group
from amongst.partition.anatomy.eligible_parts import eligible_parts
from amongst.partition.line.curve import curve_keys, places_of_codes
from amongst.partition.lots import Lots
from amongst.partition.method import Method, Option
from amongst.partition.partition import Partition
from amongst.partition.pricing import boxed, prices_of

ORDERS = ("random", "near")
SENSES = ("frequency", "distinct", "entropy")
"""Where every value occurs once, a group of l rows is l-diverse in all of these."""


def anatomy(
    table: CodedTable,
    models: Sequence[Model],
    *,
    order: str = "random",
    seed: int = 0,
    row_at: np.ndarray | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Groups of l or more rows, no two of which have the same sensitive value.

    Paper
        Xiao, Tao, *Anatomy: Simple and Effective Privacy Preservation*, VLDB 2006, section 5, as described in
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007,
        section 2.3.
    Guarantees
        Every group has at least l rows with different values, so a value has at most 1/l of it. There are
        floor(n/l) groups with ``order="random"``, as many as there can be. There is an answer whenever no value
        has more than n/l of the rows.
    Choices
        Which rows of a bucket meet which rows of another is drawn by lot (``Lots``). A null is a value of its own.
        ``order="near"`` first cuts the line of rows along the Hilbert curve into parts that are still eligible
        (``eligible_parts``) and draws within each, so that rows of a group are near each other.
    Departures
        The paper takes one row from each of the l largest buckets until fewer than l are left, and gives the rows
        left over to groups that lack their value. Here the buckets are laid one after the other, and the row at
        place i goes to group i mod floor(n/l). A bucket has at most floor(n/l) rows, so it never meets a group
        twice. As many groups of as equal sizes as can be, without a loop.
    Cost
        O(n log n) for sorting by lots; with ``order="near"`` O(n log n) more for the curve and its parts.

    Parameters
    ----------
    order : {"random", "near"}
    row_at : ndarray, optional
        The rows in an order that does not depend on the input's; left out, by their codes.
    """
    refuse_unknown_word(f"There is no order {order!r}.", "order", order, ORDERS)
    size = rows_of_group(models)
    column = _sensitive(table, models)
    refuse_ineligible(column, table.n_rows, size)
    value = column.codes.astype(np.int64)
    if row_at is None:
        row_at = np.lexsort([*reversed(table.codes), value])
    lots = Lots(seed, [codes[row_at] for codes in (*table.codes, value)])
    lot = np.empty(table.n_rows, dtype=np.uint64)
    lot[row_at] = lots.draw("rows", table.n_rows)
    part = np.zeros(table.n_rows, dtype=np.int64)
    if order == "near":
        part = _parts_of_the_curve(table, value, column.n_codes, size, lot)
    number = _deal(part, lots.permutation("values", column.n_codes)[value], lot, size)
    n_groups = int(number.max()) + 1
    number = lots.permutation("groups", n_groups)[number]  # so that ids say nothing about how groups were found
    partition = boxed(table, number)
    number_of_group = np.empty(n_groups, dtype=np.int64)
    number_of_group[partition.group_of_row] = number
    partition.facts.update(number_of_group=number_of_group, parts=int(part.max()) + 1)
    return partition


def _deal(part: np.ndarray, bucket: np.ndarray, lot: np.ndarray, size: int) -> np.ndarray:
    """The group of every row: within a part, the buckets one after the other go round its groups."""
    row_at = np.lexsort([lot, bucket, part])
    n_rows = np.bincount(part)
    n_groups = n_rows // size
    place = np.arange(len(part)) - np.repeat(np.cumsum(n_rows) - n_rows, n_rows)
    first_group = np.cumsum(n_groups) - n_groups
    group = np.empty(len(part), dtype=np.int64)
    group[row_at] = place % np.repeat(n_groups, n_rows) + np.repeat(first_group, n_rows)
    return group


def _parts_of_the_curve(table: CodedTable, value: np.ndarray, n_values: int, size: int, lot: np.ndarray) -> np.ndarray:
    """The part of every row; rows at one place of the curve are in the order of their lots."""
    tuples = frequency_set(table.codes)
    at = sort_keys(curve_keys(tuples, places_of_codes(table, tuples, prices_of(table))))
    place_of_tuple = np.empty(tuples.n_tuples, dtype=np.int64)
    place_of_tuple[at] = np.arange(tuples.n_tuples)
    row_at = np.lexsort([lot, place_of_tuple[tuples.tuple_of_row]])
    first = eligible_parts(value[row_at], n_values, size)
    part = np.empty(table.n_rows, dtype=np.int64)
    part[row_at] = np.repeat(np.arange(len(first)), np.diff(np.append(first, table.n_rows)))
    return part


def rows_of_group(models: Sequence[Model]) -> int:
    """How many rows with different values a group needs; raises for models that anatomy cannot hold."""
    unfit = sorted({model.name for model in models if not model.two_tables})
    if unfit:
        raise BadOption(
            "Anatomy publishes the quasi-identifiers as they are, so it can promise l-diversity and nothing else.",
            found="asked for: " + ", ".join(unfit),
            fix="ask for LDiversity alone, or use another method, which generalizes",
        )
    senses = sorted({model.condition for model in models} - set(SENSES))
    if senses:
        raise BadOption(
            "Anatomy cannot hold l-diversity in every sense.",
            found="asked for: " + ", ".join(senses),
            fix="use one of: " + ", ".join(SENSES),
        )
    size = smallest_group(models)
    if size < 2:
        raise BadOption(
            "With l = 1 anatomy would show which row has which sensitive value.",
            found="no l above 1",
            fix="use l >= 2",
        )
    return size


def _sensitive(table: CodedTable, models: Sequence[Model]) -> CodedColumn:
    if len(table.sensitive) != 1:
        raise BadOption(
            "Anatomy needs exactly one sensitive column.",
            found=", ".join(f"'{name}'" for name in table.sensitive) or "none",
            fix='give one column role="sensitive" and drop the others with role="identifier"',
        )
    return next(iter(table.sensitive.values()))


def refuse_ineligible(column: CodedColumn, n_rows: int, size: int) -> None:
    """Raise where a value is too frequent to be in a group once (section 2.3 of Ghinita et al.)."""
    count = np.bincount(column.codes, minlength=column.n_codes)
    most = int(count.max(initial=0))
    if n_rows and most * size <= n_rows:
        return
    best = n_rows // most if most else 0
    n_values, n_more = int((count > 0).sum()), int((count * size > n_rows).sum())
    found = [f"'{column.name}' has {n_values} values in {n_rows:,} rows"]
    if most:
        share = f"{100 * most / n_rows:.3g} % of the rows, more than 1 in {size}"
        found.append(f"the most frequent of them (rank 1) has {share}")
    if n_more > 1:
        found.append(f"so do those down to rank {n_more}")
    fix = f"use l <= {best}" if best > 1 else "choose another sensitive column: no l above 1 can be reached"
    raise Infeasible(
        f"No groups of {size} or more rows can have every sensitive value at most once each.",
        found=found,
        fix=fix,
        column=column.name,
        rank=1,
        largest_l=best,
    )


METHOD = Method(
    name="anatomy",
    family="anatomy",
    group=anatomy,
    takes="l",
    recoding="none",
    tight=True,
    words="Quasi-identifiers as they are in one table, sensitive values in another; a group number links them.",
    paper="Xiao, Tao: Anatomy: Simple and Effective Privacy Preservation, VLDB 2006",
    publishes="two tables",
    explained={"order": Option(choices=ORDERS)},
)
