"""What the cells of text columns are, by all of them: which form fits how many, what the others say, what is not clear.

Nothing is decided from a few rows: every form is tried on all distinct cells, and counted in cells. A form is taken
where every cell fits it or is known to mean missing, and no other form fits as well. Where two do (is 01/02/2003 in
January or in February, is 1.234 above a thousand?) the other columns of the file may tell, as they would a person; else
nothing is taken, and both are named.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from amongst.month_names import MONTHS
from amongst.read.forms import PIVOT, TIMES, DateForm, NumberForm, TimeForm, form_of, signs_in_front, without_unit
from amongst.read.reads import Reads
from amongst.read.usual_texts import LIMIT, MISSING, SIGNED, WITH_UNIT

NUMBERS = (
    *("1234.56", "1234,56", "1.234,56", "1,234.56", "1 234,56", "1\u00a0234,56", "1\u202f234,56"),
    *("1'234.56", "1’234.56"),
)
DATES = (
    *("yyyy-MM-dd", "yyyy/MM/dd", "yyyy.MM.dd", "yyyyMMdd", "dd.MM.yyyy", "dd/MM/yyyy", "dd-MM-yyyy", "MM/dd/yyyy"),
    *("MM-dd-yyyy", "dd.MM.yy", "dd/MM/yy", "MM/dd/yy", "dd-MM-yy", "yyMMdd", "yyyyMMddHHmmss", "yyyyMMddHHmm"),
    *("yyyy-MM", "yyyy/MM", "MM.yyyy", "MM/yyyy"),
)
NAMED = (
    "dd-MMM-yyyy",
    "dd MMM yyyy",
    "dd. MMM yyyy",
    "dd/MMM/yyyy",
    "MMM dd, yyyy",
    "dd-MMM-yy",
    "dd 'de' MMM 'de' yyyy",
    "MMM yyyy",
)
"""Dates with names of months, tried in every language."""
FEWEST_ROWS = 3
"""Of fewer rows none is odd."""
LOOKED_AT_FIRST = 200
"""Distinct cells on which forms are tried first."""
AT = {
    "first": "it stands in the first row: is that a second line of names? It would count as a person",
    "last": "it stands in the last row: is that a total? It would count as a person",
}
MOST = 0.5
"""The share of cells that a form must fit to be worth a word."""
_CLOCK = re.compile(
    r"([T ])([0-9]{1,2})([:.])([0-9]{2})(\3[0-9]{2})?(\.[0-9]{1,6})?"
    r"(?:( ?)[AaPp]\.?[Mm]\.?|(Z|[+-][0-9]{2}:?[0-9]{2}))?$"
)
_BARE = ("yyyyMMdd", "yyMMdd", "yyyyMMddHHmmss", "yyyyMMddHHmm")
"""Forms that are whole numbers too."""
USUAL_FORMS = (
    "1234.56",
    "HH:mm",
    "HH:mm:ss",
    "yyyy-MM-dd",
    "yyyy-MM-dd HH:mm:ss",
    "yyyy-MM-dd HH:mm",
    "yyyy-MM-dd'T'HH:mm:ss",
)
"""Forms that are read without being told."""
MANY = 5
"""So many different whole numbers that are all dates are no chance."""


@dataclass(frozen=True)
class Found:
    """What the cells of one column show.

    Attributes
    ----------
    form : str, or None
        The form that is taken; None where the column stays as it is.
    n_cells : int
        How many cells are not empty.
    n_fit : int
        How many of them fit the form, or the first of ``either``.
    missing : mapping of str to int
        What the others say that is known to mean missing, and how often: words, and limits such as ``<5``.
    n_others : int
        How many say something else.
    either : tuple of str
        The forms between which the cells do not decide.
    n_blanks : int
        How many have blanks around them.
    because : str
        What else decided.
    decimal : str
        The mark before decimals, where its cells show which it is.
    at : {"", "first", "last"}
        Where the one cell that says something else stands, if it is in the first or the last row.
    n_signs : int
        How many numbers below zero have another sign than a minus in front.
    """

    form: str | None
    n_cells: int
    n_fit: int
    missing: Mapping[str, int] = field(default_factory=dict)
    n_others: int = 0
    either: tuple[str, ...] = ()
    n_blanks: int = 0
    because: str = ""
    decimal: str = ""
    at: str = ""
    n_signs: int = 0

    @property
    def reads(self) -> Reads | None:
        """How the column is read by it, where it is."""
        return None if self.form is None else Reads(self.form, tuple(self.missing))

    @property
    def words(self) -> str:
        """In plain words; of cells nothing but words that are known to mean missing."""
        told = [self._fit(), *self._missing()]
        told += [f"{self.n_others:,} {'is' if self.n_others == 1 else 'are'} something else"] if self.n_others else []
        told += [AT[self.at]] if self.at else []
        told += [f"{self.n_signs:,} below zero with brackets or another sign"] if self.n_signs else []
        told += [f"{self.n_blanks:,} with blanks around them"] if self.n_blanks else []
        if self.because:
            told.append(self.because)
        if self.form and "yy" in self.form and "yyyy" not in self.form:
            told.append(f"years from {PIVOT} to 99 are of the last century, others of this one")
        if len(self.either) > 1:
            told.append(f"not clear: {' or '.join(self.either)}, so it stays as it is until you say which")
        elif self.form is None:
            told.append("it stays text until the others are told as missing or mended")
        return "; ".join(told)

    def _fit(self) -> str:
        shown = form_of(self.form or self.either[0])
        every = "all" if self.n_fit == self.n_cells else f"{self.n_fit:,} of {self.n_cells:,}"
        if self.form == "trimmed":
            return f"{every} are text"
        if shown.text == "1234.56":
            return f"{every} are numbers"
        return f"{every} are {shown.words}"

    def _missing(self) -> list[str]:
        limits = sum(n for text, n in self.missing.items() if re.match(LIMIT, text.strip()))
        said = [f"{n:,} say {text.strip()}" for text, n in self.missing.items() if not re.match(LIMIT, text.strip())]
        return said + ([f"{limits:,} are limits (< or > and a number), read as missing"] if limits else [])


@dataclass(frozen=True, eq=False)
class Cells:
    """The distinct cells of a column but for the empty ones, without blanks around them, and how often each occurs."""

    written: Any
    text: Any
    count: np.ndarray

    @property
    def n(self) -> int:
        return int(self.count.sum())

    def n_where(self, mask: Any) -> int:
        chosen = mask.fill_null(False).to_numpy(zero_copy_only=False)
        return int(self.count[chosen].sum())


def cells_of(column: Any) -> Cells:
    """Of a dictionary-encoded column in one piece."""
    indices = column.indices.drop_null().to_numpy()
    return counted_cells(column.dictionary, np.bincount(indices, minlength=len(column.dictionary)))


def counted_cells(cells: Any, count: np.ndarray) -> Cells:
    """Of distinct texts, and how often each occurs."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pc.utf8_trim_whitespace(cells)
    there = pa.array((count > 0) & pc.not_equal(text, "").to_numpy(zero_copy_only=False))
    return Cells(cells.filter(there), text.filter(there), count[there.to_numpy(zero_copy_only=False)])


def find_forms(columns: Mapping[str, Any], *, usual_dates: bool = False) -> dict[str, Found]:
    """What is worth telling of the columns of a file, dictionary-encoded, as their cells were written.

    Dates in the usual writing are told with ``usual_dates`` only: in a text file they are read as dates anyway.
    """
    found = forms_of({name: cells_of(column) for name, column in columns.items()}, usual_dates=usual_dates)
    return {name: replace(one, at=_odd_at(one, columns[name])) for name, one in found.items()}


def _odd_at(one: Found, column: Any) -> str:
    """Where the only cell stands that is none of what the others are; nothing where it is amid them."""
    import pyarrow.compute as pc

    if one.form is not None or one.n_others != 1 or not one.either or len(column) < FEWEST_ROWS:
        return ""
    for where, row in (("first", 0), ("last", len(column) - 1)):
        cell = pc.utf8_trim_whitespace(column.slice(row, 1).dictionary_decode())
        if cell.null_count or not cell[0].as_py():
            continue
        fits = form_of(one.either[0]).read(cell).is_valid()[0].as_py()
        if not fits and not re.match(MISSING, cell[0].as_py().lower()) and not re.match(LIMIT, cell[0].as_py()):
            return where
    return ""


def forms_of(columns: Mapping[str, Cells], *, usual_dates: bool = False) -> dict[str, Found]:
    """The same of the distinct cells of every column."""
    found = {name: found_in(cells) for name, cells in columns.items()}
    decimals = {one.decimal for one in found.values() if one} - {""}
    orders = {_day_first(one.form) for one in found.values() if one and one.form} - {None}
    settled = {name: _by_the_file(one, decimals, orders) for name, one in found.items() if one is not None}
    told = {name: one for name, one in settled.items() if not _as_usual(one)}
    if usual_dates:
        told |= {name: one for name, one in settled.items() if one.form is not None and one.form.startswith("yyyy-")}
    return {name: told[name] for name in columns if name in told}


def found_in(cells: Cells) -> Found | None:
    """What the cells of one column show by themselves; None where there is nothing to tell."""
    import pyarrow.compute as pc

    if cells.n == 0:
        return None
    n_blanks = cells.n_where(pc.not_equal(cells.written, cells.text))
    best: list[tuple[int, str, Any]] = []
    for form in _candidates(cells):
        fits = pc.is_valid(form_of(form).read(cells.text))
        n_fit = cells.n_where(fits)
        if n_fit > (best[0][0] if best else MOST * cells.n):
            best = [(n_fit, form, fits)]
        elif best and n_fit == best[0][0]:
            best.append((n_fit, form, fits))
    if not best:
        return Found("trimmed", cells.n, cells.n, n_blanks=n_blanks) if n_blanks else None
    n_fit, form, fits = best[0]
    missing, n_others = _the_others(cells, fits)
    either = _either([form for _, form, _ in best], cells)
    if n_others and (either[0] in _BARE or (_is_number(either[0]) and _codes(cells))):
        return Found("trimmed", cells.n, cells.n, n_blanks=n_blanks) if n_blanks else None
    taken = either[0] if len(either) == 1 and not n_others else None
    return Found(
        form=taken,
        n_cells=cells.n,
        n_fit=n_fit,
        missing=missing,
        n_others=n_others,
        either=either,
        n_blanks=n_blanks,
        decimal=_decimal(taken, cells),
        n_signs=cells.n_where(pc.match_substring_regex(cells.text, SIGNED)) if _is_number(either[0]) else 0,
    )


def _is_number(form: str) -> bool:
    return isinstance(form_of(form), NumberForm)


def _codes(cells: Cells) -> bool:
    """Whether digits have zeros in front, as those of postal codes: they are no numbers then."""
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(cells.text, "^0[0-9]")).as_py())


def _decimal(form: str | None, cells: Cells) -> str:
    import pyarrow.compute as pc

    number = None if form is None else form_of(form)
    if not isinstance(number, NumberForm):
        return ""
    shown = pc.any(pc.match_substring(cells.text, number.decimal)).as_py()
    return number.decimal if shown or number.group in (".", ",") else ""


def _candidates(cells: Cells) -> list[str]:
    """The forms that fit the first distinct cells as well as any other does."""
    import pyarrow.compute as pc

    some = cells.text.slice(0, LOOKED_AT_FIRST)
    if not pc.any(pc.match_substring_regex(some, "[0-9]")).as_py():
        return []
    clock, dates = _clock(some), list(DATES)
    if pc.any(pc.match_substring_regex(some, r"[0-9][-/. ].*\pL{3}|\pL{3}.*[0-9]")).as_py():
        dates += [form if one == "en" else f"{one}: {form}" for one in MONTHS for form in NAMED]
    dates = [form + clock for form in dates if "dd" in form and "HH" not in form] if clock else dates
    times = TIMES if pc.any(pc.match_substring_regex(some, r"^[0-9]{1,2}:[0-9]{2}\b")).as_py() else ()
    before, after = _unit(some)
    tried = (*(f"{before}{form}{after}" for form in NUMBERS), *dates, *times)
    share = {form: pc.sum(pc.is_valid(form_of(form).read(some))).as_py() or 0 for form in tried}
    return [form for form, n in share.items() if n > 0.3 * len(some)]


def _unit(some: Any) -> tuple[str, str]:
    """What stands before or after all numbers, if most cells are numbers with it."""
    import pyarrow.compute as pc

    parts = pc.extract_regex(some, WITH_UNIT)
    units = pc.binary_join_element_wise(parts.field("before"), parts.field("after"), "\n").filter(parts.is_valid())
    most = pc.mode(units.dictionary_encode().indices)
    if len(some) < FEWEST_ROWS or not len(most) or most[0]["count"].as_py() <= MOST * len(some):
        return "", ""
    before, after = units.dictionary_encode().dictionary[most[0]["mode"].as_py()].as_py().split("\n")
    return ("", "") if before and after else (before, after)


def _clock(some: Any) -> str:
    """The letters for the time of day that follows the dates, if one does."""
    import pyarrow.compute as pc

    timed = some.filter(pc.match_substring_regex(some, "[0-9]:[0-9]|[0-9][T ][0-9]{1,2}[.][0-9]{2}"))
    found = _CLOCK.search(timed[0].as_py()) if len(timed) else None
    if found is None or found.start() == 0:
        return ""
    mark, _, between, _, seconds, fraction, half, zone = found.groups()
    padded = pc.all(pc.match_substring_regex(timed, f"[T ][0-9]{{2}}[{between}]")).as_py()
    hour = ("HH" if padded else "H") if half is None else ("hh" if padded else "h")
    letters = ("'T'" if mark == "T" else " ") + hour + f"{between}mm" + (f"{between}ss" if seconds else "")
    return letters + (".SSS" if fraction else "") + ("" if half is None else f"{half}a") + ("XXX" if zone else "")


def _the_others(cells: Cells, fits: Any) -> tuple[dict[str, int], int]:
    """Cells that do not fit: those that mean missing, by their text, and how many others."""
    import pyarrow as pa
    import pyarrow.compute as pc

    other = pc.invert(fits.fill_null(False) if isinstance(fits, pa.Array) else fits)
    if not pc.any(other).as_py():
        return {}, 0
    text, count = cells.text.filter(other), cells.count[other.to_numpy(zero_copy_only=False)]
    words = pc.match_substring_regex(pc.utf8_lower(text), MISSING)
    known = pc.or_(words, pc.match_substring_regex(text, LIMIT)).to_numpy(zero_copy_only=False)
    missing: dict[str, int] = {}
    for word, n in zip(text.filter(pa.array(known)).to_pylist(), count[known].tolist(), strict=True):
        missing[word] = missing.get(word, 0) + n
    return missing, int(count[~known].sum())


def _either(forms: list[str], cells: Cells) -> tuple[str, ...]:
    """The forms between which nothing decides, of those that fit equally many cells; the first is the likeliest."""
    import pyarrow.compute as pc

    numbers = [form for form in forms if _is_number(form)]
    times = [form for form in forms if isinstance(form_of(form), TimeForm)]
    if times:  # 8:30 is written without a zero in front
        short = pc.any(pc.match_substring_regex(cells.text, "^[0-9]:")).as_py()
        return (next((form for form in times if form.startswith("H:") == short), times[0]),)
    dates = [form for form in forms if isinstance(form_of(form), DateForm)]
    named = [form for form in dates if "MMM" in form]
    dates = [_as_short(form, cells) for form in (named[:1] or dates)]  # languages that fit say the same months
    if numbers and dates:  # 19500101 is a number too, and 12.05 a day without a year is none
        bare = [form for form in dates if form in _BARE]
        sure = len(cells.text) >= MANY and len(bare) == 1 and bare[0].startswith("yyyy")
        return (bare[0],) if sure else (numbers[0], *bare)
    if not numbers:
        return tuple(dates)
    grouped = r"^[+-]?[1-9][0-9]{0,2}(?:[.,][0-9]{3})$"
    first, form = numbers[0], form_of(numbers[0])
    unit = (form.before, form.after) if isinstance(form, NumberForm) else ("", "")
    plain = without_unit(signs_in_front(cells.text), *unit)
    marked = plain.filter(pc.match_substring_regex(plain, "[.,]"))
    doubtful = len(marked) > 0 and pc.all(pc.match_substring_regex(marked, grouped)).as_py()
    if not doubtful:
        return (first,)
    other = ("1234.56", "1.234,56") if "1234.56" in first else ("1234,56", "1,234.56")
    return (first, first.replace(*other))


def _as_short(form: str, cells: Cells) -> str:
    """The form with one letter for days and months, where they are written without a zero in front."""
    import pyarrow.compute as pc

    lone = pc.any(pc.match_substring_regex(cells.text, r"(?:^|[./ -])[0-9][./ -]")).as_py()
    day = re.split(" [Hh]|'T'", form)[0]
    return form.replace(day, day.replace("dd", "d").replace("MM", "M")) if lone and "MMM" not in day else form


def _day_first(form: str | None) -> bool | None:
    """Whether days come before months; None where the form has no such order."""
    bare = (form or "").lower()
    return None if "/" not in bare or bare.startswith("y") else bare.startswith("d")


def _by_the_file(one: Found, decimals: set[str], orders: set[bool | None]) -> Found:
    """The same, where the other columns decide what its own cells do not."""
    if len(one.either) < 2 or one.n_others:
        return one
    forms = [form_of(form) for form in one.either]
    if all(isinstance(form, NumberForm) for form in forms) and len(decimals) == 1:
        mark = next(iter(decimals))
        fit = [form.text for form in forms if form.decimal == mark]  # type: ignore[union-attr]
        what = f"other columns have a decimal {'comma' if mark == ',' else 'point'}"
    else:
        fit = [form.text for form in forms if len(orders) == 1 and _day_first(form.text) in orders]
        what = "other columns have days and months in this order"
    return replace(one, form=fit[0], either=(fit[0],), because=what) if len(fit) == 1 else one


def _as_usual(one: Found) -> bool:
    """Whether it is read so anyway: nothing missing, no blanks, points and ISO dates."""
    return one.form in USUAL_FORMS and one.n_fit == one.n_cells and not one.n_blanks and not one.n_signs
