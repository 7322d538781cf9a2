"""The first lines of a CSV file: what its columns are called, what stands between cells, and what is odd about it."""

from __future__ import annotations

import codecs
import contextlib
import csv
import gzip
import io
import re
import zlib
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import IO

from amongst.errors import BadInput, BadOption

SEPARATORS = (",", ";", "\t", "|")
WORD_OF = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank", ":": "colon"}
SEPARATOR_OF = {word: mark for mark, word in WORD_OF.items()} | {"\\t": "\t", "space": " "}
"""Separators that are hard to type, by name."""
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
DAMAGED = (OSError, EOFError, zlib.error)
LOOKED_AT = 1 << 16
"""How many characters after the first line are looked at."""
ROWS_LOOKED_AT = 100
LONGEST_HEADER = 1 << 20
_QUOTED = re.compile(r'"[^"]*"')
_VALUE = re.compile(r"[-+]?[0-9]+([.,][0-9]+)*([eE][-+]?[0-9]+)?|[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}.*")


@dataclass(frozen=True)
class Layout:
    """How a CSV file is laid out.

    Attributes
    ----------
    names : list of str
        One a column, each another: ``column_1`` and so on where the file has no header, ``age_2`` where it has two
        columns ``age``.
    written : bool
        Whether the first line has just these names.
    header : bool
        Whether the first line has names at all.
    notes : tuple of str
        What to tell the user; no cells.
    """

    names: list[str]
    separator: str
    encoding: str
    header: bool = True
    written: bool = True
    notes: tuple[str, ...] = ()


def open_text(path: Path) -> IO[bytes]:
    """The bytes of a text file, unpacked."""
    return gzip.open(path, "rb") if path.suffix.lower() == ".gz" else path.open("rb")  # type: ignore[return-value]


def read_layout(
    path: Path, separator: str | None = None, encoding: str | None = None, header: bool | None = None
) -> Layout:
    """Look at the first lines of a CSV file. What is not told is found out, or refused where it cannot be."""
    told, encoding = separator_of(separator), encoding or "utf-8"
    first, after = _first_lines(path, encoding)
    found = told or max(SEPARATORS, key=_QUOTED.sub("", first).count)
    cells, rows = _records(path, first + after, found)
    if first and not first.endswith("\n") and header is not False:
        raise BadInput(f"{path.name} has no rows.", found="one line", fix="give a file with a header and rows")
    if not any(cell.strip() for cell in cells):
        raise BadInput(f"{path.name} has no header.", found="an empty first line", fix="put the column names first")
    notes = _one_column(path, cells, rows, told)
    if header is False:
        names = [f"column_{i}" for i in range(1, len(cells) + 1)]
        return Layout(names, found, encoding, header=False, written=False, notes=notes)
    if header is None and looks_like_data(cells, rows):
        raise BadInput(
            f"The first line of {path.name} looks like data, not like names of columns.",
            found=f"{len(cells)} cells, of which at least half are numbers, dates or values of their column",
            fix="say header = false if the file has no line of names (the columns are then column_1, column_2, ...), "
            "header = true if these are names",
            say=["header"],
        )
    names = told_apart([cell if cell.strip() else f"column_{i}" for i, cell in enumerate(cells, start=1)])
    return Layout(names, found, encoding, written=names == cells, notes=notes + _renamed(cells, names))


def separator_of(separator: str | None) -> str | None:
    """A separator as it was told: a character, or its name."""
    if separator is None:
        return None
    found = SEPARATOR_OF.get(separator.lower(), separator)
    if len(found) != 1 or not found.isascii() or found in '\0\r\n"':
        raise BadOption(
            "A separator is one ASCII character that is no quote and ends no line.",
            found=f"{len(separator)} character{'' if len(separator) == 1 else 's'}",
            fix='use "," or ";" or "|", or one of the words ' + ", ".join(WORD_OF.values()),
        )
    return found


def looks_like_data(names: list[str], rows: list[list[str]]) -> bool:
    """Whether at least half of the names are numbers, dates or values that their own column has in other rows.

    Names that are numbers and count up evenly are years or places, not data.

    Examples
    --------
    >>> from amongst.read.header import looks_like_data
    >>> looks_like_data(["34", "male"], [["51", "female"], ["28", "male"]])
    True
    >>> looks_like_data(["age", "sex"], [["51", "female"], ["28", "male"]])
    False
    >>> looks_like_data(["2019", "2020", "2021"], [["5", "7", "2"]])
    False
    """
    values = [bool(_VALUE.fullmatch(name.strip())) for name in names]
    whole = [int(name) for name, is_value in zip(names, values, strict=True) if is_value and name.strip().isdecimal()]
    steps = {after - before for before, after in pairwise(whole)}
    if len(whole) > 1 and len(whole) == sum(values) and len(steps) == 1 and steps != {0}:
        values = [False] * len(names)
    repeated = [
        any(len(row) > place and row[place] == name for row in rows) and bool(name) for place, name in enumerate(names)
    ]
    n_alike = sum(value or again for value, again in zip(values, repeated, strict=True))
    return bool(rows) and n_alike > 0 and 2 * n_alike >= len([name for name in names if name.strip()])


def told_apart(names: list[str]) -> list[str]:
    """The names, a number after those that were there before.

    Examples
    --------
    >>> from amongst.read.header import told_apart
    >>> told_apart(["age", "sex", "age", "age_2"])
    ['age', 'sex', 'age_3', 'age_2']
    """
    taken, found, seen = set(names), [], set()
    for name in names:
        number = 2
        own = name
        while own in seen or (own != name and own in taken):
            own = f"{name}_{number}"
            number += 1
        seen.add(own)
        found.append(own)
    return found


def _renamed(cells: list[str], names: list[str]) -> tuple[str, ...]:
    """What to tell where columns are called otherwise than in the file."""
    other = [(cell, name) for cell, name in zip(cells, names, strict=True) if cell != name]
    unnamed = [name for cell, name in other if not cell.strip()]
    again = [name for cell, name in other if cell.strip()]
    notes = [f"columns without a name are called {', '.join(unnamed)}"] if unnamed else []
    notes += [f"columns whose name was there before are called {', '.join(again)}"] if again else []
    return tuple(notes)


def not_text(path: Path, encoding: str) -> BadInput:
    """The error for bytes that are no text of an encoding. A file that begins with the mark of another is told."""
    mark = _mark(path)
    return BadInput(
        f"{path.name} is not {encoding} text.",
        found="bytes that do not fit this encoding" if mark is None else f"it begins as {mark} does",
        fix=f'name the encoding it has, such as encoding = "{mark or "windows-1252"}"',
        say=["encoding"],
    )


def damaged(path: Path) -> BadInput:
    return BadInput(f"{path.name} cannot be read.", found="damaged or not text", fix="write it anew")


def _first_lines(path: Path, encoding: str) -> tuple[str, str]:
    """The first line, and some of what follows."""
    try:
        with open_text(path) as stream:
            text = io.TextIOWrapper(stream, encoding="utf-8-sig" if encoding.lower() in ("utf-8", "utf8") else encoding)
            first = text.readline(LONGEST_HEADER)
            after = text.read(LOOKED_AT)
    except (LookupError, ValueError):  # no such encoding, or bytes that do not fit it
        raise not_text(path, encoding) from None
    except DAMAGED:
        raise damaged(path) from None
    if "\0" in first:
        raise not_text(path, encoding)
    if len(first) >= LONGEST_HEADER:
        raise BadInput(
            f"The first line of {path.name} is too long.",
            found=f"more than {LONGEST_HEADER:,} characters",
            fix="give a file with a line of names, and a line for every row",
        )
    return first, after


def _records(path: Path, text: str, separator: str) -> tuple[list[str], list[list[str]]]:
    """The cells of the first line, and those of some rows; a record that is cut or odd ends them."""
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    rows: list[list[str]] = []
    try:
        cells = next(reader, [])
    except csv.Error:
        raise damaged(path) from None
    with contextlib.suppress(csv.Error):
        rows.extend(islice(reader, ROWS_LOOKED_AT))
    return cells, rows[:-1] if len(rows) < ROWS_LOOKED_AT and len(text) >= LOOKED_AT else rows


def _one_column(path: Path, cells: list[str], rows: list[list[str]], told: str | None) -> tuple[str, ...]:
    """Refuse, or note where the separator was told, that there is one column and something else divides every line."""
    if len(cells) != 1:
        return ()
    lines = [cells[0], *(row[0] for row in rows if len(row) == 1)]
    for mark, word in WORD_OF.items():
        n = lines[0].count(mark)
        if n >= (2 if mark in " :" else 1) and len(lines) > 1 and all(line.count(mark) == n for line in lines):
            found = f"one column, and every line has {n} {word}{'' if n == 1 else 's'} in it"
            if told is not None:
                return (f"there is {found}: is this the separator?",)
            raise BadInput(
                f"What separates the cells of {path.name} is not clear.",
                found=found,
                fix=f'name the separator, such as separator = "{mark}"; separator = "," where it is one column',
                say=["separator"],
            )
    return ()


def _mark(path: Path) -> str | None:
    try:
        with open_text(path) as stream:
            start = stream.read(4)
    except DAMAGED:
        return None
    found = next((name for mark, name in MARKS.items() if start.startswith(mark)), None)
    zeros = [place for place, byte in enumerate(start) if byte == 0]
    return found or ("utf-16-le" if zeros == [1, 3] else "utf-16-be" if zeros == [0, 2] else None)
