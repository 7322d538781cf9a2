"""NCP: the normalized certainty penalty of every column, and GCP, their mean over the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import numbers
from amongst.measure.ncp_of_set import ncp_of_code_sets
from amongst.recode.bounds import bounds, codes_of_ancestor
from amongst.recode.members import members_by_stretches
from amongst.schema.column import Column
from amongst.schema.schema import Schema
from amongst.schema.tree import Tree

if TYPE_CHECKING:
    from amongst.partition.partition import Partition


def ncp_of_group(column: CodedColumn, lo: np.ndarray, hi: np.ndarray, grid: float | None = None) -> np.ndarray:
    """The penalty of the code ranges ``lo..hi``, each between 0 (one value) and 1 (the whole column).

    Numbers, dates and ordered values: width of the range over the width of the table. Categories with a tree:
    leaves under the lowest common ancestor over all leaves, or what its weight makes of it, 0 for one leaf. A
    range that mixes values and nulls publishes nothing: 1.

    Paper: Ghinita et al., *Fast Data Anonymization with Low Information Loss*, VLDB 2007, section 2.2.
    """
    lo, hi = lo.astype(np.int64), hi.astype(np.int64)
    mixed = (hi == column.own_null) & (lo != hi)
    inside = hi < column.n_values
    if column.position is None:
        assert column.tree is not None
        return np.where(lo == hi, 0.0, _share_of_leaves(column, column.tree, lo, hi))
    penalty = np.zeros(len(lo))
    if column.span > 0:
        if grid is None:
            width = column.position[np.where(inside, hi, 0)] - column.position[np.where(inside, lo, 0)]
        else:
            lower, upper = bounds(column, np.where(inside, lo, 0), np.where(inside, hi, 0), grid)
            width = numbers(upper) - numbers(lower)
        penalty = np.where(inside, np.minimum(width / column.span, 1.0), 0.0)
    return np.where(mixed, 1.0, penalty)


def _share_of_leaves(column: CodedColumn, tree: Tree, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    """What the lowest common ancestor costs: its share of the leaves, or by weights; all where it is ``*``."""
    lo, hi = np.minimum(lo, tree.n_leaves - 1), np.minimum(hi, tree.n_leaves - 1)
    share = tree.ancestor_cost(lo, hi)
    if column.own_null >= 0 and tree.labels[-2].get(0) == "*":  # the root of the values, under that of values and null
        share = np.where(tree.ancestor_level(lo, hi) == tree.n_levels - 2, 1.0, share)
    return share


def ncp_of_sets(column: CodedColumn, partition: Partition) -> np.ndarray:
    """The penalty where a group publishes the set of its values: the share of all values it names, 0 for one.

    A set that mixes values and nulls publishes nothing: 1.
    """
    size = np.zeros(partition.n_groups, dtype=np.int64)
    mixed = np.zeros(partition.n_groups, dtype=bool)
    for group, code in members_by_stretches(column, partition):
        size += np.bincount(group, minlength=partition.n_groups)
        mixed[group[code == column.own_null]] = True
    share = np.where(mixed, 1.0, size / max(column.n_codes, 1))
    return np.where(size > 1, share, 0.0)


def ncp_of_published(column: CodedColumn, rule: Column, partition: Partition, c: int) -> np.ndarray:
    """The penalty of every group in column ``c``, by what it publishes there."""
    own_sets = partition.sets_of(c)
    if own_sets is not None:
        return ncp_of_code_sets(column, own_sets, partition.lo[:, c])
    by_node = partition.publishes_nodes  # nodes are published whatever the set and the grid
    if not by_node and rule.publish == "set":
        return ncp_of_sets(column, partition)
    lo, hi = partition.lo[:, c], partition.hi[:, c]
    if rule.publish == "ancestor" and column.tree is not None:
        lo, hi = codes_of_ancestor(column.tree, lo, hi)
    return ncp_of_group(column, lo, hi, None if by_node else rule.grid)


def ncp(
    table: CodedTable, schema: Schema, partition: Partition, weighed: tuple[np.ndarray, float] | None = None
) -> dict[str, float]:
    """The mean penalty of every column over the rows of the input; a suppressed row counts 1.

    A null that matches anything is published as it was: it counts 0. ``weighed`` has a weight for every coded row, and
    what all rows of the input weigh, where rows do not count as one each.
    """
    group = partition.group_of_row

    def counted_in(coded: np.ndarray | slice) -> np.ndarray:
        if weighed is None:
            return partition.rows_in_groups(coded)
        there = group[coded] >= 0
        return np.bincount(group[coded][there], weights=weighed[0][coded][there], minlength=partition.n_groups)

    size = partition.size_of_group if weighed is None else counted_in(slice(None))
    n_input = table.n_input if weighed is None else weighed[1]
    gone = n_input - size.sum()
    penalties = {}
    for c, column in enumerate(table.columns):
        penalty = ncp_of_published(column, schema[column.name], partition, c)
        counted = size
        if column.wildcard >= 0:
            counted = size - counted_in(column.codes == column.wildcard)
        penalties[column.name] = float(
            ((counted * penalty).sum() + gone) / n_input
        )  # never BLAS: its sums depend on threads
    return penalties


def gcp(penalties: dict[str, float]) -> float:
    """The global certainty penalty: the mean over columns, between 0 and 1 (equation 2 of the paper)."""
    return sum(penalties.values()) / len(penalties)


def weighted_gcp(penalties: dict[str, float], weights: dict[str, float]) -> float:
    """The same with the columns' weights (equation 1 of the paper, weights made to sum to 1)."""
    return sum(weights[name] * penalty for name, penalty in penalties.items()) / sum(weights.values())
