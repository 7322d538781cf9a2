"""The flow for a table whose frequency set does not fit into memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.engines.checkpoint import Checkpoint
from amongst.engines.counted import Request, StoredSource
from amongst.engines.duckdb.file_store import FileStore
from amongst.engines.memory import Budget
from amongst.engines.parts.conditions import conditions_by_counts
from amongst.engines.parts.distinct_values import Values, distinct_values
from amongst.engines.parts.encode_rows import EncodedRows, encode_rows, encode_values
from amongst.engines.parts.kept_codes import kept_or_encoded
from amongst.engines.parts.mondrian import mondrian_by_parts
from amongst.engines.parts.other_columns import countable, other_bytes, other_columns
from amongst.engines.parts.plan import Plan, plan
from amongst.engines.parts.release import PartsRelease
from amongst.engines.parts.room import room_on_disk
from amongst.engines.parts.rows import ParquetRows, open_rows
from amongst.engines.parts.summary import Grouped
from amongst.engines.store import Publication, Say
from amongst.engines.work import Work
from amongst.errors import BadOption
from amongst.models import smallest_group
from amongst.partition.feasible import refuse_small_table
from amongst.partition.methods import find_method
from amongst.partition.mondrian.mondrian import CUTS
from amongst.partition.requested import sensitive_columns
from amongst.recode import Published
from amongst.recode.recode import Decided, decide
from amongst.recode.stream import class_table
from amongst.schema.check import check
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


def anonymize_parts(
    store: FileStore,
    request: Request,
    say: Say,
    *,
    budget: Budget,
    work: Work,
    planned: Plan | None = None,
    checkpoint: Checkpoint | None = None,
) -> PartsRelease:
    """Decide what is published of a table of which not even the distinct rows fit into memory.

    Codes are written to disk, cut into parts that fit, and grouped part by part; see ``mondrian.mondrian_by_parts``
    and ``hilbert.hilbert_by_parts``.

    Parameters
    ----------
    planned : Plan, optional
        How large parts are; left out, what fits into the budget.
    checkpoint : Checkpoint, optional
        Where the codes are kept, and may be already.
    """
    refuse_other_methods(request)
    state = store.state()
    rows = open_rows(store.name, store.paths, _text_kinds(store))
    with room_on_disk():
        say("count", 0, 0)
        values, schema = _values(rows, request)
        coded = encode_values(values, schema, sensitive_columns(schema, request.models))
        k = smallest_group(request.models)
        refuse_small_table(_counted(coded, values.n_kept), k)
        planned = planned or plan(coded, values.n_kept, k, budget, other_bytes(rows, request.others))
        say("encode", 0, 0)
        others = other_columns(request.others, values.columns, planned.most_keys) if request.others else None

        def encode() -> EncodedRows:
            tell = lambda done, total: say("encode", done, total)  # noqa: E731
            return encode_rows(rows, schema, values, coded, work.folder, others, tell)

        encoded = kept_or_encoded(checkpoint, values, coded, others, work.folder, encode)
        say("group", 0, 0)
        grouped = _group(encoded, schema, request, k, planned, work.folder, say)
    say("publish", 0, 0)
    told = decide(schema, grouped.table, grouped.partition, request.form)
    release = _release(store, rows, encoded, grouped, told, schema, request, planned, state, work)
    return replace(release, checkpoint=checkpoint)


def _release(
    store: FileStore,
    rows: ParquetRows,
    encoded: EncodedRows,
    grouped: Grouped,
    told: Decided,
    schema: Schema,
    request: Request,
    planned: Plan,
    state: str,
    work: Work,
) -> PartsRelease:
    import pyarrow as pa

    classes = class_table(told.columns)
    columns: list[str] = []
    for name in rows.schema.names:
        columns += [column.name for column in told.columns[name]] if name in told.columns else []
        columns += [name] if name in request.others else []
    publication = Publication(schema.quasi, pa.table({}), classes, request.others, columns, grouped.table.n_rows)
    count = grouped.table.count
    sizes = np.bincount(told.class_of_row, weights=count, minlength=told.n_classes).astype(np.int64)
    shown = Published(classes.slice(0, 0), sizes, told.class_of_row, told.n_classes, {})
    source = StoredSource(
        pa.table({}), "pyarrow", store.name, store.digest(), store.notes, n_stored=len(rows.schema.names)
    )
    made = (source, schema, request.models, request.method, request.options, request.seed, request.form)
    return PartsRelease(
        *made,
        grouped.table,
        grouped.partition,
        shown,
        bound=False,
        store=store,
        publication=publication,
        state=state,
        work=work,
        rows=rows,
        encoded=encoded,
        grouped=grouped,
        folder=work.folder,
        bucket_rows=planned.bucket_rows,
    )


def _group(
    encoded: EncodedRows, schema: Schema, request: Request, k: int, planned: Plan, folder: Path, say: Say
) -> Grouped:
    def progress(done: int, total: int) -> None:
        say("group", done, total)

    by_parts = find_method(request.method).by_parts
    if by_parts == "cuts":
        cuts = request.options.get("cuts", "hierarchy-first")
        if cuts not in CUTS:
            fix = "use one of: " + ", ".join(CUTS)
            raise BadOption("Mondrian does not know these cuts.", found=f"cuts = {cuts!r}", fix=fix)
        n_qi, n_sensitive = encoded.table.n_qi, len(encoded.table.sensitive)
        asked = conditions_by_counts(encoded.table, encoded.counts[n_qi : n_qi + n_sensitive], request.models)
        return mondrian_by_parts(encoded, schema, asked, CUTS[cuts], planned.part_rows, folder, progress=progress)
    from amongst.engines.parts.hilbert import hilbert_by_parts

    return hilbert_by_parts(
        encoded, schema, k, planned.part_rows, folder, fast=by_parts == "fast runs", progress=progress
    )


def _values(rows: ParquetRows, request: Request) -> tuple[Values, Schema]:
    """One pass for the distinct values, and the schema checked against them."""
    asked = sensitive_columns(request.schema, request.models)
    described = [
        name
        for name in request.schema.sensitive
        if name in asked or request.schema[name].hierarchy is not None or request.schema[name].order is not None
    ]
    few = countable(request.others, rows.schema)
    values = distinct_values(rows, request.schema, [*request.schema.quasi, *described], few)
    found: Any = _Columns(rows.schema, values.columns)
    return values, check(request.schema, found, form=request.form)


class _Columns:
    """What the check of a schema looks at: names, types, and the distinct values of some columns."""

    def __init__(self, schema: pa.Schema, values: Mapping[str, pa.ChunkedArray]) -> None:
        self.schema, self.values = schema, values
        self.column_names = list(schema.names)

    def column(self, place: int) -> pa.ChunkedArray:
        import pyarrow as pa

        name = self.column_names[place]
        return self.values.get(name, pa.chunked_array([], self.schema.field(name).type))


def _counted(coded: CodedTable, n_kept: int) -> CodedTable:
    return replace(coded, count=np.array([n_kept], dtype=np.int64))


def _text_kinds(store: FileStore) -> dict[str, pa.DataType]:
    import pyarrow as pa

    if not store.text:
        return {}
    return {field.name: field.type for field in store.fields if not pa.types.is_string(field.type)}


def refuse_other_methods(request: Request) -> None:
    """Raise for what cannot be done part by part."""
    by_parts = find_method(request.method).by_parts
    possible = ("rows", "subsets", "values") if by_parts == "cuts" else ("rows",)
    # Groups that look alike are one to a reader: a model that joining may break needs all of them at hand.
    beyond = [model.name for model in request.models if model.counts not in possible or not model.monotone]
    problems = [] if by_parts else [f"method = {request.method!r}"]
    problems += [f"models: {', '.join(beyond)}"] if beyond else []
    problems += [f"target = {request.target!r}"] if request.target is not None else []
    if problems:
        raise BadOption(
            "The distinct rows of this table do not fit into the memory allowed, and this cannot be done part by part.",
            found=problems,
            fix="allow more memory, or use mondrian; with k-anonymity alone also hilbert or hilbert-fast",
        )
