"""The flow for a frequency set that the driver cannot hold: values here, combinations with the executors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.engines.counted import Request, StoredSource
from amongst.engines.memory import words
from amongst.engines.spark.count import Tuples
from amongst.engines.spark.groups import Groups, group_by_parts
from amongst.engines.spark.join import join_known, size_in_join
from amongst.engines.spark.recode import PublicationOfParts
from amongst.engines.spark.release import SparkRelease
from amongst.engines.spark.store import SHARE_OF_A_BROADCAST, SparkStore
from amongst.engines.spark.value_codes import ValueCodes, value_codes
from amongst.engines.store import Say
from amongst.errors import BadOption, Infeasible
from amongst.models import beyond_rows, smallest_group
from amongst.partition.methods import find_method
from amongst.partition.mondrian.mondrian import CUTS
from amongst.recode import Published
from amongst.recode.recode import Decided, decide
from amongst.recode.stream import class_table

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

A_TUPLE, A_CELL = 64, 18
"""Bytes that a tuple takes in the worker that groups it, for itself and for each of its columns."""
MOST_TUPLES = 1 << 22
SHARE_OF_A_PART = 4


def anonymize_in_parts(
    store: SparkStore, tuples: Tuples, request: Request, say: Say, *, part_tuples: int | None = None
) -> SparkRelease:
    """Decide what is published of a table whose combinations of quasi-identifiers do not fit into the driver.

    The first cuts are chosen from counts; every part is then grouped by an executor. To the driver come the distinct
    values of single columns, counts, and the boxes of the groups.

    Parameters
    ----------
    part_tuples : int, optional
        How many combinations one executor groups at a time.
    """
    refuse_other_methods(request, tuples, store)
    state = store.state()
    limit = store.memory // SHARE_OF_A_BROADCAST
    stored = store.schema()
    say("encode", 0, 0)
    codes, kept = value_codes(tuples.frame, request.schema, stored, request.form)
    k = smallest_group(request.models)
    _refuse_few(codes, k)
    coded = codes.encode(kept, limit).persist()
    say("group", 0, 0)
    each = A_TUPLE + A_CELL * codes.table.n_qi
    most = part_tuples or max(1, min(MOST_TUPLES, store.memory // SHARE_OF_A_PART // each))
    groups = group_by_parts(codes, coded, k, _cuts(request), most)
    coded.unpersist()
    store.forget()
    say("publish", 0, 0)
    told = decide(codes.schema, groups.table, groups.partition, request.form)
    return _release(store, codes, groups, told, request, stored, state)


def _release(
    store: SparkStore,
    codes: ValueCodes,
    groups: Groups,
    told: Decided,
    request: Request,
    stored: pa.Schema,
    state: str,
) -> SparkRelease:
    import pyarrow as pa

    columns: list[str] = []
    for name in stored.names:
        columns += [column.name for column in told.columns[name]] if name in told.columns else []
        columns += [name] if name in request.others else []
    count = groups.table.count
    size = np.bincount(told.class_of_row, weights=count, minlength=told.n_classes).astype(np.int64)
    publication = PublicationOfParts(
        codes.schema.quasi,
        pa.table({}),
        class_table(told.columns),
        request.others,
        columns,
        groups.table.n_rows,
        size_of_class=size,
        classed=_classed(codes, groups, told.class_of_row),
    )
    shown = Published(publication.classes.slice(0, 0), size, told.class_of_row, told.n_classes, {})
    source = StoredSource(pa.table({}), "pyarrow", store.name, store.digest(), n_stored=len(stored.names))
    return SparkRelease(
        source,
        codes.schema,
        request.models,
        request.method,
        request.options,
        request.seed,
        request.form,
        groups.table,
        groups.partition,
        shown,
        bound=False,
        store=store,
        publication=publication,
        state=state,
        codes=codes,
    )


def _classed(codes: ValueCodes, groups: Groups, class_of_kind: np.ndarray) -> Any:
    """Rows get the codes of their values, and by these the class of their tuple."""

    def classed(rows: DataFrame, part_of_class: np.ndarray | None, broadcast_limit: int) -> DataFrame:
        small = size_in_join(groups.kinds.nbytes, groups.kinds.num_rows, 5) <= broadcast_limit
        tuples = groups.with_class(class_of_kind, part_of_class, small)
        return join_known(codes.encode(rows, broadcast_limit), tuples, codes.names, small=False).drop(*codes.names)

    return classed


def _cuts(request: Request) -> int:
    cuts = request.options.get("cuts", "hierarchy-first")
    if cuts not in CUTS:
        raise BadOption(
            "Mondrian does not know these cuts.", found=f"cuts = {cuts!r}", fix="use one of: " + ", ".join(CUTS)
        )
    return CUTS[cuts]


def _refuse_few(codes: ValueCodes, k: int) -> None:
    if codes.n_kept < k:
        found = f"{codes.n_kept} rows"
        raise Infeasible(
            f"No grouping can reach {k}-anonymity.", found=found, fix=f"use k <= {codes.n_kept}", largest_k=codes.n_kept
        )


def refuse_other_methods(request: Request, tuples: Tuples, store: SparkStore) -> None:
    """Raise for what cannot be done part by part."""
    beyond = beyond_rows(request.models)
    problems = [] if find_method(request.method).by_parts == "cuts" else [f"method = {request.method!r}"]
    problems += [f"models: {', '.join(beyond)}"] if beyond else []
    problems += [f"target = {request.target!r}"] if request.target is not None else []
    if problems:
        least = store.needed(tuples, not request.on_tuples)
        what = f"{tuples.n_tuples:,} distinct combinations" + (
            "" if request.on_tuples else f" of {tuples.n_rows:,} rows"
        )
        raise BadOption(
            "What the method looks at does not fit into the driver, and this cannot be done part by part.",
            found=[*problems, f"{what} need about {words(least)}, and {words(store.memory)} are allowed"],
            fix=f'allow memory = "{words(least)}", or use k-anonymity with mondrian',
            least=least,
        )
