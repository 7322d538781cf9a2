"""The KL divergence of a data cube from groups, without publishing a table first.

``amongst.fidelity`` measures the same from what a release publishes. An experiment looks at hundreds of thousands of
rows and many groupings, and has the groups at hand: shares of values in groups are a matrix then, and cells a product.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.partition.partition import Partition
from amongst.recode.bounds import codes_of_ancestor
from amongst.schema.schema import Schema

BLOCK = 4_000_000
"""Shares that are held at once."""


def cube_divergence(
    table: CodedTable, schema: Schema, partition: Partition, sensitive: str, level: int, exact: bool = False
) -> float:
    """The mean KL divergence, in nats, over the group-bys of one level of the cube.

    Paper: Ghinita et al., VLDB 2007, section 6.3. A cell is a combination of values and a sensitive value; P is its
    share of the rows, Q what the groups make one expect.

    Parameters
    ----------
    level : int
        By how many quasi-identifiers to group.
    exact : bool
        The quasi-identifiers are published as they are, and only the sensitive values are mixed within a group, as
        Anatomy does. Otherwise rows are spread evenly over the values that their group publishes.
    """
    column = table.sensitive[sensitive]
    groups = partition.group_of_row.astype(np.int64)
    counts = np.bincount(groups * column.n_values + column.codes, minlength=partition.n_groups * column.n_values)
    of_group = counts.reshape(partition.n_groups, column.n_values).astype(np.float64)
    found = []
    for chosen in combinations(range(table.n_qi), level):
        cell_of_row, cells = _cells(table, chosen)
        if exact:
            expected = _mixed(cell_of_row, len(cells), groups, of_group)
        else:
            expected = _spread(table, schema, partition, chosen, cells, of_group)
        found.append(_divergence(cell_of_row, column.codes.astype(np.int64), expected))
    return float(np.mean(found))


def _cells(table: CodedTable, chosen: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """The combination of values of every row, numbered, and the codes of every combination."""
    key = np.zeros(table.n_rows, dtype=np.int64)
    for c in chosen:
        key = key * table.columns[c].n_codes + table.columns[c].codes
    _, first, cell_of_row = np.unique(key, return_index=True, return_inverse=True)
    return cell_of_row, np.column_stack([table.columns[c].codes[first] for c in chosen]).astype(np.int64)


def _mixed(cell_of_row: np.ndarray, n_cells: int, groups: np.ndarray, of_group: np.ndarray) -> np.ndarray:
    """Every row has the sensitive values of its group, each in part."""
    order = np.argsort(cell_of_row, kind="stable")
    starts = np.searchsorted(cell_of_row[order], np.arange(n_cells))
    share = of_group / of_group.sum(axis=1, keepdims=True)
    return np.add.reduceat(share[groups[order]], starts, axis=0)


def _spread(
    table: CodedTable,
    schema: Schema,
    partition: Partition,
    chosen: Sequence[int],
    cells: np.ndarray,
    of_group: np.ndarray,
) -> np.ndarray:
    """Every group is spread evenly over the values it publishes."""
    of_box, boxes = _alike(table, schema, partition, chosen, of_group)
    shares = [_shares(table.columns[c].n_values, *ends) for c, ends in zip(chosen, boxes, strict=True)]
    expected = np.zeros((len(cells), of_box.shape[1]))
    step = max(1, BLOCK // max(len(of_box), 1))
    for start in range(0, len(cells), step):
        part = slice(start, start + step)
        within = shares[0][cells[part, 0]]
        for share, codes in zip(shares[1:], cells[part].T[1:], strict=True):
            within = within * share[codes]
        expected[part] = within @ of_box
    return expected


def _alike(
    table: CodedTable, schema: Schema, partition: Partition, chosen: Sequence[int], of_group: np.ndarray
) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    """Groups that publish the same in the chosen columns taken together: their counts, and both ends a column."""
    ends = [_ends(table.columns[c], schema, partition, c) for c in chosen]
    key = np.zeros(partition.n_groups, dtype=np.int64)
    for c, (lo, hi) in zip(chosen, ends, strict=True):
        n = table.columns[c].n_codes
        _, key = np.unique((key * n + lo) * n + hi, return_inverse=True)
    _, first = np.unique(key, return_index=True)
    order = np.argsort(key, kind="stable")
    together = np.add.reduceat(of_group[order], np.searchsorted(key[order], np.arange(len(first))), axis=0)
    return together, [(lo[first], hi[first]) for lo, hi in ends]


def _ends(column: CodedColumn, schema: Schema, partition: Partition, c: int) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last code that every group publishes."""
    lo, hi = partition.lo[:, c].astype(np.int64), partition.hi[:, c].astype(np.int64)
    if column.tree is not None and schema[column.name].publish == "ancestor":
        lo, hi = codes_of_ancestor(column.tree, lo, hi)
    return lo, hi


def _shares(n_values: int, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    """The share of a group's rows at every value, shape (n_values, n_groups)."""
    value = np.arange(n_values)[:, None]
    return ((value >= lo) & (value <= hi)) / (hi - lo + 1)


def _divergence(cell_of_row: np.ndarray, sensitive: np.ndarray, expected: np.ndarray) -> float:
    key, count = np.unique(cell_of_row * expected.shape[1] + sensitive, return_counts=True)
    n_rows = len(cell_of_row)
    p, q = count / n_rows, expected.ravel()[key] / n_rows
    return max(float(p @ np.log(p / q)), 0.0)
