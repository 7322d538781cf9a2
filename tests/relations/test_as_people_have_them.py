"""Databases as people have them: no keys stated, lookup tables, times, standards, and who is alone in them."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from cli_run import run

import amongst as am
from amongst.job.job import Job
from amongst.relations.ready import READY, ready_schema
from amongst.relations.stores import read_database
from amongst.relations.uniqueness import uniqueness

QUASI, SECRET, KEEP = (am.Column(role=role) for role in ("quasi", "sensitive", "keep"))
CODE = am.Column(role="quasi", kind="categorical")


def write(folder: Path, tables: dict[str, pa.Table]) -> Path:
    folder.mkdir()
    for name, table in tables.items():
        pyarrow.csv.write_csv(table, folder / f"{name}.csv")
    return folder


def ward(n: int = 24) -> dict[str, pa.Table]:
    rng = np.random.default_rng(3)
    return {
        "patients": pa.table({"patient_id": range(100, 100 + n), "birth_year": 1950 + np.arange(n) // 6}),
        "visits": pa.table(
            {
                "visit_id": range(500, 500 + 2 * n),
                "patient_id": np.repeat(np.arange(100, 100 + n), 2),
                "ward": rng.choice(["eye", "ear"], 2 * n),
                "clinic": rng.choice([1, 2, 3, 4], 2 * n),
                "day": np.datetime64("2020-01-01") + rng.integers(0, 900, 2 * n),
            }
        ),
        "clinics": pa.table({"clinic": [1, 2, 3, 4], "city": ["a", "b", "c", "d"], "region": ["n", "n", "s", "s"]}),
    }


ROLES = """
[input]
path = "in"
lookups = ["clinics"]
[tables.patients.columns.birth_year]
role = "quasi"
[tables.visits.columns.ward]
role = "quasi"
[tables.visits.columns.clinic]
role = "quasi"
[tables.visits.columns.day]
role = "keep"
[[privacy]]
model = "k-anonymity"
k = 4
"""


def test_keys_are_found_where_nothing_names_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in", ward())
    Path("job.toml").write_text(ROLES)
    made = run("anonymize-database", "in", "--schema", "job.toml", "-k", "4", "--out", "out")
    assert made.returncode == 0, made.stdout + made.stderr
    told = json.loads(Path("out/manifest.json").read_text())["tables"]
    assert (told["visits"]["parent"], told["visits"]["foreign_key"]) == ("patients", "patient_id")
    assert run("verify-database", "out").returncode == 0
    assert Path("out/clinics.csv").read_text() == Path("in/clinics.csv").read_text()  # published beside, unchanged
    named = run("anonymize-database", "in", "--schema", "job.toml", "-k", "4", "--out", "out2", "--person", "VISITS")
    assert named.returncode != 0
    assert "patients" in named.stderr  # which does not hang on the visits


def test_whom_it_is_about_is_asked_where_it_is_not_clear() -> None:
    tables = {"a": pa.table({"a_id": [1, 2, 3], "x": [1, 2, 3]}), "b": pa.table({"a_id": [1, 2, 3], "y": [1, 1, 2]})}
    schema = am.DatabaseSchema({"a": am.Relation({"x": QUASI}), "b": am.Relation({"y": QUASI})})
    with pytest.raises(am.errors.BadOption, match="which table has one row a person"):
        am.anonymize_database(tables, schema, [am.KAnonymity(2)])
    release = am.anonymize_database(tables, schema.with_person("A"), [am.KAnonymity(2)])
    assert release.schema["b"].parent == "a"


def test_a_lookup_table_is_the_hierarchy_of_its_codes() -> None:
    tables = ward()
    clinics = am.Column(role="quasi", kind="categorical")
    schema = am.DatabaseSchema(
        {
            "patients": am.Relation({"birth_year": QUASI}, "patient_id"),
            "visits": am.Relation(
                {"ward": KEEP, "clinic": clinics, "day": am.Column(role="identifier")},
                "visit_id",
                "patients",
                "patient_id",
                looked_up={"clinic": ["clinics", "city", "region"]},
            ),
        },
        lookups=["clinics"],
    )
    release = am.anonymize_database(tables, schema, [am.KAnonymity(4)])
    assert release.verdict.ok, release.verdict.words()
    published = set(release.tables["visits"]["clinic"].to_pylist())
    assert published & {"n", "s"}
    assert published <= {*"abcdns", *"1234", "*"}
    assert release.tables["clinics"].equals(tables["clinics"])
    wrong = schema.with_relations(visits=am.Relation(schema["visits"].columns, "visit_id", "patients", "patient_id",
                                                     looked_up={"clinic": ["clinics", "country"]}))  # fmt: skip
    with pytest.raises(am.errors.BadSchema, match="has no column country"):
        am.anonymize_database(tables, wrong, [am.KAnonymity(4)])


def test_a_lookup_table_that_tells_of_people_is_refused() -> None:
    tables = ward() | {
        "clinics": pa.table({"clinic": [1, 2], "birth_date": ["1970", "1980"], "first_name": ["A", "B"]})
    }
    schema = am.DatabaseSchema(
        {
            "patients": am.Relation({"birth_year": QUASI}, "patient_id"),
            "visits": am.Relation({"ward": QUASI, "clinic": KEEP, "day": KEEP}, "visit_id", "patients", "patient_id"),
        },
        lookups=["clinics"],
    )
    with pytest.raises(am.errors.BadSchema, match="must tell nothing of people"):
        am.anonymize_database(tables, schema, [am.KAnonymity(4)])


def timed(how: str, born: bool = False) -> tuple[dict[str, pa.Table], am.DatabaseSchema]:
    tables = ward()
    told = {"birth_year": "birth"} if born else {}
    return tables, am.DatabaseSchema(
        {
            "patients": am.Relation({"birth_year": QUASI}, "patient_id", times=told),
            "visits": am.Relation(
                {"ward": KEEP, "clinic": KEEP, "day": KEEP},
                "visit_id",
                "patients",
                "patient_id",
                known="nothing",
                times={"day": how},
            ),
        },
        ["clinics"],
    )


def days_of(tables: dict[str, pa.Table]) -> list[tuple[int, ...]]:
    """For every person the days, in order; the persons in the order of what they are."""
    visits = tables["visits"].to_pydict()
    own: dict[int, list[int]] = {}
    for who, day in zip(visits["patient_id"], visits["day"], strict=True):
        own.setdefault(who, []).append(day.toordinal())
    return sorted(tuple(sorted(days)) for days in own.values())


@pytest.mark.parametrize("how", ["day", "month", "year", "shift", "age"])
def test_times_are_told_as_the_person_sees_them(how: str) -> None:
    tables, schema = timed(how, born=how == "age")
    release = am.anonymize_database(tables, schema, [am.KAnonymity(4)], seed=11)
    assert release.verdict.ok, release.verdict.words()
    true = days_of(tables)
    gaps = sorted(days[1] - days[0] for days in true)
    day = release.tables["visits"]["day"].to_pylist()
    if how == "age":
        born = dict(zip(*tables["patients"].to_pydict().values(), strict=True))
        visits = tables["visits"].to_pydict()
        ages = [
            int((at.toordinal() - np.datetime64(f"{born[who]}-07-01").astype(object).toordinal()) // 365.2425)
            for who, at in zip(visits["patient_id"], visits["day"], strict=True)
        ]
        assert Counter(day) == Counter(ages)
        return
    assert not set(day) & set(tables["visits"]["day"].to_pylist()) or how == "shift"
    made = days_of(release.tables)
    if how in ("day", "shift"):
        assert sorted(days[1] - days[0] for days in made) == gaps  # order and gaps are kept
    if how != "shift":
        assert min(days[0] for days in made) == max(days[0] for days in made)  # everybody begins on one day
    if how in ("month", "year"):
        assert {one.day for one in day} == {1}
    if how == "shift":
        assert made != true


def test_times_that_are_none_are_refused() -> None:
    tables, schema = timed("age")
    with pytest.raises(am.errors.BadSchema, match="is to be an age"):
        am.anonymize_database(tables, schema, [am.KAnonymity(4)])
    with pytest.raises(am.errors.BadSchema, match="day, month, year, age, shift, birth"):
        am.Relation(times={"day": "week"})


def test_who_is_alone_before_and_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in", ward())
    Path("job.toml").write_text(ROLES + '[output]\nfolder = "out"\n')
    assert run("run", "job.toml").returncode == 0
    said = run("risk-database", "out", "--original", "job.toml", "--json")
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)
    after = {one["knows"]: one for one in found["after"]}
    before = {one["knows"]: one for one in found["before"]}
    assert after["all rows of all tables"]["few"] == 0
    assert before["all rows of all tables"]["few"] > 0
    words = run("risk-database", "out", "--original", "job.toml")
    assert "all rows of all tables" in words.stdout


def test_tables_of_which_nothing_is_said_to_be_known_count_whichever_schema_is_asked() -> None:
    made = am.datasets.load_database("hospital", n_persons=120)
    what = {"visits": "nothing", "diagnoses": "codes", "prescriptions": "codes"}
    schema = made.schema.with_relations(**{name: replace(made.schema[name], known=one) for name, one in what.items()})
    release = am.anonymize_database(made.tables, schema, [am.KAnonymity(4), am.KmAnonymity(4, m=1)])
    by_job, by_release = (uniqueness(release.tables, one, k=4, m=1) for one in (schema, release.schema))
    assert by_release == by_job
    assert by_job[1].alone > 0


def test_the_count_of_who_is_alone_is_that_of_a_naive_reader() -> None:
    tables, _ = timed("day")
    schema = am.DatabaseSchema(
        {
            "patients": am.Relation({"birth_year": QUASI}, "patient_id"),
            "visits": am.Relation({"ward": CODE, "clinic": CODE, "day": KEEP}, "visit_id", "patients", "patient_id"),
        },
        ["clinics"],
    )
    born = dict(zip(*tables["patients"].to_pydict().values(), strict=True))
    rows: dict[int, list[tuple[object, ...]]] = {who: [] for who in born}
    for row in sorted(tables["visits"].to_pylist(), key=lambda row: (row["day"], row["ward"], row["clinic"])):
        rows[row["patient_id"]].append((row["ward"], row["clinic"]))

    def few(of_person: dict[int, object]) -> tuple[int, int]:
        sizes = Counter(of_person.values())
        return sum(sizes[one] == 1 for one in of_person.values()), sum(sizes[one] < 3 for one in of_person.values())

    found = {one.knows: (one.alone, one.few) for one in uniqueness(tables, schema, k=3, m=2)}
    assert found["the persons' own columns"] == few(born)
    assert found["all rows of all tables"] == few({who: (born[who], tuple(sorted(rows[who]))) for who in born})
    assert found["all codes in the order of time"] == few({who: (born[who], tuple(rows[who])) for who in born})
    for size, knows in ((1, "1 code"), (2, "up to 2 codes")):
        pairs = {who: [(a, b) for a in own for b in own] for who, own in rows.items()}  # of one code too
        sets = {who: {frozenset(one[:size]) for one in own} for who, own in pairs.items()}
        have = Counter((born[who], one) for who, own in sets.items() for one in own)
        rarest = {who: min((have[born[who], one] for one in own), default=3) for who, own in sets.items()}
        assert found[knows] == (sum(n == 1 for n in rarest.values()), sum(n < 3 for n in rarest.values()))


def omop(n: int = 60) -> dict[str, pa.Table]:
    rng = np.random.default_rng(1)
    of_visit, of_condition = np.repeat(np.arange(n), 2), np.repeat(np.arange(n), 3)
    day = np.datetime64("2015-01-01") + rng.integers(0, 2000, 3 * n)
    return {
        "PERSON": pa.table(
            {
                "person_id": range(n),
                "gender_concept_id": rng.choice([8507, 8532], n),
                "year_of_birth": 1950 + rng.integers(0, 20, n),
                "person_source_value": [f"secret{i}" for i in range(n)],
            }
        ),
        "VISIT_OCCURRENCE": pa.table(
            {
                "visit_occurrence_id": range(2 * n),
                "person_id": of_visit,
                "visit_concept_id": [9202] * (2 * n),
                "visit_start_date": day[: 2 * n],
            }
        ),
        "CONDITION_OCCURRENCE": pa.table(
            {
                "condition_occurrence_id": range(3 * n),
                "person_id": of_condition,
                "condition_concept_id": rng.choice([11, 12, 21, 22], 3 * n, p=[0.5, 0.3, 0.15, 0.05]),
                "condition_start_date": day,
                "visit_occurrence_id": of_condition * 2,
                "condition_source_value": ["J45"] * (3 * n),
            }
        ),
        "CONCEPT_ANCESTOR": pa.table(
            {
                "ancestor_concept_id": [1, 1, 2, 2, 3, 3],
                "descendant_concept_id": [11, 12, 21, 22, 1, 2],
                "min_levels_of_separation": [1] * 6,
            }
        ),
        "CARE_SITE": pa.table({"care_site_id": [1], "place": ["x"]}),
    }


def test_omop_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = omop()
    schema = ready_schema("omop", read_database(tables))
    release = am.anonymize_database(tables, schema, [am.KAnonymity(4), am.KmAnonymity(4, 2)])
    assert release.verdict.ok, release.verdict.words()
    conditions = release.tables["CONDITION_OCCURRENCE"]
    assert {"1", "11", "12"} & set(conditions["condition_concept_id"].to_pylist())
    assert set(release.tables) == set(tables) - {"CARE_SITE"} | {"persons_with"}
    assert release.tables["CONCEPT_ANCESTOR"].equals(tables["CONCEPT_ANCESTOR"])
    assert "condition_source_value" not in conditions.column_names
    assert {one.year for one in conditions["condition_start_date"].to_pylist()} <= set(range(2000, 2007))
    assert "omop" in READY
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "cdm", tables)
    made = run("inspect-database", "cdm", "--as", "omop", "--write", "job.toml")
    assert made.returncode == 0, made.stderr
    assert set(Job.from_file("job.toml").schema.lookups) == {"CONCEPT_ANCESTOR"}
    asked = ("-k", "4", "--codes", "2", "--out", "out")
    assert run("anonymize-database", "cdm", "--as", "omop", *asked).returncode == 0
    assert run("verify-database", "out").returncode == 0
    told = json.loads(Path("out/manifest.json").read_text())["tables"]["CONDITION_OCCURRENCE"]["columns"]
    assert "sha256" not in told["condition_concept_id"]["hierarchy"]  # by which codes could be guessed
    with pytest.raises(am.errors.BadInput, match="no tables of the OMOP"):
        ready_schema("omop", read_database({"a": pa.table({"x": [1]})}))
