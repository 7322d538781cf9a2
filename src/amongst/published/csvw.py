"""How a published CSV file says it is to be read: the metadata beside it, as W3C's CSV on the Web has them.

What the metadata say is how the text is cut into cells, and in which form numbers and dates are written. Cells and
labels are turned into the usual writing (14.6, 2020-01-31) before anybody looks at them. Two writings of one number or
moment are one value then; where that joins rows that a reader can tell apart, the verdict says so.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from amongst.errors import BadInput
from amongst.published.named_months import LANGUAGES, month

BESIDE = "-metadata.json"
_MOST_BYTES = 16 << 20
_LANGUAGE = re.compile(rf"({'|'.join(LANGUAGES)}): *")
_LETTERS = re.compile(r"(y+|M+|d+|H+|h+|m+|s+|S+|X+|a)|'([^']*)'|(.)", re.DOTALL)
_DIGITS = {"d": "[0-9]{1,2}", "H": "[0-9]{1,2}", "h": "[0-9]{1,2}", "m": "[0-9]{2}", "s": "[0-9]{2}", "S": "[0-9]{1,6}"}
_LAST_CENTURY = 30
_UNIT = re.compile(r"(?:'([^']*)')?#,##0\.##(?:'([^']*)')?")
_VALUE = r"^[+-]?[0-9]{1,15}(?:\.[0-9]{1,14})?$"
_SIGNS = (r"^\x{2212}(.*[0-9])$", r"^\(([0-9][^()\[{+-]*)\)$", r"^([0-9][^()\[{+-]*)-$")
"""How numbers below zero are written, but for a minus in front."""

Usual = Callable[[Any], Any]
"""From an array of distinct texts to the same in the usual writing."""


@dataclass(frozen=True)
class Told:
    """What metadata tell of a file.

    Attributes
    ----------
    separator, encoding : str
    header : bool
    names : list of str
        The columns, in order.
    usual : dict of str to callable
        For columns that are written in a form of their own: cells and labels in the usual writing.
    missing : dict of str to set of str
        What means missing in a column.
    """

    separator: str
    encoding: str
    header: bool
    names: list[str]
    usual: Mapping[str, Usual] = field(default_factory=dict)
    missing: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def translated(self, name: str, column: Any) -> Any:
        """A dictionary-encoded column of cells in the usual writing."""
        usual, missing = self.usual.get(name), self.missing.get(name, frozenset())
        if usual is None and not missing:
            return column
        texts = column.dictionary
        none = pc.is_in(pc.utf8_trim_whitespace(texts), pa.array(sorted(missing), pa.string()))
        texts = pc.if_else(none, pa.scalar(None, pa.string()), texts if usual is None else usual(texts))
        return texts.take(column.indices).dictionary_encode()


def told_beside(path: Path) -> Told | None:
    """What the metadata beside a file tell; None where there are none. Raises where they are damaged."""
    place = path.with_name(path.name + BESIDE)
    if not place.is_file():
        return None
    try:
        if place.stat().st_size > _MOST_BYTES:
            raise ValueError
        return _told(json.loads(place.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, LookupError, RecursionError):
        raise BadInput(
            f"The metadata of {path.name} cannot be read.",
            found=f"{place.name} is damaged, or not as CSV on the Web has it",
            fix="take the folder as amongst wrote it",
        ) from None


def _told(found: Mapping[str, Any]) -> Told:
    dialect, columns = found["dialect"], found["tableSchema"]["columns"]
    separator, encoding = str(dialect["delimiter"]), str(dialect["encoding"])
    if len(separator) != 1 or not separator.isascii():
        raise ValueError
    "".encode(encoding)
    names = [str(column["titles"]) for column in columns]
    usual = {name: _usual(one["datatype"]) for name, one in zip(names, columns, strict=True) if "datatype" in one}
    missing = {
        name: frozenset(text for text in one["null"] if text)
        for name, one in zip(names, columns, strict=True)
        if "null" in one
    }
    return Told(separator, encoding, bool(dialect["header"]), names, usual, missing)


def _usual(datatype: Mapping[str, Any]) -> Usual:
    if datatype["base"] == "number":
        told = datatype["format"]
        unit = _UNIT.fullmatch(str(told.get("pattern", "")))
        before, after = (unit[1] or "", unit[2] or "") if unit else ("", "")
        return number_reader(str(told["decimalChar"]), str(told.get("groupChar", "")), before, after)
    return date_reader(str(datatype["format"]))


def number_reader(decimal: str, group: str, before: str = "", after: str = "") -> Usual:
    """Turns the numbers of cells and labels into the usual writing, cells with what stands before or after all.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.published.csvw import number_reader
    >>> number_reader(",", ".")(pa.array(["[9.747,33-12.000]", "14,60", "none"])).to_pylist()
    ['[9747.33-12000]', '14.6', 'none']
    >>> number_reader(",", ".", "", "€")(pa.array(["1.200,50 €", "3-€", "(7 €)"])).to_pylist()
    ['1200.5', '-3', '-7']
    """
    if len(decimal) != 1 or len(group) > 1 or decimal == group or decimal.isalnum() or group.isalnum():
        raise ValueError
    gap, number = r"[\s\x{a0}\x{202f}]?", r"([+-]?[0-9][^\[{]*?)"
    unit = rf"^(\(?[+\x{{2212}}-]?){re.escape(before)}{gap}{number}{gap}{re.escape(after)}([-)]?)$"
    between = rf"([0-9]){re.escape(group)}((?:[0-9]{{3}})+(?:[^0-9]|$))"

    def usual(texts: Any) -> Any:
        if before or after:
            texts = pc.replace_substring_regex(texts, unit, r"\1\2\3")
        for sign in _SIGNS:
            texts = pc.replace_substring_regex(texts, sign, r"-\1")
        while group and pc.any(pc.match_substring_regex(texts, between)).as_py():  # the last thousands first
            texts = pc.replace_substring_regex(texts, between, r"\1\2")
        texts = pc.replace_substring_regex(texts, rf"([0-9]){re.escape(decimal)}([0-9])", r"\1.\2")
        value = pc.match_substring_regex(pc.utf8_trim_whitespace(texts), _VALUE)  # 14,60 is 14,6
        plain = pc.if_else(value, pc.utf8_ltrim(pc.utf8_trim_whitespace(texts), "+"), None)
        return pc.coalesce(plain.cast(pa.float64()).cast(pa.string()), texts)

    return usual


def date_reader(form: str) -> Usual:
    """Turns the dates of a cell or label into the usual writing.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.published.csvw import date_reader
    >>> date_reader("dd.MM.yyyy")(pa.array(["[01.01.2020 - 31.03.2020]"])).to_pylist()
    ['[2020-01-01 - 2020-03-31]']
    """
    told = _LANGUAGE.match(form)
    language = told[1] if told else "en"
    letters = _LETTERS.findall(form[told.end() :] if told else form)
    pattern = re.compile(r"(?<![0-9])" + "".join(map(_piece, letters)) + r"(?![0-9])")

    def turned(found: re.Match[str]) -> str:
        part = found.groupdict()
        year = part.get("yyyy") or ("19" if int(part["yy"]) >= _LAST_CENTURY else "20") + part["yy"]
        of_year = month(part["MMM"], language) if "MMM" in part else part["M"].zfill(2)
        day = f"{year}-{of_year}-{part.get('d', '01').zfill(2)}"
        try:
            if "m" not in part:
                return datetime.date.fromisoformat(day).isoformat()
            clock = f"{_hour(part)}:{part['m']}:{part.get('s') or '00'}"
            clock += f".{part['S'].ljust(6, '0')}" if part.get("S") else ""
            zone = part.get("X") or ""
            moment = datetime.datetime.fromisoformat(f"{day}T{clock}{'+00:00' if zone == 'Z' else zone}")
        except ValueError:
            return found[0]
        if moment.tzinfo is None:
            return moment.isoformat(" ")
        return moment.astimezone(datetime.UTC).replace(tzinfo=None).isoformat(" ") + "Z"

    return lambda texts: pa.array([pattern.sub(turned, text) for text in texts.to_pylist()], pa.string())


def _hour(part: Mapping[str, str | None]) -> str:
    """The hour of the day, told by itself or as one of its half."""
    if (hour := part.get("H")) is not None:
        return hour.zfill(2)
    of_half = int(part["h"] or 0)
    if not 1 <= of_half <= 12:
        raise ValueError
    return f"{of_half % 12 + (12 if part['a'] in ('p', 'P') else 0):02d}"


def _piece(found: tuple[str, str, str]) -> str:
    letters, quoted, other = found
    if not letters:
        return re.escape(quoted or other)
    if letters in ("yyyy", "yy"):
        return rf"(?P<{letters}>[0-9]{{{len(letters)}}})"
    if letters in ("MMM", "MMMM"):
        return r"(?P<MMM>[^\W\d_]{3,})\.?"
    if letters[0] == "X":
        return r"(?P<X>Z|[+-][0-9]{2}:?(?:[0-9]{2})?)"
    if letters == "a":
        return r"(?P<a>[AaPp])\.?[Mm]\.?"
    if letters[0] == "M":
        return r"(?P<M>[0-9]{1,2})"
    return rf"(?P<{letters[0]}>{_DIGITS[letters[0]]})"
