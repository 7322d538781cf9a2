"""Forms of numbers and dates, against readers in plain Python."""

from __future__ import annotations

import datetime as dt

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from amongst.engines.shape import label_text
from amongst.errors import BadOption
from amongst.month_names import MONTHS, names_of
from amongst.published.csvw import date_reader, number_reader
from amongst.read.evidence import find_forms
from amongst.read.forms import DateForm, NumberForm, form_of

NUMBERS = ["1234.56", "1234,56", "1.234,56", "1,234.56", "1 234,56", "1'234.56", "1\u00a0234,56"]
STRPTIME = {
    "dd.MM.yyyy": "%d.%m.%Y",
    "MM/dd/yyyy": "%m/%d/%Y",
    "yyyyMMdd": "%Y%m%d",
    "dd-MMM-yyyy": "%d-%b-%Y",
    "yyyy-MM-dd HH:mm": "%Y-%m-%d %H:%M",
    "yyyy-MM-dd'T'HH:mm:ssXXX": "%Y-%m-%dT%H:%M:%S%z",
    "MMM dd, yyyy": "%b %d, %Y",
}


@pytest.mark.parametrize("form", NUMBERS)
@given(numbers=st.lists(st.decimals(-(10**9), 10**9, places=2), min_size=1))
def test_numbers_are_what_they_are(form: str, numbers: list) -> None:
    told = form_of(form)
    assert isinstance(told, NumberForm)
    cells = [
        f"{number:,.2f}".replace(",", "\0").replace(".", told.decimal).replace("\0", told.group) for number in numbers
    ]
    assert told.read(pa.array(cells)).to_pylist() == [float(number) for number in numbers]


@pytest.mark.parametrize("form", STRPTIME)
@given(moments=st.lists(st.datetimes(dt.datetime(1000, 1, 1), dt.datetime(9999, 12, 31)), min_size=1))
def test_dates_are_what_they_are(form: str, moments: list[dt.datetime]) -> None:
    moments = [moment.replace(microsecond=0, tzinfo=dt.UTC if "XXX" in form else None) for moment in moments]
    cells = [moment.strftime(STRPTIME[form]) for moment in moments]
    expected = [dt.datetime.strptime(cell, STRPTIME[form]) for cell in cells]
    found = form_of(form).read(pa.array(cells)).to_pylist()
    assert found == [one if "HH" in form else one.date() for one in expected]


@pytest.mark.parametrize(
    ("form", "cell"),
    [
        ("dd.MM.yyyy", "31.02.2020"),
        ("dd.MM.yyyy", "2020-02-01"),
        ("dd.MM.yyyy", "1.2.20"),
        ("yyyyMMdd", "20201301"),
        ("dd-MMM-yyyy", "01-Foo-2020"),
        ("yyyy-MM-dd HH:mm", "2020-01-01 24:00"),
        ("1.234,56", "12.34"),
        ("1.234,56", "1.2345"),
        ("1234,56", "007"),
        ("1234,56", "1.234"),
        ("1,234.56", "1,23"),
    ],
)
def test_what_does_not_fit_is_no_value(form: str, cell: str) -> None:
    assert form_of(form).read(pa.array([cell])).to_pylist() == [None]


def test_years_of_two_digits_are_those_of_spreadsheets() -> None:
    found = form_of("dd.MM.yy").read(pa.array(["01.01.29", "01.01.30"])).to_pylist()
    assert found == [dt.date(2029, 1, 1), dt.date(1930, 1, 1)]


def test_zones_are_taken_to_utc() -> None:
    cells = pa.array(["2020-01-01T00:30:00+02:00", "2019-12-31T22:30:00Z"])
    first, second = form_of("yyyy-MM-dd'T'HH:mm:ssXXX").read(cells).to_pylist()
    assert first == second


@pytest.mark.parametrize(
    "form", ["", "1.234.56", "dd.MM", "yyyy", "mm:ss", "1,234,56", "dd.dd.MM.yyyy", "ss.MM.dd.yyyy"]
)
def test_what_is_no_form_is_refused(form: str) -> None:
    with pytest.raises(BadOption, match="no form"):
        form_of(form)


def test_months_may_be_small_letters() -> None:
    assert form_of("dd.mm.yyyy") == form_of("dd.MM.yyyy")


@pytest.mark.parametrize("form", NUMBERS)
@given(ends=st.lists(st.floats(-1e12, 1e12, allow_nan=False) | st.integers(-(10**12), 10**12), min_size=2, max_size=2))
def test_the_verifier_reads_labels_of_numbers_back(form: str, ends: list[float]) -> None:
    told = form_of(form)
    assert isinstance(told, NumberForm)
    for label in (f"[{ends[0]!r}-{ends[1]!r}]", f"[{ends[0]!r}, {ends[1]!r}[", "*", f">={ends[0]!r}"):
        back = number_reader(told.decimal, told.group)(pa.array([label_text(label, told)]))
        assert back.to_pylist() == [label]


@pytest.mark.parametrize("form", [*STRPTIME, "d.M.yyyy", "dd/MM/yy"])
@given(days=st.lists(st.dates(dt.date(1930, 1, 1), dt.date(2029, 12, 31)), min_size=2, max_size=2))
def test_the_verifier_reads_labels_of_dates_back(form: str, days: list[dt.date]) -> None:
    told = form_of(form)
    assert isinstance(told, DateForm)
    clock = "" if not told.has_time else " 10:20:00" + ("Z" if "XXX" in form else "")
    for label in (f"[{days[0]}{clock} - {days[1]}{clock}]", f"{days[0]}{clock}", "*"):
        assert date_reader(form)(pa.array([label_text(label, told)])).to_pylist() == [label]


@pytest.mark.parametrize("language", [one for one in MONTHS if one != "en"])
def test_names_of_months_of_other_languages(language: str) -> None:
    """Every name, whole and as short as can be, is the month that it should be; and labels are written with them."""
    form = form_of(f"{language}: d. MMM yyyy")
    names = names_of(language)
    cells = [f"{1 + i}. {name.title()} 19{50 + i}" for i, name in enumerate(names)]
    days = form.read(pa.array(cells))
    assert [(day.day, day.month, day.year) for day in days.to_pylist()] == [(i, i, 1949 + i) for i in range(1, 13)]
    short = [next(name[:n] for n in range(3, 12) if sum(one[:n] == name[:n] for one in names) == 1) for name in names]
    assert form.read(pa.array([f"1. {name}. 2000" for name in short])).drop_null().to_pylist()[6].month == 7
    assert form.read(pa.array(["1. Foo 2000", "31. " + names[1] + " 2000"])).null_count == 2
    label = label_text("[1950-03-15 - 1951-08-02]", form)
    assert names[2].title() in label
    assert date_reader(form.text)(pa.array([label])).to_pylist() == ["[1950-03-15 - 1951-08-02]"]
    [found] = find_forms({"day": pa.array(cells).dictionary_encode()}).values()
    assert form_of(found.form).read(pa.array(cells)).equals(days)


@pytest.mark.parametrize(
    ("form", "cells", "times"),
    [
        ("H:mm", ["8:30", "14:05", "24:00", "9:60"], ["08:30", "14:05", None, None]),
        ("HH:mm:ss", ["08:30:59", "08:30"], ["08:30:59", None]),
        ("h:mm a", ["12:00 AM", "12:15 pm", "1:05 p.m.", "13:00 PM"], ["00:00", "12:15", "13:05", None]),
    ],
)
def test_times_of_day_sort_as_texts(form: str, cells: list[str], times: list[str | None]) -> None:
    assert form_of(form).read(pa.array(cells)).to_pylist() == times


@pytest.mark.parametrize(
    ("form", "cells"),
    [
        ("H:mm", ["8:30", "14:05", "9:00"]),
        ("HH:mm:ss", ["08:30:59", "14:05:00", "23:59:59"]),
        ("h:mm a", ["8:30 AM", "1:05 PM"]),
    ],
)
def test_times_of_day_are_found(form: str, cells: list[str]) -> None:
    found = find_forms({"at": pa.array([*cells, "n.b."]).dictionary_encode()})["at"]
    assert (found.form, dict(found.missing)) == (form, {"n.b.": 1})
    usual = find_forms({"at": pa.array(cells).dictionary_encode()})
    assert (not usual) is (form == "HH:mm:ss")  # as usual, and text anyway
