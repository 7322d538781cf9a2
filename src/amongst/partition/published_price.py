"""What groups cost by what they publish: the prices that the search by pools counts in, and the loss itself."""

from __future__ import annotations

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import numbers
from amongst.kernels.price import FULL
from amongst.kernels.published_price import MOST_IN_SET, PublishedPrice
from amongst.measure.ncp import ncp_of_group, ncp_of_published
from amongst.partition.partition import Partition
from amongst.recode.bounds import bounds
from amongst.schema.column import Column

FAR = 1 << 29
"""The ends of a grid's cells may lie beyond the column; farther than this tells nothing more."""


def published_prices(table: CodedTable) -> tuple[list[PublishedPrice], list[np.ndarray]]:
    """The price of every column by what is published of it, and the codes it is asked with.

    Codes are numbered anew without those that do not occur, so that a tree costs no more than its used leaves. A null
    that matches anything is priced like a null that is a value of its own: groups that mix it with values pay the full
    price, and pay less in truth.
    """
    heaviest = max(column.weight for column in table.columns)
    fulls = [max(1, round(FULL * column.weight / heaviest)) for column in table.columns]
    priced = [_priced(column, full) for column, full in zip(table.columns, fulls, strict=True)]
    return [price for price, _ in priced], [codes for _, codes in priced]


def published_loss(table: CodedTable, partition: Partition) -> float:
    """The weighted loss of a partition over all coded rows; a suppressed row counts in full."""
    size = partition.size_of_group
    gone = table.n_rows - int(size.sum())
    loss = 0.0
    for c, column in enumerate(table.columns):
        counted = size
        if column.wildcard >= 0:
            counted = size - partition.rows_in_groups(column.codes == column.wildcard)
        penalty = ncp_of_published(column, rule_of(column), partition, c)
        loss += column.weight * (float((counted * penalty).sum()) + gone)
    return loss / (table.n_rows * sum(column.weight for column in table.columns))


def rule_of(column: CodedColumn) -> Column:
    """How a column is published."""
    way = "set" if column.as_sets else "ancestor" if column.as_nodes else "range"
    return Column(publish=way, grid=column.grid)


def _priced(column: CodedColumn, full: int) -> tuple[PublishedPrice, np.ndarray]:
    used, codes = np.unique(column.codes, return_inverse=True)
    used, codes = used.astype(np.int64), codes.reshape(-1).astype(np.uint32)
    null = column.null_code if column.null_code is not None and used[-1] == column.null_code else None
    own_null = -1 if null is None else len(used) - 1
    if column.as_sets and len(used) <= MOST_IN_SET:
        n = max(column.n_codes, 1)
        return PublishedPrice(len(used), full, own_null=own_null, as_set=True, of_all=n), codes
    values = used if null is None else used[:-1]
    if column.tree is not None and (column.as_nodes or column.position is None):
        start, node = _nodes(column, values, full)
        if null is not None:
            start = np.concatenate([start, np.full((len(start), 1), len(values), dtype=np.int32)], axis=1)
            start = np.concatenate([start, np.zeros((1, len(used)), dtype=np.int32)])
            node = np.concatenate([node, np.zeros((len(node), 1), dtype=np.int32)], axis=1)
            node = np.concatenate([node, np.full((1, len(used)), full, dtype=np.int32)])
        return PublishedPrice(len(used), full, start=start, node=node, own_null=own_null), codes
    low, high = _ends(column, values, full)
    if null is not None:
        low, high = np.append(low, np.int32(0)), np.append(high, np.int32(0))
    return PublishedPrice(len(used), full, low=low, high=high, own_null=own_null), codes


def _nodes(column: CodedColumn, values: np.ndarray, full: int) -> tuple[np.ndarray, np.ndarray]:
    """The node above every used code at every level, named by the first of them, and its price."""
    tree = column.tree
    assert tree is not None
    starts, nodes = [], []
    for level in range(tree.n_levels):
        start, end = tree.start[level, values], tree.end[level, values]
        first = np.unique(start, return_index=True, return_inverse=True)
        starts.append(first[1][first[2].reshape(-1)])
        nodes.append(np.rint(ncp_of_group(column, start, end) * full))
    return np.array(starts, dtype=np.int32), np.array(nodes, dtype=np.int32)


def _ends(column: CodedColumn, values: np.ndarray, full: int) -> tuple[np.ndarray, np.ndarray]:
    """Where the range of every used code begins and ends, in price units."""
    assert column.position is not None
    low = high = column.position[values]
    if column.grid is not None and len(values):
        lower, upper = bounds(column, values, values, column.grid)
        low, high = numbers(lower), numbers(upper)
    span = column.span if column.span > 0 else np.inf
    low, high = (np.clip(np.rint((end - column.lowest) / span * full), -FAR, FAR) for end in (low, high))
    return low.astype(np.int32), high.astype(np.int32)
