"""The cells of a text file whose lines are plain, numbered by a kernel, in less than half the time of Arrow.

Plain are lines that are rows each, in UTF-8, all with as many cells, quotes around whole cells or nowhere. A file that
has anything else is left to Arrow, which knows more and tells what is wrong; what both read is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 1 << 22
"""Bytes that are looked at together."""
LONGEST_LINE = 1 << 24
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def cells_of_plain_lines(
    stream: IO[bytes], n_columns: int, separator: str, nulls: Sequence[str], *, header: bool
) -> list[pa.DictionaryArray] | None:
    """The cells, column by column, their dictionaries in the order of the file; None where the lines are not plain.

    ``header`` leaves the first line out, and unquoted cells that are empty or one of ``nulls`` are missing.
    """
    from amongst.kernels.loader import compiled

    text = compiled("_text")
    if text is None or n_columns < 2 or len(separator.encode()) != 1:
        return None
    cells = text.begin(n_columns, ord(separator), tuple(one.encode() for one in nulls if one))
    rest = stream.read(BLOCK).removeprefix(BYTE_ORDER_MARK)
    while rest:
        block = stream.read(BLOCK)
        end = rest.rfind(b"\n") + 1 if block else len(rest)
        if header and end:
            first = rest.find(b"\n") + 1
            if not first or rest.count(b'"', 0, first) % 2:
                return None
            rest, end, header = rest[first:], end - first, False
        if not text.feed(cells, memoryview(rest)[:end]):
            return None
        rest = rest[end:] + block
        if len(rest) > LONGEST_LINE:
            return None
    return _columns([text.column(cells, number) for number in range(n_columns)])


def _columns(found: Sequence[tuple[bytes, bytes, bytes, int]]) -> list[pa.DictionaryArray] | None:
    import numpy as np
    import pyarrow as pa

    columns: list[Any] = []
    for codes, offsets, text, n_missing in found:
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text)]
        cells = pa.Array.from_buffers(pa.string(), len(offsets) // 4 - 1, buffers)
        try:
            cells.validate(full=True)
        except pa.ArrowInvalid:  # no UTF-8
            return None
        numbers = np.frombuffer(codes, dtype=np.int32)
        missing = numbers < 0 if n_missing else None
        columns.append(pa.DictionaryArray.from_arrays(pa.array(numbers, mask=missing), cells))
    return columns
