"""Codes on disk: rows as records of fixed width, written and read in blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

BLOCK = 1 << 17
"""Records at a time."""


@dataclass(frozen=True)
class CodeFile:
    """A file of records, one a row; read from disk and never mapped, since mapped pages count as memory.

    Attributes
    ----------
    path : Path
    record : numpy.dtype
        One field a column; or a plain number.
    n_rows : int
    """

    path: Path
    record: np.dtype[Any]
    n_rows: int

    def blocks(self, n_rows: int | None = None) -> Iterator[np.ndarray]:
        """The records in their order."""
        n_rows = n_rows or BLOCK
        with self.path.open("rb", buffering=0) as stream:
            for start in range(0, self.n_rows, n_rows):
                yield read_records(stream, self.record, min(n_rows, self.n_rows - start))

    def read(self) -> np.ndarray:
        """All records at once."""
        with self.path.open("rb", buffering=0) as stream:
            return read_records(stream, self.record, self.n_rows)

    def part(self, first: int, n_rows: int) -> np.ndarray:
        """Some records that follow each other."""
        with self.path.open("rb", buffering=0) as stream:
            stream.seek(first * self.record.itemsize)
            return read_records(stream, self.record, n_rows)

    def columns(self) -> list[np.ndarray]:
        """All rows, one array a field; only one block of records is in memory beside them."""
        assert self.record.names is not None
        found = [np.empty(self.n_rows, dtype=self.record[name]) for name in self.record.names]
        start = 0
        for block in self.blocks():
            for own, name in zip(found, self.record.names, strict=True):
                own[start : start + len(block)] = block[name]
            start += len(block)
        return found


def read_records(stream: Any, record: np.dtype[Any], n_rows: int) -> np.ndarray:
    """The next records of an open file."""
    records = np.empty(n_rows, dtype=record)
    view: Any = memoryview(records.view(np.uint8).data) if n_rows else memoryview(b"")
    done = 0
    while done < len(view):
        n_bytes = stream.readinto(view[done:])
        if not n_bytes:
            raise OSError("a temporary file is shorter than it was written")
        done += n_bytes
    return records


class CodeWriter:
    """Writes a code file, block by block."""

    def __init__(self, path: Path, record: np.dtype[Any]) -> None:
        self.path, self.record, self.n_rows = path, record, 0
        self._stream = path.open("wb")

    def write(self, records: np.ndarray) -> None:
        """Append some records."""
        records = np.ascontiguousarray(records, dtype=self.record)
        if len(records):
            self._stream.write(records.view(np.uint8).data)
        self.n_rows += len(records)

    def close(self) -> CodeFile:
        """All of it is on disk, and can be read."""
        self._stream.close()
        return CodeFile(self.path, self.record, self.n_rows)


def record_of(columns: Sequence[np.ndarray]) -> np.dtype[Any]:
    """A record with a field for every column, as narrow as its codes."""
    return np.dtype([(f"c{c}", column.dtype) for c, column in enumerate(columns)])


def records(columns: Sequence[np.ndarray], record: np.dtype[Any]) -> np.ndarray:
    """Columns as records."""
    made = np.empty(len(columns[0]), dtype=record)
    for name, column in zip(record.names or (), columns, strict=True):
        made[name] = column
    return made
