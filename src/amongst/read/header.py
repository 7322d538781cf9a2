"""The first lines of a CSV file: what its columns are called, what stands between cells, and what is odd about it."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import re
import zipfile
import zlib
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import IO, Any

from amongst.errors import BadInput, BadOption
from amongst.read.encoding import BLOCK, find_encoding, marked
from amongst.read.names import (
    FEWEST_LINES,
    MOST_BEFORE,
    VALUE,
    left_out,
    lines_before_names,
    looks_like_data,
    told_apart,
)
from amongst.read.places import UNIT, arranged, find_widths, split_blanks, widths_of

SEPARATORS = (",", ";", "\t", "|")
WORD_OF = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", " ": "blank", ":": "colon"}
SEPARATOR_OF = {word: mark for mark, word in WORD_OF.items()} | {"\\t": "\t", "space": " "}
"""Separators that are hard to type, by name."""
BLANKS, PLACES = "blanks", "places"
"""Said instead of a separator: any number of blanks; columns that begin at the same place of every line."""
DAMAGED = (OSError, EOFError, zlib.error, zipfile.BadZipFile)
LOOKED_AT = 1 << 16
"""How many characters after the first line are looked at."""
ROWS_LOOKED_AT = 100
LONGEST_HEADER = 1 << 20
MOST_UNPACKED = 1 << 30
MOST_TIMES = 500
"""What is both larger than this, unpacked, and so many times its packed size is taken for a trap."""
OTHER_KINDS = {
    b"PK\x03\x04": "a workbook (.xlsx) or another packed file (.zip)",
    b"\xd0\xcf\x11\xe0": "an old workbook (.xls)",
    b"\x1f\x8b": "a packed file (.gz)",
    b"PAR1": "a Parquet file (.parquet)",
    b"ARROW1": "an Arrow file (.arrow)",
    b"SQLite format 3": "a database (.sqlite)",
    b"$FL2": "a file of SPSS (.sav)",
    b"%PDF": "a PDF",
}
"""What files begin with that have got the ending of text."""
_QUOTED = re.compile(r'"[^"]*"')


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
    widths : tuple of int
        Of a file whose columns begin at the same place of every line: how many signs each has.
    quoting : {"needed", "text", "all"}
        Which cells are in quotes: those that need them, all but numbers, or all.
    line_end : str
        What ends its lines.
    mark : bool
        Whether it is UTF-8 that begins with a mark.
    before : int
        How many lines stand before that of the names: a title or remarks, which are passed over.
    """

    names: list[str]
    separator: str
    encoding: str
    header: bool = True
    written: bool = True
    notes: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()
    quoting: str = "needed"
    line_end: str = "\n"
    mark: bool = False
    before: int = 0

    @property
    def told(self) -> dict[str, Any]:
        """What a job must say so that the file is read in the same way: nothing of what is usual."""
        separator = ",".join(map(str, self.widths)) or self.separator
        return {
            "separator": None if separator in SEPARATORS else separator,
            "encoding": None if self.encoding == "utf-8" else self.encoding,
            "header": None if self.header else False,
        }

    @property
    def arranged(self) -> bool:
        """Whether blanks or places part the cells, so that its text must be arranged before it is read as CSV."""
        return bool(self.widths) or self.separator == BLANKS


def open_text(path: Path, before: int = 0) -> IO[bytes]:
    """The bytes of a text file, unpacked, without its first lines."""
    stream = _opened(path)
    for _ in range(before):
        stream.readline()
    return stream


def _opened(path: Path) -> IO[bytes]:
    ending = path.suffix.lower()
    if ending == ".zip":
        return zipfile.ZipFile(path).open(only_member(path))
    return gzip.open(path, "rb") if ending == ".gz" else path.open("rb")  # type: ignore[return-value]


def only_member(path: Path) -> str:
    """The only file in an archive; raises where there are several, or none, or it is locked."""
    try:
        with zipfile.ZipFile(path) as packed:
            found = [one for one in packed.infolist() if not one.is_dir() and not one.filename.startswith("__MACOSX/")]
    except (zipfile.BadZipFile, OSError):
        raise BadInput(
            f"{path.name} cannot be read.", found="no archive, or a damaged one", fix="pack it anew"
        ) from None
    if len(found) != 1 or found[0].flag_bits & 1:
        raise BadInput(
            f"{path.name} does not hold one table.",
            found=f"{len(found)} files"
            + (", locked with a password" if any(one.flag_bits & 1 for one in found) else ""),
            fix="unpack it, and name the file",
        )
    if found[0].file_size > MOST_UNPACKED and found[0].file_size > MOST_TIMES * max(found[0].compress_size, 1):
        raise BadInput(
            f"{path.name} unpacks to far more than it is.",
            found=f"{found[0].file_size:,} bytes of {found[0].compress_size:,}",
            fix="unpack it yourself, if it is what you expect, and name the unpacked file",
        )
    return found[0].filename


def read_layout(
    path: Path, separator: str | None = None, encoding: str | None = None, header: bool | None = None
) -> Layout:
    """Look at the first lines of a CSV file. What is not told is found out, and told in the notes where it is not as
    usual; it is refused where it cannot be found out."""
    notes: tuple[str, ...] = ()
    _refuse_unknown_encoding(encoding)
    try:
        first, after = _first_lines(path, encoding or "utf-8")
    except BadInput as error:
        if encoding is not None or "encoding" not in error.facts.get("say", ()):
            raise
        encoding, notes = found_encoding(path)
        first, after = _first_lines(path, encoding)
    return _layout(path, first, after, (separator, encoding or "utf-8", header), notes)


def _refuse_unknown_encoding(encoding: str | None) -> None:
    try:
        "".encode(encoding or "utf-8")
    except (LookupError, ValueError):
        raise BadOption(
            "There is no such encoding.",
            found=f"encoding = {encoding!r}",
            fix="use utf-8, windows-1252, latin-1, utf-16 or another name that Python knows; or leave it out, and it "
            "is found",
            say=["encoding"],
        ) from None


def found_encoding(path: Path, refusal: BadInput | None = None) -> tuple[str, tuple[str, ...]]:
    """The encoding of a file that is no UTF-8, and what to tell about it; raises where it is no text."""
    try:
        found = find_encoding(path, open_text)
    except DAMAGED:
        raise damaged(path) from None
    if found is None or found[0] == "utf-8":
        raise (refusal or not_text(path, "utf-8")) from None
    return found


def _layout(
    path: Path, first: str, after: str, asked: tuple[str | None, str, bool | None], notes: tuple[str, ...]
) -> Layout:
    told, encoding, header = separator_of(asked[0]), asked[1], asked[2]
    widths = widths_of(told)
    found = told or max(SEPARATORS, key=_QUOTED.sub("", first).count)
    if told is None and found not in first:
        found, widths, parted = _no_marks(first, after)
        notes += parted
    elif told == PLACES:
        widths = find_widths(f"{first}{after}")
    if first and not first.endswith(("\n", "\r")) and header is not False:
        raise BadInput(f"{path.name} has no rows.", found="one line", fix="give a file with a header and rows")
    cells, rows = _records(path, first + after, found, widths)
    text = f"{first}{after}"
    before = 0 if widths or found == BLANKS else _lines_before(path, text, found, told is not None)
    if before:
        _refuse_odd_lines(path, text, before, encoding)
        first, after = _without_lines(text, before)
        below = _layout(path, first, after, asked, (*notes, left_out(before)))
        return replace(below, before=before + below.before)
    if not any(cell.strip() for cell in cells):
        raise BadInput(f"{path.name} has no header.", found="an empty first line", fix="put the column names first")
    notes += _one_column(path, cells, rows, told)
    if header is None and looks_like_data(cells, rows):
        header = False
        notes += (
            "the first line looks like data, so it is read as a row, and the columns are called column_1, column_2 "
            "and so on; say header = true if it has their names",
        )
    more: dict[str, Any] = {"mark": _mark(path) == "utf-8-sig"}
    more |= {"widths": widths, "quoting": quoting_of(first, after, found), "line_end": _line_end(first)}
    if header is False:
        names = [f"column_{i}" for i in range(1, len(cells) + 1)]
        return Layout(names, found, encoding, header=False, written=False, notes=notes, **more)
    names = told_apart([cell if cell.strip() else f"column_{i}" for i, cell in enumerate(cells, start=1)])
    return Layout(names, found, encoding, written=names == cells, notes=notes + _renamed(cells, names), **more)


def quoting_of(first: str, after: str, separator: str) -> str:
    """Which cells of a file are in quotes: all, all but numbers, or those that need them.

    Examples
    --------
    >>> from amongst.read.header import quoting_of
    >>> quoting_of('"id";"job"\\n', '1;"baker"\\n2;"smith"\\n', ";")
    'text'
    """
    if len(separator) != 1:
        return "needed"
    lines = re.sub(r'"(?:[^"]|"")*"', '"', after).splitlines()[:ROWS_LOOKED_AT]
    cells = [cell for line in lines[: max(len(lines) - 1, 1)] for cell in line.split(separator) if cell]
    quoted = [cell == '"' for cell in cells]
    if not any(quoted) or not first.startswith('"'):
        return "needed"
    if all(quoted):
        return "all"
    return "text" if all(one or VALUE.fullmatch(cell) for cell, one in zip(cells, quoted, strict=True)) else "needed"


def _line_end(first: str) -> str:
    return next((end for end in ("\r\n", "\n", "\r") if first.endswith(end)), "\n")


def _no_marks(first: str, after: str) -> tuple[str, tuple[int, ...], tuple[str, ...]]:
    """What parts the cells of lines without any usual separator: one blank, several, or places; or nothing does."""
    lines = [line for line in f"{first}{after}".splitlines() if line.strip()]
    lines = lines[: ROWS_LOOKED_AT + 1] if len(lines) > 2 else lines
    if len(lines) < 2:
        return ",", (), ()
    single = {line.strip().count(" ") for line in map(_quotes_out, lines)}
    if len(single) == 1 and single != {0} and single != {1} and not any("  " in _quotes_out(line) for line in lines):
        return " ", (), ("cells are parted by single blanks; say separator = ... if they are not",)
    cells = {len(split_blanks(line)) for line in lines}
    if len(cells) == 1 and min(cells) > 2:
        return BLANKS, (), ("cells are parted by blanks, one or more; say separator = ... if they are not",)
    widths = find_widths("\n".join(lines))
    if len(widths) > 2:
        told = ",".join(map(str, widths))
        return PLACES, widths, (f'columns begin at the same places of every line: separator = "{told}"',)
    return ",", (), ()


def _quotes_out(line: str) -> str:
    return _QUOTED.sub("", line)


def separator_of(separator: str | None) -> str | None:
    """A separator as it was told: a character, or its name."""
    if separator is None:
        return None
    found = SEPARATOR_OF.get(separator.lower(), separator)
    if found in (BLANKS, PLACES) or widths_of(found):
        return found
    if len(found) != 1 or not found.isascii() or found in '\0\r\n"':
        raise BadOption(
            "A separator is one ASCII character that is no quote and ends no line.",
            found=f"{len(separator)} character{'' if len(separator) == 1 else 's'}",
            fix='use "," or ";" or "|", or one of the words '
            + ", ".join(WORD_OF.values())
            + ', blanks (one or more), places (found), or the widths of all columns: "5,10,3"',
        )
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
    mark, other = _mark(path), _other_kind(path)
    if other is not None:
        return BadInput(
            f"{path.name} is no text.", found=f"it begins as {other} does", fix="give it the ending of what it is"
        )
    likely = mark or ("windows-1250" if encoding == "windows-1252" else "windows-1252")
    return BadInput(
        f"{path.name} is not {encoding} text.",
        found=f"it begins as {mark} does" if mark else f"bytes that do not fit this encoding{_zeros(path)}",
        fix=f'name the encoding it has, such as encoding = "{likely}"',
        say=["encoding"],
    )


def damaged(path: Path) -> BadInput:
    return BadInput(f"{path.name} cannot be read.", found="damaged or not text", fix="write it anew")


def _first_lines(path: Path, encoding: str) -> tuple[str, str]:
    """The first line, and some of what follows."""
    try:
        with open_text(path) as stream:
            plain = encoding.lower() in ("utf-8", "utf8")
            text = io.TextIOWrapper(stream, encoding="utf-8-sig" if plain else encoding, newline="")
            first = text.readline(LONGEST_HEADER)
            after = text.read(LOOKED_AT)
    except ValueError:  # bytes that do not fit it
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


def _records(path: Path, text: str, separator: str, widths: tuple[int, ...]) -> tuple[list[str], list[list[str]]]:
    """The cells of the first line, and those of some rows; a record that is cut or odd ends them."""
    if widths or separator == BLANKS:
        text, separator = arranged(text, widths), UNIT
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    rows: list[list[str]] = []
    try:
        cells = next(reader, [])
    except csv.Error:
        raise damaged(path) from None
    with contextlib.suppress(csv.Error):
        rows.extend(islice(reader, ROWS_LOOKED_AT))
    return cells, rows[:-1] if len(rows) < ROWS_LOOKED_AT and len(text) >= LOOKED_AT else rows


def _lines_before(path: Path, text: str, separator: str, told: bool) -> int:
    """How many lines a title, remarks or ``sep=;`` take before the line of names: fewer cells than all lines below."""
    every = _rows(path, text, separator)
    rows = [row for row in every if row]
    if separator in text and len({len(row) for row in rows}) == 1:
        n_before = lines_before_names(rows)
        return [place for place, row in enumerate(every) if row][n_before] if n_before else 0
    for mark in (separator,) if told else SEPARATORS:
        rows = _rows(path, text, mark)
        sizes = [len(row) for row in rows]
        if len(sizes) < FEWEST_LINES or sizes[-1] < 2 or sizes.count(sizes[-1]) < 0.6 * len(sizes):
            continue
        n_before = next(place for place, size in enumerate(sizes) if size == sizes[-1])
        alone = n_before == 1 and sizes[0] > 1 and not text.startswith("sep=")  # names, of which one is missing
        above_all = set(sizes[n_before:]) <= {sizes[-1], 0} and max(sizes[:n_before], default=0) < sizes[-1]
        names = not looks_like_data(rows[n_before], rows[n_before + 1 :])
        if 0 < n_before <= MOST_BEFORE and above_all and names and not alone:
            if n_before == 1 and sizes[-1] == 2 and not text.startswith("sep="):
                raise BadInput(
                    f"{path.name} does not begin with the names of its columns.",
                    found="one cell above lines of two: a title, or names of which one is missing",
                    fix="take the title out, or name both columns",
                )
            return n_before
    return 0


def _refuse_odd_lines(path: Path, text: str, before: int, encoding: str) -> None:
    """Raise where lines cannot be passed over byte by byte: each must end as lines of plain text do, without quotes."""
    lines = text.split("\n")[:before]
    if "\n".encode(encoding) != b"\n" or any('"' in line or "\r" in line[:-1] for line in lines):
        some = "1 line" if before == 1 else f"{before} lines"
        raise BadInput(
            f"{path.name} does not begin with the names of its columns.",
            found=f"{some} of a title or remarks, in quotes or in {encoding}",
            fix="take out what stands before the names, so that they are the first line",
        )


def _without_lines(text: str, before: int) -> tuple[str, str]:
    """The first line below some, and what follows."""
    first, end, after = text.split("\n", before)[before].partition("\n")
    return first + end, after


def _rows(path: Path, text: str, separator: str) -> list[list[str]]:
    """The cells of the first lines, that of the names too; the last of a text that is cut is left out."""
    return _records(path, "\n" + text, separator, ())[1]


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


def _other_kind(path: Path) -> str | None:
    """What a file is that is no text, by its first bytes."""
    try:
        with open_text(path) as stream:
            first = stream.read(16)
    except DAMAGED:
        return None
    return next((words for begin, words in OTHER_KINDS.items() if first.startswith(begin)), None)


def _zeros(path: Path) -> str:
    """What to add where a file has zero bytes, which no text has but that of UTF-16 and UTF-32."""
    with contextlib.suppress(*DAMAGED), open_text(path) as stream:
        return ", zeros among them" * any(b"\0" in block for block in iter(lambda: stream.read(BLOCK), b""))
    return ""


def _mark(path: Path) -> str | None:
    try:
        with open_text(path) as stream:
            return marked(stream.read(4))
    except DAMAGED:
        return None
