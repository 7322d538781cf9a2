"""Every engine as the same thing: give it a table and what is asked, and have what it published.

A new engine is one more class here, and runs every case of ``test_everywhere.py`` against memory from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst import engines
from amongst.anonymize import release_of
from amongst.engines.memory import Budget
from amongst.engines.parts.plan import Plan
from amongst.engines.parts.store import PartsStore
from amongst.request import Request


def silent(step: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


@dataclass(frozen=True)
class Engine:
    """Where a table is anonymized; ``fixture`` gives the server or session that it needs."""

    fixture: Callable[[str], Any]

    in_parts = False
    """Whether it goes on where distinct rows do not fit into memory."""
    by_case = True
    """Whether columns whose names differ in upper and lower case alone are two; else they are refused."""
    writes: ClassVar[dict[str, str]] = {}
    """What ``release.write`` is told besides the folder."""

    def there(self, table: pa.Table, folder: Path, *, text: bool = False) -> dict[str, Any]:
        """Puts a table where it is found, as a text file where it can; what ``am.anonymize`` takes to find it."""
        return {"data": _file(table, folder, text=text)}

    def run(
        self, table: pa.Table, request: Request, folder: Path, part_rows: int | None = None
    ) -> tuple[am.Release, pa.Table]:
        """The release, and the table that it published, read back.

        With ``part_rows`` nothing of the table fits into memory but parts of so many rows.
        """
        found = self.there(table, folder)
        store = engines.open_store(found["engine"], found["data"], request, silent, reading={})
        return _written(release_of(store, request, silent), folder)


class Files(Engine):
    in_parts = True
    by_case = False
    whole = True
    """Whether rows are recoded from their counts; otherwise they are joined with their classes."""

    def there(self, table: pa.Table, folder: Path, *, text: bool = False) -> dict[str, Any]:
        return {"data": _file(table, folder, text=text), "memory": "2GB", "work": folder}

    def run(
        self, table: pa.Table, request: Request, folder: Path, part_rows: int | None = None
    ) -> tuple[am.Release, pa.Table]:
        from amongst.engines.duckdb.open_store import open_store

        pq.write_table(table, folder / "in.parquet", row_group_size=17)
        (folder / "work").mkdir()
        store = replace(open_store(folder / "in.parquet", folder / "work", 400_000_000), whole=self.whole)
        if part_rows is not None:
            own = {field.name: getattr(store, field.name) for field in fields(store)}
            store = PartsStore(**own, budget=Budget(10**9, 7 * 10**8), planned=Plan(part_rows, part_rows, 1))
        return _written(release_of(store, request, silent), folder)


class JoinedFiles(Files):
    whole = False
    in_parts = False


class Postgresql(Engine):
    in_parts = True
    writes: ClassVar[dict[str, str]] = {"table": "everywhere_out"}

    def there(self, table: pa.Table, folder: Path, *, text: bool = False) -> dict[str, Any]:
        pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")
        from postgresql_tables import load, run

        address = self.fixture("postgresql")
        load(address, "everywhere", table)
        run(address, "DROP TABLE IF EXISTS everywhere_out")
        return {"data": address, "table": "public.everywhere", "work": folder}

    def run(
        self, table: pa.Table, request: Request, folder: Path, part_rows: int | None = None
    ) -> tuple[am.Release, pa.Table]:
        found = self.there(table, folder)
        from postgresql_tables import fetched

        from amongst.engines.postgresql.open import open_table

        store = open_table(found["data"], request, silent, table=found["table"])
        store.part_rows = part_rows
        store.whole = store.whole and part_rows is None
        release = release_of(store, request, silent)
        assert release.write(folder / "out", **self.writes).ok
        return release, fetched(found["data"], "SELECT * FROM everywhere_out")


class Spark(Engine):
    in_parts = True
    by_case = False

    def there(self, table: pa.Table, folder: Path, *, text: bool = False) -> dict[str, Any]:
        session = self.fixture("spark")
        return {"data": str(_file(table, folder, text=text)), "engine": "spark", "session": session, "work": folder}

    def run(
        self, table: pa.Table, request: Request, folder: Path, part_rows: int | None = None
    ) -> tuple[am.Release, pa.Table]:
        session = self.fixture("spark")
        from amongst.engines.spark import open_spark
        from amongst.engines.spark.columns import to_spark

        frame = to_spark(session, table, table.column_names).repartition(3)
        store = open_spark(frame, request, silent)
        store.part_tuples = part_rows
        return _written(release_of(store, request, silent), folder)


class Polars(Engine):
    """The engine of somebody else, known by its declaration alone."""

    def there(self, table: pa.Table, folder: Path, *, text: bool = False) -> dict[str, Any]:
        from polars_engine import POLARS

        self.fixture("monkeypatch").setitem(engines.ENGINES, "polars", POLARS)
        return {"data": _file(table, folder), "engine": "polars"}


def _file(table: pa.Table, folder: Path, *, text: bool = False) -> Path:
    path = folder / ("in.csv" if text else "in.parquet")
    (pa.csv.write_csv if text else pq.write_table)(table, path)
    return path


def _written(release: am.Release, folder: Path) -> tuple[am.Release, pa.Table]:
    assert release.write(folder / "out").ok
    return release, pq.read_table(folder / "out" / "release.parquet")


ENGINES: dict[str, type[Engine]] = {
    "files": Files,
    "files joined": JoinedFiles,
    "postgresql": Postgresql,
    "spark": Spark,
    "polars": Polars,
}
