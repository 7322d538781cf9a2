"""A release in the shape of its input: cells and labels written as the file wrote them.

Columns that are published as they are keep the very texts of the file. Labels are made of numbers and dates; each of
them is written in the form of its column: ``[14.6-15.2]`` becomes ``[14,6-15,2]``, and
``[2020-01-01 - 2020-03-31]`` becomes ``[01.01.2020 - 31.03.2020]``. What cannot be read back for certain is left as it
is: sets of decimal numbers, and labels of hierarchies that users name.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from amongst.month_names import names_of
from amongst.read.evidence import USUAL_FORMS
from amongst.read.forms import DateForm, Form, NumberForm
from amongst.read.reads import Reads

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.read.header import Layout
    from amongst.recode import RecodingPlan

_NUMBER = re.compile(r"(?<![0-9.])(?<!e[+-])([0-9]+)(?:\.([0-9]+))?", re.ASCII)
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z?)?", re.ASCII)
OPEN = ("intervals", "edges", "dates", "digits", "flat")
"""Hierarchies whose labels are made of numbers and dates."""


@dataclass(frozen=True)
class Shape:
    """How a text file is written.

    Attributes
    ----------
    separator, encoding, line_end : str
    quoting : {"needed", "text", "all"}
    header : bool
    forms : dict of str to Reads
        The form of every published column that has one, and what means missing in it.
    whole : bool
        Whether all of it is as in the input, and not the texts of kept columns alone.
    """

    separator: str = ","
    encoding: str = "utf-8"
    quoting: str = "needed"
    line_end: str = "\n"
    header: bool = True
    forms: Mapping[str, Reads] = field(default_factory=dict)
    whole: bool = True


def shape_like(layout: Layout) -> Shape:
    """The shape of a file that was read; cells that places part are parted by tabs."""
    separator = "\t" if layout.arranged else layout.separator
    encoding = "utf-8-sig" if layout.mark and layout.encoding == "utf-8" else layout.encoding
    return Shape(separator, encoding, layout.quoting, layout.line_end, layout.header)


def shaped_labels(
    table: pa.Table, plan: RecodingPlan, schema: Mapping[str, Any], reads: Mapping[str, Reads]
) -> tuple[pa.Table, dict[str, Reads]]:
    """The table with the labels of quasi-identifiers in the forms of their columns, and the forms of those that are."""
    shaped: dict[str, Reads] = {}
    for name, made in plan.made.items():
        one = reads.get(name)
        if one is None or one.format != "csv" or not _can_be(schema[name]):
            continue
        for column in made:
            labels = written(table.column(column.name), one.settled)
            if labels is not None:
                table = table.set_column(table.column_names.index(column.name), column.name, labels)
                told = shown_reads(Reads(one.form), labels)
                shaped |= {} if told is None else {column.name: told}
    return table, shaped


def _can_be(column: Any) -> bool:
    if column.kind not in ("numeric", "date") or column.hierarchy is None:
        return column.kind in ("numeric", "date")
    return any(key in OPEN for key in column.hierarchy.to_dict())


def written(column: pa.ChunkedArray, form: Any) -> Any:
    """A column of labels, numbers or dates as texts in a form; None where they could not be read back."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not isinstance(form, (NumberForm, DateForm)):
        return None
    coded = column if pa.types.is_dictionary(column.type) else pc.dictionary_encode(column)
    coded = coded.unify_dictionaries().combine_chunks()
    if isinstance(coded, pa.ChunkedArray):
        coded = coded.chunk(0) if coded.num_chunks else pa.array([], coded.type)
    texts = coded.dictionary.cast(pa.string()).to_pylist()  # distinct labels, never rows
    if any(text.startswith("{") for text in texts) and isinstance(form, NumberForm):
        return None
    told = [label_text(text, form) for text in texts]
    return pa.DictionaryArray.from_arrays(coded.indices, pa.array(told, pa.string()))


def label_text(label: str, form: NumberForm | DateForm) -> str:
    """A label with its numbers or dates in a form.

    Examples
    --------
    >>> from amongst.engines.shape import label_text
    >>> from amongst.read.forms import form_of
    >>> label_text("[9747.33-12000.0]", form_of("1.234,56"))
    '[9.747,33-12.000,0]'
    >>> label_text("[2020-01-01 - 2020-03-31]", form_of("d.M.yyyy"))
    '[1.1.2020 - 31.3.2020]'
    """
    if isinstance(form, DateForm):
        return _MOMENT.sub(lambda found: _moment(found[0], form), label)

    def number(found: re.Match[str]) -> str:
        whole = f"{int(found[1]):,}".replace(",", form.group) if form.group else found[1]
        return whole if found[2] is None else f"{whole}{form.decimal}{found[2]}"

    return _NUMBER.sub(number, label)


def _moment(text: str, form: DateForm) -> str:
    moment = dt.datetime.fromisoformat(text.removesuffix("Z"))
    of_half = (moment.hour + 11) % 12 + 1
    short = {"d": moment.day, "M": moment.month, "H": moment.hour, "h": of_half}
    names = {
        "yyyy": f"{moment.year:04d}",
        "yy": f"{moment.year % 100:02d}",
        "MMM": _name(moment.month, form.language),
        "MMMM": names_of(form.language)[moment.month - 1].title(),
        "MM": f"{moment.month:02d}",
        "dd": f"{moment.day:02d}",
        "HH": f"{moment.hour:02d}",
        "hh": f"{of_half:02d}",
        "a": "AM" if moment.hour < 12 else "PM",
        "mm": f"{moment.minute:02d}",
        "ss": f"{moment.second:02d}",
        "XXX": "Z",
        "X": "Z",
    }
    return "".join(_token(token, names, short, moment) for token in form.tokens)


def _name(month: int, language: str) -> str:
    """The first letters of a month, where they are no other; English ones have three."""
    name = names_of(language)[month - 1]
    return (name[:3] if language == "en" else name).title()


def _token(token: str, names: Mapping[str, str], short: Mapping[str, int], moment: dt.datetime) -> str:
    if token in names:
        return names[token]
    if token in short:
        return str(short[token])
    if token.startswith("S"):
        return f"{moment.microsecond:06d}"[: len(token)]
    return token.strip("'") if len(token) > 1 else token


def shown_reads(reads: Reads, texts: pa.ChunkedArray) -> Reads | None:
    """How published texts are read, by what they show themselves; None where they are written as usual.

    A word that means missing, a mark between thousands or a blank that suppressed rows alone have is not told.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    written = pc.unique(texts.cast(pa.string())).drop_null()
    trimmed = pc.utf8_trim_whitespace(written)
    there = set(trimmed.to_pylist())
    missing = tuple(word for word in reads.missing if word.strip() in there)
    cells = trimmed.filter(pc.invert(pc.is_in(trimmed, pa.array(["", *(word.strip() for word in missing)]))))

    def has(pattern: str) -> bool:
        return bool(pc.any(pc.match_substring_regex(cells, pattern), min_count=0).as_py())

    form = _shown_form(reads.settled, has) if len(cells) else "trimmed"
    usual = form in (*USUAL_FORMS, "trimmed", "text") and not has(r"^[+(]|[0-9]-$|^\x{2212}")
    return None if usual and not missing and written.equals(trimmed) else replace(reads, form=form, missing=missing)


def prints_as(values: pa.ChunkedArray, texts: pa.ChunkedArray) -> bool:
    """Whether values are written as these texts by themselves."""
    import pyarrow as pa
    import pyarrow.compute as pc

    printed, told = values.cast(pa.string()).fill_null(""), texts.cast(pa.string()).fill_null("")
    return bool(pc.all(pc.equal(printed, told), min_count=0).as_py())


def _shown_form(form: Form, has: Callable[[str], bool]) -> str:
    if isinstance(form, NumberForm):
        grouped = form.group if form.group and has(f"[0-9]{re.escape(form.group)}[0-9]{{3}}") else ""
        decimals = has(f"[0-9]{re.escape(form.decimal)}[0-9]")
        plain = f"1{grouped}234{form.decimal}56" if decimals else f"1{grouped}234" if grouped else "1234.56"
        return f"{form.before}{plain}{form.after}" if has(re.escape(form.before or form.after)) else plain
    lone = has(r"(?:^|[^0-9])[0-9](?:[^0-9]|$)")
    if isinstance(form, DateForm) and not lone:  # d.M.yyyy, and nothing but 12.10.1950
        return re.sub(r"(?<![dMHh])([dMHh])(?![dMHh])(?!\w*: )", r"\1\1", form.text)
    return form.text
