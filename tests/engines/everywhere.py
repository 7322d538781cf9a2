"""Every engine as the same thing: give it a table and what is asked, and have what it published.

A new engine is one more class here, and runs every case of ``test_everywhere.py`` against memory from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
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

    in_parts = True
    """Whether it goes on where distinct rows do not fit into memory."""

    def run(
        self, table: pa.Table, request: Request, folder: Path, part_rows: int | None = None
    ) -> tuple[am.Release, pa.Table]:
        """The release, and the table that it published, read back.

        With ``part_rows`` nothing of the table fits into memory but parts of so many rows.
        """
        raise NotImplementedError


class Files(Engine):
    whole = True
    """Whether rows are recoded from their counts; otherwise they are joined with their classes."""

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
    def run(
        self, table: pa.Table, request: Request, folder: Path, part_rows: int | None = None
    ) -> tuple[am.Release, pa.Table]:
        pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")
        from postgresql_tables import fetched, load, run

        from amongst.engines.postgresql.open import open_table

        address = self.fixture("postgresql")
        load(address, "everywhere", table)
        run(address, "DROP TABLE IF EXISTS everywhere_out")
        store = open_table(address, request, silent, table="public.everywhere")
        store.part_rows = part_rows
        store.whole = store.whole and part_rows is None
        release = release_of(store, request, silent)
        assert release.write(folder / "out", table="everywhere_out").ok
        return release, fetched(address, "SELECT * FROM everywhere_out")


class Spark(Engine):
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

    in_parts = False

    def run(
        self, table: pa.Table, request: Request, folder: Path, part_rows: int | None = None
    ) -> tuple[am.Release, pa.Table]:
        from polars_engine import POLARS

        pq.write_table(table, folder / "in.parquet")
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(engines.ENGINES, "polars", POLARS)
            store = engines.open_store("polars", folder / "in.parquet", request, silent, reading={})
        return _written(release_of(store, request, silent), folder)


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
