"""How people write numbers, dates and times: a form says it by example, ``1.234,56``, also with the unit that all cells
have (``1.234,56 €``), or by letters, ``dd.MM.yyyy``.

The letters are those of Unicode's date patterns (UTS 35), which CSV on the Web, Java and most others use: ``yyyy``,
``yy`` (30 to 99 are of the last century, as spreadsheets take it), ``MM``, ``MMM`` (Jan), ``dd``, ``HH``, ``hh`` with
``a`` (AM or PM), ``mm``, ``ss``, ``SSS`` and ``XXX`` (Z or +02:00). Without a day (``yyyy-MM``) it is the first of the
month. One letter instead of two (``d.M.yyyy``) is written without a zero in front; both read either. Names of months
are English, or of the language before the form: ``de: dd. MMM yyyy``, ``es: d 'de' MMM 'de' yyyy``. Times of day are
``HH:mm``, ``HH:mm:ss``, ``h:mm a``; they become text such as 08:30, which sorts as times do. ``text`` leaves cells as
they are, ``trimmed`` takes the blanks around them away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.month_names import MONTHS, month_of_word

if TYPE_CHECKING:
    import pyarrow as pa

GROUPS = (".", ",", " ", "'", "\u00a0", "\u202f", "’")
"""What people write between thousands."""
TIMES = ("HH:mm", "H:mm", "HH:mm:ss", "H:mm:ss", "h:mm a", "h:mm:ss a")
PIVOT = 30
"""Years of two digits from here on are of the last century."""
EXACT_DIGITS = 15
"""Digits that a float holds whatever they are."""
GAP = "[ \u00a0\u202f]?"
"""What may stand between a number and its unit."""
_SIGN = r"[^\s\d.,'’+<>()\[\]{}\-]"
_EXAMPLE = re.compile(
    rf"(?:(?P<before>{_SIGN}{{1,4}}){GAP})?1(?P<group>[{''.join(GROUPS)}]?)234(?:(?P<decimal>[.,])5[0-9]*)?"
    rf"(?:{GAP}(?P<after>{_SIGN}[^\s\d]{{0,11}}))?"
)
_LANGUAGE = re.compile(rf"({'|'.join(MONTHS)}): *")
_TOKEN = re.compile(r"yyyy|yy|MMMM|MMM|MM|M|dd|d|HH|H|hh|h|mm|ss|S{1,9}|XXX|X|a|'[^']*'|.", re.DOTALL)
_PATTERN_OF = {
    "yyyy": r"(?P<year>[0-9]{4})",
    "yy": r"(?P<short>[0-9]{2})",
    "MMM": r"(?P<name>\pL{3,})\.?",
    "MMMM": r"(?P<name>\pL{3,})\.?",
    "M": r"(?P<month>[0-9]{1,2})",
    "d": r"(?P<day>[0-9]{1,2})",
    "H": r"(?P<hour>[0-9]{1,2})",
    "h": r"(?P<hour>[0-9]{1,2})",
    "a": r"(?P<half>[AaPp])\.?[Mm]\.?",
    "m": r"(?P<minute>[0-9]{2})",
    "s": r"(?P<second>[0-9]{2})",
    "S": r"(?P<fraction>[0-9]{1,6})",
    "X": r"(?P<zone>Z|[+-][0-9]{2}:?(?:[0-9]{2})?)",
}


@dataclass(frozen=True)
class NumberForm:
    """Numbers with a mark between thousands, or none, and one before decimals; all with the same unit, or none.

    What is below zero may have its sign behind (``5-``), that of typesetters, or brackets instead of one.
    """

    text: str
    group: str
    decimal: str
    before: str = ""
    after: str = ""

    @property
    def pattern(self) -> str:
        """What a cell without blanks around it and without its unit looks like, for RE2."""
        whole = r"(?:0|[1-9][0-9]*)"
        if self.group:
            whole = rf"(?:[1-9][0-9]{{0,2}}(?:{re.escape(self.group)}[0-9]{{3}})+|{whole})"
        power = r"(?:[eE][+-]?[0-9]{1,3})?" if not self.group else ""
        return rf"^[+-]?{whole}(?:{re.escape(self.decimal)}[0-9]+)?{power}$"

    @property
    def words(self) -> str:
        mark = {",": "a decimal comma", ".": "a decimal point"}[self.decimal]
        between = {"": "", ".": "points", ",": "commas", "'": "apostrophes", "’": "apostrophes"}.get(
            self.group, "blanks"
        )
        unit = self.before or self.after
        told = f"numbers with {mark}" + (f" and {between} between thousands" if between else "")
        return f"{told}, all with {unit}" if unit else told

    def read(self, cells: pa.Array) -> Any:
        """The numbers, whole where all are; null for cells that are none."""
        import pyarrow as pa
        import pyarrow.compute as pc

        plain = without_unit(signs_in_front(cells), self.before, self.after)
        plain = pc.if_else(pc.match_substring_regex(plain, self.pattern), plain, pa.scalar(None, plain.type))
        if self.group:
            plain = pc.replace_substring(plain, self.group, "")
        plain = pc.replace_substring_regex(pc.replace_substring(plain, self.decimal, "."), r"^\+", "")
        whole = pc.all(pc.match_substring_regex(plain, r"^-?[0-9]{1,18}$"), min_count=0).as_py()
        if whole:
            return plain.cast(pa.int64())
        numbers = pc.add(plain.cast(pa.float64()), 0.0)  # -0 is 0
        return pc.if_else(pc.is_finite(numbers), numbers, pa.scalar(None, pa.float64()))


def signs_in_front(cells: pa.Array) -> Any:
    """Cells in which a sign behind a number, brackets around it or the minus of typesetters are a sign in front."""
    import pyarrow.compute as pc

    if not pc.any(pc.match_substring_regex(cells, r"[0-9].*[-)]$|\x{2212}")).as_py():
        return cells
    cells = pc.replace_substring(cells, "\u2212", "-")
    cells = pc.replace_substring_regex(cells, r"^\(([^()+-]*[0-9][^()+-]*)\)$", r"-\1")
    return pc.replace_substring_regex(cells, r"^([^()+-]*[0-9][^()+-]*)-$", r"-\1")


def without_unit(cells: pa.Array, before: str, after: str) -> Any:
    """Cells without their unit; those that have another one, or none, are null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not before and not after:
        return cells
    pattern = rf"^([+-]?){re.escape(before)}{GAP}([+-]?[0-9].*?){GAP}{re.escape(after)}$"
    fits = pc.match_substring_regex(cells, pattern)
    return pc.if_else(fits, pc.replace_substring_regex(cells, pattern, r"\1\2"), pa.scalar(None, cells.type))


@dataclass(frozen=True)
class DateForm:
    """Dates, or dates with a time of day, with a zone or without."""

    text: str

    @property
    def language(self) -> str:
        """Of the names of months."""
        found = _LANGUAGE.match(self.text)
        return found[1] if found else "en"

    @property
    def tokens(self) -> list[str]:
        return _TOKEN.findall(_LANGUAGE.sub("", self.text, count=1))

    @property
    def pattern(self) -> str:
        tokens = ["", *self.tokens, ""]
        beside = zip(tokens, tokens[1:], tokens[2:], strict=False)
        return "^" + "".join(_pattern(token, joined=_is_digits(a) or _is_digits(b)) for a, token, b in beside) + "$"

    @property
    def has_time(self) -> bool:
        return "mm" in self.tokens

    @property
    def words(self) -> str:
        return f"{'dates and times' if self.has_time else 'dates'} as {self.text}"

    def read(self, cells: pa.Array) -> Any:
        """The dates; null for cells that are none, such as a 31st of February. With a zone they are of UTC."""
        import pyarrow as pa
        import pyarrow.compute as pc

        parts = pc.extract_regex(cells, self.pattern)
        part = {field.name: pc.struct_field(parts, field.name) for field in parts.type}
        of_month = pc.utf8_lpad(part["day"], 2, "0") if "day" in part else "01"
        day = pc.binary_join_element_wise(_year(part), _month(part, self.language), of_month, "-")
        unit = "us" if "fraction" in part else "s"
        moment = pc.strptime(day, "%Y-%m-%d", "s", error_is_null=True)
        moment = pc.if_else(
            pc.equal(moment.cast(pa.date32()).cast(pa.string()), day), moment, pa.scalar(None, moment.type)
        )
        if not self.has_time:
            return moment.cast(pa.date32())
        clock, right = _seconds(part)
        number = pc.add(moment.cast(pa.int64()), pc.if_else(right, clock, pa.scalar(None, pa.int64())))
        if "fraction" in part:
            number = pc.add(pc.multiply(number, 1_000_000), pc.utf8_rpad(part["fraction"], 6, "0").cast(pa.int64()))
        return number.cast(pa.timestamp(unit, "UTC" if "zone" in part else None))


@dataclass(frozen=True)
class TimeForm:
    """Times of day, as texts that sort as they do."""

    text: str

    @property
    def pattern(self) -> str:
        seconds = ":(?P<second>[0-9]{2})" if "ss" in self.text else ""
        half = r" ?(?P<half>[AaPp])\.?[Mm]\.?" if self.text.endswith("a") else ""
        return rf"^(?P<hour>[0-9]{{1,2}}):(?P<minute>[0-9]{{2}}){seconds}{half}$"

    @property
    def words(self) -> str:
        return f"times of day as {self.text}"

    def read(self, cells: pa.Array) -> Any:
        """The times as HH:mm or HH:mm:ss; null for cells that are none."""
        import pyarrow as pa
        import pyarrow.compute as pc

        parts = pc.extract_regex(cells, self.pattern)
        part = {field.name: pc.struct_field(parts, field.name) for field in parts.type}
        hour, right = _hours(part)
        pieces = [pc.utf8_lpad(hour.cast(pa.string()), 2, "0")]
        for name in ("minute", "second"):
            if name in part:
                right = pc.and_(right, pc.less(part[name].cast(pa.int64()), 60))
                pieces.append(part[name])
        return pc.if_else(right, pc.binary_join_element_wise(*pieces, ":"), pa.scalar(None, pa.string()))


@dataclass(frozen=True)
class TextForm:
    """Text, as it is or without the blanks around it."""

    text: str
    pattern = ""
    words = "text"

    def read(self, cells: pa.Array) -> Any:
        return cells


Form = NumberForm | DateForm | TimeForm | TextForm


@lru_cache(maxsize=256)
def form_of(text: str) -> Form:
    """A form as people say it.

    Examples
    --------
    >>> from amongst.read.forms import form_of
    >>> form_of("1.234,56").words
    'numbers with a decimal comma and points between thousands'
    >>> form_of("dd.MM.yyyy").words
    'dates as dd.MM.yyyy'
    """
    if text in ("text", "trimmed"):
        return TextForm(text)
    if text in TIMES:
        return TimeForm(text)
    if found := _EXAMPLE.fullmatch(text):
        group, decimal = found["group"] or "", found["decimal"]
        decimal = decimal or ("." if group == "," else "," if group == "." else ".")
        if group != decimal:
            return NumberForm(text, group, decimal, found["before"] or "", found["after"] or "")
    form = DateForm(text if "H" in text or "MM" in text or ":" in text else text.replace("m", "M"))
    kinds = [token[0] if token[0] in "yMdHhmsSXa" else "" for token in form.tokens]
    known = [kind for kind in kinds if kind]
    dated = {"y", "M", "d"} <= set(known) or set(known) == {"y", "M"}
    if dated and len(known) == len(set(known)) and _times_follow(known):
        return form
    raise BadOption(
        "This is no form of numbers or dates.",
        found="a form that has neither 1234 in it, nor a year and a month",
        fix='write numbers by example, "1.234,56", "1234,56", "1,234.56", and dates with letters, "dd.MM.yyyy", '
        '"MM/dd/yyyy", "yyyyMMdd", "dd-MMM-yyyy", '
        '"de: dd. MMM yyyy", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd\'T\'HH:mm:ssXXX", and times of day "HH:mm"; '
        'or "text", "trimmed"',
    )


def _times_follow(kinds: list[str]) -> bool:
    hours = [kind for kind in kinds if kind in "Hh"]
    if len(hours) > 1 or ("h" in hours) != ("a" in kinds):
        return False
    needed = {"m": hours[0] if hours else "H", "s": "m", "S": "s"}
    return all(needed.get(kind, kind) in kinds for kind in kinds) and (not hours or "m" in kinds)


def _is_digits(token: str) -> bool:
    return token[:1] in tuple("yMdHhms") and not token.startswith("MMM")


def _pattern(token: str, *, joined: bool) -> str:
    """What a token reads; joined to another, two letters are two digits: 04109 is not 2004-10-9."""
    if token.startswith("'") and len(token) > 1:
        return re.escape(token[1:-1])
    found = _PATTERN_OF.get(token) or (_PATTERN_OF.get(token[0]) if token[0] in "MdHhmsSXa" else None)
    if found is None:
        return re.escape(token)
    return found.replace("{1,2}", "{2}") if joined and len(token) == 2 else found


def _year(part: dict[str, Any]) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if "year" in part:
        return part["year"]
    late = pc.greater_equal(part["short"].cast(pa.int64()), PIVOT)
    return pc.binary_join_element_wise(pc.if_else(late, "19", "20"), part["short"], "")


def _month(part: dict[str, Any], language: str) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    if "month" in part:
        return pc.utf8_lpad(part["month"], 2, "0")
    months = month_of_word(language)
    place = pc.index_in(pc.utf8_lower(part["name"]), pa.array(list(months)))
    return pc.utf8_lpad(pa.array(list(months.values())).take(place).cast(pa.string()), 2, "0")


def _hours(part: dict[str, Any]) -> tuple[Any, Any]:
    """Hours of the day, of halves of a day too, and whether there is such an hour."""
    import pyarrow as pa
    import pyarrow.compute as pc

    hour = part["hour"].cast(pa.int64())
    if "half" not in part:
        return hour, pc.less(hour, 24)
    late = pc.equal(pc.utf8_lower(part["half"]), "p")
    right = pc.and_(pc.greater(hour, 0), pc.less_equal(hour, 12))
    return pc.add(pc.if_else(pc.equal(hour, 12), 0, hour), pc.if_else(late, 12, 0)), right


def _seconds(part: dict[str, Any]) -> tuple[Any, Any]:
    """Seconds since midnight of UTC, and whether there is such a time."""
    import pyarrow as pa
    import pyarrow.compute as pc

    (hour, right), minute = _hours(part), part["minute"].cast(pa.int64())
    second = part["second"].cast(pa.int64()) if "second" in part else pc.multiply(minute, 0)
    right = pc.and_(right, pc.and_(pc.less(minute, 60), pc.less(second, 60)))
    clock = pc.add(pc.add(pc.multiply(hour, 3600), pc.multiply(minute, 60)), second)
    if "zone" in part:
        digits = pc.utf8_rpad(pc.replace_substring_regex(part["zone"], "[Z:+-]", ""), 4, "0")
        ahead = pc.add(
            pc.multiply(pc.utf8_slice_codeunits(digits, 0, 2).cast(pa.int64()), 3600),
            pc.multiply(pc.utf8_slice_codeunits(digits, 2, 4).cast(pa.int64()), 60),
        )
        ahead = pc.if_else(pc.starts_with(part["zone"], "-"), pc.negate(ahead), ahead)
        clock = pc.subtract(clock, ahead)
    return clock, right
