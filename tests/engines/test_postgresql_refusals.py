"""What a server can refuse: every error says what, found and fix, shows no password and no cell, and leaves nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from postgresql_tables import rows, run

import amongst as am
from amongst.engines.postgresql.connection import Connection
from amongst.engines.postgresql.failures import LOST
from amongst.errors import AmongstError, BadInput, BadOption, BadOutput, Changed

pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")

SECRET, CELL = "hush-hush", "Cell Nobody May See"
K = [am.KAnonymity(3)]
SCHEMA = am.Schema({"age": am.Column(role="quasi"), "ill": am.Column(role="sensitive")})


@pytest.fixture(scope="session")
def ward(postgresql: str) -> str:
    """The address of a user with a password, who may read one table and write into one schema."""
    run(
        postgresql,
        f"CREATE ROLE clerk LOGIN PASSWORD '{SECRET}'",
        "CREATE SCHEMA ward",
        "CREATE SCHEMA forbidden",
        "GRANT USAGE, CREATE ON SCHEMA ward TO clerk",
        f"CREATE TABLE ward.people AS SELECT i % 20 AS age, '{CELL}' || i % 3 AS ill FROM generate_series(1, 200) i",
        "GRANT SELECT ON ward.people TO clerk",
        "CREATE TABLE ward.secret AS SELECT * FROM ward.people",
        "CREATE TABLE forbidden.people AS SELECT * FROM ward.people",
        "CREATE TABLE ward.taken (a int)",
    )
    return postgresql.replace("amongst@", f"clerk:{SECRET}@")


def carried_out(address: str, folder: Path, table: str = "ward.people", to: str = "ward.out", **more: Any) -> Any:
    """Anonymize a table, and write the release."""
    release: Any = am.anonymize(address, SCHEMA, K, table=table, **more)
    return release.write(folder, table=to)


def refused(
    kind: type[AmongstError], address: str, folder: Path, *, table: str = "ward.people", to: str = "ward.out"
) -> AmongstError:
    """Carry it out, which must fail, and look at the error."""
    with pytest.raises(kind) as caught:
        carried_out(address, folder / "out", table, to)
    error = caught.value
    assert error.what
    assert error.found
    assert error.fix
    assert SECRET not in str(error)
    assert CELL not in str(error)
    assert not (folder / "out").exists()
    return error


def tables(address: str) -> set[str]:
    asked = "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'ward'::regnamespace"
    return {name for (name,) in rows(address, asked)}


@pytest.fixture(autouse=True)
def nothing_left(ward: str) -> Any:
    """Whatever was refused, no table is new."""
    before = tables(ward)
    yield
    assert tables(ward) == before


def test_no_right_to_read(ward: str, tmp_path: Path) -> None:
    error = refused(BadInput, ward, tmp_path, table="ward.secret")
    assert "right" in error.what
    assert "SELECT" in error.fix


def test_no_right_to_look_into_the_schema(ward: str, tmp_path: Path) -> None:
    assert "right" in refused(BadInput, ward, tmp_path, table="forbidden.people").what


def test_no_right_to_create(ward: str, tmp_path: Path) -> None:
    error = refused(BadOutput, ward, tmp_path, to="forbidden.out")
    assert "CREATE" in error.fix


def test_no_such_table(ward: str, tmp_path: Path) -> None:
    assert "not there" in refused(BadInput, ward, tmp_path, table="ward.nobody").what
    assert "not there" in refused(BadInput, ward, tmp_path, table="nowhere.people").what
    assert "but there is ward.people" in refused(BadInput, ward, tmp_path, table="ward.PEOPLE").found[0]


def test_no_such_schema_to_write_to(ward: str, tmp_path: Path) -> None:
    assert "schema" in refused(BadOutput, ward, tmp_path, to="nowhere.out").what


def test_a_name_that_is_taken(ward: str, tmp_path: Path) -> None:
    assert "already" in refused(BadOutput, ward, tmp_path, to="ward.taken").what
    assert "own release" in refused(BadOutput, ward, tmp_path, to="ward.people").what


def test_only_releases_are_replaced(ward: str, postgresql: str, tmp_path: Path) -> None:
    def write(**more: Any) -> None:
        release: Any = am.anonymize(ward, SCHEMA, K, table="ward.people", method="mondrian")
        release.write(tmp_path / "out", table="ward.release", **more)

    write()
    first = rows(ward, "SELECT 'ward.release'::regclass::oid::int8")
    with pytest.raises(BadOutput, match="already"):
        write()
    with pytest.raises(BadOutput, match="release of this name"):
        carried_out(ward, tmp_path / "other", to="ward.release")
    write(force=True)
    assert rows(ward, "SELECT 'ward.release'::regclass::oid::int8") != first
    run(postgresql, "COMMENT ON TABLE ward.release IS 'mine'")
    with pytest.raises(BadOutput, match="something of this name"):
        write(force=True)
    run(postgresql, "DROP TABLE ward.release")


def test_a_server_that_takes_no_changes(ward: str, postgresql: str, tmp_path: Path) -> None:
    run(postgresql, "ALTER ROLE clerk SET default_transaction_read_only = on")
    try:
        assert "no changes" in refused(AmongstError, ward, tmp_path).what
    finally:
        run(postgresql, "ALTER ROLE clerk RESET default_transaction_read_only")


def test_no_temporary_tables(ward: str, postgresql: str, tmp_path: Path) -> None:
    run(postgresql, "REVOKE TEMPORARY ON DATABASE postgres FROM PUBLIC")
    try:
        assert "TEMPORARY" in refused(BadOutput, ward, tmp_path).fix
    finally:
        run(postgresql, "GRANT TEMPORARY ON DATABASE postgres TO PUBLIC")


def during(monkeypatch: pytest.MonkeyPatch, word: str, do: Callable[[Connection], None]) -> None:
    """Do something just before the first statement with this word."""
    done: list[bool] = []

    def watched(own: Callable[..., Any]) -> Callable[..., Any]:
        def call(self: Connection, statement: str, *more: Any) -> Any:
            if word in statement and not done:
                done.append(True)
                do(self)
            return own(self, statement, *more)

        return call

    for name in ("execute", "fetch"):
        monkeypatch.setattr(Connection, name, watched(getattr(Connection, name)))


@pytest.mark.parametrize("word", ["count(*)", "CREATE TABLE", "COMMENT ON"])
def test_a_connection_that_is_lost(
    ward: str, postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    def kill(connection: Connection) -> None:
        [(pid,)] = connection.rows("SELECT pg_backend_pid()")
        run(postgresql, f"SELECT pg_terminate_backend({pid})")
        time.sleep(0.1)

    during(monkeypatch, word, kill)
    assert refused(AmongstError, ward, tmp_path).what == LOST


def test_a_connection_that_is_lost_while_a_statement_runs(
    ward: str, postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait_and_die(connection: Connection) -> None:
        [(pid,)] = connection.rows("SELECT pg_backend_pid()")
        killer = threading.Timer(0.3, lambda: run(postgresql, f"SELECT pg_terminate_backend({pid})"))
        killer.start()
        connection.rows("SELECT pg_sleep(20)")

    during(monkeypatch, "CREATE TABLE", wait_and_die)
    assert refused(AmongstError, ward, tmp_path).what == LOST


def test_a_statement_that_takes_too_long(ward: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def hurry(connection: Connection) -> None:
        connection.execute("SET LOCAL statement_timeout = 50")
        connection.rows("SELECT pg_sleep(5)")

    during(monkeypatch, "CREATE TABLE", hurry)
    error = refused(BadOutput, ward, tmp_path)
    assert "statement_timeout" in error.fix


def test_a_server_that_is_full(ward: str, postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its limit for temporary files stands for a disk that fills up: both end in the same way."""
    run(
        postgresql,
        "CREATE TABLE ward.many AS SELECT i AS age, repeat('x', 50) || i AS ill FROM generate_series(1, 20000) i",
        "GRANT SELECT ON ward.many TO clerk",
        "ANALYZE ward.many",
        "ALTER ROLE clerk SET temp_file_limit = '64kB'",
    )
    try:
        with pytest.raises(AmongstError) as caught:
            carried_out(ward, tmp_path / "out", "ward.many", memory="64KB")
        assert "full" in caught.value.what
        assert SECRET not in str(caught.value)
    finally:
        run(postgresql, "ALTER ROLE clerk RESET temp_file_limit", "DROP TABLE ward.many")


def test_a_table_that_changes_meanwhile_does_not_matter(ward: str, postgresql: str, tmp_path: Path) -> None:
    release: Any = am.anonymize(ward, SCHEMA, K, table="ward.people", method="mondrian")
    run(postgresql, "DELETE FROM ward.people WHERE age < 5", "INSERT INTO ward.people VALUES (99, 'new')")
    try:
        verdict = release.write(tmp_path / "out", table="ward.out")
        assert verdict.n_rows == 200
        assert rows(ward, "SELECT count(*) FROM ward.out WHERE ill = 'new'") == [(0,)]
    finally:
        run(
            postgresql,
            "DELETE FROM ward.people",
            f"INSERT INTO ward.people SELECT i % 20, '{CELL}' || i % 3 FROM generate_series(1, 200) i",
            "DROP TABLE ward.out",
        )


def test_counts_that_do_not_fit_the_table(ward: str, tmp_path: Path) -> None:
    from dataclasses import replace

    release: Any = am.anonymize(ward, SCHEMA, K, table="ward.people", method="mondrian")
    wrong = replace(release, plan=replace(release.plan, count=release.plan.count * 2))
    with pytest.raises(Changed):
        wrong.write(tmp_path / "out", table="ward.out")


def test_nothing_is_left_when_the_proof_fails(ward: str, tmp_path: Path) -> None:
    from dataclasses import replace

    release: Any = am.anonymize(ward, SCHEMA, K, table="ward.people", method="mondrian")
    with pytest.raises(am.errors.NotVerified):
        replace(release, request=replace(release.request, models=[am.KAnonymity(150)])).write(
            tmp_path / "out", table="ward.out"
        )
    assert not (tmp_path / "out").exists()


def test_a_release_is_not_written_twice(ward: str, postgresql: str, tmp_path: Path) -> None:
    release: Any = am.anonymize(ward, SCHEMA, K, table="ward.people", method="mondrian")
    release.write(tmp_path / "out", table="ward.out")
    with pytest.raises(AmongstError):
        release.write(tmp_path / "again", table="ward.again")
    run(postgresql, "DROP TABLE ward.out")


def test_a_server_that_cannot_be_reached() -> None:
    with pytest.raises(BadInput) as caught:
        am.anonymize(f"postgresql://clerk:{SECRET}@127.0.0.1:1/none", SCHEMA, K, table="people", method="mondrian")
    assert SECRET not in str(caught.value)


def test_what_must_be_named(ward: str, tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="name"):
        am.anonymize(ward, SCHEMA, K, method="mondrian")
    with pytest.raises(BadOption, match="structs"):
        am.anonymize(ward, SCHEMA, K, table="ward.people", form="structs", method="mondrian")
    with pytest.raises(BadOption, match="nothing"):
        am.anonymize(ward, SCHEMA, K, table="ward.people", resume=True, method="mondrian")
    release: Any = am.anonymize(ward, SCHEMA, K, table="ward.people", method="mondrian")
    with pytest.raises(BadOption, match="table there"):
        release.write(tmp_path / "out")
    release.close()
