"""NCP: the normalized certainty penalty of every column, and GCP, their mean over the table."""

from __future__ import annotations

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import numbers
from amongst.partition.partition import Partition
from amongst.recode.bounds import bounds
from amongst.schema.schema import Schema


def ncp_of_group(column: CodedColumn, lo: np.ndarray, hi: np.ndarray, grid: float | None = None) -> np.ndarray:
    """The penalty of the code ranges ``lo..hi``, each between 0 (one value) and 1 (the whole column).

    Numbers, dates and ordered values: width of the range over the width of the table. Categories with a tree:
    leaves under the lowest common ancestor over all leaves, 0 for one leaf. A range that mixes values and
    nulls publishes nothing: 1.

    Paper: Ghinita et al., *Fast Data Anonymization with Low Information Loss*, VLDB 2007, section 2.2.
    """
    lo, hi = lo.astype(np.int64), hi.astype(np.int64)
    mixed = (hi == column.own_null) & (lo != hi)
    inside = hi < column.n_values
    if column.position is None:
        assert column.tree is not None
        n = column.tree.n_leaves
        penalty = column.tree.ancestor_leaves(np.minimum(lo, n - 1), np.minimum(hi, n - 1)) / n
        return np.where(lo == hi, 0.0, penalty)
    penalty = np.zeros(len(lo))
    if column.span > 0:
        if grid is None:
            width = column.position[np.where(inside, hi, 0)] - column.position[np.where(inside, lo, 0)]
        else:
            lower, upper = bounds(column, np.where(inside, lo, 0), np.where(inside, hi, 0), grid)
            width = numbers(upper) - numbers(lower)
        penalty = np.where(inside, np.minimum(width / column.span, 1.0), 0.0)
    return np.where(mixed, 1.0, penalty)


def ncp_of_sets(column: CodedColumn, partition: Partition) -> np.ndarray:
    """The penalty where a group publishes the set of its values: the share of all values it names, 0 for one."""
    usable = (partition.group_of_row >= 0) & (column.codes != column.wildcard if column.wildcard >= 0 else True)
    width = column.n_codes + 1
    pair = np.unique(partition.group_of_row[usable].astype(np.int64) * width + column.codes[usable])
    size = np.bincount(pair // width, minlength=partition.n_groups)
    return np.where(size > 1, size / max(column.n_codes, 1), 0.0)


def ncp(table: CodedTable, schema: Schema, partition: Partition) -> dict[str, float]:
    """The mean penalty of every column over the rows of the input; a suppressed row counts 1.

    A null that matches anything is published as it was: it counts 0.
    """
    size = partition.size_of_group
    gone = table.n_input - int(size.sum())
    penalties = {}
    for c, column in enumerate(table.columns):
        rule, by_node = schema[column.name], partition.publishes_nodes
        if not by_node and rule.publish == "set":
            penalty = ncp_of_sets(column, partition)
        else:  # nodes are published whatever the grid
            grid = None if by_node else rule.grid
            penalty = ncp_of_group(column, partition.lo[:, c], partition.hi[:, c], grid)
        counted = size
        if column.wildcard >= 0:
            wild = partition.group_of_row[(column.codes == column.wildcard) & (partition.group_of_row >= 0)]
            counted = size - np.bincount(wild, minlength=partition.n_groups)
        penalties[column.name] = float((counted @ penalty + gone) / table.n_input)
    return penalties


def gcp(penalties: dict[str, float]) -> float:
    """The global certainty penalty: the mean over columns, between 0 and 1 (equation 2 of the paper)."""
    return sum(penalties.values()) / len(penalties)


def weighted_gcp(penalties: dict[str, float], weights: dict[str, float]) -> float:
    """The same with the columns' weights (equation 1 of the paper, weights made to sum to 1)."""
    return sum(weights[name] * penalty for name, penalty in penalties.items()) / sum(weights.values())
