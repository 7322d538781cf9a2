"""Where the tuples of a table lie on the Hilbert curve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn
from amongst.kernels.one_dimensional import hilbert_keys

BITS = 12
"""A dimension, as in section 6.1 of the paper."""


def curve_keys(columns: Sequence[CodedColumn], codes: Sequence[np.ndarray]) -> np.ndarray:
    """The keys of some tuples, shape (n, n_words); equal for different tuples only where they are equal in all places.

    Codes of columns with more than 4096 of them follow the key, so that tuples are always in the same order.
    """
    coordinates = [kernels.look_up(own, coordinate_of_code(column)) for column, own in zip(columns, codes, strict=True)]
    keys = hilbert_keys(coordinates, BITS)
    crowded = [own.astype(np.uint64) for column, own in zip(columns, codes, strict=True) if _shares_places(column)]
    return np.column_stack([keys, *crowded]) if crowded else keys


def coordinate_of_code(column: CodedColumn) -> np.ndarray:
    """The place of every code in its dimension, from 0 to 4095.

    Numbers, dates and ordered values by their position, categories by their place in the in-order of the tree, spread
    over the whole dimension. A null lies as far from all values as the largest from the smallest: the values take the
    lower half, the null the end of the upper one.
    """
    last = (1 << BITS) - 1
    if column.position is None:
        share = np.arange(column.n_values) / max(column.n_values - 1, 1)
    else:
        share = (column.position - column.lowest) / column.span if column.span > 0 else np.zeros(column.n_values)
    if column.null_code is None:
        return np.clip(np.rint(share * last), 0, last).astype(np.uint16)
    return np.append(np.clip(np.rint(share * (last // 2)), 0, last // 2), last).astype(np.uint16)


def _shares_places(column: CodedColumn) -> bool:
    places = coordinate_of_code(column)
    return len(np.unique(places)) < len(places)


def leading_places(words: np.ndarray, k: int) -> np.ndarray:
    """Keys as places on a line: as many leading bits as leave room for the sum of 2k extents in 64 bits."""
    first = words - words.min(initial=words[0])
    spare = int(first.max()).bit_length() + (2 * k).bit_length() - 61
    return (first >> np.uint64(max(0, spare))).astype(np.int64)
