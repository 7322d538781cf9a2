"""Where the tuples of a table lie on the Hilbert curve."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst import kernels
from amongst.encode import CodedTable, FrequencySet
from amongst.encode.coded import CodedColumn
from amongst.kernels.one_dimensional import hilbert_keys
from amongst.kernels.price import Price, Prices
from amongst.partition.line.branching import leaf_places
from amongst.partition.rules import in_order

BITS = 12
"""A dimension, as in section 6.1 of the paper."""

LATER = 3
"""So many bits later numbers begin to part than categories with a tree."""


def places_of_codes(table: CodedTable, tuples: FrequencySet, prices: Prices) -> list[np.ndarray]:
    """A dimension each: the coordinate of every code."""
    later = LATER if any(column.position is None for column in table.columns) else 0
    counts = [
        np.bincount(codes, weights=tuples.count, minlength=price.n).astype(np.int64)
        for price, codes in zip(prices.columns, tuples.codes, strict=True)
    ]
    columns = zip(table.columns, prices.columns, counts, strict=True)
    return [place_of_code(column, price, count, later) for column, price, count in columns]


def places_as_printed(table: CodedTable) -> list[np.ndarray]:
    """A dimension each: numbers by value, categories by their place in the in-order of the tree, over all bits."""
    last = (1 << BITS) - 1
    places = []
    for column in in_order(table).columns:
        assert column.position is not None
        share = (column.position - column.lowest) / column.span if column.span > 0 else np.zeros(column.n_values)
        place = np.clip(np.rint(share * last), 0, last).astype(np.uint16)
        places.append(place if column.null_code is None else np.append(place, np.uint16(last)))
    return places


def curve_keys(tuples: FrequencySet, places: Sequence[np.ndarray]) -> np.ndarray:
    """The keys of the tuples, shape (n, n_words).

    Codes of columns where several share a place follow the key, so that tuples have one order, whatever the
    input's.
    """
    keys = hilbert_keys(
        [kernels.look_up(codes, place) for codes, place in zip(tuples.codes, places, strict=True)], BITS
    )
    crowded = [
        codes.astype(np.uint64)
        for codes, place in zip(tuples.codes, places, strict=True)
        if len(np.unique(place)) < len(place)
    ]
    return np.column_stack([keys, *crowded]) if crowded else keys


def place_of_code(column: CodedColumn, price: Price, count: np.ndarray, later: int) -> np.ndarray:
    """The coordinate of every code in its dimension, from 0 to 4095.

    Categories with a tree take the places of ``branching.leaf_places``, so that a cell of the curve is a
    node of the tree or part of one. Numbers, dates and ordered values are spread by their position. Beside
    categories they take only the first eighth of the dimension: halving a range saves half its price, but a
    category costs its whole node until it is alone, so categories part first. A null among numbers costs as
    much as saying nothing, whatever it is mixed with; it takes the end of the dimension, and the values no
    more than the first half.
    """
    if column.position is None:
        assert price.tree_start is not None
        return leaf_places(price.tree_start, count, BITS)
    last = (1 << BITS) - 1
    values = last >> max(later, int(column.null_code is not None))
    share = (column.position - column.lowest) / column.span if column.span > 0 else np.zeros(column.n_values)
    place = np.clip(np.rint(share * values), 0, values).astype(np.uint16)
    return place if column.null_code is None else np.append(place, np.uint16(last))


def leading_places(words: np.ndarray, k: int) -> np.ndarray:
    """First words of keys as places on a line: so many leading bits that a sum of 2k extents has room."""
    first = words - words.min(initial=words[0])
    spare = int(first.max()).bit_length() + (2 * k).bit_length() - 61
    return (first >> np.uint64(max(0, spare))).astype(np.int64)
