"""A table anonymized inside PostgreSQL is the table that memory gives, row by row."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from odd_people import SCHEMA, K, people
from postgresql_tables import fetched, load, nothing, plain, rows, run

import amongst as am
from amongst.anonymize import release_of
from amongst.engines.postgresql import PostgresqlStore
from amongst.engines.postgresql.open import open_table
from amongst.request import Request

pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")


def compared(
    address: str, folder: Path, table: pa.Table, schema: am.Schema, models: Any, method: str, **options: Any
) -> am.Release:
    """Anonymize in memory and in the server, and compare all rows in their order.

    With ``same`` only these columns are compared row by row, and what is in the others.
    """
    load(address, "people", table)
    run(address, 'DROP TABLE IF EXISTS "the release"')
    form, same = options.pop("form", "labels"), options.pop("same", None)
    expected = am.anonymize(table, schema, models, method, form=form, **options)
    release: Any = am.anonymize(address, schema, models, method, form=form, table="public.people", **options)
    verdict = release.write(folder / "out", table="the release", force=True)
    assert verdict.ok
    written = fetched(address, 'SELECT * FROM "the release"')
    wanted = plain(expected.arrow)
    assert written.column_names == wanted.column_names
    written = written.cast(wanted.schema)
    if same is None:
        assert written.to_pylist() == wanted.to_pylist()
    else:
        assert written.select(same).to_pylist() == wanted.select(same).to_pylist()
        for name in set(written.column_names) - set(same):
            assert sorted(map(repr, written[name].to_pylist())) == sorted(map(repr, wanted[name].to_pylist()))
    assert release.utility.gcp == pytest.approx(expected.utility.gcp, abs=1e-12)
    return expected


@pytest.mark.parametrize("method", ["mondrian-relaxed", "hilbert", "idistance", "top-down"])
def test_the_same_classes_where_rows_of_a_tuple_are_divided(postgresql: str, tmp_path: Path, method: str) -> None:
    """Which of the rows of a tuple goes where is for the method to say: as in memory, of rows in this order."""
    compared(postgresql, tmp_path, in_order(people(400)), SCHEMA, K, method, same=SCHEMA.quasi)


@pytest.mark.parametrize("method", ["mondrian", "hilbert"])
def test_columns_named_as_those_of_our_statements(postgresql: str, tmp_path: Path, method: str) -> None:
    table = people(200).select(["age", "illness"])
    for place, name in enumerate(["class", "place", "id", "n", "first", "g0", "c0"]):
        table = table.append_column(name, pa.array(np.random.default_rng(place).normal(size=200)))
    roles = {"age": "quasi", "illness": "sensitive"}
    schema = am.Schema({name: am.Column(role=roles.get(name, "keep")) for name in table.column_names})
    compared(postgresql, tmp_path, table, schema, K, method, same=["age"] if method == "hilbert" else None)


def in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([(name, "ascending") for name in [*SCHEMA.quasi, "illness"]])


@pytest.mark.parametrize("method", ["mondrian", "hilbert"])
def test_the_same_rows_with_models_of_sensitive_values(postgresql: str, tmp_path: Path, method: str) -> None:
    models, same = [*K, am.LDiversity(2, "distinct", column="illness")], [*SCHEMA.quasi, "illness"]
    compared(postgresql, tmp_path, in_order(people(400, nulls=0)), SCHEMA, models, method, same=same)


@pytest.mark.parametrize("method", ["mondrian", "hilbert"])
def test_rows_that_are_all_different(postgresql: str, tmp_path: Path, method: str) -> None:
    """Nothing to count: the rows are joined with their classes and sorted."""
    table = people(300)
    table = table.append_column("weight", pa.array(np.random.default_rng(1).normal(size=300)))
    load(postgresql, "people", table)
    run(postgresql, "ANALYZE people")
    schema = am.Schema({**SCHEMA, "weight": am.Column(role="keep")})
    compared(postgresql, tmp_path, table, schema, K, method, same=SCHEMA.quasi if method == "hilbert" else None)


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6), n=st.integers(10, 120), method=st.sampled_from(["mondrian", "hilbert"]))
def test_any_table(postgresql: str, tmp_path_factory: pytest.TempPathFactory, seed: int, n: int, method: str) -> None:
    same = SCHEMA.quasi if method == "hilbert" else None
    folder, table = tmp_path_factory.mktemp("any"), in_order(people(n, seed))
    compared(postgresql, folder, table, SCHEMA, [am.KAnonymity(2)], method, same=same)


def test_folder_and_comment_name_each_other(postgresql: str, tmp_path: Path) -> None:
    import hashlib

    compared(postgresql, tmp_path, people(200), SCHEMA, K, "mondrian")
    facts = (tmp_path / "out" / "manifest.json").read_bytes()
    told = json.loads(facts)
    assert told["input"] == {}
    full = json.loads((tmp_path / "out.inside" / "manifest.json").read_text())
    assert full["input"]["name"] == "public.people"
    assert told["output"]["table"]["name"] == "public.the release"
    [(comment,)] = rows(postgresql, "SELECT obj_description('\"the release\"'::regclass)")
    assert comment == f"release of amongst: manifest sha256 {hashlib.sha256(facts).hexdigest()}"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["manifest.json", "report.html"]
    assert told["output"]["table"]["rows_sha256"] in (tmp_path / "out" / "report.html").read_text()


def test_the_same_digest_however_it_was_written(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From counts, from rows, by another method of the same outcome: the digest is of the rows alone."""
    digests = []
    for whole in (True, False):
        load(postgresql, "people", people(200))
        run(postgresql, "DROP TABLE IF EXISTS release_of_people")
        with monkeypatch.context() as patch:
            patch.setattr(PostgresqlStore, "few", lambda self, columns, whole=whole: whole)
            request = Request(schema=SCHEMA, models=K)
            release = release_of(open_table(postgresql, request, nothing, table="people"), request, nothing)
        assert (release.plan.found_by is not None) == whole
        release.write(tmp_path / f"out{whole}", table="release_of_people")
        told = json.loads((tmp_path / f"out{whole}" / "manifest.json").read_text())
        digests.append(told["output"]["table"]["rows_sha256"])
    assert digests[0] == digests[1]


def test_anybody_can_work_out_the_digest(postgresql: str, tmp_path: Path) -> None:
    """As the page says: three numbers from the server, and the names."""
    import hashlib

    compared(postgresql, tmp_path, people(200), SCHEMA, K, "mondrian")
    names = [
        name
        for (name,) in rows(
            postgresql,
            "SELECT attname::text FROM pg_attribute WHERE attnum > 0 AND "
            "attrelid = '\"the release\"'::regclass ORDER BY attnum",
        )
    ]
    row = "ROW(" + ", ".join(f'"{name}"' for name in names) + ")"
    sums = ", ".join(f"sum(hash_record_extended({row}, {seed})::numeric)::text" for seed in (0, 1))
    [numbers] = rows(postgresql, f'SELECT count(*)::text, {sums} FROM "the release"')
    text = json.dumps([names, *numbers], ensure_ascii=False)
    told = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert hashlib.sha256(text.encode()).hexdigest() == told["output"]["table"]["rows_sha256"]


def test_only_counts_leave_the_server(postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No statement hands out rows of the table, or of the release."""
    from amongst.engines.postgresql.connection import Connection

    asked: list[str] = []
    own = Connection.fetch
    monkeypatch.setattr(Connection, "fetch", lambda self, query: (asked.append(query), own(self, query))[1])
    models = [*K, am.LDiversity(2, "distinct", column="illness")]
    compared(postgresql, tmp_path, people(300), SCHEMA, models, "hilbert", same=SCHEMA.quasi)
    assert asked
    assert all("GROUP BY" in query or "amongst_counted" in query for query in asked)


@pytest.mark.parametrize("method", ["mondrian", "hilbert"])
def test_counts_that_do_not_fit_into_memory_go_through_a_folder_that_is_gone_after(
    postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    """Every row is different, and a null rule leaves some out."""
    table = people(600).append_column("paid", pa.array(np.arange(600) * 7 % 600))
    schema = am.Schema({**SCHEMA, "paid": am.Column(role="quasi")})
    models = [am.KAnonymity(4), am.LDiversity(2, column="illness")]
    monkeypatch.setattr(PostgresqlStore, "room", 1)
    (tmp_path / "work").mkdir()
    load(postgresql, "people", table)
    run(postgresql, "DROP TABLE IF EXISTS by_parts")
    release: Any = am.anonymize(postgresql, schema, models, method, table="public.people", work=tmp_path / "work")
    assert release.partition.facts["parts"] == 1
    assert len(list((tmp_path / "work").iterdir())) == 1
    assert release.write(tmp_path / "out", table="by_parts").ok
    release.close()
    assert not list((tmp_path / "work").iterdir())
    expected = am.anonymize(table, schema, models, method)
    assert plain(fetched(postgresql, "SELECT * FROM by_parts")).cast(plain(expected.arrow).schema).to_pylist() == (
        plain(expected.arrow).to_pylist()
    )
    assert release.utility.to_dict() == expected.utility.to_dict()


def test_what_cannot_be_done_part_by_part_is_done_in_memory(postgresql: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PostgresqlStore, "room", 1)
    load(postgresql, "people", people(60))
    with open_table(postgresql, Request(schema=SCHEMA, models=K, method="top-down"), nothing, table="people") as store:
        assert release_of(store, Request(schema=SCHEMA, models=K, method="top-down"), nothing).utility.n_published
