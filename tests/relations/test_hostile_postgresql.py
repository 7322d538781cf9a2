"""Hostile cells and names through a real PostgreSQL."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

import amongst as am
from amongst.engines.postgresql.server import connected
from amongst.relations.stores import read_database
from postgresql_server import WHY_NOT, server

sys.path.insert(0, str(Path(__file__).parents[1] / "hostile"))
from hostile_values import CELLS

pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")

PEOPLE, WORD = "peo\"ple'; DROP SCHEMA public; --", "wo'rd\"; SELECT 1; --"


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    running = server()
    try:
        place = running.__enter__()
    except LookupError as reason:
        pytest.skip(WHY_NOT.format(reason=reason))
    yield place
    running.__exit__(None, None, None)


def test_cells_and_names(address: str, tmp_path: Path) -> None:
    cells = CELLS * 2
    n = len(cells)
    tables = {
        PEOPLE: pa.table({"key": list(range(n)), "land": ["x", "y"] * (n // 2)}),
        "visits": pa.table({"person": list(range(n)), WORD: cells}),
    }
    with connected(address) as database:
        with database.cursor() as cursor:
            cursor.execute("CREATE SCHEMA in_here")
            for name, table in tables.items():
                cursor.adbc_ingest(name, table, mode="create", db_schema_name="in_here")
        database.commit()
    schema = am.DatabaseSchema(
        {
            PEOPLE: am.Relation({"land": am.Column(role="quasi")}, key="key"),
            "visits": am.Relation({WORD: am.Column(role="sensitive")}, parent=PEOPLE, foreign_key="person"),
        }
    )
    release = am.anonymize_database(address, schema, [am.KAnonymity(2)], namespace="in_here")
    assert release.write(tmp_path / "out", format="duckdb").ok
    assert release.write_postgresql(address, 'out"; DROP SCHEMA in_here; --').ok
    back = read_database(address, namespace='out"; DROP SCHEMA in_here; --').tables
    assert Counter(back["visits"][WORD].to_pylist()) == Counter(cells)
    assert set(read_database(address, namespace="in_here").tables) == {PEOPLE, "visits"}
