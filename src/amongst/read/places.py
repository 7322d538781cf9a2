"""Files without a separator: blanks between cells, as many as it takes, or columns at the same places of every line."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np

UNIT = "\x1f"
"""What is put between the cells of such files: the unit separator, which no text of people has."""
_WIDTHS = re.compile(r"[1-9][0-9]{0,3}(?:,[1-9][0-9]{0,3})+")
_CELL = re.compile(r'(?:"(?:[^"]|"")*"|[^ \t])+')
_GAP = re.compile(r"[ \t]+")
_ENDS = re.compile(r"^[ \t]+|[ \t]+(?=\r?$)", re.MULTILINE)
_QUOTED_OR_GAP = re.compile(r'("(?:[^"]|"")*")|[ \t]+')
_AROUND = re.compile(rf" *{UNIT} *")


def widths_of(separator: str | None) -> tuple[int, ...]:
    """The widths of all columns, where they are said in the place of a separator: "5,10,3"."""
    if separator is None or not _WIDTHS.fullmatch(separator):
        return ()
    return tuple(map(int, separator.split(",")))


def split_blanks(line: str) -> list[str]:
    """The cells of a line that blanks part, those in quotes as one."""
    return _CELL.findall(line)


def find_widths(text: str) -> tuple[int, ...]:
    """The widths of columns, by the places where all lines have a blank; a name alone may reach into them.

    Examples
    --------
    >>> from amongst.read.places import find_widths
    >>> find_widths("id  name  age\\n1   Ann    31\\n22  Bo Li   4\\n")
    (4, 6, 3)
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2:
        return ()
    size = max(map(len, lines))
    blank = [all(len(line) <= place or line[place] in " \t" for line in lines) for place in range(size)]
    starts = [place for place in range(size) if not blank[place] and (place == 0 or blank[place - 1])]
    if not starts:
        return ()
    starts[0] = 0
    return tuple(after - before for before, after in pairwise([*starts, size]))


def arranged(text: str, widths: tuple[int, ...] = ()) -> str:
    """The same text with UNIT between its cells, and no blanks around them."""
    if widths:
        cut = "".join(f"(.{{0,{width}}})" for width in widths[:-1]) + "(.*)"
        parted = re.sub(
            rf"^(?=[^\r\n]){cut}$", UNIT.join(rf"\{i}" for i in range(1, len(widths) + 1)), text, flags=re.MULTILINE
        )
        return _ENDS.sub("", _AROUND.sub(UNIT, parted))
    inner = _ENDS.sub("", text)
    if '"' in inner:
        return _QUOTED_OR_GAP.sub(lambda found: found[1] or UNIT, inner)
    return _GAP.sub(UNIT, inner)


def n_cut(text: str, widths: tuple[int, ...]) -> int:
    """How many lines have a sign, not a blank, before the place where a column begins."""
    signs = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    ends = np.append(np.flatnonzero(signs == ord("\n")), len(signs))
    starts = np.append(0, ends[:-1] + 1)
    cut = np.zeros(len(ends), dtype=bool)
    for place in np.cumsum(widths[:-1]):
        at = starts + place - 1
        there = at < ends
        cut[there] |= ~np.isin(signs[at[there]], [ord(" "), ord("\t"), ord("\r")])
    return int(cut.sum())
