"""The prices of a coded table, and the boxes of its groups: what the methods with least loss count in."""

from __future__ import annotations

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import with_null_leaf
from amongst.kernels.price import FULL, Price, Prices
from amongst.partition.partition import Partition


def prices_of(table: CodedTable) -> Prices:
    """What ranges of codes cost: NCP times the column's weight.

    A null that matches anything is priced like a null that is a value of its own: groups that mix it with values
    pay the full price, and pay less in truth.
    """
    heaviest = max(column.weight for column in table.columns)
    columns = [_price(column, max(1, round(FULL * column.weight / heaviest))) for column in table.columns]
    stretches = [_stretches(c, price, table.columns[c].codes) for c, price in enumerate(columns)]
    return Prices(columns, np.concatenate(stretches))


def _stretches(c: int, price: Price, codes: np.ndarray) -> np.ndarray:
    """The nodes of a column's tree that hold a code which occurs, but for the root: what a cut can set apart."""
    if price.tree_start is None or price.tree_end is None:
        return np.empty((0, 3), dtype=np.int32)
    nodes = np.unique(price.tree_start.astype(np.int64) << 32 | price.tree_end)  # by their first, then their last code
    first, last = nodes >> 32, nodes & 0xFFFFFFFF
    upto = np.append(0, np.cumsum(np.bincount(codes, minlength=price.n) > 0))
    kept = (last - first + 1 < price.n) & (upto[last + 1] > upto[first])
    return np.stack([np.full(int(kept.sum()), c), first[kept], last[kept]], axis=1).astype(np.int32)


def _price(column: CodedColumn, full: int) -> Price:
    n = column.n_values + (column.null_code is not None)
    if column.position is not None:
        share = (column.position - column.lowest) / column.span if column.span > 0 else np.zeros(len(column.position))
        position = np.clip(np.rint(share * full), 0, full).astype(np.int32)
        if column.null_code is None:
            return Price(n, full, position=position)
        return Price(n, full, position=np.append(position, np.int32(full)), own_null=column.null_code)
    tree = column.tree
    assert tree is not None
    if tree.n_leaves < n:
        tree = with_null_leaf(tree)
    start, end = (np.ascontiguousarray(part, dtype=np.int32) for part in (tree.start, tree.end))
    node = None if tree.cost is None else np.floor(tree.cost * full + 1e-6).astype(np.int32)
    return Price(n, full, tree_start=start, tree_end=end, node=node)


def boxed(table: CodedTable, group_of_row: np.ndarray, **facts: object) -> Partition:
    """A partition with the boxes of its groups, numbered without gaps in the order of their first row."""
    group, n_groups = renumbered(group_of_row)
    row_at, first = kernels.order_by_class(group, n_groups)
    lo = np.empty((n_groups, table.n_qi), dtype=np.uint32)
    hi = np.empty_like(lo)
    for c, column in enumerate(table.columns):
        codes = kernels.gather(column.codes, row_at).astype(np.uint32)
        lo[:, c] = np.minimum.reduceat(codes, first[:-1])
        hi[:, c] = np.maximum.reduceat(codes, first[:-1])
        if column.wildcard >= 0:
            tame = np.where(codes == column.wildcard, 0, codes)
            some = lo[:, c] != column.wildcard
            hi[some, c] = np.maximum.reduceat(tame, first[:-1])[some]
    return Partition(group, lo, hi, facts=dict(facts))


def renumbered(group_of_row: np.ndarray) -> tuple[np.ndarray, int]:
    """The same groups numbered 0, 1, ... in the order of their first row; -1 stays."""
    kept = group_of_row >= 0
    if kept.all():
        number, first, _ = kernels.distinct([np.ascontiguousarray(group_of_row).astype(np.uint32)])
        return number.astype(np.int32), len(first)
    number, first, _ = kernels.distinct([np.ascontiguousarray(group_of_row[kept]).astype(np.uint32)])
    group = np.full(len(group_of_row), -1, dtype=np.int32)
    group[kept] = number
    return group, len(first)
