"""The published rows as counts: which class they are of, what else they show, and how many there are of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.engines.counted import CLASS, FIRST, LAST, PERSON
from amongst.engines.postgresql.match import cell_codes, tuple_of_rows
from amongst.errors import BadOutput, Changed
from amongst.recode.plan import RecodingPlan

if TYPE_CHECKING:
    import pyarrow as pa


def pieces(plan: RecodingPlan) -> pa.Table:
    """One row for all published rows that are equal: ``class``, ``n``, the labels ``c0 ...`` and the others ``g0 ...``.

    The plan has the distinct rows of all published columns.
    """
    import pyarrow as pa

    counted = plan.found_by
    rows = np.flatnonzero(plan.class_of_row >= 0)
    of_class = plan.class_of_row[rows].astype(np.int32)
    shown = counted.table.select(plan.others).take(pa.array(counted.kept[rows]))
    codes = [of_class.view(np.uint32), *(cell_codes([column]) for column in shown.columns)]
    piece_of_row, first, _ = kernels.distinct(codes)
    n = np.bincount(piece_of_row, weights=counted.count[rows], minlength=len(first)).astype(np.int64)
    own, others = of_class[first], named(shown.take(pa.array(first.astype(np.int64))), "g")
    labels = named(plan.classes, "c").take(pa.array(own))
    columns = [*labels.columns, *others.columns, pa.array(own), pa.array(n)]
    return pa.table(columns, names=[*labels.column_names, *others.column_names, "class", "n"])


def map_of_tuples(plan: RecodingPlan, counted: pa.Table) -> pa.Table:
    """For every tuple the number of one entry of the frequency set, and the class; where divided first and last, where
    people are counted the person."""
    import pyarrow as pa

    tuple_of_entry, tuple_of_part, n_tuples = _tuples(plan, counted)
    entry_of_tuple = np.zeros(n_tuples, dtype=np.int32)
    entry_of_tuple[tuple_of_entry[::-1]] = np.arange(len(tuple_of_entry), dtype=np.int32)[::-1]
    tuples = plan.tuples
    columns = {"id": pa.array(entry_of_tuple[tuple_of_part]), "class": tuples.column(CLASS)}
    if plan.divided:
        columns |= {"first": tuples.column(FIRST), "last": tuples.column(LAST)}
    if PERSON in tuples.column_names:
        columns[PERSON] = tuples.column(PERSON)
    return pa.table(columns)


def named(table: pa.Table, letter: str) -> pa.Table:
    """The table with columns named by us, and plain text."""
    import pyarrow as pa

    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_nested(column.type):
            found = f"'{name}' is of type {column.type}"
            raise BadOutput("A column of PostgreSQL cannot hold structs.", found=found, fix="use form = bounds")
        columns.append(column.cast(pa.string()) if pa.types.is_large_string(column.type) else column)
    return pa.Table.from_arrays(columns, names=[f"{letter}{i}" for i in range(len(columns))])


def whole(column: pa.ChunkedArray) -> np.ndarray:
    """A column without nulls as one array."""
    return np.ascontiguousarray(column.to_numpy())


def changed(found: str) -> Changed:
    """The error for a table that is not what was counted."""
    return Changed("The table has changed since it was counted.", found=found, fix="run again")


def _tuples(plan: RecodingPlan, counted: pa.Table) -> tuple[np.ndarray, np.ndarray, int]:
    """The tuple of every entry, and of every row of ``plan.tuples``; all of these must be among the entries."""
    of_entry, of_part = tuple_of_rows(counted, plan.tuples, plan.quasi)
    n_tuples = int(max(_largest(of_entry), _largest(of_part))) + 1
    there = np.zeros(n_tuples, dtype=bool)
    there[of_entry] = True
    n = int((~there[of_part]).sum())
    if n:
        raise changed(f"{n:,} combinations of quasi-identifiers are gone")
    return of_entry, of_part, n_tuples


def _largest(numbers: Sequence[int] | np.ndarray) -> int:
    return int(np.max(numbers, initial=0))
