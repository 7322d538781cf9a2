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
    from amongst.schema.column import Column
    from amongst.schema.schema import Schema


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
    coded: CodedTable,
    partition: Partition,
    schema: Schema,
    is_whole: IsWhole,
    rows_of_code: Sequence[np.ndarray] = (),
) -> CodedTable:
    """The codes of a text file with whole numbers for values, where those of the rows that stay are such.

    ``is_whole`` is told the name of a column of fractions, and its values in rows that stay. ``rows_of_code`` says how
    many of these have every code, where ``coded`` does not.
    """
    stays = partition.group_of_row >= 0

    def codes(c: int) -> np.ndarray:
        return np.flatnonzero(rows_of_code[c]) if rows_of_code else np.unique(coded.columns[c].codes[stays])

    columns = [
        whole_column(column, schema[column.name], codes(c), (partition.lo[:, c], partition.hi[:, c]), is_whole)
        if is_unsettled(column)
        else column
        for c, column in enumerate(coded.columns)
    ]
    return replace(coded, columns=columns)


def is_unsettled(column: CodedColumn) -> bool:
    """Whether a column is one of fractions, of which those that stay may all be whole."""
    import pyarrow as pa

    return bool(pa.types.is_floating(column.values.type))


def whole_column(
    column: CodedColumn, rule: Column, stay: np.ndarray, ends: tuple[np.ndarray, np.ndarray], is_whole: IsWhole
) -> CodedColumn:
    """One column of fractions with whole numbers, where the codes that stay and the ends of ranges are such."""
    stay = stay[stay < len(column.values)]
    if column.tree is not None:
        return _whole_tree(column, stay, rule.hierarchy, is_whole)
    shown = np.union1d(*ends)
    return _whole(column, stay, shown[shown < column.n_values], is_whole)


def _whole(column: CodedColumn, stay: np.ndarray, shown: np.ndarray, is_whole: IsWhole) -> CodedColumn:
    if not _all_whole(column, shown) or not is_whole(column.name, _values(column, stay)):
        return column
    return replace(column, values=_rounded(column))


def _whole_tree(column: CodedColumn, stay: np.ndarray, hierarchy: Any, is_whole: IsWhole) -> CodedColumn:
    """A tree whose nodes have the names that they would have, had nobody a fraction."""
    tree = column.tree
    assert tree is not None
    stay = stay[stay < len([leaf for leaf in tree.leaves if leaf is not None])]
    if not len(stay) or not _all_whole(column, stay) or not is_whole(column.name, _values(column, stay)):
        return column
    leaves = list(tree.leaves)
    for code in stay.tolist():
        leaves[code] = int(leaves[code])
    alone = hierarchy.tree([leaves[code] for code in stay.tolist()], column.kind)
    labels = [dict(level) for level in tree.labels]
    for level in range(min(alone.n_levels - 1, tree.n_levels)):
        nodes = tree.start[level, stay].tolist()
        labels[level] |= {node: alone.label(level, place) for place, node in enumerate(nodes)}
    return replace(column, values=_rounded(column), tree=replace(tree, leaves=leaves, labels=labels))


def _values(column: CodedColumn, codes: np.ndarray) -> pa.Array:
    import pyarrow as pa

    return column.values.take(pa.array(codes))


def _all_whole(column: CodedColumn, codes: np.ndarray) -> bool:
    import pyarrow.compute as pc

    ends = _values(column, codes)
    return bool(pc.all(pc.equal(ends, pc.round(ends)), min_count=0).as_py())


def _rounded(column: CodedColumn) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.round(column.values).cast(pa.int64(), safe=False)
