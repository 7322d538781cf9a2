"""What is published for a group, as text: a value, a range, a node of the tree, a set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.encode.encode import as_spelled
from amongst.recode.bounds import bounds

if TYPE_CHECKING:
    import pyarrow as pa

NEEDS_QUOTES = r'[,{}"\\]'
DASH_OR_QUOTE = r'[-"]'
"""An end of a range of ordered values that has one is quoted: ``[1-2-2]`` would have two readings."""


def text_of(values: pa.Array) -> pa.Array:
    """Values as the text that stands for them in a release; numbers as Python writes them: 1.0, 1e-05."""
    import pyarrow as pa

    values = as_spelled(values)
    if pa.types.is_floating(values.type):
        return pa.array([None if value is None else repr(value) for value in values.to_pylist()], pa.string())
    return values if pa.types.is_string(values.type) else values.cast(pa.string())


def range_labels(column: CodedColumn, lo: np.ndarray, hi: np.ndarray, grid: float | None = None) -> pa.Array:
    """``25``, ``[25-26]``, ``[2020-01-01 - 2020-03-31]``; ``*`` where values and nulls are together; null for nulls."""
    import pyarrow as pa
    import pyarrow.compute as pc

    lower, upper = bounds(column, lo, hi, grid)
    first, last = text_of(lower), text_of(upper)
    dash = " - " if column.kind == "date" else "-"
    ends = [_quoted(end, DASH_OR_QUOTE) if column.kind == "ordered" else end for end in (first, last)]
    ranges = pc.binary_join_element_wise("[", pc.binary_join_element_wise(*ends, dash), "]", "")
    labels = pc.if_else(pc.equal(first, last), first, ranges)
    mixed = pa.array((hi == column.own_null) & (lo != hi)) if column.own_null >= 0 else pa.scalar(False)
    return pc.if_else(mixed, pa.scalar("*"), labels)


def ancestor_labels(
    column: CodedColumn, lo: np.ndarray, hi: np.ndarray, level: int | None = None, *, widest: bool = False
) -> pa.Array:
    """The label of the lowest node that covers the codes, or of the node at ``level``.

    With ``widest``, where a tree knows of parts that no value lies in: of the highest node that covers no other code.
    Without a hierarchy that is a value, everything, or a range of numbers, dates or ordered values.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.tree is None:
        flat = flat_labels(column, lo, hi, level)
        part = is_part(column, lo, hi)
        if level is not None or not part.any():
            return flat
        return pc.if_else(pa.array(part), range_labels(column, lo, hi), flat)
    tree, null = column.tree, column.null_code
    leaf = np.minimum(lo, tree.n_leaves - 1)
    # A null that matches anything is beside the tree: the level above its root holds both, and shows the root.
    levels = (
        np.full(lo.shape, min(level, tree.height))
        if level is not None
        else (tree.widest_level if widest and tree.parts is not None else tree.ancestor_level)(
            leaf, np.minimum(hi, tree.n_leaves - 1)
        )
    )
    node = levels.astype(np.int64) * tree.n_leaves + tree.start[levels, leaf]
    nodes, index = np.unique(node, return_inverse=True)
    # A node that begins at the null, the last leaf, is the null alone.
    names = [None if n % tree.n_leaves == null else tree.label(*divmod(int(n), tree.n_leaves)) for n in nodes]
    labels = pa.array(names, pa.string()).take(pa.array(index.reshape(-1)))
    if null is None:
        return labels
    return pc.if_else(pa.array(lo == null), pa.scalar(None, pa.string()), labels)


def is_part(column: CodedColumn, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    """Whether codes of a column without a hierarchy are some of an order: neither one value nor all of them."""
    if column.kind == "categorical":
        return np.zeros(len(lo), dtype=bool)
    return (lo < hi) & (hi < column.n_values) & ((lo > 0) | (hi + 1 < column.n_values))


def flat_labels(column: CodedColumn, lo: np.ndarray, hi: np.ndarray, level: int | None = None) -> pa.Array:
    """Without regard to a tree: a value, or all of them together; at a level, or as the codes say."""
    import pyarrow as pa
    import pyarrow.compute as pc

    alone = lo == hi if level is None else np.full(len(lo), level == 0)
    return pc.if_else(pa.array(alone), range_labels(column, lo, lo), pa.scalar("*"))


def set_labels(column: CodedColumn, group: np.ndarray, code: np.ndarray, n_groups: int) -> pa.Array:
    """``{a,b}`` for every group, from the distinct (group, code) pairs in order; one value stands for itself."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = text_of(column.values)
    members = _quoted(texts, NEEDS_QUOTES)
    first = np.searchsorted(group, np.arange(n_groups + 1))
    size = np.diff(first)
    has_null = np.zeros(n_groups, dtype=bool)
    if column.null_code is not None:
        has_null[group[code == column.null_code]] = True
    if column.n_values == 0 or len(code) == 0:
        return pa.nulls(n_groups, pa.string())
    codes = pa.array(np.where(code < column.n_values, code, 0))
    joined = pc.binary_join(pa.ListArray.from_arrays(pa.array(first, pa.int32()), members.take(codes)), ",")
    sets = pc.binary_join_element_wise("{", joined, "}", "")
    alone = texts.take(codes.take(pa.array(np.minimum(first[:-1], len(code) - 1))))
    labels = pc.if_else(pa.array(size == 1), alone, sets)
    labels = pc.if_else(pa.array(has_null & (size > 1)), pa.scalar("*"), labels)
    # A group in which every row matches anything has no value at all.
    return pc.if_else(pa.array((size == 0) | (has_null & (size == 1))), pa.scalar(None, pa.string()), labels)


def _quoted(texts: pa.Array, where: str) -> pa.Array:
    """The texts, in quotes where they have a sign that would be misread."""
    import pyarrow.compute as pc

    quoted = pc.binary_join_element_wise('"', pc.replace_substring_regex(texts, r'(["\\])', r"\\\1"), '"', "")
    return pc.if_else(pc.match_substring_regex(texts, where), quoted, texts)
