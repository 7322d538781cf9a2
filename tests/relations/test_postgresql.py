"""A real PostgreSQL: keys read from its catalogue, a release written as a new schema, all of it or nothing."""

from __future__ import annotations

from typing import Any

import pytest

import amongst as am
from amongst.engines.postgresql.server import connected
from amongst.relations.release import DatabaseRelease
from amongst.relations.stores import read_database

pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")

TABLES = """
CREATE SCHEMA clinic;
CREATE TABLE clinic.patients (
    id integer PRIMARY KEY, name text, born integer, sex text, joined date, weight numeric(5, 1), insured boolean);
CREATE TABLE clinic.visits (
    visit uuid PRIMARY KEY, patient integer NOT NULL REFERENCES clinic.patients (id),
    ward text, at timestamp, nights smallint);
CREATE TABLE clinic.diagnoses (
    visit uuid NOT NULL REFERENCES clinic.visits (visit), code text, "How Severe" double precision);
CREATE TABLE clinic.audit (entry text);
INSERT INTO clinic.patients SELECT i, 'Name ' || i, 1950 + i % 7, CASE i % 2 WHEN 0 THEN 'f' ELSE 'm' END,
    DATE '2020-01-01' + i, 50 + i / 10.0, i % 3 = 0 FROM generate_series(1, 60) i;
INSERT INTO clinic.visits SELECT gen_random_uuid(), 1 + i % 60, (ARRAY['A', 'B', 'C'])[1 + i % 3],
    TIMESTAMP '2021-01-01' + i * INTERVAL '1 day', i % 5 FROM generate_series(1, 150) i;
INSERT INTO clinic.diagnoses SELECT visit, (ARRAY['x', 'y'])[1 + nights % 2], nights / 2.0 FROM clinic.visits;
"""
QUASI, SENSITIVE, KEEP = (am.Column(role=role) for role in ("quasi", "sensitive", "keep"))
SCHEMA = am.DatabaseSchema(
    {
        "patients": am.Relation(
            {
                "name": am.Column(role="identifier"),
                "born": QUASI,
                "sex": QUASI,
                "joined": am.Column(role="quasi", kind="date"),
                "weight": SENSITIVE,
                "insured": KEEP,
            }
        ),
        "visits": am.Relation({"ward": QUASI, "at": SENSITIVE, "nights": SENSITIVE}),
        "diagnoses": am.Relation({"code": QUASI, "How Severe": SENSITIVE}),
    },
    leave_out=["audit"],
)


@pytest.fixture(scope="session")
def address(postgresql: str) -> str:
    with connected(postgresql) as connection:
        with connection.cursor() as cursor:
            for statement in TABLES.split(";\n"):
                if statement.strip():
                    cursor.execute(statement)
        connection.commit()
    return postgresql


def rows(address: str, query: str) -> list[tuple[Any, ...]]:
    with connected(address) as connection, connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


def schemas(address: str) -> set[str]:
    return {name for (name,) in rows(address, "SELECT nspname::text FROM pg_namespace")}


@pytest.fixture(scope="session")
def release(address: str) -> DatabaseRelease:
    return am.anonymize_database(address, SCHEMA, [am.KAnonymity(4)], "miracle-x", namespace="clinic")


def test_tables_and_keys_come_from_the_catalogue(address: str) -> None:
    stored = read_database(address, namespace="clinic")
    assert stored.kind == "postgresql"
    assert {name: table.num_rows for name, table in stored.tables.items()} == {
        "patients": 60,
        "visits": 150,
        "diagnoses": 150,
        "audit": 0,
    }
    schema = stored.schema_with_keys(SCHEMA).complete()
    assert [(one.key, one.parent, one.foreign_key) for one in schema.values()] == [
        ("id", None, None),
        ("visit", "patients", "patient"),
        (None, "visits", "visit"),
    ]


def test_a_release_becomes_a_new_schema_with_its_keys(address: str, release: DatabaseRelease) -> None:
    verdict = release.write_postgresql(address, "published")
    assert verdict.ok
    assert verdict.smallest >= 4
    stored = read_database(address, namespace="published")
    assert stored.keys["patients"].primary == ("id",)
    assert stored.keys["visits"].references[0].table == "patients"
    assert stored.tables["patients"].column_names == ["id", "born", "sex", "joined", "weight", "insured"]
    assert am.verify_database(address, SCHEMA_WITH_KEYS, [am.KAnonymity(4)], namespace="published").ok
    kinds = dict(
        rows(
            address,
            "SELECT column_name::text, data_type::text FROM information_schema.columns "
            "WHERE table_schema = 'published' AND table_name = 'patients'",
        )
    )
    assert (kinds["id"], kinds["born"], kinds["insured"]) == ("bigint", "text", "boolean")


SCHEMA_WITH_KEYS = SCHEMA.with_relations(
    patients=am.Relation(SCHEMA["patients"].schema, "id"),
    visits=am.Relation(SCHEMA["visits"].schema, "visit", "patients", "patient"),
    diagnoses=am.Relation(SCHEMA["diagnoses"].schema, None, "visits", "visit"),
)


def test_a_schema_that_is_there_is_not_touched(address: str, release: DatabaseRelease) -> None:
    before = rows(address, "SELECT count(*) FROM clinic.patients")
    with pytest.raises(am.errors.BadOutput, match="already"):
        release.write_postgresql(address, "clinic")
    assert rows(address, "SELECT count(*) FROM clinic.patients") == before


def test_nothing_is_left_when_the_proof_fails(
    address: str, release: DatabaseRelease, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert release.verdict.ok
    asked_more = lambda release, tables: am.verify_database(tables, release.schema, [am.KAnonymity(61)])  # noqa: E731
    monkeypatch.setattr("amongst.relations.release._verified", asked_more)
    with pytest.raises(am.errors.NotVerified):
        release.write_postgresql(address, "half")
    assert "half" not in schemas(address)


def test_nothing_is_left_when_the_server_refuses(address: str, release: DatabaseRelease) -> None:
    with connected(address) as connection:
        with connection.cursor() as cursor:
            cursor.execute("CREATE ROLE reader LOGIN")
        connection.commit()
    with pytest.raises(am.errors.BadOutput):
        release.write_postgresql(address.replace("amongst@", "reader@"), "half")
    assert "half" not in schemas(address)


def test_a_database_that_cannot_be_reached() -> None:
    with pytest.raises(am.errors.BadInput) as caught:
        read_database("postgresql://somebody:hush-hush@127.0.0.1:1/none")
    assert "hush" not in str(caught.value)


def test_a_schema_without_tables(address: str) -> None:
    with pytest.raises(am.errors.BadInput, match="no tables"):
        read_database(address, namespace="nothing")


def test_the_command_writes_folder_and_schema(address: str, tmp_path: Any) -> None:
    from cli_run import run

    from amongst.job.job import Input, Job, Output

    source, target = Input.at(address, namespace="clinic"), Output(tmp_path / "out", None)
    job = Job(source, SCHEMA, (am.KAnonymity(3),), "miracle-x", {}, target)
    (tmp_path / "job.toml").write_text(job.to_toml() + 'namespace = "by_command"\n')
    done = run("run", str(tmp_path / "job.toml"), "--json")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "patients.parquet").is_file()
    assert "by_command" in schemas(address)
    assert "amongst@" not in (tmp_path / "out" / "manifest.json").read_text()
