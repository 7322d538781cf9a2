"""The flow for a frequency set that the driver cannot hold: values here, combinations with the executors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from amongst.engines.counted import Columns
from amongst.engines.memory import words
from amongst.engines.parts.group_rows import GroupRows, beyond_parts
from amongst.engines.spark.count import Tuples
from amongst.engines.spark.groups import Groups, group_by_parts, group_on_a_line
from amongst.engines.spark.join import join_known, size_in_join
from amongst.engines.spark.value_codes import ValueCodes, ValuesOfTuples, value_codes, values_of_tuples
from amongst.engines.store import Counts, Grouping
from amongst.errors import BadOption, Infeasible
from amongst.models import beyond_rows
from amongst.partition.mondrian.mondrian import kind_of_cuts
from amongst.request import Request

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from amongst.engines.spark.store import SparkStore

A_TUPLE, A_CELL = 64, 18
"""Bytes that a tuple takes in the worker that groups it, for itself and for each of its columns."""
MOST_TUPLES = 1 << 22
SHARE_OF_A_PART = 4
SHARE_OF_A_BROADCAST = 8
"""A join sends its smaller side to all executors where it takes at most this part of the driver's memory."""


class TuplesInParts(NamedTuple):
    """Tuples as codes, with the executors; their groups once they are made, by an executor each part."""

    codes: ValueCodes
    coded: DataFrame
    groups: Groups | Any = None

    def classed(
        self,
        class_of_kind: np.ndarray,
        rows: DataFrame,
        part_of_class: np.ndarray | None,
        order: list[Column],
        broadcast_limit: int,
    ) -> DataFrame:
        """Rows get the codes of their values, and by these the class of their tuple, and its part.

        Where a tuple is divided its rows are numbered in ``order``, and the class is that of the number.
        """
        groups, names = self.groups, self.codes.names
        small = size_in_join(groups.kinds.nbytes, groups.kinds.num_rows, 5) <= broadcast_limit
        tuples = groups.with_class(class_of_kind, part_of_class, small)
        coded = self.codes.encode(rows, broadcast_limit)
        coded = numbered_within(coded, names, order) if groups.divided else coded
        return join_known(coded, tuples, [*names, *groups.number], small=False).drop(*names, *groups.number)


def numbered_within(coded: DataFrame, names: list[str], order: list[Column]) -> DataFrame:
    """The rows of every tuple numbered from 0 in an order; without one they are equal."""
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    within = Window.partitionBy(*names).orderBy(*order or [F.lit(0)])
    return coded.withColumn("number", (F.row_number().over(within) - 1).cast("long"))


def look_at_values(store: SparkStore, tuples: Tuples, request: Request) -> Counts:
    """The distinct values of single columns come to the driver, their combinations do not."""
    import pyarrow as pa

    refuse_other_methods(request, tuples, store)
    fields = store.schema()
    found = values_of_tuples(tuples.frame, request.schema, request.counted)
    return Counts(table=pa.table({}), columns=Columns(fields, found.columns), fields=fields, more=found)


def encode_tuples(store: SparkStore, found: ValuesOfTuples, request: Request) -> TuplesInParts:
    """Codes for the tuples, where they are."""
    codes = value_codes(found, request.schema)
    _refuse_few(codes, request.threshold)
    return TuplesInParts(codes, codes.encode(found.kept, store.memory // SHARE_OF_A_BROADCAST).persist())


def group_tuples(store: SparkStore, tuples: TuplesInParts, request: Request) -> Grouping:
    """The first cuts are chosen from counts, and every part is then grouped by an executor; a line is one executor's.

    To the driver come counts, and the boxes of the groups.
    """
    codes = tuples.codes
    each = A_TUPLE + A_CELL * codes.table.n_qi
    most = store.part_tuples or max(1, min(MOST_TUPLES, store.memory // SHARE_OF_A_PART // each))
    counts = [codes.of_values(place) for place in range(len(codes.values))]
    if request.chosen.by_parts == "cuts":
        cuts = kind_of_cuts(request.options.get("cuts", "hierarchy-first"))
        groups = group_by_parts(codes, tuples.coded, request.threshold, cuts, most)
    else:
        asked = GroupRows.of(request, most)
        asked.refuse(codes.table, counts)
        groups = group_on_a_line(codes, tuples.coded, asked)
    tuples.coded.unpersist()
    store.forget()
    more = tuples._replace(groups=groups)
    return Grouping(coded=groups.table, partition=groups.partition, rows_of_code=counts, more=more)


def _refuse_few(codes: ValueCodes, k: int) -> None:
    if codes.n_kept < k:
        found = f"{codes.n_kept} rows"
        raise Infeasible(
            f"No grouping can reach {k}-anonymity.", found=found, fix=f"use k <= {codes.n_kept}", largest_k=codes.n_kept
        )


def refuse_other_methods(request: Request, tuples: Tuples, store: SparkStore) -> None:
    """Raise for what cannot be done part by part."""
    problems = beyond_parts(request)
    beyond = beyond_rows(request.models)
    if request.chosen.by_parts == "cuts" and beyond:
        problems = [f"models: {', '.join(beyond)}", *(one for one in problems if not one.startswith("models"))]
    problems += ["suppression"] if request.row_by_row else []
    if problems:
        least = store.needed(tuples, not request.on_tuples)
        what = f"{tuples.n_tuples:,} distinct combinations" + (
            "" if request.on_tuples else f" of {tuples.n_rows:,} rows"
        )
        raise BadOption(
            "What the method looks at does not fit into the driver, and this cannot be done part by part.",
            found=[*problems, f"{what} need about {words(least)}, and {words(store.memory)} are allowed"],
            fix=f'allow memory = "{words(least)}", or use k-anonymity with mondrian, or with hilbert or idistance '
            "also l-diversity by frequency",
            least=least,
        )
