"""Labels of a text file as the rows that stay are written: what others needed leaves no trace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.engines.shape import shown_reads

IsWhole = Callable[[str, Any], bool]

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.encode.coded import CodedColumn, CodedTable
    from amongst.partition.partition import Partition
    from amongst.read import Source


def rows_that_stay(coded: CodedTable, partition: Partition) -> pa.Array | None:
    """The rows of the input that are published; None where all are."""
    import pyarrow as pa

    stays = partition.group_of_row >= 0
    if coded.kept_rows is None and stays.all():
        return None
    return pa.array(np.flatnonzero(stays) if coded.kept_rows is None else coded.kept_rows[stays])


def forms_that_stay(source: Source, names: Iterable[str], rows: pa.Array | None) -> dict[str, Any]:
    """The forms of some columns, as the cells of these rows are written; those that are written as usual have none."""
    import pyarrow as pa

    forms = {}
    for name in names:
        told, cells = source.reads.get(name), source.raw.get(name)
        if told is None or cells is None or told.format != "csv":
            continue
        if rows is not None:
            used = cells.indices.take(rows).unique().drop_null()
            told = shown_reads(told, pa.chunked_array([cells.dictionary.take(used)]))
        if told is not None:
            forms[name] = told
    return forms


def whole_where_they_stay(
    coded: CodedTable, partition: Partition, is_whole: IsWhole, rows_of_code: Sequence[np.ndarray] = ()
) -> CodedTable:
    """The codes of a text file with whole numbers for values, where those of the rows that stay are such.

    ``is_whole`` is told the name of a column of fractions, and its values in rows that stay. ``rows_of_code`` says how
    many of these have every code, where ``coded`` does not.
    """
    stays = partition.group_of_row >= 0

    def codes(c: int) -> np.ndarray:
        return np.flatnonzero(rows_of_code[c]) if rows_of_code else np.unique(coded.columns[c].codes[stays])

    columns = [
        _whole(column, codes(c), np.union1d(partition.lo[:, c], partition.hi[:, c]), is_whole)
        if _is_unsettled(column)
        else column
        for c, column in enumerate(coded.columns)
    ]
    return replace(coded, columns=columns)


def _is_unsettled(column: CodedColumn) -> bool:
    """Labels of a tree are its own, and so are its numbers."""
    import pyarrow as pa

    return bool(pa.types.is_floating(column.values.type)) and column.tree is None


def _whole(column: CodedColumn, stay: np.ndarray, shown: np.ndarray, is_whole: IsWhole) -> CodedColumn:
    import pyarrow as pa
    import pyarrow.compute as pc

    def values(codes: np.ndarray) -> pa.Array:
        return column.values.take(pa.array(codes[codes < column.n_values]))

    ends = values(shown)
    if not pc.all(pc.equal(ends, pc.round(ends)), min_count=0).as_py() or not is_whole(column.name, values(stay)):
        return column
    return replace(column, values=pc.round(column.values).cast(pa.int64(), safe=False))
