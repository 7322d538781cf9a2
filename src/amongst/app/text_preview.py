"""The first lines of a text file that could not be read, or not as it should be: seen as they would be read."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

from amongst.app.look import FEW_ROWS, shortened

LOOKED_AT = 1 << 16
"""Bytes that are looked at."""
SEPARATORS = (",", ";", "\t", "|", " ")
MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
MOST_COLUMNS = 60


def text_preview(
    path: Path, separator: str | None = None, encoding: str | None = None, header: bool | None = None
) -> dict[str, Any]:
    """A few lines as cells, and what seems to be the encoding and the separator, where they were not told."""
    start = _start(path)
    found = {"encoding": encoding or _encoding(start)}
    lines = _lines(start, found["encoding"])
    found["separator"] = separator or _separator(lines)
    rows = list(csv.reader(lines[: FEW_ROWS + 1], delimiter=found["separator"]))
    width = min(max((len(row) for row in rows), default=0), MOST_COLUMNS)
    cells = [[shortened(cell) for cell in (row + [""] * width)[:width]] for row in rows]
    names = [f"column_{i + 1}" for i in range(width)] if header is False else cells[0] if cells else []
    return {"columns": names, "rows": cells if header is False else cells[1:], "found": found}


def _start(path: Path) -> bytes:
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as stream:
            return stream.read(LOOKED_AT)
    except (OSError, EOFError, zlib.error):
        return b""


def _encoding(start: bytes) -> str:
    """UTF-8 where it can be, what a mark at the beginning says, else what most old programs write."""
    for mark, name in MARKS.items():
        if start.startswith(mark):
            return name
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = len(start) == LOOKED_AT and error.start >= len(start) - 3  # in the middle of a letter
        return "utf-8" if cut else "windows-1252"
    return "utf-8"


def _lines(start: bytes, encoding: str) -> list[str]:
    try:
        text = start.decode(encoding, "replace")
    except LookupError:
        text = start.decode("utf-8", "replace")
    lines = io.StringIO(text.replace("\0", "\N{REPLACEMENT CHARACTER}"), newline=None).read().splitlines()
    return lines[:-1] if len(start) == LOOKED_AT and len(lines) > 1 else lines


def _separator(lines: list[str]) -> str:
    """What stands as often in most of the lines, and most often of those that do."""

    def steady(mark: str) -> tuple[int, int]:
        ((times, n_lines),) = Counter(line.count(mark) for line in lines[:50]).most_common(1) or [(0, 0)]
        return (n_lines if times else 0, times)

    return max(SEPARATORS, key=steady)
