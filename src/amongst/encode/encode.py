"""Values to ordered integer codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.rank import occurring, one_zero, rank, smallest_dtype
from amongst.errors import Infeasible
from amongst.schema.check import rows_that_stay
from amongst.schema.column import Column
from amongst.schema.schema import Schema
from amongst.schema.tree import Tree

if TYPE_CHECKING:
    import pyarrow as pa


def encode(
    table: pa.Table,
    schema: Schema,
    sensitive: Iterable[str] = (),
    unit: str | None = None,
    population: pa.Table | None = None,
    count: np.ndarray | None = None,
) -> CodedTable:
    """The quasi-identifiers of a checked table as codes, and what models beyond k need.

    Rows with a null in a column whose rule is "suppress" are left out.

    Parameters
    ----------
    sensitive : names
        The sensitive columns that are coded too.
    unit : str, optional
        The column that tells people apart.
    population : pyarrow.Table, optional
        A table of everybody; it has the quasi-identifiers too, and is coded with them.
    count : ndarray of int, optional
        How many rows of the input every row of ``table`` stands for, where equal rows were counted before.
    """
    kept = _rows_to_keep(table, schema)
    if kept is not None and len(kept) == 0:
        raise nothing_left(table.num_rows)
    if population is not None:
        from amongst.encode.population import encode_with_population

        columns, others = encode_with_population(table, population, schema, kept)
    else:
        columns, others = [encode_column(table.column(n), n, schema[n], kept) for n in schema.quasi], None
    n_input, count = _counted(table, kept, count)
    coded = CodedTable(columns, n_input, kept, population=others, count=count)
    if sensitive or unit is not None:
        from amongst.encode.sensitive import encode_sensitive, encode_unit

        coded.sensitive.update({name: encode_sensitive(table, schema, name, kept) for name in sensitive})
        if unit is not None:
            coded = replace(coded, unit=encode_unit(table, schema, unit, kept))
    return coded


def nothing_left(n_input: int) -> Infeasible:
    """The rule for nulls leaves out every row."""
    return Infeasible(
        "Every row has a missing quasi-identifier, and the null rule suppresses them all.",
        found=f"{n_input} rows, none complete",
        fix='choose "own value" or "match anything" for the columns with many nulls',
    )


def _counted(table: pa.Table, kept: np.ndarray | None, count: np.ndarray | None) -> tuple[int, np.ndarray | None]:
    if count is None:
        return table.num_rows, None
    return int(count.sum(dtype=np.int64)), (count if kept is None else count[kept]).astype(np.uint32)


def _rows_to_keep(table: pa.Table, schema: Schema) -> np.ndarray | None:
    stays = rows_that_stay(schema, table)
    return None if stays is None else np.flatnonzero(stays)


def encode_column(chunked: pa.ChunkedArray, name: str, column: Column, kept: np.ndarray | None) -> CodedColumn:
    import pyarrow as pa

    distinct, index, missing = rank(chunked)
    if kept is not None:
        index = index[kept]
        missing = None if missing is None else missing[kept]
    has_null = missing is not None and bool(missing.any())
    if kept is not None or pa.types.is_dictionary(chunked.type):
        distinct, index = occurring(distinct, index, missing if has_null else None)
    distinct, index = one_zero(distinct, index)
    kind = column.kind or "categorical"
    values, code_of_rank, tree = _order(distinct, column, kind)
    n_values = len(values)
    if has_null and tree is not None and column.nulls == "own value":
        tree = with_null_leaf(tree)
    elif n_values == 0:  # nothing but nulls that match anything: a tree would have no leaves
        tree = None
    codes = _codes(index, code_of_rank, missing if has_null else None, n_values)
    position = _position(values, kind, tree)
    all_occur = tree is None and column.order is None
    lowest, span = _extent(position, None if all_occur else codes, n_values)
    null_code = n_values if has_null else None
    return CodedColumn(
        name=name,
        kind=kind,
        codes=codes,
        values=values,
        position=position,
        lowest=lowest,
        span=span,
        tree=tree,
        weight=column.weight,
        null_code=null_code,
        null_rule=column.nulls,
        as_sets=column.publish == "set",
        as_nodes=column.publish == "ancestor" and tree is not None,
        grid=column.grid,
    )


def _order(distinct: pa.Array, column: Column, kind: str) -> tuple[pa.Array, np.ndarray, Tree | None]:
    """The values in code order, the code of every distinct value, and the tree if there is one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.hierarchy is not None:
        found = _python_values(distinct)
        in_order = found if kind != "ordered" else list(column.order) if column.order is not None else sorted(found)
        tree = column.hierarchy.tree(list(dict.fromkeys(in_order)), kind)
        code_of_rank = np.array([tree.code_of_leaf[value] for value in found], dtype=np.int64)
        return _leaves(tree, distinct.type), code_of_rank, tree
    if column.order is not None:
        # A column of nothing but nulls may have any type.
        values = pa.array(column.order, type=distinct.type if len(distinct) else None)
        distinct = distinct if len(distinct) else values[:0]
        return values, pc.index_in(distinct, values).to_numpy(zero_copy_only=False).astype(np.int64), None
    by_value = pc.array_sort_indices(distinct).to_numpy(zero_copy_only=False)
    code_of_rank = np.empty(len(by_value), dtype=np.int64)
    code_of_rank[by_value] = np.arange(len(by_value))
    return distinct.take(pa.array(by_value)), code_of_rank, None


def _python_values(values: pa.Array) -> list[Any]:
    import pyarrow as pa

    if pa.types.is_timestamp(values.type) and values.type.unit == "ns":  # Python's datetime has no nanoseconds
        values = values.cast(pa.timestamp("us", values.type.tz), safe=False)
    return list(as_spelled(values).to_pylist())


def as_spelled(values: pa.Array) -> pa.Array:
    """Short floats as the numbers that their digits say, which is what is published: 24.1, not 24.100000381469727."""
    import pyarrow as pa

    if pa.types.is_float32(values.type):
        return values.cast(pa.string()).cast(pa.float64())
    return values


def _leaves(tree: Tree, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(tree.leaves, type=kind)
    except (pa.ArrowInvalid, OverflowError):  # a hierarchy may know larger numbers than the column's type holds
        return pa.array(tree.leaves)


def _codes(index: np.ndarray, code_of_rank: np.ndarray, missing: np.ndarray | None, n_values: int) -> np.ndarray:
    dtype = smallest_dtype(n_values + (missing is not None))
    if len(code_of_rank) == 0:  # nothing but nulls
        return np.full(len(index), n_values, dtype=dtype)
    if index.dtype == dtype and missing is None and np.array_equal(code_of_rank, np.arange(len(code_of_rank))):
        return index
    codes = kernels.look_up(index, code_of_rank.astype(dtype))
    if missing is not None:
        codes[missing] = n_values
    return codes


def _position(values: pa.Array, kind: str, tree: Tree | None) -> np.ndarray | None:
    if kind == "categorical" and tree is not None:
        return None
    if kind in ("categorical", "ordered"):
        return np.arange(len(values), dtype=np.float64)
    position = numbers(values)
    with np.errstate(over="ignore"):
        too_wide = len(position) > 0 and not np.isfinite(position.max() - position.min())
    return position / 2 if too_wide else position  # only shares of the whole width count


def numbers(values: pa.Array) -> np.ndarray:
    """Numbers, dates and times as float64; dates in days, times in their own unit."""
    import pyarrow as pa

    if pa.types.is_date32(values.type):
        values = values.cast(pa.int32())
    elif pa.types.is_timestamp(values.type) or pa.types.is_date64(values.type):
        values = values.cast(pa.int64())
    elif pa.types.is_decimal(values.type):
        values = values.cast(pa.float64())
    return values.to_numpy(zero_copy_only=False).astype(np.float64)


def _extent(position: np.ndarray | None, codes: np.ndarray | None, n_values: int) -> tuple[float, float]:
    """The smallest position that occurs and the width to the largest; leaves of a tree need not occur."""
    if position is None:
        return 0.0, 0.0
    occurring = position
    if codes is not None:
        occurs = np.zeros(n_values + 1, dtype=bool)
        occurs[codes] = True
        occurring = position[occurs[:n_values]]
    if len(occurring) == 0:
        return 0.0, 0.0
    return float(occurring.min()), float(occurring.max() - occurring.min())


def with_null_leaf(tree: Tree) -> Tree:
    """The tree with one more leaf, the null, hanging from the root beside everything else."""
    n, n_levels = tree.n_leaves, tree.n_levels
    start = np.concatenate([tree.start, np.full((n_levels, 1), n, dtype=np.int32)], axis=1)
    end = np.concatenate([tree.end, np.full((n_levels, 1), n, dtype=np.int32)], axis=1)
    start = np.concatenate([start, np.zeros((1, n + 1), dtype=np.int32)])
    end = np.concatenate([end, np.full((1, n + 1), n, dtype=np.int32)])
    labels = [dict(level) for level in tree.labels] + [{0: "*"}]
    cost = None
    if tree.cost is not None:  # the null counts as much as a leaf does on average
        cost = np.zeros((n_levels + 1, n + 1))
        cost[:-1, :-1] = tree.cost * (n / (n + 1))
        cost[-1] = 1.0
    parts = None if tree.parts is None else [*tree.parts, {}]
    return Tree([*tree.leaves, None], start, end, labels, cost, parts)
