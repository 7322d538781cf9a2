"""What the cells of a column show, counted over all of them; and that nothing is guessed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from amongst.errors import BadInput, BadOption
from amongst.published.csvw import number_reader
from amongst.read import read
from amongst.read.evidence import Found, find_forms
from amongst.read.forms import form_of

REAL = Path(__file__).parents[3] / "shared" / "real"


def shown(**columns: list[Any]) -> dict[str, Found]:
    return find_forms({name: pa.array(cells).dictionary_encode() for name, cells in columns.items()})


@pytest.mark.parametrize(
    ("cells", "form"),
    [
        (["14,6", "9,1", "3"], "1234,56"),
        (["9.747,33", "15.200,00", "7,5"], "1.234,56"),
        (["1,234.50", "12.25"], "1,234.56"),
        (["1 234,5", "7,25"], "1 234,56"),
        (["1.234.567", "2.000"], "1.234,56"),
        (["31.12.1980", "01.02.2003"], "dd.MM.yyyy"),
        (["31.1.1980", "1.12.2003"], "d.M.yyyy"),
        (["12/31/1980", "01/02/2003"], "MM/dd/yyyy"),
        (["31/12/1980", "01/02/2003"], "dd/MM/yyyy"),
        (["01-Jan-1950", "13-Dec-1951"], "dd-MMM-yyyy"),
        (["19500101", "19501231", "20000229", "19700101", "19801111"], "yyyyMMdd"),
        (["931107 00:00:00", "940119 00:00:00"], "yyMMdd HH:mm:ss"),
        (["2020-01-01T10:00:00Z", "2020-01-01T10:00:00+02:00"], "yyyy-MM-dd'T'HH:mm:ssXXX"),
        (["31.12.1980 23:59", "01.01.1981 00:00"], "dd.MM.yyyy HH:mm"),
        ([" a", "b "], "trimmed"),
        (["03/04/2023 12:32 PM", "04/24/2023 08:47 AM"], "MM/dd/yyyy hh:mm a"),
        (["3/4/2023 2:32:01 PM", "4/24/2023 8:47:59 AM"], "M/d/yyyy h:mm:ss a"),
        ([f"2023030412{i}000" for i in range(6)], "yyyyMMddHHmmss"),
        (["1.570,89 €", "12,50 €", "-3 €"], "1.234,56€"),
        (["1930-03", "2003-12"], "yyyy-MM"),
        (["03.1930", "12.2003"], "MM.yyyy"),
        (["Jan 1930", "Dec 2003"], "MMM yyyy"),
        (["12 Jan 2023 10:25", "23 Mar 2023 20:44"], "dd MMM yyyy HH:mm"),
        (["31.12.1980 8.30", "1.1.1981 17.05"], "d.M.yyyy H.mm"),
        (["$1,570.89", "$12.50", "($3.00)"], "$1,234.56"),
        (["R$ 1.570,89", "R$ 3,10", "R$5"], "R$1.234,56"),
        (["45 %", "50%", "7.5 %"], "1234.56%"),
        (["72 kg", "80 kg", "65,5 kg"], "1234,56kg"),
        (["1.200,50-", "3,00", "7,10"], "1.234,56"),
        (["5-", "3", "2"], "1234.56"),
        (["\u22125,2", "3,0", "2"], "1234,56"),
    ],
)
def test_the_form_is_found(cells: list[str], form: str) -> None:
    assert shown(x=cells)["x"].form == form


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2.5"],
        ["2020-01-31"],
        ["a", "b"],
        ["007", "123"],
        ["01234", "99999"],
        [None, ""],
        ["M", "F"],
        ["12:30", "09:15"],
        ["P1", "P2", "P3"],
        ["E11.9", "E10.1", "E12.2"],
        ["12 kg", "13 lb", "5 kg", "6 lb"],
        ["10115 Berlin", "20095 Hamburg", "50667 Köln"],
        ["01067 Dresden", "01069 Dresden", "01099 Dresden"],
        ["18-24", "25-34", "35-44"],
        ["1st", "2nd", "3rd"],
        ["5.1234", "11.2500", "9.8765"],
        ["120/80 mmHg", "110/70 mmHg", "130/90 mmHg"],
    ],
)
def test_of_what_is_as_usual_nothing_is_told(cells: list[str]) -> None:
    assert shown(x=cells) == {}


@pytest.mark.parametrize("seed", range(12))
def test_numbers_with_units_and_signs_are_what_they_say_here_and_in_the_published_file(seed: int) -> None:
    """Read by the form and by the verifier's own reader, however they are written."""
    draw = random.Random(seed)
    decimal, group = draw.choice([(",", "."), (".", ","), (",", ""), (".", "'")])
    before, after = draw.choice([("", ""), ("", "€"), ("$", ""), ("R$", ""), ("", "mg/dl"), ("", "%")])
    numbers = [draw.choice([draw.randrange(-9999, 99999), round(draw.uniform(-9e4, 9e4), 2)]) for _ in range(40)]
    texts = []
    for number in numbers:
        whole, _, parts = f"{abs(number):,}".partition(".")
        text = whole.replace(",", group) + (decimal + parts if parts else "")
        text = f"{before}{draw.choice(['', ' '])}{text}" if before else text
        text = f"{text}{draw.choice(['', ' ', chr(160)])}{after}" if after else text
        wrong = draw.choice(["-{}", "({})", "\u2212{}", "{}-"] if not after else ["-{}", "({})", "\u2212{}"])
        texts.append(wrong.format(text) if number < 0 else text)
    form = form_of(f"{before}1{group}234{decimal}56{after}")
    assert form.read(pa.array(texts)).to_pylist() == numbers
    published = number_reader(decimal, group, before, after)(pa.array(texts)).to_pylist()
    assert [float(text) for text in published] == numbers


def test_the_words_count_cells_not_values() -> None:
    found = shown(hb=["14,6"] * 5000 + ["9,2"] * 388 + ["n.b."] * 12)["hb"]
    assert found.words == "5,388 of 5,400 are numbers with a decimal comma; 12 say n.b."
    assert found.reads is not None
    assert found.reads.missing == ("n.b.",)


def test_limits_and_unknown_are_missing() -> None:
    found = shown(crp=["7,5"] * 8 + ["<5"] * 3 + ["unknown"] * 2)["crp"]
    assert (found.form, dict(found.missing)) == ("1234,56", {"<5": 3, "unknown": 2})
    assert "3 are limits" in found.words


def test_other_texts_are_counted_and_never_shown() -> None:
    found = shown(born=["31.12.1980"] * 9 + ["Meier"])["born"]
    assert found.form is None
    assert "9 of 10 are dates as dd.MM.yyyy; 1 is something else" in found.words
    assert "Meier" not in found.words + repr(found)


def test_days_and_months_that_could_change_places_are_not_guessed() -> None:
    found = shown(born=["01/02/2003", "03/04/2005"])["born"]
    assert found.form is None
    assert set(found.either) == {"dd/MM/yyyy", "MM/dd/yyyy"}
    assert "not clear" in found.words


def test_another_column_tells_which_comes_first() -> None:
    found = shown(born=["01/02/2003"], seen=["31/12/2010"])
    assert found["born"].form == "dd/MM/yyyy"
    assert "other columns" in found["born"].words


def test_thousands_or_decimals_is_not_guessed() -> None:
    assert shown(n=["1.234", "15.200"])["n"].form is None
    by_file = shown(n=["1.234", "15.200"], cost=["3,5", "12,25"])["n"]
    assert (by_file.form, by_file.because) == ("1.234,56", "other columns have a decimal comma")
    assert "n" not in shown(n=["1.234", "15.200"], cost=["3.5", "12.25"])  # read as usual, since the others are


def test_six_digits_may_be_numbers() -> None:
    assert shown(x=["930101", "940119", "951231"])["x"].form is None


def test_forms_that_are_told_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("born;hb\n31.12.1980;14,6\n 01.02.2003;n.b.\n;\n", encoding="utf-8")
    table = read(path, reads={"born": "dd.MM.yyyy", "hb": {"form": "1234,56", "missing": ["n.b."]}}).table
    assert str(table.schema.field("born").type) == "date32[day]"
    assert table["hb"].to_pylist() == [14.6, None, None]


def test_cells_that_do_not_fit_a_form_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("born;x\n31.12.1980;1\nsecret;1\nsecret;2\n", encoding="utf-8")
    with pytest.raises(BadInput, match="2 of 3 cells are no dates") as caught:
        read(path, reads={"born": "dd.MM.yyyy"})
    assert "secret" not in str(caught.value)
    with pytest.raises(BadOption, match="not there"):
        read(path, reads={"birth": "dd.MM.yyyy"})


def test_columns_of_a_frame_are_read_too() -> None:
    frame = pa.table({"born": ["31.12.1980", None], "n": [1, 2]})
    source = read(frame, reads="found")
    assert str(source.table.schema.field("born").type) == "date32[day]"
    with pytest.raises(BadInput, match="columns of text"):
        read(frame, reads={"n": "1234,56"})


@pytest.mark.parametrize(
    ("name", "forms", "told"),
    [
        (
            "hospital-de.csv",
            {"Geburtsdatum": "dd.MM.yyyy", "Hb g/dl": "1234,56", "Leukozyten /ul": "1.234,56"},
            "windows",
        ),
        ("berka/card.asc", {"issued": "yyMMdd HH:mm:ss"}, ""),
        ("german.data", {}, "blanks"),
    ],
)
def test_real_tables(name: str, forms: dict[str, str], told: str) -> None:
    if not (REAL / name).is_file():
        pytest.skip("not here")
    source = read(REAL / name, reads="found")
    assert {column: source.found[column].form for column in forms} == forms
    assert told in " ".join(source.notes)


def test_postal_codes_are_no_dates_without_anything_between() -> None:
    assert form_of("yyMMdd").read(pa.array(["04109", "041009", "0410091"])).null_count == 2
    assert form_of("yyyyMMdd").read(pa.array(["1950101", "19500101"])).null_count == 1
    assert form_of("dd.MM.yyyy").read(pa.array(["1.2.1950", "01.02.1950"])).null_count == 0
    for codes in (["04109", "10115", "20095", "01067"], ["110001", "560034", "400050", "700091", "999999"]):
        assert find_forms({"plz": pa.array(codes * 3).dictionary_encode()}) == {}
