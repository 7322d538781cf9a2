"""People counted in a table of PostgreSQL: proved from what was written there, and nobody else sees whose rows are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from postgresql_tables import fetched, load, rows, run

import amongst as am
from amongst.engines.postgresql import PostgresqlStore
from amongst.engines.postgresql.published import WrittenTable
from amongst.engines.postgresql.released import released as in_database
from amongst.errors import BadInput, BadOption, Changed, Infeasible
from amongst.release.people import people_of
from amongst.verify import verify
from typed_commands import typed

pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")

K = [am.KAnonymity(4)]
SCHEMA = am.Schema({"who": am.Column(role="identifier"), "age": am.Column(role="quasi"), "ill": am.Column(role="keep")})


def visits(n: int = 300, n_people: int = 90) -> pa.Table:
    draw = np.random.default_rng(2)
    who = draw.integers(0, n_people, n)
    return pa.table({"who": who, "age": who % 30, "ill": draw.choice(list("abc"), n)})


def released(address: str, table: pa.Table, models: Any = K, **asked: Any) -> am.Release:
    load(address, "visits", table)
    run(address, "DROP TABLE IF EXISTS visits_out")
    there: dict[str, Any] = {"unit": "who", "method": "mondrian", "table": "public.visits", **asked}
    return am.anonymize(address, SCHEMA, models, **there)


def test_it_is_verified_again_by_people(postgresql: str, tmp_path: Path) -> None:
    """Also where the rows lie in another order; not with other people, and not with the inside of another release."""
    verdict = released(postgresql, visits()).write(tmp_path / "out", table="visits_out")
    run(postgresql, "CREATE INDEX by_ill ON visits_out (ill DESC, age DESC)", "CLUSTER visits_out USING by_ill")
    ended = typed(["verify", "out", "--database", postgresql], tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "people: out.inside/people.parquet" in ended.stdout
    with in_database(postgresql, "visits_out") as table:
        again = verify(table.source(), SCHEMA, K, units=people_of(tmp_path / "out"))
        assert (again.ok, again.smallest, again.models) == (True, verdict.smallest, verdict.models)
        assert not verify(table.source(), SCHEMA, K, units=[1] * 300).ok
    assert released(postgresql, visits(200)).write(tmp_path / "other", table="visits_out").ok
    with pytest.raises(BadInput, match="not that of this release"):
        people_of(tmp_path / "out", tmp_path / "other.inside")


def test_one_person_with_many_rows_is_no_crowd(postgresql: str, tmp_path: Path) -> None:
    """Where rows were counted this would pass: k rows, all of one person."""
    table = pa.table({"who": ["a"] * 9 + ["b"], "age": [30] * 9 + [31], "ill": ["x"] * 10})
    with pytest.raises(Infeasible):
        released(postgresql, table, [am.KAnonymity(3)])
    assert released(postgresql, table, [am.KAnonymity(2)]).write(tmp_path / "out", table="visits_out").ok
    assert rows(postgresql, "SELECT DISTINCT age FROM visits_out") == [("[30-31]",)]


def test_nobody_else_sees_whose_rows_are_and_nothing_of_it_stays(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that ends after the rows were written leaves nothing; while it goes on, others see no table at all."""
    seen: list[Any] = []
    there = "SELECT relname FROM pg_class WHERE relname LIKE 'amongst%' OR relname = 'visits_out'"

    def broken(table: WrittenTable, whose: str) -> np.ndarray:
        seen.append(table.connection.rows(f"SELECT count(*) FROM {whose}"))
        seen.append(rows(postgresql, there))
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(WrittenTable, "persons", broken)
        with pytest.raises(KeyboardInterrupt):
            released(postgresql, visits()).write(tmp_path / "out", table="visits_out")
    assert seen == [[(300,)], []]
    assert rows(postgresql, there) == []
    assert not (tmp_path / "out").exists()
    assert released(postgresql, visits()).write(tmp_path / "out", table="visits_out").ok
    assert rows(postgresql, there) == [("visits_out",)]
    assert fetched(postgresql, "SELECT * FROM visits_out").column_names == ["age", "ill"]
    stored = "SELECT count(*) FROM pg_attribute WHERE attrelid = 'visits_out'::regclass AND attnum > 0"
    assert rows(postgresql, stored) == [(2,)]


def test_people_are_those_of_the_rows_that_were_written(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a row of the release is not one of those whose people are known, nothing is proved."""
    told = WrittenTable.persons

    def changed(table: WrittenTable, whose: str) -> np.ndarray:
        first = f"ctid = (SELECT min(ctid) FROM {table.table.sql})"
        table.connection.execute(f"UPDATE {table.table.sql} SET ill = 'another' WHERE {first}")
        return told(table, whose)

    monkeypatch.setattr(WrittenTable, "persons", changed)
    with pytest.raises(Changed):
        released(postgresql, visits()).write(tmp_path / "out", table="visits_out")


def test_what_cannot_be_counted_or_does_not_fit_is_refused(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    load(postgresql, "visits", visits())
    run(postgresql, "ALTER TABLE visits ALTER who TYPE numeric(30, 0)")
    asked: dict[str, Any] = {"table": "public.visits", "unit": "who", "method": "mondrian"}
    with pytest.raises(BadOption, match="counted exactly"):
        am.anonymize(postgresql, SCHEMA, K, **asked)
    monkeypatch.setattr(PostgresqlStore, "room", property(lambda store: 1000))
    with pytest.raises(BadOption, match="does not fit"):
        released(postgresql, visits())
