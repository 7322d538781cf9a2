"""Bytes of an Arrow column that no cell shows: under nulls, before the first and after the last value."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

_LISTS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_map)
_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)


def hides_values(column: pa.Array) -> bool:
    """Whether there are bytes other than zeros in a column that is no slice, and no cell shows them.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.published.under_nulls import hides_values
    >>> bits, cells = pa.py_buffer(bytes([1])), pa.py_buffer(bytes([7, 9]))
    >>> hides_values(pa.Array.from_buffers(pa.int8(), 2, [bits, cells])), hides_values(pa.array([7, None]))
    (True, False)
    """
    return _hides(column, np.ones(len(column), dtype=bool))


def _hides(column: pa.Array, reached: np.ndarray) -> bool:
    """The same, of a column only some of whose cells are reached from the column around it."""
    of = column.type
    if isinstance(column, pa.ExtensionArray):
        return _hides(column.storage, reached)
    shown = reached & column.is_valid().to_numpy(zero_copy_only=False)
    if pa.types.is_dictionary(of):
        return _hides(column.indices, shown) or hides_values(column.dictionary)
    if pa.types.is_struct(of):
        return any(_hides(column.field(i), shown) for i in range(of.num_fields))
    if pa.types.is_fixed_size_list(of):
        return _hides(column.values, np.repeat(shown, of.list_size))
    if any(test(of) for test in _LISTS):
        ends = column.offsets.to_numpy(zero_copy_only=False)
        cells = [column.keys, column.items] if pa.types.is_map(of) else [column.values]
        inside = _covered(ends, shown, len(cells[0]))
        return any(_hides(one, inside) for one in cells)
    if any(test(of) for test in _TEXTS):
        return _hides_texts(column, shown)
    return _hides_numbers(column, shown)


def _covered(ends: np.ndarray, shown: np.ndarray, n: int) -> np.ndarray:
    """Which of n places lie between the ends of something that is shown."""
    steps = np.zeros(n + 1, dtype=np.int64)
    np.add.at(steps, ends[:-1][shown], 1)
    np.add.at(steps, ends[1:][shown], -1)
    return np.cumsum(steps)[:n] > 0


def _hides_texts(column: pa.Array, shown: np.ndarray) -> bool:
    wide = pa.types.is_large_string(column.type) or pa.types.is_large_binary(column.type)
    _, offsets, cells = column.buffers()
    if cells is None or offsets is None or not len(column):
        return cells is not None and bool(np.frombuffer(cells, dtype=np.uint8).any())
    ends = np.frombuffer(offsets, dtype=np.int64 if wide else np.int32)[: len(column) + 1]
    told = np.frombuffer(cells, dtype=np.uint8)
    return bool(told[~_covered(ends, shown, len(told))].any())


def _hides_numbers(column: pa.Array, shown: np.ndarray) -> bool:
    buffers = column.buffers()
    if len(buffers) != 2 or buffers[1] is None:  # nulls alone, or a layout that Arrow files seldom have
        return False
    told = np.frombuffer(buffers[1], dtype=np.uint8)
    width = column.type.bit_width
    if width < 8:
        bits = np.unpackbits(told, bitorder="little")
        return bool(bits[: len(shown)][~shown].any() or bits[len(shown) :].any())
    cells = told[: len(shown) * width // 8].reshape(len(shown), -1)
    return bool(cells[~shown].any() or told[cells.size :].any())
