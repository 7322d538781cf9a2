"""A folder of Parquet files whose names of folders are a column: never read without that column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import BadInput


def divided(folder: Path, name: str) -> Path:
    for value in (1, 2):
        place = folder / "people" / name.format(value=value)
        place.mkdir(parents=True)
        pq.write_table(pa.table({"age": [1, 1, 2, 2], "dx": ["a", "b", "a", "b"]}), place / "part.parquet")
    return folder / "people"


@pytest.mark.parametrize("engine", [{}, {"memory": "8GB"}, {"engine": "duckdb"}], ids=["memory", "limit", "duckdb"])
@pytest.mark.parametrize("name", ["region={value}", "year=2020/region={value}", "region={value}/x"])
def test_columns_in_names_of_folders_are_not_lost(tmp_path: Path, engine: dict[str, Any], name: str) -> None:
    with pytest.raises(BadInput) as caught:
        am.anonymize(divided(tmp_path, name), {"age": "quasi", "dx": "keep"}, [am.KAnonymity(2)], **engine)
    assert "region" in str(caught.value) or "is a folder" in str(caught.value)


def test_other_folders_are_read(tmp_path: Path) -> None:
    release = am.anonymize(
        divided(tmp_path, "part{value}"), {"age": "quasi", "dx": "keep"}, [am.KAnonymity(2)], memory="8GB"
    )
    release.write(tmp_path / "out")
    assert pq.read_table(tmp_path / "out" / "release.parquet").num_rows == 8


def test_the_name_of_the_folder_itself_may_have_such_a_sign(tmp_path: Path) -> None:
    place = tmp_path / "k=5"
    place.mkdir()
    release = am.anonymize(
        divided(place, "part{value}"), {"age": "quasi", "dx": "keep"}, [am.KAnonymity(2)], memory="8GB"
    )
    assert release.source.n_columns == 2
