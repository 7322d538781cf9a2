"""Columns recoded by sets of values: a value is published as the same set wherever it occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.recode.labels import ancestor_labels, set_labels

if TYPE_CHECKING:
    import pyarrow as pa


def code_set_labels(column: CodedColumn, set_of_code: np.ndarray) -> tuple[pa.Array, np.ndarray]:
    """The label of every set of ``Partition.set_of_code``, in the order of their first codes.

    ``{a,b}``; the name of a node of the tree where the set is just its leaves; ``*`` for all codes together,
    and for values with nulls.

    Returns
    -------
    labels : pyarrow.Array of string
    label_of_set : ndarray of int64
        The place of the label of every number that is used in ``set_of_code``.
    """
    codes, place_of_code, label_of_set = _places(set_of_code)
    told = codes != column.wildcard
    codes, place = codes[told], place_of_code[told]
    order = np.argsort(place, kind="stable")
    labels = set_labels(column, place[order], codes[order], int(place_of_code.max(initial=-1)) + 1)
    if len(codes) == 0:
        return labels, label_of_set
    return _named(column, labels, place[order], codes[order]), label_of_set


def _places(set_of_code: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The codes that are in a set, the place of every code's set by its first code, and of every number."""
    codes = np.flatnonzero(set_of_code >= 0)
    numbers, first, number = np.unique(set_of_code[codes], return_index=True, return_inverse=True)
    place = np.empty(len(numbers), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(numbers))
    label_of_set = np.zeros(int(set_of_code.max(initial=-1)) + 1, dtype=np.int64)
    label_of_set[numbers] = place
    return codes, place[number.reshape(-1)], label_of_set


def _named(column: CodedColumn, labels: pa.Array, place: np.ndarray, code: np.ndarray) -> pa.Array:
    """The labels with the names of nodes; the codes come sorted by place."""
    import pyarrow as pa
    import pyarrow.compute as pc

    size = np.bincount(place, minlength=len(labels))
    first = np.minimum(np.cumsum(size) - size, len(code) - 1)
    lo, hi = code[first], code[np.maximum(np.cumsum(size) - 1, 0)]
    if column.tree is not None:
        tree = column.tree
        leaves = tree.ancestor_leaves(np.minimum(lo, tree.n_leaves - 1), np.minimum(hi, tree.n_leaves - 1))
        nodes = ancestor_labels(column, lo, hi)
        is_node = pc.and_(pa.array((size > 1) & (leaves == size)), pc.not_equal(nodes, "*"))
        labels = pc.if_else(is_node, nodes, labels)
    return pc.if_else(pa.array((size > 1) & (size == len(code))), pa.scalar("*"), labels)
