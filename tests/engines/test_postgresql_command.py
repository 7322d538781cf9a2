"""The command on a table of PostgreSQL: typed, from a job file, planned."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from postgresql_tables import rows, run

import amongst as am
from amongst.engines.postgresql.plan import plan_table
from amongst.engines.postgresql.store import PostgresqlStore
from amongst.job.job import Input, Job, Output
from typed_commands import typed

pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")

SECRET = "hush-hush"


@pytest.fixture(scope="session")
def shop(postgresql: str) -> str:
    run(
        postgresql,
        f"CREATE ROLE keeper LOGIN PASSWORD '{SECRET}'",
        "CREATE SCHEMA shop AUTHORIZATION keeper",
        "CREATE TABLE shop.people AS SELECT 'Name ' || i AS name, i % 30 AS age, (ARRAY['f', 'm'])[1 + i % 2] AS sex, "
        "(ARRAY['flu', 'cold', 'cough'])[1 + i % 3] AS ill FROM generate_series(1, 300) i",
        "ALTER TABLE shop.people OWNER TO keeper",
        "ANALYZE shop.people",
    )
    return postgresql.replace("amongst@", f"keeper:{SECRET}@")


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    done = typed(list(arguments), Path("."))
    assert SECRET not in done.stdout + done.stderr
    return done


ROLES = ["--quasi", "age,sex", "--sensitive", "ill", "--identifier", "name"]


def test_typed(shop: str, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    tables = ["--table", "shop.people", "--out-table", "shop.released"]
    done = command("anonymize", shop, *tables, *ROLES, "--k", "5", "--out", out)
    assert done.returncode == 0, done.stderr
    assert "shop.released" in done.stdout
    assert rows(shop, "SELECT count(*), count(DISTINCT age) > 1 FROM shop.released") == [(300, True)]
    for name in ("manifest.json", "report.html"):
        for folder in ("out", "out.inside"):
            assert SECRET not in (tmp_path / folder / name).read_text()
    again = command("anonymize", shop, *tables, *ROLES, "--k", "6", "--out", out, "--force", "--json")
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["output"]["table"]["name"] == "shop.released"


def test_from_a_job_file(shop: str, tmp_path: Path) -> None:
    roles = {"name": "identifier", "age": "quasi", "sex": "quasi", "ill": "sensitive"}
    schema = am.Schema({name: am.Column(role=role) for name, role in roles.items()})
    source = Input(database=shop, table="shop.people")
    job = Job(
        source, schema, (am.KAnonymity(4),), output=Output(tmp_path / "out", table="shop.by_job"), method="mondrian"
    )
    path = tmp_path / "job.toml"
    path.write_text(job.to_toml(tmp_path))
    assert Job.from_file(path) == job
    planned = command("plan", str(path), "--json")
    assert planned.returncode == 0, planned.stderr
    told = json.loads(planned.stdout)
    assert (told["engine"], told["passes"], told["n_rows"]) == ("postgresql", 1, 300)
    done = command("run", str(path))
    assert done.returncode == 0, done.stderr
    assert rows(shop, "SELECT count(*) FROM shop.by_job") == [(300,)]


def test_a_plan_says_that_counts_go_through_files_where_memory_cannot_hold_them(
    shop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    roles = {"name": "identifier", "age": "quasi", "sex": "quasi", "ill": "sensitive"}
    schema = am.Schema({name: am.Column(role=role) for name, role in roles.items()})
    source, out = Input(database=shop, table="shop.people"), Output(tmp_path / "out", table="shop.by_parts")
    monkeypatch.setattr(PostgresqlStore, "room", 1)
    told = {
        method: plan_table(Job(source, schema, (am.KAnonymity(4),), output=out, method=method))
        for method in ("hilbert", "top-down")
    }
    assert ["files" in one.why[1] for one in told.values()] == [True, False]
    assert told["hilbert"].memory < told["top-down"].memory


def test_verified_and_attacked_afterwards_by_who_may_only_read_it(shop: str, postgresql: str, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    tables = ["--table", "shop.people", "--out-table", "shop.later"]
    assert command("anonymize", shop, *tables, *ROLES, "--k", "5", "--out", out).returncode == 0
    run(
        postgresql,
        "CREATE ROLE only_reader LOGIN",
        "REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC",
        "ALTER ROLE only_reader SET default_transaction_read_only = on",
        "GRANT USAGE ON SCHEMA shop TO only_reader",
        "GRANT SELECT ON shop.later TO only_reader",
    )
    reader = ["--database", postgresql.replace("amongst@", "only_reader@")]
    without = command("verify", out)
    assert (without.returncode, "--database" in without.stderr) == (2, True)
    told = command("verify", out, *reader, "--json")
    assert told.returncode == 0, told.stderr
    facts = json.loads(told.stdout)
    assert (facts["ok"], facts["unchanged"], facts["rows"]) == (True, True, 300)
    assert facts["smallest_class"] >= 5
    by_name = command("verify", "shop.later", *reader, "--quasi", "age,sex", "-k", "5", "--json")
    assert (by_name.returncode, json.loads(by_name.stdout)["classes"]) == (0, facts["classes"])
    assert command("verify", "shop.later", *reader, "--quasi", "age,sex", "-k", "200").returncode == 1
    for asked in (["shop.later", "--quasi", "age,sex", "--sensitive", "ill"], [out]):
        attacked = command("attack", *asked, *reader, "--only", "homogeneity", "--json")
        assert attacked.returncode == 0, attacked.stderr + attacked.stdout
        assert json.loads(attacked.stdout)["rows"] == 300
    refused = command("verify", "shop.people", *reader, "--quasi", "age", "-k", "5")
    assert (refused.returncode, "lacks a right" in refused.stderr) == (1, True)
    run(
        postgresql,
        "UPDATE shop.later SET ill = 'flu' WHERE ctid = (SELECT min(ctid) FROM shop.later WHERE ill <> 'flu')",
    )
    changed = command("verify", out, *reader, "--json")
    facts = json.loads(changed.stdout)
    assert (changed.returncode, facts["unchanged"]) == (1, False)
    assert [one["code"] for one in facts["findings"]] == ["changed"]
    run(postgresql, "COMMENT ON TABLE shop.later IS 'somebody else'", "GRANT TEMPORARY ON DATABASE postgres TO PUBLIC")
    assert "manifest in its comment" in command("verify", out, *reader).stdout


@pytest.mark.parametrize(
    ("tables", "word"),
    [
        (["--table", "shop.people"], "--out-table"),
        (["--out-table", "shop.x"], "--table"),
        (["--table", "a.b.c", "--out-table", "shop.x"], "name of a table"),
        (["--table", "shop.nobody", "--out-table", "shop.x"], "not there"),
        (["--table", "shop.people", "--out-table", "pg_catalog.x"], "grant CREATE"),
        (["--table", "shop.people", "--out-table", "shop.people"], "own release"),
    ],
)
def test_wrong_tables(shop: str, tmp_path: Path, tables: list[str], word: str) -> None:
    done = command("anonymize", shop, *tables, *ROLES, "--k", "5", "--out", str(tmp_path / "out"))
    assert done.returncode in (1, 2)
    assert word in done.stderr
    assert not (tmp_path / "out").exists()


def test_columns_without_a_role_are_named_and_the_address_is_not(shop: str, tmp_path: Path) -> None:
    tables = ["--table", "shop.people", "--out-table", "shop.x"]
    done = command("anonymize", shop, *tables, "--quasi", "age", "--k", "5", "--out", str(tmp_path / "out"))
    assert done.returncode == 1
    assert "name" in done.stderr


def test_a_file_has_no_tables(tmp_path: Path) -> None:
    done = command("anonymize", "patients", "--table", "a", "--k", "2", "--out", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "database" in done.stderr
