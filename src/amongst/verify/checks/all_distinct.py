"""Whether a long column has another value in every row, without holding the column."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

AT_ONCE = 1 << 22
"""Values that are compared in one pass."""
_SLICE = 1 << 13
_OF_BYTE = np.random.default_rng(8).integers(0, 1 << 63, 256, dtype=np.uint64) | np.uint64(1)
_STEP = np.uint64(0x9E3779B97F4A7C15)


def all_distinct(batches: Callable[[], Iterator[pa.RecordBatch]], n_rows: int) -> bool:
    """Whether no value of the first column of these batches comes twice, and none is missing.

    Values are compared by numbers of 64 bits, in as many passes as keep these few. Two values with one number would
    be taken for one; among 10 million texts that happens once in 300,000 tables.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.verify.checks.all_distinct import all_distinct
    >>> names = pa.record_batch({"name": ["ann", "bob", "ann"]})
    >>> all_distinct(lambda: iter([names]), 3), all_distinct(lambda: iter([names[:2]]), 2)
    (False, True)
    """
    n_passes = -(-n_rows // AT_ONCE)
    return all(_one_pass(batches(), number, n_passes) for number in range(n_passes))


@dataclass(frozen=True)
class Variety:
    """How many different values a column has.

    Attributes
    ----------
    share : float
        Different values for every row that is not null.
    all_distinct : bool
        No value was found twice, and none is missing.
    is_exact : bool
        All values were counted, not some of them.
    """

    share: float
    all_distinct: bool
    is_exact: bool


def varieties(batches: Callable[[], Iterator[pa.RecordBatch]], n_rows: int) -> list[Variety]:
    """How many different values the columns of these batches have; nothing where there are no batches.

    Of long columns only some values are counted, with all of their rows: which ones, their numbers of 64 bits say.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.verify.checks.all_distinct import varieties
    >>> [pay] = varieties(lambda: iter([pa.record_batch({"pay": [1.5, 2.5, 2.5, None, 7.0]})]), 5)
    >>> pay.share, pay.all_distinct
    (0.75, False)
    """
    every = np.uint64(-(-n_rows // AT_ONCE) or 1)
    found: list[list[np.ndarray]] = []
    n_nulls: list[int] = []
    for batch in batches():
        found = found or [[] for _ in range(batch.num_columns)]
        n_nulls = n_nulls or [0] * batch.num_columns
        for c, column in enumerate(map(_with_nulls_told, batch.columns)):
            n_nulls[c] += column.null_count
            prints = fingerprints(column.drop_null() if column.null_count else column)
            found[c].append(prints[prints % every == 0] if every > 1 else prints)
    return [_variety(np.concatenate(parts), n, every == 1) for parts, n in zip(found, n_nulls, strict=True)]


def _with_nulls_told(column: pa.Array) -> pa.Array:
    """The column, decoded where a null is among the values of its dictionary."""
    hides = pa.types.is_dictionary(column.type) and column.dictionary.null_count
    return column.dictionary_decode() if hides else column


def _variety(prints: np.ndarray, n_nulls: int, is_exact: bool) -> Variety:
    n_distinct = _n_distinct(prints)
    share = n_distinct / len(prints) if len(prints) else 0.0
    return Variety(share, n_nulls == 0 and n_distinct == len(prints), is_exact)


def _n_distinct(prints: np.ndarray) -> int:
    """By sorting, which is faster than numpy's own hashing."""
    prints.sort()
    return int((prints[1:] != prints[:-1]).sum()) + (len(prints) > 0)


def _one_pass(batches: Iterator[pa.RecordBatch], number: int, n_passes: int) -> bool:
    found = []
    for batch in batches:
        column = _with_nulls_told(batch.column(0))
        if column.null_count:
            return False
        prints = fingerprints(column)
        prints = np.sort(prints[prints % np.uint64(n_passes) == number] if n_passes > 1 else prints)
        if bool((prints[1:] == prints[:-1]).any()):
            return False
        found.append(prints)
    together = np.sort(np.concatenate([np.empty(0, dtype=np.uint64), *found]))
    return not bool((together[1:] == together[:-1]).any())


def fingerprints(column: pa.Array) -> np.ndarray:
    """A number of 64 bits for every value of numbers, times or text; equal values have equal numbers."""
    if pa.types.is_dictionary(column.type):
        return fingerprints(column.dictionary)[column.indices.to_numpy(zero_copy_only=False)]
    if pa.types.is_integer(column.type):
        return _mixed(column.to_numpy(zero_copy_only=False).astype(np.uint64))
    if pa.types.is_floating(column.type):
        return _mixed((column.to_numpy(zero_copy_only=False).astype(np.float64) + 0.0).view(np.uint64))
    if pa.types.is_temporal(column.type):
        return _mixed(_ticks(column))
    if pa.types.is_decimal128(column.type):
        halves = np.frombuffer(column.buffers()[1], dtype=np.uint64).reshape(-1, 2)
        low, high = halves[column.offset : column.offset + len(column)].T
        return _mixed(_mixed(high) ^ low)
    texts = column.cast(pa.large_string())
    parts = [_of_texts(texts.slice(at, _SLICE)) for at in range(0, len(texts), _SLICE)]
    return np.concatenate([np.empty(0, dtype=np.uint64), *parts])


def _ticks(times: pa.Array) -> np.ndarray:
    """Times as the whole numbers that they are stored as."""
    whole = times.view(pa.int32() if times.type.bit_width == 32 else pa.int64())
    return np.asarray(whole.to_numpy(zero_copy_only=False).astype(np.uint64))


def _of_texts(texts: pa.Array) -> np.ndarray:
    """The sum of a number for every byte times a power of its place, over each text."""
    _, offsets, cells = texts.buffers()
    ends = np.frombuffer(offsets, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
    length = np.diff(ends)
    sums = np.zeros(len(texts), dtype=np.uint64)
    some = np.flatnonzero(length)
    if len(some):
        told = np.frombuffer(cells, dtype=np.uint8)[ends[0] : ends[-1]]
        begin = ends[:-1] - ends[0]
        place = np.arange(len(told)) - np.repeat(begin, length)
        power = np.cumprod(np.full(int(length.max()), _STEP, dtype=np.uint64))
        sums[some] = np.add.reduceat(_OF_BYTE[told] * power[place], begin[some])
    return _mixed(sums ^ length.astype(np.uint64))


def _mixed(numbers: np.ndarray) -> np.ndarray:
    """Spread over all bits; different numbers stay different."""
    numbers = (numbers ^ (numbers >> np.uint64(31))) * _STEP
    return np.asarray(numbers ^ (numbers >> np.uint64(29)))
