"""The grammar of published labels: what one cell of a release says about the value behind it.

A label is read in the light of its column, because the same text can mean different things:

===========================  =========================================================================
text                         meaning
===========================  =========================================================================
``*``, ``***``               anything at all
``25``, ``Male``             the value itself; in a numeric or date column also its place on the line
``[25-26]``, ``[-5--2]``     both ends included; ``[0.5-1.25]`` and ``[1e-05-2e-05]`` likewise
``[20, 30[``, ``[20,30)``    an end turned outwards or round is left out
``20-24``                    a range in a numeric column; anywhere else a value that has a dash
``>=65``, ``<18``            a range with one end, where a number or date follows
``[2020-01-01 - 2020-03-31]``  a range of dates; in a date column the brackets may be missing
``5371*``, ``537**``         a mask: what is before (or after) the stars is known
``{a,b}``                    one of these; a member in double quotes may hold ``, { } " \\``, the last
                             two after a backslash. Blanks belong to the member. ``{}`` is a value.
===========================  =========================================================================

Where two readings are possible: stars come first, then a node of the column's tree, then the column's
kind, then masks and sets, and what is left is a value. A categorical column has no ranges, so
``[25-26]`` is a value there. In an ordered column ``[a-b]`` is a range when both ends are in its order;
when a dash inside a name allows several, the one with the shortest first end is taken. A range whose
ends are the wrong way round stays a range, and says so in ``Label.empty``.

Reading never fails: text that fits nothing is a value. No pattern here lets two repeats share the
same characters, so the time is linear in the length of the text.
"""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

_NUMBER = r"[+-]?(?:inf|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
_TIME = r"[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
_DATE = rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:{_TIME})?"
_ENDS = {"numeric": _NUMBER, "date": _DATE}
_BRACKETS = {kind: re.compile(rf"([\[\](])({end}) ?[-,] ?({end})([\[\])])", re.ASCII) for kind, end in _ENDS.items()}
_DASHED = {kind: re.compile(rf"({end}) ?- ?({end})", re.ASCII) for kind, end in _ENDS.items()}
_ONE_END = {kind: re.compile(rf"(<=|>=|<|>|≤|≥) ?({end})", re.ASCII) for kind, end in _ENDS.items()}
_WHOLE = {kind: re.compile(end, re.ASCII) for kind, end in _ENDS.items()}
_MEMBER = re.compile(r'"((?:[^"\\]|\\.)*)"|([^,{}"\\]*)', re.DOTALL)
_DASH = re.compile("-")
_QUOTED_ENDS = re.compile(r'(?:"((?:[^"\\]|\\.)*)"|([^"-]*))-(?:"((?:[^"\\]|\\.)*)"|([^"-]*))', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)

_BEYOND_MICROSECONDS = re.compile(r":[0-9]{2}\.[0-9]{6}([0-9]{1,3})")
_DAY_ZERO = datetime.datetime(1970, 1, 1)
_LONGEST_NUMBER = 300  # longer texts of digits are no number that a float can hold
_MOST_DASHES = 64  # in a range of ordered values: keeps the time linear


@dataclass(frozen=True, slots=True)
class Label:
    """What a published text says.

    Attributes
    ----------
    kind : {"value", "range", "mask", "set", "node", "all", "null"}
    lo, hi : int, float, Fraction or None
        The ends of a range, or twice the value: as numbers, as days since 1970 for dates, as places in
        the order for ordered values. None where there is no such place.
    lo_closed, hi_closed : bool
        Whether the ends themselves belong to it.
    members : tuple of str
        The members of a set; the known part of a mask.
    """

    kind: str
    lo: int | float | Fraction | None = None
    hi: int | float | Fraction | None = None
    lo_closed: bool = True
    hi_closed: bool = True
    members: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """A range that no number lies in: its ends are the wrong way round, or equal and left out."""
        if self.lo is None or self.hi is None:
            return False
        return bool(self.lo > self.hi or (self.lo == self.hi and not (self.lo_closed and self.hi_closed)))


def parse(
    text: str | None,
    kind: str | None = None,
    *,
    nodes: Container[str] | None = None,
    order: Mapping[str, int] | None = None,
    exact: bool = False,
) -> Label:
    """Read one label.

    Parameters
    ----------
    text : str or None
        The published text; None for a missing cell.
    kind : {"numeric", "ordered", "categorical", "date"}, optional
        The kind of its column. Left out, numbers and dates are tried, but ``20-24`` stays a value.
    nodes : container of str, optional
        The names of the nodes of the column's tree.
    order : mapping of str to int, optional
        The place of every value of an ordered column.
    exact : bool
        Places that no float holds are fractions, so that numbers of any length and times of any unit stay apart.

    Examples
    --------
    >>> from amongst.published.labels import parse
    >>> parse("[-5--2]", "numeric")
    Label(kind='range', lo=-5, hi=-2, lo_closed=True, hi_closed=True, members=())
    >>> parse("20-24", "numeric").kind, parse("20-24", "categorical").kind
    ('range', 'value')
    >>> parse('{a,"b,c"}').members
    ('a', 'b,c')
    """
    if text is None:
        return Label("null")
    if text and not text.strip("*"):
        return Label("all")
    if nodes is not None and text in nodes:
        return Label("node")
    return _on_the_line(text, kind, exact) or _in_order(text, order) or _mask(text) or _set(text) or Label("value")


def _on_the_line(text: str, kind: str | None, exact: bool) -> Label | None:
    """The text as numbers or dates, where the column's kind allows them."""
    for end in ("numeric", "date"):
        if kind in (end, None):
            label = _value(text, end, exact) or _range(text, end, kind == end, exact)
            if label is not None:
                return label
    return None


def _value(text: str, end: str, exact: bool) -> Label | None:
    if not _WHOLE[end].fullmatch(text):
        return None
    place = _place(text, end, exact)
    return None if place is None or math.isinf(place) else Label("value", place, place)


def _range(text: str, end: str, dashed: bool, exact: bool) -> Label | None:
    if found := _BRACKETS[end].fullmatch(text):
        left, first, last, right = found.groups()
        return _between(_place(first, end, exact), _place(last, end, exact), left == "[", right == "]")
    if dashed and (found := _DASHED[end].fullmatch(text)):
        return _between(_place(found[1], end, exact), _place(found[2], end, exact), True, True)
    if found := _ONE_END[end].fullmatch(text):
        sign, place = found[1], _place(found[2], end, exact)
        closed = sign in ("<=", ">=", "≤", "≥")
        if sign in ("<", "<=", "≤"):
            return _between(-math.inf, place, False, closed)
        return _between(place, math.inf, closed, False)
    return None


def _between(lo: Any, hi: Any, lo_closed: bool, hi_closed: bool) -> Label | None:
    return None if lo is None or hi is None else Label("range", lo, hi, lo_closed, hi_closed)


def _place(text: str, end: str, exact: bool) -> Any:
    """Where a number or date lies on the line, exact for whole numbers; None when it is nowhere."""
    if end == "date":
        return _days(text, exact)
    if len(text) > _LONGEST_NUMBER:
        return None
    if text.lstrip("+-").isdigit():
        return int(text)
    if exact and "inf" not in text:
        return Fraction(text) if abs(int(text.lower().partition("e")[2] or 0)) <= _LONGEST_NUMBER else None
    place = float(text)
    return None if math.isinf(place) and "inf" not in text else place


def _days(text: str, exact: bool) -> Any:
    try:
        moment = datetime.datetime.fromisoformat(text)
        if moment.tzinfo is not None:  # the first and the last day may lie beyond the calendar elsewhere
            moment = moment.replace(tzinfo=None) - (moment.utcoffset() or datetime.timedelta())
    except (ValueError, OverflowError):
        return None
    if exact:  # Python's moments end at microseconds
        beyond = _BEYOND_MICROSECONDS.search(text)
        nanoseconds = int(beyond[1].ljust(3, "0")) if beyond else 0
        whole = (moment - _DAY_ZERO) // datetime.timedelta(microseconds=1) * 1000 + nanoseconds
        return Fraction(whole, 86_400 * 10**9)
    days = (moment - _DAY_ZERO) / datetime.timedelta(days=1)
    return int(days) if days == int(days) else days


def _in_order(text: str, order: Mapping[str, int] | None) -> Label | None:
    """``[a-b]`` with both ends among the known values."""
    if not order:
        return None
    if text in order:
        return Label("value", order[text], order[text])
    if not (text.startswith("[") and text.endswith("]")):
        return None
    inner = text[1:-1]
    if (found := _QUOTED_ENDS.fullmatch(inner)) and (found[1] is not None or found[3] is not None):
        ends = (found[at + 1] if found[at] is None else _ESCAPED.sub(r"\1", found[at]) for at in (1, 3))
        first, last = ends
        if first in order and last in order:
            return Label("range", order[first], order[last])
    readings = []  # without quotes: as earlier versions and others write it, where it can be read in one way only
    for dash in islice(_DASH.finditer(inner), _MOST_DASHES):
        first, last = inner[: dash.start()], inner[dash.end() :]
        if first in order and last in order:
            readings.append(Label("range", order[first], order[last]))
    return readings[0] if len(readings) == 1 else None


def _mask(text: str) -> Label | None:
    known = text.strip("*")
    one_side = text.startswith(known) or text.endswith(known)
    return Label("mask", members=(known,)) if known != text and "*" not in known and one_side else None


def _set(text: str) -> Label | None:
    if len(text) < 3 or text[0] != "{" or text[-1] != "}":
        return None
    members, at, end = [], 1, len(text) - 1
    while True:
        found = _MEMBER.match(text, at, end)
        if found is None:
            return None
        members.append(found[2] if found[1] is None else _ESCAPED.sub(r"\1", found[1]))
        at = found.end()
        if at == end:
            return Label("set", members=tuple(members))
        if text[at] != ",":
            return None
        at += 1
