"""Who the persons of a database are: found with a reason, or asked for; a lookup table never."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest
from cli_run import run

import amongst as am
from amongst.relations.draft import draft
from amongst.relations.guess_keys import guess_keys
from amongst.relations.stores import read_database

REAL = Path(__file__).parents[3] / "shared" / "real"
N = 120


def bank() -> dict[str, pa.Table]:
    """Clients and accounts, N:M by dispositions, both in districts: the districts are referred to most."""
    ids = list(range(1, N + 1))
    return {
        "district": pa.table(
            {"A1": list(range(1, 21)), "A2": [f"place {i}" for i in range(20)], "A3": [i % 3 for i in range(20)]}
        ),
        "client": pa.table(
            {"client_id": ids, "birth_number": [500000 + i for i in ids], "district_id": [i % 20 + 1 for i in ids]}
        ),
        "account": pa.table({"account_id": ids, "district_id": [i % 20 + 1 for i in ids], "date": ids}),
        "disp": pa.table(
            {"disp_id": ids, "client_id": ids, "account_id": ids[::-1], "type": ["OWNER", "USER"] * (N // 2)}
        ),
        "card": pa.table({"card_id": ids[:50], "disp_id": ids[20:70], "type": ["gold"] * 50}),
        "loan": pa.table({"loan_id": ids[:40], "account_id": ids[:40], "amount": [10 * i for i in ids[:40]]}),
    }


def capitals(tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
    return {name.upper(): one.rename_columns([c.upper() for c in one.column_names]) for name, one in tables.items()}


@pytest.mark.parametrize("tables", [bank(), capitals(bank())], ids=["small", "capitals"])
def test_clients_and_not_their_districts_are_the_persons_of_a_bank(tables: dict[str, pa.Table]) -> None:
    made = draft(read_database(tables))
    persons = made.persons
    assert (str(persons.table).lower(), persons.sure) == ("client", "sure")
    assert any("birth_number" in reason.lower() for reason in persons.reasons)
    assert any("2 tables refer to it" in reason for reason in persons.reasons)
    parents = {name.lower(): (one.parent or "").lower() for name, one in made.schema.items()}
    assert parents == {"client": "", "disp": "client", "card": "disp"}
    left_out = {name.lower(): what for name, what in made.left_out.items()}
    assert left_out["district"] == "a lookup table"
    assert set(left_out) == {"district", "account", "loan"}
    made.schema.complete()


def test_a_reference_of_another_table_in_other_letters_is_found() -> None:
    """As in exports of health records: Id, and PATIENT and ENCOUNTER elsewhere."""
    texts = [f"u{i}" for i in range(N)]
    tables = {
        "organizations": pa.table({"Id": ["o1", "o2"], "NAME": ["north", "south"], "PHONE": ["1", "2"]}),
        "patients": pa.table({"Id": texts, "BIRTHDATE": [f"19{i % 90 + 10}-01-01" for i in range(N)], "FIRST": texts}),
        "encounters": pa.table({"Id": [f"e{i}" for i in range(2 * N)], "PATIENT": texts * 2, "CODE": [7, 8] * N}),
        "conditions": pa.table({"PATIENT": texts, "ENCOUNTER": [f"e{i}" for i in range(N)], "CODE": [1, 2] * (N // 2)}),
    }
    made = draft(read_database(tables))
    assert (made.persons.table, made.persons.sure) == ("patients", "sure")
    assert made.schema["encounters"].foreign_key == "PATIENT"
    assert (made.schema["conditions"].parent, made.schema["conditions"].foreign_key) == ("encounters", "ENCOUNTER")
    assert [link.words for link in made.schema["conditions"].links] == ["PATIENT -> patients"]
    assert "organizations" in made.left_out


def shop(path: Path) -> None:
    """Keys stated in other letters than the tables have; employees serve the customers and each other."""
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(
            """
            CREATE TABLE Genre (GenreId INTEGER PRIMARY KEY, Name TEXT);
            CREATE TABLE Track (TrackId INTEGER PRIMARY KEY, Name TEXT, GenreId INTEGER REFERENCES GENRE (genreid));
            CREATE TABLE Employee (EmployeeId INTEGER PRIMARY KEY, LastName TEXT, BirthDate TEXT, Phone TEXT,
                ReportsTo INTEGER REFERENCES employee (EMPLOYEEID));
            CREATE TABLE Customer (CustomerId INTEGER PRIMARY KEY, FirstName TEXT, LastName TEXT, Email TEXT,
                City TEXT, SupportRepId INTEGER REFERENCES EMPLOYEE);
            CREATE TABLE Invoice (InvoiceId INTEGER PRIMARY KEY, CustomerId INTEGER REFERENCES CUSTOMER (customerid),
                Total REAL);
            CREATE TABLE Line (LineId INTEGER PRIMARY KEY, InvoiceId INTEGER REFERENCES invoice (invoiceid),
                TrackId INTEGER REFERENCES track (trackid));
            """
        )
        database.executemany("INSERT INTO Genre VALUES (?, ?)", [(i, f"g{i}") for i in range(9)])
        database.executemany("INSERT INTO Track VALUES (?, ?, ?)", [(i, f"t{i}", i % 9) for i in range(200)])
        database.executemany(
            "INSERT INTO Employee VALUES (?, ?, '1970-01-01', ?, 0)", [(i, f"l{i}", str(i)) for i in range(8)]
        )
        database.executemany(
            "INSERT INTO Customer VALUES (?, ?, ?, ?, ?, ?)",
            [(i, f"f{i}", f"l{i}", f"{i}@x.org", f"c{i % 3}", i % 8) for i in range(60)],
        )
        database.executemany("INSERT INTO Invoice VALUES (?, ?, 2.5)", [(i, i % 60) for i in range(180)])
        database.executemany("INSERT INTO Line VALUES (?, ?, ?)", [(i, i % 180, i % 200) for i in range(400)])


def test_customers_are_the_persons_of_a_shop_and_employees_another_kind(tmp_path: Path) -> None:
    shop(tmp_path / "shop.sqlite")
    done = run("inspect-database", "shop.sqlite", "--write", "job.toml", "--json", cwd=str(tmp_path))
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["persons"]["table"] == "Customer"
    assert list(told["persons"]["others"]) == ["Employee"]
    assert told["left_out"]["Employee"] == "another kind of persons"
    assert told["left_out"]["Genre"] == "a lookup table"
    assert told["tables"]["Line"]["parent"] == "Invoice"
    assert told["tables"]["Customer"]["columns"]["SupportRepId"] == "identifier"
    text = (tmp_path / "job.toml").read_text()
    assert text.startswith("# persons: 'Customer' (")
    assert am.DatabaseSchema.from_file(tmp_path / "job.toml").complete().person == "Customer"
    shown = run("inspect-database", "shop.sqlite", cwd=str(tmp_path)).stdout
    assert "other kinds of persons: Employee" in shown


def test_persons_that_are_told_need_not_be_found_and_may_be_written_in_any_letters(tmp_path: Path) -> None:
    shop(tmp_path / "shop.sqlite")
    done = run("inspect-database", "shop.sqlite", "--person", "EMPLOYEE", "--json", cwd=str(tmp_path))
    told = json.loads(done.stdout)
    assert (told["persons"]["table"], told["persons"]["sure"]) == ("Employee", "told")
    assert told["tables"]["Customer"]["parent"] == "Employee"
    assert told["tables"]["Employee"]["columns"]["ReportsTo"] == "identifier"
    wrong = run("inspect-database", "shop.sqlite", "--person", "Persons", cwd=str(tmp_path))
    assert wrong.returncode != 0
    assert "Customer" in wrong.stderr


def test_where_nothing_speaks_of_people_the_persons_are_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    ids = list(range(N))
    pa.csv.write_csv(pa.table({"unit_id": ids, "size": ids}), folder / "unit.csv")
    pa.csv.write_csv(pa.table({"unit_id": ids * 2, "load": ids * 2}), folder / "event.csv")
    shown = run("inspect-database", "parts", cwd=str(tmp_path))
    assert shown.returncode == 0, shown.stderr
    assert "persons: not clear" in shown.stdout
    refused = run("inspect-database", "parts", "--write", "job.toml", cwd=str(tmp_path))
    assert refused.returncode != 0
    assert "--person TABLE" in refused.stderr
    assert not (tmp_path / "job.toml").exists()
    told = run("inspect-database", "parts", "--write", "job.toml", "--person", "unit", cwd=str(tmp_path))
    assert told.returncode == 0, told.stderr
    assert am.DatabaseSchema.from_file(tmp_path / "job.toml").complete().person == "unit"


def test_two_tables_of_persons_alike_are_asked_about() -> None:
    ids = list(range(N))
    people = pa.table({"id": ids, "sex": ["f", "m"] * (N // 2), "birth_year": ids})
    tables = {
        "patients": people,
        "customers": people,
        "visits": pa.table({"patient_id": ids, "ward": ids}),
        "orders": pa.table({"customer_id": ids, "price": ids}),
    }
    persons = draft(read_database(tables)).persons
    assert (persons.table, persons.sure) == (None, "unsure")
    assert set(persons.others or ()) == {"patients", "customers"}


@pytest.mark.parametrize(
    "lookup",
    [
        {"gender_id": [0, 1, 2], "gender_name": ["female", "male", "other"]},
        {"gender_id": [0, 1, 2], "sex": ["f", "m", "x"]},
        {"gender_id": [0, 1, 2], "description": ["f", "m", "x"], "since": [1, 2, 3]},
    ],
)
def test_a_lookup_table_is_never_the_persons(lookup: dict[str, list[object]]) -> None:
    tables = {
        "gender": pa.table(lookup),
        "registration": pa.table({"registration_id": list(range(N)), "gender_id": [i % 3 for i in range(N)]}),
        "event": pa.table({"registration_id": list(range(N)), "gender_id": [i % 3 for i in range(N)]}),
    }
    persons = draft(read_database(tables)).persons
    assert persons.table != "gender"
    assert "gender" not in (persons.others or ())


def test_a_table_with_one_row_for_each_person_hangs_on_them_without_a_key_of_its_own() -> None:
    ids = list(range(N))
    tables = {
        "person": pa.table({"person_id": ids, "year_of_birth": ids, "gender_concept_id": [i % 2 for i in ids]}),
        "death": pa.table({"person_id": ids[:30], "cause": [i % 4 for i in range(30)]}),
        "provider": pa.table({"provider_id": [1, 2, 3], "year_of_birth": [1, 2, 3], "gender_concept_id": [0, 1, 0]}),
        "visit": pa.table({"visit_id": ids, "person_id": ids, "provider_id": [i % 3 + 1 for i in ids]}),
    }
    made = draft(read_database(tables))
    assert made.persons.table == "person"
    assert (made.schema["death"].key, made.schema["death"].foreign_key) == (None, "person_id")
    assert made.left_out["provider"] == "another kind of persons"
    assert made.schema["visit"].schema["provider_id"].role == "identifier"


def test_rows_hang_on_what_every_one_of_them_names_and_rows_of_nobody_are_refused() -> None:
    """A measurement outside any visit still belongs to a person."""
    ids = list(range(N))
    tables = {
        "person": pa.table({"person_id": ids, "birth_year": [1950 + i % 9 for i in ids], "sex": ["f", "m"] * (N // 2)}),
        "visit": pa.table({"visit_id": list(range(2 * N)), "person_id": ids * 2, "ward": ["a", "b"] * N}),
        "lab": pa.table({"person_id": ids, "visit_id": [None, *ids[1:]], "value": [i % 7 for i in ids]}),
    }
    assert {one.table for one in guess_keys(tables)["lab"].references} == {"person", "visit"}
    made = draft(read_database(tables))
    assert (made.schema["lab"].parent, made.schema["visit"].parent) == ("person", "person")
    assert [link.words for link in made.schema["lab"].links] == ["visit_id -> visit"]
    assert am.anonymize_database(tables, made.schema, [am.KAnonymity(3)]).verdict.ok
    columns = {"person_id": am.Column(role="identifier"), "value": made.schema["lab"].schema["value"]}
    lab = am.Relation(columns, None, "visit", "visit_id")
    with pytest.raises(am.errors.BadInput, match=r"1 row is of nobody.*\n.*a parent that every row names"):
        am.anonymize_database(tables, made.schema.with_relations(lab=lab), [am.KAnonymity(3)])


@pytest.mark.skipif(not (REAL / "chinook.sqlite").exists(), reason="the real tables are not here")
def test_the_persons_of_real_databases(tmp_path: Path) -> None:
    made = draft(read_database(REAL / "chinook.sqlite"))
    assert (made.persons.table, list(made.persons.others or ())) == ("Customer", ["Employee"])
    for file in (REAL / "berka").glob("*.asc"):
        (tmp_path / f"{file.stem}.csv").symlink_to(file)
    made = draft(read_database(tmp_path))
    assert (made.persons.table, made.left_out["district"]) == ("client", "a lookup table")


def test_a_draft_of_a_database_runs_as_it_is(tmp_path: Path) -> None:
    """Missing values have a rule, and a table without rows is decided about: its columns are left out."""
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as database, database:
        database.execute("create table person(id integer primary key, sex text, city text)")
        database.execute("create table notes(nr integer primary key, who integer references person(id), words text)")
        rows = [(i, "fm"[i % 2], ["a", None, "b"][i % 3]) for i in range(12)]
        database.executemany("insert into person values (?, ?, ?)", rows)
    stored = read_database(tmp_path / "shop.sqlite")
    suggested = draft(stored, "person").schema
    release = am.anonymize_database(stored, suggested, [am.KAnonymity(2)])
    assert release.verdict.ok
    assert {one.role for one in suggested["notes"].schema.values()} == {"identifier"}
