"""The footer of a Parquet file as it is stored, and the bytes of the file that nothing in it speaks of.

pyarrow tells neither where indexes and filters lie nor survives every damaged footer, so it is read here: Thrift's
compact protocol, no more of it than a footer needs.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any, BinaryIO

MAGIC = b"PAR1"
_DEEPEST = 16
_BYTE_ARRAY = 6
_TRUE, _FALSE, _BYTE, _INTEGERS, _DOUBLE, _BINARY, _LISTS, _MAP, _STRUCT = 1, 2, 3, (4, 5, 6), 7, 8, (9, 10), 11, 12
_AT_ONCE = 1 << 20
_LONGEST_COPY = 1 << 16


class DamagedFooter(ValueError):
    """What is there is no footer."""


class _Compact:
    """Thrift's compact protocol: a struct is a dict of field numbers."""

    def __init__(self, stored: bytes, at: int = 0) -> None:
        self.stored, self.at = stored, at

    def take(self, n: int) -> bytes:
        if n < 0 or self.at + n > len(self.stored):
            raise DamagedFooter
        self.at += n
        return self.stored[self.at - n : self.at]

    def number(self) -> int:
        found = shift = 0
        while shift < 70:
            byte = self.take(1)[0]
            found |= (byte & 0x7F) << shift
            if byte < 0x80:
                return found
            shift += 7
        raise DamagedFooter

    def signed(self) -> int:
        found = self.number()
        return (found >> 1) ^ -(found & 1)

    def struct(self, depth: int = 0) -> dict[int, Any]:
        fields: dict[int, Any] = {}
        last = 0
        while (head := self.take(1)[0]) != 0:
            last = last + (head >> 4) if head >> 4 else self.signed()
            kind = head & 0x0F
            fields[last] = kind == _TRUE if kind in (_TRUE, _FALSE) else self.value(kind, depth + 1)
        return fields

    def value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise DamagedFooter
        if kind in (_TRUE, _FALSE, _BYTE):  # in a list a truth is a byte
            return self.take(1)[0]
        if kind in _INTEGERS:
            return self.signed()
        if kind == _DOUBLE:
            return struct.unpack("<d", self.take(8))[0]
        if kind == _BINARY:
            return self.take(self.number())
        if kind in _LISTS:
            head = self.take(1)[0]
            n = head >> 4 if head >> 4 < 15 else self.number()
            return [self.value(head & 0x0F, depth + 1) for _ in range(n)]
        if kind == _MAP:
            n = self.number()
            kinds = self.take(1)[0] if n else 0
            return [(self.value(kinds >> 4, depth + 1), self.value(kinds & 0x0F, depth + 1)) for _ in range(n)]
        if kind == _STRUCT:
            return self.struct(depth)
        raise DamagedFooter


def chunks_in(path: Path) -> list[list[dict[int, Any]]]:
    """The column chunks of every row group, as their footer stores them: fields by Thrift's numbers."""
    with path.open("rb") as file:
        footer, _, _ = _footer(file)
    return [_structs(group, 1) for group in _structs(footer, 4)]


def hidden_keys(path: Path) -> list[str]:
    """The keys of what is attached to single columns within the footer."""
    pairs = [pair for group in chunks_in(path) for chunk in group for pair in _structs(_of(chunk, 3), 8)]
    return sorted({bytes(pair.get(1, b"")).decode("utf-8", "replace") for pair in pairs})


def refuse_odd_sizes(path: Path, levels: list[tuple[int, int]]) -> None:
    """Raise where the statistics of sizes do not fit the columns: pyarrow ends the whole process over them.

    ``levels`` are the largest definition and repetition level of every leaf of the schema.
    """
    for group in chunks_in(path):
        if len(group) != len(levels):
            raise DamagedFooter
        for chunk, (definition, repetition) in zip(group, levels, strict=True):
            told = _of(chunk, 3)
            sizes = _of(told, 16)
            counted = [(sizes.get(2), repetition), (sizes.get(3), definition)]
            if any(isinstance(one, list) and len(one) not in (0, most + 1) for one, most in counted):
                raise DamagedFooter
            if sizes.get(1) is not None and told.get(1) != _BYTE_ARRAY:
                raise DamagedFooter


def n_unowned_bytes(path: Path) -> int:
    """How many bytes of the file, zeros aside, belong to no column, index, filter or footer."""
    with path.open("rb") as file:
        footer, start, end = _footer(file)
        owned = [(0, len(MAGIC)), (start, end)]
        size = os.fstat(file.fileno()).st_size
        owned.append((size - 8, size))
        for group in _structs(footer, 4):
            for chunk in _structs(group, 1):
                owned += _owned(chunk, file)
        return _outside(file, sorted(owned), size)


def _footer(file: BinaryIO) -> tuple[dict[int, Any], int, int]:
    """The footer, and from where to where it reaches."""
    size = os.fstat(file.fileno()).st_size
    file.seek(max(0, size - 8))
    tail = file.read(8)
    length = int.from_bytes(tail[:4], "little") if len(tail) == 8 else -1
    start = size - 8 - length
    if tail[4:] != MAGIC or length <= 0 or start < len(MAGIC):
        raise DamagedFooter
    file.seek(start)
    stored = _Compact(file.read(length))
    return stored.struct(), start, start + stored.at


def _owned(chunk: dict[int, Any], file: BinaryIO) -> list[tuple[int, int]]:
    """From where to where the cells of a column chunk, its indexes and its filter lie."""
    told = _of(chunk, 3)
    starts = [at for at in (told.get(9), told.get(10), told.get(11)) if isinstance(at, int) and at > 0]
    first = min(starts, default=0)
    end = first + _number(told, 7)
    found = [(first, end)]
    for at, length in ((chunk.get(4), chunk.get(5)), (chunk.get(6), chunk.get(7)), (told.get(14), told.get(15))):
        if isinstance(at, int) and isinstance(length, int):
            found.append((at, at + length))
    file.seek(end)
    copy = _Compact(file.read(_LONGEST_COPY))
    try:  # some writers repeat behind the cells what the footer says of them, and nothing else
        if copy.struct() in (told, chunk, {2: chunk.get(2), 3: told}):
            found.append((end, end + copy.at))
    except DamagedFooter:
        pass
    return found


def _outside(file: BinaryIO, owned: list[tuple[int, int]], size: int) -> int:
    found = at = 0
    for first, end in [*owned, (size, size)]:
        file.seek(at)
        while at < min(first, size):
            some = file.read(min(_AT_ONCE, first - at))
            if not some:
                break
            found += len(some) - some.count(0)
            at += len(some)
        at = max(at, end)
    return found


def _of(fields: dict[int, Any], number: int) -> dict[int, Any]:
    found = fields.get(number)
    return found if isinstance(found, dict) else {}


def _structs(fields: dict[int, Any], number: int) -> list[dict[int, Any]]:
    found = fields.get(number)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _number(fields: dict[int, Any], number: int) -> int:
    found = fields.get(number)
    return found if isinstance(found, int) else 0
