"""Rows dealt out over parts that fit into memory, and what was found for them brought back in the rows' order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from amongst.engines.parts.code_file import CodeFile, CodeWriter, read_records

GROUP = np.dtype(np.int32)
PART = np.dtype(np.uint16)
MOST_PARTS = 400
"""Each is an open file."""


@dataclass(frozen=True)
class Parts:
    """The codes of a table in several files.

    Attributes
    ----------
    files : list of CodeFile
        The rows of every part, in the order of the table.
    part_of_row : CodeFile, or None
        The part of every row; None where there is one part only.
    """

    files: list[CodeFile]
    part_of_row: CodeFile | None

    def in_order(self, found: Sequence[CodeFile]) -> Iterator[np.ndarray]:
        """What was found for the rows of every part, in the order of the table, block by block."""
        if self.part_of_row is None:
            yield from found[0].blocks()
            return
        streams = [file.path.open("rb") for file in found]
        try:
            for part in self.part_of_row.blocks():
                merged = np.empty(len(part), dtype=found[0].record)
                order = np.argsort(part, kind="stable")
                ends = np.cumsum(np.bincount(part, minlength=len(found)))
                for number in np.unique(part):
                    rows = order[ends[number - 1] if number else 0 : ends[number]]
                    merged[rows] = read_records(streams[number], found[0].record, len(rows))
                yield merged
        finally:
            for stream in streams:
                stream.close()


def deal_out(codes: CodeFile, part_of: Callable[[np.ndarray], np.ndarray], n_parts: int, folder: Path) -> Parts:
    """One pass over the codes: every row goes to the file of its part."""
    if n_parts == 1:
        return Parts([codes], None)
    part_of_row = CodeWriter(folder / "part_of_row", PART)
    writers = [CodeWriter(folder / f"part_{number}", codes.record) for number in range(n_parts)]
    for block in codes.blocks():
        part = part_of(block).astype(PART)
        part_of_row.write(part)
        order = np.argsort(part, kind="stable")
        ends = np.cumsum(np.bincount(part, minlength=n_parts))
        for number in np.unique(part):
            writers[number].write(block[order[ends[number - 1] if number else 0 : ends[number]]])
    return Parts([writer.close() for writer in writers], part_of_row.close())
