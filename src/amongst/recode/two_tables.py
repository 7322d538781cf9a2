"""From groups to two tables: quasi-identifiers as they are, and sensitive values; a group number links them."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.recode.lay_out import taken
from amongst.recode.order import row_order
from amongst.recode.plan import RecodingPlan
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.partition.partition import Partition


def input_order(original: pa.Table, schema: Schema, table: CodedTable) -> np.ndarray:
    """The rows sorted by sensitive value and by all that is published: an order that the input has no say in."""
    column = _as_spelled(original, schema, table)
    row_at, _ = row_order(column.codes.astype(np.int32), column.n_codes, _others(original, schema, table))
    return row_at


def two_tables(original: pa.Table, schema: Schema, table: CodedTable, partition: Partition) -> RecodingPlan:
    """Lay out both tables, each sorted from its first column on. Identifiers and suppressed rows are gone."""
    import pyarrow as pa

    others = _others(original, schema, table)
    column = _as_spelled(original, schema, table)
    number_of_row = partition.facts["number_of_group"][partition.group_of_row].astype(np.int32)
    row_at, first = row_order(number_of_row, partition.n_groups, others)
    size_of_group = np.diff(first)
    link = free_name("group", schema)
    numbers = np.repeat(np.arange(1, partition.n_groups + 1, dtype=np.int32), size_of_group)
    laid: dict[str, pa.Array] = {link: pa.array(numbers)}
    laid |= {name: taken(one, row_at) for name, one in others.items()}
    sensitive = _sensitive_table(column, number_of_row, link, free_name("count", [*schema, link]))
    return RecodingPlan(
        made={},
        class_of_row=number_of_row,
        n_classes=partition.n_groups,
        others=list(others),
        columns=list(laid),
        table=pa.table(laid),
        sensitive=sensitive,
        kept=others,
    )


def _as_spelled(original: pa.Table, schema: Schema, table: CodedTable) -> CodedColumn:
    """The sensitive column as it is published: every spelling is a value of its own."""
    from amongst.encode.sensitive import encode_sensitive

    return encode_sensitive(original, schema, next(iter(table.sensitive)), table.kept_rows, joined=False)


def free_name(name: str, taken_names: Container[str]) -> str:
    """The name, with underscores where a column has it already."""
    while name in taken_names:
        name += "_"
    return name


def _others(original: pa.Table, schema: Schema, table: CodedTable) -> dict[str, pa.ChunkedArray]:
    """The columns that are published as they are, in the order of the table."""
    import pyarrow as pa

    if table.kept_rows is not None:
        original = original.take(pa.array(table.kept_rows))
    shown = [name for name in original.column_names if schema[name].role in ("quasi", "keep", "weight")]
    return {name: original.column(name) for name in shown}


def _sensitive_table(column: CodedColumn, number_of_row: np.ndarray, link: str, count: str) -> pa.Table:
    import pyarrow as pa

    n_codes = column.n_codes
    pair, times = np.unique(number_of_row.astype(np.int64) * n_codes + column.codes, return_counts=True)
    code = pair % n_codes
    values = column.values.take(pa.array(code, mask=code == column.own_null))
    numbers = pa.array((pair // n_codes + 1).astype(np.int32))
    return pa.table({link: numbers, column.name: values, count: pa.array(times.astype(np.int32))})
