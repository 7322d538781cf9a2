"""A file whose frequency set does not fit into memory: codes on disk, grouped part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.engines.counted import Columns
from amongst.engines.duckdb.file_store import FileStore
from amongst.engines.memory import Budget
from amongst.engines.parts.conditions import conditions_by_counts
from amongst.engines.parts.curve_parts import Line, curve_of
from amongst.engines.parts.distinct_values import distinct_values
from amongst.engines.parts.encode_rows import EncodedRows, encode_rows, encode_values
from amongst.engines.parts.kept_codes import kept_or_encoded
from amongst.engines.parts.mondrian import mondrian_by_parts
from amongst.engines.parts.other_columns import countable, other_bytes, other_columns
from amongst.engines.parts.plan import Plan, plan
from amongst.engines.parts.room import room_on_disk
from amongst.engines.parts.rows import open_rows
from amongst.engines.parts.rows_of_parts import RowsOfParts
from amongst.engines.store import Counts, Grouping, Place, Say
from amongst.errors import BadOption
from amongst.models import beyond_rows
from amongst.partition.feasible import refuse_small_table
from amongst.partition.mondrian.mondrian import kind_of_cuts
from amongst.partition.pricing import prices_of
from amongst.partition.requested import sensitive_columns
from amongst.recode import RecodingPlan, plan_recoding
from amongst.request import Request

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class PartsStore(FileStore):
    """Files of which not even the distinct rows fit into memory.

    Codes are written to disk, cut into parts that fit, and grouped part by part; see ``mondrian.mondrian_by_parts``
    and ``hilbert.runs_by_parts``. What is decided on has a coded row for every group, with its count.

    Attributes
    ----------
    budget : Budget
    planned : Plan, or None
        How large parts are; left out, what fits into the budget.
    """

    budget: Budget | Any = None
    planned: Plan | None = None

    def look(self, request: Request, say: Say) -> Counts:
        """One pass for the distinct values of every column."""
        import pyarrow as pa

        refuse_other_methods(request)
        rows = open_rows(self.name, self.paths, _text_kinds(self))
        asked = sensitive_columns(request.schema, request.models)
        described = [
            name
            for name in request.schema.sensitive
            if name in asked or request.schema[name].hierarchy is not None or request.schema[name].order is not None
        ]
        with room_on_disk():
            say("count", 0, 0)
            few = countable(self._others(request), rows.schema)
            values = distinct_values(rows, request.schema, [*request.schema.quasi, *described], few)
        stored = pa.schema([rows.schema.field(name) for name in self.schema().names])
        return Counts(table=pa.table({}), columns=Columns(stored, values.columns), fields=stored, more=(rows, values))

    def _others(self, request: Request) -> list[str]:
        """Where what is published as it is stands in the files."""
        return [self.written_name(name) for name in request.others]

    def encode(self, counts: Counts, request: Request, say: Say) -> RowsOfParts:
        """A second pass: the codes of all rows, on disk."""
        (rows, values), schema = counts.more, request.schema
        coded = encode_values(values, schema, sensitive_columns(schema, request.models))
        refuse_small_table(replace(coded, count=np.array([values.n_kept], dtype=np.int64)), request.threshold)
        own = self._others(request)
        room = other_bytes(rows, own)
        planned = self.planned or plan(coded, values.n_kept, request.threshold, self.budget, room)
        others = other_columns(own, values.columns, planned.most_keys) if own else None

        def encode() -> EncodedRows:
            tell = lambda done, total: say("encode", done, total)  # noqa: E731
            return encode_rows(rows, schema, values=values, table=coded, folder=self.folder, others=others, say=tell)

        with room_on_disk():
            encoded = kept_or_encoded(self.checkpoint, values, coded, others, self.folder, encode)
        return RowsOfParts(rows=rows, encoded=encoded, planned=planned, folder=self.folder)

    def group(
        self, coded: Any, counts: Counts, request: Request, say: Say, report_loss: Callable[[float], None] | None
    ) -> Grouping:
        """The groups of every part."""
        encoded, planned, schema = coded.encoded, coded.planned, request.schema

        def progress(done: int, total: int) -> None:
            say("group", done, total)

        with room_on_disk():
            if request.chosen.by_parts == "cuts":
                cuts = kind_of_cuts(request.options.get("cuts", "hierarchy-first"))
                n_qi, n_sensitive = encoded.table.n_qi, len(encoded.table.sensitive)
                asked = conditions_by_counts(encoded.table, encoded.counts[n_qi : n_qi + n_sensitive], request.models)
                grouped = mondrian_by_parts(
                    encoded, schema, asked, cuts, planned.part_rows, self.folder, progress=progress
                )
            else:
                from amongst.engines.parts.diverse import diverse_runs_by_parts
                from amongst.engines.parts.hilbert import runs_by_parts

                rows, folder = planned.part_rows, self.folder
                fast = request.chosen.by_parts.startswith("fast")
                how: Any = {"line": _line(encoded, request, rows, folder), "fast": fast, "progress": progress}
                if beyond_rows(request.models):
                    grouped = diverse_runs_by_parts(encoded, schema, request.models, rows, folder, **how)
                else:
                    grouped = runs_by_parts(encoded, schema, request.threshold, rows, folder, **how)
        more = replace(coded, grouped=grouped)
        return Grouping(coded=grouped.table, partition=grouped.partition, rows_of_code=encoded.counts, more=more)

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        """Rows find their class by the part they were dealt to."""
        stays = [own > 0 for own in grouping.rows_of_code]
        plan = plan_recoding(self.settled(grouping, request), grouping.partition, request, counts.fields, stays)
        suppressing = [name for name in request.schema.quasi if request.schema[name].nulls == "suppress"]
        return replace(plan, quasi=request.schema.quasi, found_by=replace(grouping.more, suppressing=suppressing))

    def publish(self, plan: RecodingPlan, place: Place, say: Callable[..., None]) -> None:
        with room_on_disk():
            super().publish(plan, place, say)


def _line(encoded: EncodedRows, request: Request, most_rows: int, folder: Path) -> Line:
    """The line that the method puts rows on."""
    prices = prices_of(encoded.table)
    if request.chosen.by_parts.endswith("rings"):
        from amongst.engines.parts.ring_parts import rings_of

        return rings_of(encoded, prices, most_rows, folder, request.options.get("centres"), request.seed or 0)
    return curve_of(encoded.table, encoded.counts, prices)


def _text_kinds(store: PartsStore) -> dict[str, pa.DataType]:
    import pyarrow as pa

    known = store.fields if store.text else [store.fields.field(name) for name in store.kinds]
    return {
        one.name: one.type for one in known if not (pa.types.is_string(one.type) or pa.types.is_dictionary(one.type))
    }


def refuse_other_methods(request: Request) -> None:
    """Raise for what cannot be done part by part."""
    by_parts = request.chosen.by_parts
    possible = ("rows", "subsets", "values") if by_parts == "cuts" else ("rows", "values")
    # Groups that look alike are one to a reader: a model that joining may break needs all of them at hand.
    beyond = [model.name for model in request.models if model.counts not in possible or not model.monotone]
    if by_parts != "cuts":  # the curve is cut for k and for the share of a value
        beyond += [model.name for model in request.models if model.counts == "values" and model.largest_share is None]
    problems = [] if by_parts else [f"method = {request.method!r}"]
    problems += [f"models: {', '.join(beyond)}"] if beyond else []
    problems += ["rules = 'paper'"] if request.options.get("rules", "ours") != "ours" else []
    problems += [f"target = {request.target!r}"] if request.target is not None else []
    if problems:
        raise BadOption(
            "The distinct rows of this table do not fit into the memory allowed, and this cannot be done part by part.",
            found=problems,
            fix="allow more memory, or use mondrian; with k and l-diversity by frequency also hilbert or idistance",
        )
