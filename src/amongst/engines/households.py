"""Households, wherever their rows live: the rows come to memory, are grouped there, and are published from there.

Every member is looked at beside the others who live there, and numbers of households are in the order of all that
is published of them. So all published columns are counted; where they do not fit, the run is refused.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.errors import BadOption
from amongst.partition.households import group_households
from amongst.partition.row_order import as_they_were, drawn_rows, rows_of
from amongst.recode.household_numbers import household_numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from amongst.encode.coded import CodedTable
    from amongst.partition.partition import Partition
    from amongst.recode.plan import RecodingPlan
    from amongst.request import Request
    from amongst.schema.schema import Schema


def refuse_beside(request: Request) -> None:
    """Raise for what does not go with households."""
    beside = {"unit": request.unit, "target": request.target, "workload": request.workload}
    given = [name for name, one in beside.items() if one is not None]
    if given:
        raise BadOption(
            "Where households are grouped a person has one row, and nothing steers the groups.",
            found="given: " + ", ".join(given),
            fix="leave it out; for several rows a person use many tables",
        )


def partition_of(coded: CodedTable, table: pa.Table, request: Request, say: Callable[..., None]) -> Partition:
    """The groups of rows that follow from groups of their households."""
    household = _numbered(table.column(request.schema.household))
    kept = slice(None) if coded.kept_rows is None else coded.kept_rows
    n_members = np.bincount(household)[household]
    options = {name: one for name, one in request.options.items() if name != "suppression"}
    told: dict[str, Any] = {"progress": lambda done, total: say("group", done, total), **options}
    told |= {"seed": request.seed} if request.chosen.draws_lots else {}
    allowed = request.options.get("suppression", 0)
    spare = allowed * coded.n_input if isinstance(allowed, float) else allowed

    def method(table: Any, models: Any) -> Any:
        return request.chosen.run_for(table, models, options)(table, models, **told)

    rows = replace(coded, unit=household[kept].astype(np.uint32))
    row_at = drawn_rows(rows, table, request.schema, None)
    people = rows_of(rows, row_at)
    found = group_households(method, people, request.models, n_members[people.kept_rows], spare)
    return as_they_were(found, row_at)


def with_numbers(table: pa.Table, coded: CodedTable, plan: RecodingPlan, schema: Schema) -> pa.Table:
    """The table with a new number for every household, in the order of what is published of it."""
    import pyarrow as pa

    name = str(schema.household)
    household = _numbered(table.column(name))
    kept = np.arange(table.num_rows) if coded.kept_rows is None else coded.kept_rows
    others = {one: table.column(one).take(pa.array(kept)) for one in plan.others if one != name}
    number = np.zeros(table.num_rows, dtype=np.int64)
    number[kept] = household_numbers(household[kept], plan.class_of_row, others)
    return table.set_column(table.column_names.index(name), name, pa.array(number))


def _numbered(column: pa.ChunkedArray) -> np.ndarray:
    """The household of every row as a number."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    plain = column.cast(kind.value_type) if pa.types.is_dictionary(kind) else column
    coded = pc.dictionary_encode(plain.combine_chunks())
    coded = coded.chunk(0) if isinstance(coded, pa.ChunkedArray) else coded
    return coded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
