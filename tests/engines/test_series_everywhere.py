"""A series takes each month from wherever its rows live, and makes the same releases of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.engines import rows_here
from amongst.errors import Infeasible

MODELS = [am.KAnonymity(4), am.LDiversity(2, "distinct")]
YEAR = am.datasets.hospital_year(n_persons=300, n_months=2)
TWICE = [pa.concat_tables([month.table, month.table.slice(0, 20)]) for month in YEAR]
"""Some people have two rows, and these are alike."""


def series() -> am.Series:
    return am.Series(YEAR[0].schema, MODELS, person="person", key=b"a key for the tests only")


def of_csv(request: Any, folder: Path, table: pa.Table) -> tuple[Any, dict[str, Any]]:
    pc.write_csv(table, folder / "month.csv")
    return folder / "month.csv", {"memory": "4GB"}


def of_parquet(request: Any, folder: Path, table: pa.Table) -> tuple[Any, dict[str, Any]]:
    pq.write_table(table, folder / "month.parquet")
    return folder / "month.parquet", {"engine": "duckdb"}


def of_spark(request: Any, folder: Path, table: pa.Table) -> tuple[Any, dict[str, Any]]:
    session = request.getfixturevalue("spark")
    return session.createDataFrame(table), {}


def of_postgresql(request: Any, folder: Path, table: pa.Table) -> tuple[Any, dict[str, Any]]:
    pytest.importorskip("adbc_driver_postgresql", reason="the PostgreSQL driver is not installed")
    from postgresql_tables import load

    address = request.getfixturevalue("postgresql")
    load(address, "month", table)
    return address, {"table": "public.month"}


@pytest.mark.parametrize("place", [of_csv, of_parquet, of_spark, of_postgresql])
def test_each_month_from_an_engine_is_published_as_from_memory(
    request: pytest.FixtureRequest, tmp_path: Path, place: Callable[..., tuple[Any, dict[str, Any]]]
) -> None:
    here, there = series(), series()
    for table in TWICE:
        data, how = place(request, tmp_path, table)
        release = there.next(data, **how)
        assert release.arrow.to_pylist() == here.next(table).arrow.to_pylist()
        assert release.verdict.ok
    assert [one.n_left_out for one in there.told] == [one.n_left_out for one in here.told]
    assert [one.loss for one in there.told] == pytest.approx([one.loss for one in here.told])


def test_a_month_for_which_there_is_no_room_is_refused_and_changes_nothing(tmp_path: Path, monkeypatch) -> None:
    begun = series()
    begun.next(TWICE[0])
    data, how = of_csv(None, tmp_path, TWICE[1])
    with monkeypatch.context() as patched:
        patched.setattr(rows_here, "A_ROW", 10**9)
        with pytest.raises(Infeasible, match="no room in memory"):
            begun.next(data, **how)
    assert len(begun.published) == 1
    assert begun.next(data, **how).verdict.ok
