"""Distinct rows and their counts: what is counted, and from the counts back to the rows they stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.sensitive import refuse_no_unit
from amongst.encode.target import refuse_no_target
from amongst.engines.expand import Pieces, pieces, whole_pieces
from amongst.engines.gaps import ELSEWHERE, Gap
from amongst.errors import BadInput, BadOption
from amongst.models import beyond_rows
from amongst.partition.mondrian.large_counts import MOST_ROWS
from amongst.read.source import refuse_unusable
from amongst.recode.plan import RecodingPlan
from amongst.recode.stream import stream_counted
from amongst.schema.arrow_kind import natural_kind
from amongst.schema.check import check
from amongst.schema.column import Column
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.engines.store import Counts
    from amongst.request import Request

COUNT = "rows of this kind"
"""The last column of a frequency set; a table that has a column of this name is refused."""
CLASS, FIRST, LAST = "class of the release", "first of its rows", "last of its rows"
PERSON = "person of the row"
"""Further columns of ``RecodingPlan.tuples``."""


@dataclass(frozen=True, eq=False, kw_only=True)
class FromCounts:
    """Distinct rows of all published columns: the release can be written from them.

    Attributes
    ----------
    table : pyarrow.Table
    kept : ndarray
        Which of them have a code; those that the plan has a class for, in its order.
    count : ndarray of int64
        How many rows each of these stands for.
    """

    table: pa.Table
    kept: np.ndarray
    count: np.ndarray

    def tables(self, plan: RecodingPlan) -> Iterator[pa.Table]:
        """The published rows in order, piece by piece."""
        import pyarrow as pa

        others = {name: self.table.column(name).take(pa.array(self.kept)) for name in plan.others}
        return stream_counted(plan.classes, others, plan.columns, plan.class_of_row, self.count)


class Columns:
    """What the check of a schema looks at: names, types, and the distinct values of some columns."""

    def __init__(self, fields: pa.Schema, values: Mapping[str, pa.ChunkedArray]) -> None:
        self.schema, self.values = fields, values
        self.column_names = list(fields.names)

    def column(self, place: int) -> pa.ChunkedArray:
        import pyarrow as pa

        name = self.column_names[place]
        return self.values.get(name, pa.chunked_array([], self.schema.field(name).type))


def found_by_tuples(
    plan: RecodingPlan, kept: np.ndarray | None, counts: Counts, request: Request, unit: np.ndarray | None = None
) -> RecodingPlan:
    """The plan with the class of every kind of row; or with the counts, where the release is written from these.

    ``kept`` are the counted rows that have a code; None: all. ``unit`` has the person of every row that they stand for.
    """
    import pyarrow as pa

    assert counts.count is not None
    kept = np.arange(len(counts.count)) if kept is None else kept
    count = counts.count[kept]
    if counts.whole and plan.count is not None:
        return replace(plan, quasi=request.counted, found_by=FromCounts(table=counts.table, kept=kept, count=count))
    made = (whole_pieces if plan.count is not None else pieces)(plan.class_of_row, count)
    tuples = _tuples(counts.table.select(request.counted), kept, made)
    if unit is not None:
        begin = np.concatenate([[0], np.cumsum(count)[:-1]]).astype(np.int64)
        tuples = tuples.append_column(PERSON, pa.array(unit[begin[made.coded]].astype(np.int64)))
    return replace(plan, quasi=request.counted, tuples=tuples, divided=made.divided)


def found_by_rows(plan: RecodingPlan, kept: np.ndarray | None, rows: pa.Table, request: Request) -> RecodingPlan:
    """The plan with the rows themselves, of which the column of households has other values than the stored one."""
    kept = np.arange(rows.num_rows) if kept is None else kept
    found = FromCounts(table=rows, kept=kept, count=np.ones(len(kept), dtype=np.int64))
    return replace(plan, quasi=request.counted, found_by=found, anew=(str(request.schema.household),))


def _tuples(table: pa.Table, kept: np.ndarray, made: Pieces) -> pa.Table:
    """The class of every kind of row."""
    import pyarrow as pa

    tuples = table.take(pa.array(kept[made.coded]))
    tuples = tuples.append_column(CLASS, pa.array(made.class_of_piece, pa.int32()))
    if made.divided:
        tuples = tuples.append_column(FIRST, pa.array(made.first, pa.int64()))
        tuples = tuples.append_column(LAST, pa.array(made.last, pa.int64()))
    return tuples


def with_the_rest(table: pa.Table, stored: pa.Schema, weight: str | None) -> pa.Table:
    """The counted rows with the columns that were not counted, empty: for the check of names, roles and types. The
    weights are 1, where they are numbers."""
    import pyarrow as pa

    def empty(field: pa.Field) -> Any:
        if field.name == weight and natural_kind(field.type) == "numeric":
            return pa.repeat(pa.scalar(1).cast(field.type), table.num_rows)
        return pa.nulls(table.num_rows, field.type)

    columns = [table.column(field.name) if field.name in table.column_names else empty(field) for field in stored]
    return pa.table(columns, names=stored.names)


def check_roles(schema: Schema, names: Sequence[str]) -> None:
    """Raise before anything is counted where names or roles do not fit; types and values are looked at after it."""
    import pyarrow as pa

    roles = Schema({name: Column(role=column.role) for name, column in schema.items()})
    check(roles, pa.table({name: pa.array([1.0] if name == schema.weight else ["-"]) for name in names}))


def check_asked(request: Request, names: Sequence[str]) -> None:
    """The same, with the columns that are named beside the roles."""
    check_roles(request.schema, names)
    if request.unit is not None:
        refuse_no_unit(request.unit, names)
    if request.target is not None:
        refuse_no_target(request.schema, request.target, names)


def refuse_unusable_names(stored: pa.Schema, name: str) -> None:
    """Raise for columns that cannot be told apart, or that have a name which the frequency set needs."""
    import pyarrow as pa

    refuse_unusable(pa.Table.from_arrays([pa.nulls(1, field.type) for field in stored], names=stored.names), name)
    own = {one.lower() for one in (COUNT, CLASS, FIRST, LAST, PERSON)}  # databases fold the case of names
    taken = [name for name in stored.names if name.lower() in own]
    if taken:
        raise BadInput(
            "A column has a name that is needed for counting.", found=", ".join(map(repr, taken)), fix="rename it"
        )


def refuse_elsewhere(request: Request, gaps: Mapping[str, Gap] = ELSEWHERE) -> None:
    """Raise for what needs the rows themselves in memory."""
    household = request.schema.household
    for name, given in (("unit", request.unit), ("workload", request.workload), ("household", household)):
        if given is not None and name in gaps:
            raise BadOption(
                "This needs every row in memory.",
                found=f"{name} = {given!r}" if isinstance(given, str) else f"a {name}",
                fix=f'use engine = "memory", or leave {name} out',
            )
    if request.chosen.publishes == "two tables":
        raise BadOption(
            f"The method {request.method!r} publishes two tables: it needs the rows in memory.",
            found=f"method = {request.method!r}",
            fix='use engine = "memory", or another method',
        )


def refuse_too_many(count: np.ndarray, request: Request) -> None:
    """Raise where the counts are larger than the kernels can add up.

    Mondrian with k alone cuts until they can; nothing else does.
    """
    total, most = int(count.sum()), int(count.max())
    only_k = not beyond_rows(request.models)
    cut_first = request.chosen.by_parts == "cuts" and only_k and request.target is None
    if most > MOST_ROWS or (total > MOST_ROWS and not cut_first):
        raise BadInput(
            "There are more rows than can be counted at once.",
            found=f"{total:,} rows; up to {MOST_ROWS:,} can be, and with method = 'mondrian' and k alone any number",
            fix="divide the table, for instance by region, and anonymize the parts one by one",
        )
