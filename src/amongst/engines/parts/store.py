"""A file whose frequency set does not fit into memory: codes on disk, grouped part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.engines.counted import Columns
from amongst.engines.duckdb.file_store import FileStore
from amongst.engines.memory import Budget
from amongst.engines.parts.distinct_values import distinct_values
from amongst.engines.parts.encode_rows import EncodedRows, encode_rows, encode_values
from amongst.engines.parts.group_rows import GroupRows, refuse_beyond_parts
from amongst.engines.parts.kept_codes import kept_or_encoded
from amongst.engines.parts.other_columns import countable, other_bytes, other_columns
from amongst.engines.parts.plan import Plan, plan
from amongst.engines.parts.room import room_on_disk
from amongst.engines.parts.rows import open_rows
from amongst.engines.parts.rows_of_parts import RowsOfParts
from amongst.engines.store import Counts, Grouping, Place, Say
from amongst.partition.feasible import refuse_small_table
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

        refuse_beyond_parts(request)
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
        encoded, planned = coded.encoded, coded.planned

        def progress(done: int, total: int) -> None:
            say("group", done, total)

        with room_on_disk():
            grouped = GroupRows.of(request, planned.part_rows).program(encoded, self.folder, progress)()
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


def _text_kinds(store: PartsStore) -> dict[str, pa.DataType]:
    import pyarrow as pa

    known = store.fields if store.text else [store.fields.field(name) for name in store.kinds]
    return {
        one.name: one.type for one in known if not (pa.types.is_string(one.type) or pa.types.is_dictionary(one.type))
    }
