"""Schemas as they are: several references of a row, keys of several columns, one row for each, circles."""

from __future__ import annotations

import itertools
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mixed_databases import mixed_database

import amongst as am
from amongst.job.job import Job
from amongst.relations.draft import draft
from amongst.relations.stores import read_database
from thorough import some

seeds = st.integers(0, 2**32 - 1)
QUASI, KEPT, SECRET = am.Column(role="quasi"), am.Column(role="keep"), am.Column(role="sensitive")


def clinic(seed: int, n: int = 24) -> dict[str, pa.Table]:
    """Persons with up to three visits, which follow each other, and findings of which most say at which visit."""
    rng = np.random.default_rng(seed)
    person = rng.permutation(500)[:n]
    of_visit = np.repeat(person, rng.integers(0, 4, n))
    visit = rng.permutation(900)[: len(of_visit)]
    before = [
        None if i == 0 or of_visit[i - 1] != of_visit[i] or rng.random() < 0.2 else int(visit[i - 1])
        for i in range(len(visit))
    ]
    of_finding = np.repeat(person, rng.integers(0, 4, n))
    at: list[int | None] = []
    for one in of_finding:
        own = visit[of_visit == one] if rng.random() < 0.9 else visit  # some of another person
        at.append(None if len(own) == 0 or rng.random() < 0.1 else int(rng.choice(own)))
    return {
        "person": pa.table({"id": person, "born": 1950 + rng.integers(0, 3, n)}),
        "visit": pa.table(
            {
                "vid": visit,
                "who": of_visit,
                "ward": pa.array(rng.choice(["a", "b"], len(visit)), pa.string()),
                "before": pa.array(before, pa.int64()),
            }
        ),
        "finding": pa.table(
            {
                "who": of_finding,
                "at": pa.array(at, pa.int64()),
                "code": pa.array(rng.choice(["x", "y"], len(of_finding)), pa.string()),
                "how": rng.integers(0, 9, len(of_finding)),
            }
        ),
    }


SCHEMA = am.DatabaseSchema(
    {
        "person": am.Relation({"born": QUASI}, key="id"),
        "visit": am.Relation({"ward": QUASI}, "vid", "person", "who", {"before": "visit"}),
        "finding": am.Relation({"code": QUASI, "how": SECRET}, None, "person", "who", {"at": "visit"}),
    }
)


def pictures(tables: dict[str, pa.Table]) -> dict[int, Any]:
    """What is published of every person, references and all: the least of all ways to number the visits."""
    rows = {name: table.to_pylist() for name, table in tables.items()}
    made = {}
    for person in rows["person"]:
        visits = [one for one in rows["visit"] if one["who"] == person["id"]]
        findings = [one for one in rows["finding"] if one["who"] == person["id"]]
        ways = []
        for order in itertools.permutations(range(len(visits))):
            number: dict[Any, int] = {visits[i]["vid"]: place for place, i in enumerate(order)} | {None: -1}
            seen = sorted((number[v["vid"]], v["ward"], number[v["before"]]) for v in visits)
            ways.append((seen, sorted((f["code"], number[f["at"]]) for f in findings)))
        made[person["id"]] = (person["born"], *min(ways))
    return made


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("method", ["miracle", "bitmap"])
def test_persons_of_a_group_are_alike_with_all_their_references(seed: int, method: str) -> None:
    tables = clinic(seed)
    release = am.anonymize_database(tables, SCHEMA, [am.KAnonymity(3)], method)
    assert release.verdict.ok, release.verdict.words()
    alike = Counter(map(repr, pictures(release.tables).values()))
    assert min(alike.values()) >= 3
    assert release.verdict.smallest == min(alike.values())


def test_references_lead_where_they_led_and_some_are_left() -> None:
    """Many persons with one visit and one finding at it: all of them keep the reference."""
    n = 40
    who = np.arange(100, 100 + n)
    tables = {
        "person": pa.table({"id": who, "born": [1950] * n}),
        "visit": pa.table({"vid": 7 * who, "who": who, "ward": ["a"] * n, "before": pa.nulls(n, pa.int64())}),
        "finding": pa.table({"who": who, "at": 7 * who, "code": ["x"] * n, "how": np.arange(n)}),
    }
    made = am.anonymize_database(tables, SCHEMA, [am.KAnonymity(4)]).tables
    assert made["finding"]["at"].null_count == 0
    of_visit = dict(zip(made["visit"]["vid"].to_pylist(), made["visit"]["who"].to_pylist(), strict=True))
    assert [of_visit[one] for one in made["finding"]["at"].to_pylist()] == made["finding"]["who"].to_pylist()
    assert made["visit"]["before"].null_count == n


def edited(tables: dict[str, pa.Table], table: str, column: str, cells: list[Any]) -> dict[str, pa.Table]:
    place = tables[table].column_names.index(column)
    return {**tables, table: tables[table].set_column(place, column, pa.array(cells, pa.int64()))}


def test_a_reference_that_only_one_of_a_group_has_is_found() -> None:
    n = 6
    tables = {
        "person": pa.table({"id": range(n), "born": [1950] * n}),
        "visit": pa.table({"vid": range(n), "who": range(n), "ward": ["a"] * n, "before": pa.nulls(n, pa.int64())}),
        "finding": pa.table({"who": range(n), "at": range(n), "code": ["x"] * n, "how": range(n)}),
    }
    assert am.verify_database(tables, SCHEMA, [am.KAnonymity(n)]).ok
    one_gone = edited(tables, "finding", "at", [None, *range(1, n)])
    assert am.verify_database(one_gone, SCHEMA, [am.KAnonymity(n)]).smallest == 1
    to_another = edited(tables, "finding", "at", [1, 0, *range(2, n)])
    found = am.verify_database(to_another, SCHEMA, [am.KAnonymity(n)]).findings
    assert "astray" in {one.code for one in found}


def test_two_rows_that_look_alike_are_told_apart_by_what_refers_to_them() -> None:
    """One person has both findings at one visit, the other one at each: no two are alike."""
    tables = {
        "person": pa.table({"id": [1, 2], "born": [1950] * 2}),
        "visit": pa.table(
            {"vid": [1, 2, 3, 4], "who": [1, 1, 2, 2], "ward": ["a"] * 4, "before": pa.nulls(4, pa.int64())}
        ),
        "finding": pa.table({"who": [1, 1, 2, 2], "at": [1, 1, 3, 4], "code": ["x"] * 4, "how": [1, 2, 3, 4]}),
    }
    assert am.verify_database(tables, SCHEMA, [am.KAnonymity(2)]).smallest == 1
    alike = edited(tables, "finding", "at", [1, 2, 3, 4])
    assert am.verify_database(alike, SCHEMA, [am.KAnonymity(2)]).smallest == 2


def test_the_catalogue_states_them_and_no_old_key_is_left(tmp_path: Path) -> None:
    path, tables = tmp_path / "x.sqlite", clinic(1)
    with sqlite3.connect(path) as database:
        database.executescript("""
            create table person(id integer primary key, born integer);
            create table visit(vid integer primary key, who integer references person(id), ward text,
                               before integer references visit(vid));
            create table finding(who integer references PERSON(id), at integer references Visit(vid),
                                 code text, how integer);""")
        for name, table in tables.items():
            rows = zip(*(column.to_pylist() for column in table.columns), strict=True)
            database.executemany(f"insert into {name} values ({','.join('?' * table.num_columns)})", rows)
    schema = am.DatabaseSchema(
        {
            "PERSON": am.Relation({"BORN": QUASI}),
            "visit": am.Relation({"Ward": QUASI}),
            "finding": am.Relation({"code": QUASI, "how": SECRET}, parent="Person"),
        }
    )
    release = am.anonymize_database(path, schema, [am.KAnonymity(3)])
    assert release.verdict.ok, release.verdict.words()
    assert [link.words for link in release.schema["finding"].links] == ["at -> visit"]
    folder = tmp_path / "out"
    release.write(folder, format="sqlite")
    with sqlite3.connect(folder / "release.sqlite") as made:
        assert made.execute("pragma foreign_key_check").fetchall() == []
        stated = {row[3] for row in made.execute("pragma foreign_key_list(finding)")}
        assert stated == {"who", "at"}
    found = draft(read_database(path)).schema
    assert [link.words for link in found["finding"].links] == ["at -> visit"] or found["finding"].parent == "visit"


def test_keys_of_two_columns_are_dealt_anew_in_all_their_parts(tmp_path: Path) -> None:
    path = tmp_path / "wide.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE TABLE people (id INT PRIMARY KEY, age INT)")
        database.execute("CREATE TABLE stay (id INT REFERENCES people (id), nr INT, ward TEXT, PRIMARY KEY (id, nr))")
        database.execute("CREATE TABLE test (id INT, nr INT, kind TEXT, FOREIGN KEY (id, nr) REFERENCES stay (id, nr))")
        for i in range(100, 120):
            database.execute(f"INSERT INTO people VALUES ({i}, {30 + i % 2})")
            for nr in (1, 2):
                database.execute(f"INSERT INTO stay VALUES ({i}, {nr}, '{'ab'[nr - 1]}')")
                database.execute(f"INSERT INTO test VALUES ({i}, {nr}, 'k{nr}')")
    schema = am.DatabaseSchema(
        {
            "people": am.Relation({"age": QUASI}),
            "stay": am.Relation({"ward": QUASI}),
            "test": am.Relation({"kind": QUASI}),
        }
    )
    release = am.anonymize_database(path, schema, [am.KAnonymity(4)])
    assert release.verdict.ok, release.verdict.words()
    made = release.tables
    keys = list(zip(made["stay"]["id"].to_pylist(), made["stay"]["nr"].to_pylist(), strict=True))
    assert set(made["stay"]["id"].to_pylist()) <= set(made["people"]["id"].to_pylist())
    assert len(set(keys)) == made["stay"].num_rows == 40
    assert set(zip(made["test"]["id"].to_pylist(), made["test"]["nr"].to_pylist(), strict=True)) == set(keys)
    assert sorted(made["stay"]["nr"].to_pylist()) == list(range(1, 41))  # not which stay of a person it was
    release.write(tmp_path / "out")
    with duckdb.connect(str(tmp_path / "out" / "release.duckdb")) as back:
        (joined,) = back.execute("SELECT count(*) FROM test JOIN stay USING (id, nr) WHERE right(kind, 1) = "
                                 "CASE ward WHEN 'a' THEN '1' ELSE '2' END").fetchone()  # fmt: skip
    assert joined == 40


def test_one_row_for_each_of_the_parents() -> None:
    n = 12
    tables = {
        "person": pa.table({"id": np.arange(n) + 50, "age": [30, 31] * 6}),
        "more": pa.table({"id": np.arange(n)[::-1] + 50, "town": ["a", "b"] * 6, "pay": np.arange(n)}),
        "child": pa.table({"id": np.arange(n) + 50, "toy": ["t"] * n}),
    }
    schema = am.DatabaseSchema(
        {
            "person": am.Relation({"age": QUASI}, key="id"),
            "more": am.Relation({"town": QUASI, "pay": SECRET}, key="id", parent="person", foreign_key="id"),
            "child": am.Relation({"toy": QUASI}, parent="more", foreign_key="id"),
        }
    )
    made = am.anonymize_database(tables, schema, [am.KAnonymity(3)])
    assert made.verdict.ok, made.verdict.words()
    assert sorted(made.tables["more"]["id"].to_pylist()) == sorted(made.tables["person"]["id"].to_pylist())


def test_a_circle_has_a_beginning_once_the_persons_are_named(tmp_path: Path) -> None:
    path = tmp_path / "circle.sqlite"
    with sqlite3.connect(path) as database:
        database.executescript("""
            create table person(id integer primary key, born integer, last integer references visit(vid));
            create table visit(vid integer primary key, who integer references person(id), ward text);""")
        for i in range(12):
            database.execute("insert into person values (?, ?, ?)", (i, 1950 + i % 2, 100 + i))
            database.execute("insert into visit values (?, ?, 'a')", (100 + i, i))
    relations = {"person": am.Relation({"born": QUASI}), "visit": am.Relation({"ward": QUASI})}
    with pytest.raises(am.errors.BadSchema, match="circle"):
        am.anonymize_database(path, am.DatabaseSchema(relations), [am.KAnonymity(3)])
    release = am.anonymize_database(path, am.DatabaseSchema(relations, person="person"), [am.KAnonymity(3)])
    assert release.verdict.ok, release.verdict.words()
    assert release.tables["person"]["last"].null_count == 0
    release.write(tmp_path / "out")
    assert draft(read_database(path)).schema.told_person == "person"


def test_a_job_file_says_all_of_it(tmp_path: Path) -> None:
    text = """
[input]
path = "here"
person = "person"
lookups = ["concept"]
[tables.person]
key = "id"
[tables.stay]
key = ["id", "nr"]
parent = "person"
foreign_key = "id"
references = { before = "stay" }
[tables.test]
parent = "stay"
foreign_key = ["id", "nr"]
references = [{ columns = ["other", "other_nr"], table = "stay" }]
[[privacy]]
model = "k-anonymity"
k = 3
"""
    path = tmp_path / "job.toml"
    path.write_text(text)
    job = Job.from_file(path)
    again = Job.from_dict(job.to_dict(tmp_path), tmp_path)
    assert {name: dict(vars(one)) | {"columns": None} for name, one in again.schema.items()} == {
        name: dict(vars(one)) | {"columns": None} for name, one in job.schema.items()
    }
    assert job.schema["test"].links[0].columns == ("other", "other_nr")
    assert (job.schema.lookups, job.schema.told_person) == (("concept",), "person")
    path.write_text(text.replace('before = "stay"', "before = 3"))
    with pytest.raises(am.errors.BadJob, match="references"):
        Job.from_file(path)


@pytest.mark.parametrize("kind", ["duckdb", "sqlite"])
@settings(max_examples=some(12))
@given(seeds)
def test_a_database_file_takes_whatever_refers_to_what(kind: str, tmp_path_factory: Any, seed: int) -> None:
    """Rows that refer to rows of their own table, before or after them or in a circle, and keys of several columns."""
    rng = np.random.default_rng(seed)
    tables, schema = mixed_database(rng)
    asked = [
        am.KAnonymity(1),
        *([am.KmAnonymity(1, 1)] if any(one.known == "codes" for one in schema.values()) else []),
    ]
    release = am.anonymize_database(tables, schema, asked)
    folder = tmp_path_factory.mktemp(kind) / "out"
    assert release.write(folder, format=kind).ok
    read = read_database(folder)
    for name, table in release.tables.items():
        links = {one.columns for one in schema[name].links} if name in schema else set()
        assert read.tables[name].num_rows == table.num_rows
        stated = {one.columns for one in read.keys[name].references}
        if kind == "sqlite" and name in schema:  # DuckDB states none to tables made later, nor a circle of rows
            assert links <= stated


def test_rows_that_follow_each_other_are_written_to_duckdb(tmp_path: Path) -> None:
    """A visit follows the one before it, whatever the order of the rows: all references are stated, and hold."""
    n = 300
    follows = [None if i % 10 == 0 else i - 1 for i in range(n)]
    tables = {
        "p": pa.table({"id": range(n // 10), "sex": ["f", "m", "f"] * (n // 30)}),
        "visits": pa.table(
            {"v": list(range(n))[::-1], "id": [i // 10 for i in range(n)][::-1], "after": follows[::-1]}
        ),
    }
    schema = am.DatabaseSchema(
        {
            "p": am.Relation({"sex": am.Column(role="quasi")}, key="id"),
            "visits": am.Relation(key="v", parent="p", references={"after": "visits"}, known="nothing"),
        }
    )
    release = am.anonymize_database(tables, schema, [am.KAnonymity(3)])
    assert release.write(tmp_path / "out", format="duckdb").ok
    read = read_database(tmp_path / "out")
    assert {one.columns for one in read.keys["visits"].references} == {("id",), ("after",)}
    assert read.tables["visits"]["after"].null_count == n // 10


def test_a_database_of_which_nothing_is_said_is_told_how_to_begin() -> None:
    with pytest.raises(am.errors.BadSchema, match="nothing is said of any table"):
        am.anonymize_database(clinic(0), am.DatabaseSchema({}), [am.KAnonymity(2)])
