"""Small made-up tables with the flaws of real ones. Nobody in them exists; the names are of nobody's tongue."""

from __future__ import annotations

import csv
import datetime as dt
import io
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from gauntlet_table import GauntletTable

FIRST = ("Aldrun", "Bexley", "Corvina", "Dulmar", "Esmirel", "Fiorvan", "Gwendra", "Hjalvir", "Ismarel", "Jorvane")
LAST = ("Quarrendon", "Vexholm", "Zantowsky", "Umbergast", "Wrethmore", "Yllering", "Oxenvad", "Pflaumrich")
Rows = list[list[object]]


def _person(draw: random.Random) -> tuple[str, str]:
    """A first and a last name; the endings make them many, as in life."""
    return draw.choice(FIRST) + draw.choice(("", "a", "o", "is")), draw.choice(LAST) + draw.choice(("", "er", "son"))


def _day(draw: random.Random, first: int = 1940, last: int = 2004) -> dt.date:
    return dt.date(first, 1, 1) + dt.timedelta(days=draw.randrange(365 * (last - first)))


def _text(header: Sequence[str] | None, rows: Rows, separator: str = ",") -> str:
    told = io.StringIO()
    writer = csv.writer(told, delimiter=separator, lineterminator="\n")
    writer.writerows([header, *rows] if header is not None else rows)
    return told.getvalue()


def _file(name: str, text: Callable[[], str], encoding: str = "utf-8") -> Callable[[Path], Path]:
    def place(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(text().encode(encoding))
        return path

    return place


def _court() -> str:
    """Two columns named twice, names in three columns, dates, copies of columns, nulls, one person in several rows."""
    draw, rows = random.Random(1), []
    for i in range(260):
        first, last = _person(draw)
        born, sex = _day(draw, 1950, 1995), draw.choice("FM")
        for _ in range(draw.choice((1, 1, 1, 2, 3))):
            age, score = 2014 - born.year, draw.randrange(1, 11)
            taken = _day(draw, 2012, 2014)
            again = draw.random() < 0.3
            rows.append(
                [
                    f"P{10_000 + i}", f"{first} {last}", first, last, taken, sex, born, age,
                    "Less than 25" if age < 25 else "25 - 45" if age <= 45 else "Greater than 45",
                    score, draw.randrange(5), f"{taken:%d%H}{20_000 + len(rows)}CF10A", draw.choice("FM"),
                    draw.choice(("Battery", "Grand Theft", "Driving Under The Influence", "")),
                    int(again), _day(draw, 2014, 2016) if again else "",
                    f"{taken} 0{draw.randrange(10)}:1{draw.randrange(10)}:42", score, draw.randrange(3), "Risk",
                ]
            )  # fmt: skip
    header = (
        "person_id,name,first,last,screening_date,sex,dob,age,age_cat,decile_score,priors_count,c_case_number,"
        "charge_degree,charge_desc,is_recid,r_offense_date,jail_in,decile_score,priors_count,type_of_assessment"
    )
    return _text(header.split(","), rows)


def _hospital() -> str:
    """``;``, decimal commas, DD.MM.YYYY, thousands with dots, ``<5``, ``n.b.``, free text with names, two spellings."""
    draw, rows = random.Random(2), []
    for i in range(220):
        first, last = _person(draw)
        born, sex, town = _day(draw), draw.choice(("M", "W", "männlich", "weiblich")), draw.choice(("Köln", "Amberg"))
        for _ in range(draw.choice((1, 1, 2, 4))):
            came = _day(draw, 2022, 2024)
            fall = 213_000 + len(rows)
            icd = draw.choice(("E11.9", "J44.1", "C34.9", "K80.2", "F10.2"))
            crp = draw.choice(("<5", "n.b.", f"{draw.randrange(900) / 10:.1f}".replace(".", ",")))
            letter = f"Patient {first} {last}, aufgenommen am {came:%d.%m.%Y} wegen {icd}.\nVerlauf komplikationslos."
            rows.append(
                [
                    fall, 9_100_000 + i, last, first, f"{born:%d.%m.%Y}", sex, 2024 - born.year, 65_000 + i % 40, town,
                    f"{last}straße {fall % 90}", f"({fall % 9}3135) {fall}", f"{first}.{fall}@example.com".lower(),
                    f"E{535_000_000 + 17 * i}", f"{came:%d.%m.%Y}", f"{fall % 24:02}:41", draw.randrange(14),
                    draw.choice(("Chirurgie", "Innere")), icd, ", ".join(draw.sample(("J44.1", "C34.9", "K80.2"), 2)),
                    crp, f"{draw.randrange(4, 19)}.{draw.randrange(10)}00",
                    f"{draw.randrange(1, 12)}.{draw.randrange(100, 999)},33", letter,
                ]
            )  # fmt: skip
    header = (
        "Fall-Nr;MRN;Nachname;Vorname;Geburtsdatum;Geschlecht;Alter;PLZ;Ort;Strasse;Telefon;E-Mail;Versichertennr.;"
        "Aufnahmedatum;Aufnahmezeit;Verweildauer;Station;Hauptdiagnose ICD-10;Nebendiagnosen;CRP mg/l;Leukozyten /ul;"
        "Kosten EUR;Arztbrief"
    )
    return _text(header.split(";"), rows, ";")


def _credit() -> str:
    """Blanks between cells, no header, codes for values."""
    draw = random.Random(3)
    rows = [
        [
            f"A1{draw.randrange(1, 5)}",
            draw.randrange(4, 60),
            f"A3{draw.randrange(5)}",
            draw.randrange(250, 9000),
            f"A9{draw.randrange(1, 5)}",
            draw.randrange(19, 75),
            draw.randrange(1, 3),
        ]
        for _ in range(400)
    ]
    return _text(None, rows, " ")


def _survey() -> str:
    """Row numbers first, sampling weights, lab values, NA."""
    draw, rows = random.Random(4), []
    for i in range(600):
        fifth = draw.randrange(5)
        rows.append(
            [
                i + 1, draw.randrange(2), draw.randrange(18, 80), draw.choice(("south", "north", "west")), fifth,
                draw.choice((19282.931640625, 42000.5, 8810.25)), f"{draw.lognormvariate(1, 0.4):.3g}",
                draw.choice(("NA", "0.9", "1.1", "1.7")), 5000 + 9 * i % 4001, draw.choice(("NA", "yes", "no")),
            ]
        )  # fmt: skip
    return _text(["rownames", "fml", "age", "region", "hlth", "inc", "kappa", "creatinine", "perweight", "died"], rows)


def _contacts() -> str:
    """Ids as text, addresses to write to, telephones, money with signs and thousands."""
    draw, rows = random.Random(5), []
    for i in range(300):
        first, last = _person(draw)
        rows.append(
            [
                f"KD-{i:06}", f"{last}, {first}", f"{first}.{last}.{i}@example.org".lower(), f"+49 170 {5_000_000 + i}",
                f"{i:08x}-0000-4000-8000-{i:012x}", f"{i % 90_000 + 10_000}", draw.choice(("f", "m", "d")),
                f"${draw.randrange(1, 9)},{draw.randrange(100, 999)}.50", f"{draw.randrange(100)} %",
                draw.choice(("true", "false")),
            ]
        )  # fmt: skip
    return _text(
        ["customer", "contact", "mail", "mobile", "token", "plz", "gender", "turnover", "discount", "active"], rows
    )


def _dates() -> str:
    """The same days in seven forms."""
    draw, rows = random.Random(6), []
    forms = ("%Y-%m-%d", "%d.%m.%Y", "%d-%b-%Y", "%Y%m%d", "%m/%d/%Y", "%Y-%m-%dT10:00:00Z", "%Y-%m-%d 10:00:00+02:00")
    for _ in range(400):
        day = _day(draw)
        rows.append([f"{day:{form}}" for form in forms] + [f"{day:%H:%M}", draw.choice("AB0")])
    return _text(["iso", "german", "english", "compact", "american", "utc", "offset", "clock", "bloodgroup"], rows)


def _places() -> str:
    """A hierarchy that lies in the columns: country, region, town, postal code."""
    draw, rows = random.Random(7), []
    for _ in range(500):
        code = f"{draw.randrange(3)}{draw.randrange(3)}{draw.randrange(9)}{draw.randrange(10)}0"
        rows.append([f"Land {code[0]}", f"Region {code[:2]}", f"Town {code[:3]}", code, draw.randrange(18, 90), "flu"])
    return _text(["country", "region", "town", "zip", "age", "diagnosis"], rows)


def _many_texts() -> str:
    """More than 5,000 different texts in one column, and more than 5,000 in a second that is no key."""
    draw = random.Random(8)
    rows = [[f"w{i:05}x", f"term {i % 5003}", draw.randrange(20, 60), draw.choice("FM")] for i in range(5200)]
    return _text(["label", "phrase", "age", "sex"], rows)


def _nulls() -> str:
    """Nulls in every column, one without any value, one with a single value, one with nearly none."""
    draw = random.Random(9)

    def maybe(value: object) -> object:
        return "" if draw.random() < 0.3 else value

    rows = [
        [
            maybe(draw.randrange(18, 80)),
            maybe(draw.choice(("f", "m"))),
            "",
            "same",
            maybe("once") if i == 7 else "",
            maybe(draw.randrange(1000) / 10),
            maybe(_day(draw)),
        ]
        for i in range(300)
    ]
    return _text(["age", "sex", "nothing", "constant", "rare", "dose", "seen_on"], rows)


def _one_column() -> str:
    draw = random.Random(10)
    return _text(["age"], [[draw.randrange(18, 60)] for _ in range(200)])


def _sixty_columns() -> str:
    draw = random.Random(11)
    rows = [[draw.randrange(2 + j % 7) for j in range(60)] for _ in range(300)]
    return _text([f"q{j:02}" for j in range(60)], rows)


def _odd_names() -> str:
    """Names of columns that are words of SQL, hold quotes, blanks, dots, brackets, letters of other tongues."""
    draw = random.Random(12)
    header = ["select", "group by", 'with "quotes"', "it's", "a.b", "größe", "{braces}", "年齢", "", "A", "a"]
    return _text(header, [[draw.randrange(3 + j) for j in range(len(header))] for _ in range(250)])


def _few_rows() -> str:
    return _text(["age", "sex"], [[30 + i, "f"] for i in range(3)])


def _only_names() -> str:
    draw = random.Random(13)
    rows = [[i, *_person(draw)] for i in range(100)]
    return _text(["patient_id", "first_name", "last_name"], rows)


def _no_rows() -> str:
    return "age,sex\n"


def _nothing() -> str:
    return ""


def _typed(folder: Path) -> Path:
    """What Parquet knows and CSV does not: decimals, dictionaries, times with zones, booleans, small floats."""
    import datetime as dt
    from decimal import Decimal

    import pyarrow as pa
    import pyarrow.parquet as pq

    draw = random.Random(14)
    n = 400
    stamps = [dt.datetime(1970, 1, 1) + dt.timedelta(hours=draw.randrange(400_000)) for _ in range(n)]
    table = pa.table(
        {
            "visit_id": pa.array([f"v-{i:05}" for i in range(n)]),
            "name": pa.array([" ".join(_person(draw)) for _ in range(n)]),
            "age": pa.array([draw.randrange(18, 90) for _ in range(n)], pa.int8()),
            "price": pa.array([Decimal(draw.randrange(10_000)) / 100 for _ in range(n)], pa.decimal128(9, 2)),
            "sex": pa.array([draw.choice(("f", "m", None)) for _ in range(n)]).dictionary_encode(),
            "seen": pa.array(stamps, pa.timestamp("us", tz="Europe/Berlin")),
            "day": pa.array([stamp.date() for stamp in stamps]),
            "well": pa.array([draw.random() < 0.5 for _ in range(n)]),
            "dose": pa.array([draw.randrange(1000) / 10 for _ in range(n)], pa.float32()),
            "ward": pa.array([draw.choice("ABC") for _ in range(n)], pa.large_string()),
        }
    )
    path = folder / "typed.parquet"
    pq.write_table(table, path)
    return path


def _bytes(name: str, content: bytes) -> Callable[[Path], Path]:
    def place(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content)
        return path

    return place


COURT_PEOPLE = ("person_id", "name", "first", "last", "c_case_number")
HOSPITAL_PEOPLE = ("Nachname", "Vorname", "Strasse", "Telefon", "E-Mail", "Versichertennr.", "Arztbrief")
CONTACT_PEOPLE = ("customer", "contact", "mail", "mobile", "token")
LATIN = {"encoding": "latin-1", "separator": ";"}
LATER = "inspect: a later version reads it"

LOOK_ALIKES = (
    GauntletTable("court", _file("court.csv", _court), COURT_PEOPLE, unit="person_id"),
    GauntletTable("hospital", _file("hospital.csv", _hospital, "latin-1"), HOSPITAL_PEOPLE, LATIN, unit="MRN"),
    GauntletTable("credit", _file("credit.csv", _credit), reading={"separator": " ", "header": "no"}),
    GauntletTable("survey", _file("survey.csv", _survey), reading={"nulls": "NA"}),
    GauntletTable("contacts", _file("contacts.csv", _contacts), CONTACT_PEOPLE),
    GauntletTable("dates", _file("dates.csv", _dates)),
    GauntletTable("places", _file("places.csv", _places)),
    GauntletTable("many texts", _file("many.csv", _many_texts), ("label",)),
    GauntletTable("nulls", _file("nulls.csv", _nulls)),
    GauntletTable("one column", _file("one.csv", _one_column)),
    GauntletTable("sixty columns", _file("sixty.csv", _sixty_columns)),
    GauntletTable("odd names", _file("odd.csv", _odd_names), refused="inspect: a column without a name"),
    GauntletTable("typed", _typed, ("visit_id", "name")),
    GauntletTable("few rows", _file("few.csv", _few_rows), refused="run: fewer rows than k"),
    GauntletTable(
        "only names", _file("only.csv", _only_names), ("first_name", "last_name"), refused="run: nothing to publish"
    ),
    GauntletTable("no rows", _file("norows.csv", _no_rows), refused="inspect: no rows"),
    GauntletTable("nothing", _file("nothing.csv", _nothing), refused="inspect: no columns"),
    GauntletTable("a spreadsheet", _bytes("people.xlsx", b"PK\x03\x04" + bytes(200)), refused=LATER),
    GauntletTable("SPSS", _bytes("people.sav", b"$FL2@(#) SPSS DATA FILE" + bytes(200)), refused=LATER),
    GauntletTable("an archive", _bytes("people.csv.zip", b"PK\x03\x04" + bytes(200)), refused=LATER),
    GauntletTable("not what it says", _bytes("people.parquet", b"age,sex\n1,f\n" * 50), refused="inspect: damaged"),
)
