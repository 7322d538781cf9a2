"""Whether a long column has another value in every row, without holding the column."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
    >>> from amongst.verify.all_distinct import all_distinct
    >>> names = pa.record_batch({"name": ["ann", "bob", "ann"]})
    >>> all_distinct(lambda: iter([names]), 3), all_distinct(lambda: iter([names[:2]]), 2)
    (False, True)
    """
    n_passes = -(-n_rows // AT_ONCE)
    return all(_one_pass(batches(), number, n_passes) for number in range(n_passes))


def share_of_distinct(batches: Callable[[], Iterator[pa.RecordBatch]], n_rows: int) -> float:
    """How many different values the first column of these batches has for every row that is not null.

    Of long columns only some values are counted, with all of their rows: which ones, their numbers of 64 bits say.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.verify.all_distinct import share_of_distinct
    >>> share_of_distinct(lambda: iter([pa.record_batch({"pay": [1.5, 2.5, 2.5, None, 7.0]})]), 5)
    0.75
    """
    every = np.uint64(-(-n_rows // AT_ONCE) or 1)
    found = [np.empty(0, dtype=np.uint64)]
    for batch in batches():
        prints = fingerprints(batch.column(0).drop_null())
        found.append(prints[prints % every == 0] if every > 1 else prints)
    together = np.concatenate(found)
    return len(np.unique(together)) / len(together) if len(together) else 0.0


def _one_pass(batches: Iterator[pa.RecordBatch], number: int, n_passes: int) -> bool:
    found = []
    for batch in batches:
        column = batch.column(0)
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
    texts = column.cast(pa.large_string())
    parts = [_of_texts(texts.slice(at, _SLICE)) for at in range(0, len(texts), _SLICE)]
    return np.concatenate([np.empty(0, dtype=np.uint64), *parts])


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
