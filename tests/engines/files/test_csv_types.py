"""The types of a text file's columns are the same whether few rows are looked at here or many in SQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import amongst as am
from amongst.engines.duckdb import csv_types
from amongst.read import read

COLUMNS = {
    "whole": ["1", "2", "-3"],
    "zero first": ["007", "11", "2"],
    "half": ["1.50", "2.25", "2"],
    "a.b": ["1.5", "1.50", "2"],
    "day": ["2020-01-31", "2021-12-01", "1999-02-28"],
    "no day": ["2020-02-31", "2021-12-01", "1999-02-28"],
    'with "quotes"': ["2020-01-31 10:00:00", "2021-12-01 00:00:00", "1999-02-28 23:59:59"],
    "select": ["a", "", "b"],
    "nothing": ["", "", ""],
    "huge": ["1e999", "1", "2"],
    **{f"more {i}": [str(i), str(i + 1), "3"] for i in range(csv_types.AT_ONCE)},
}


@pytest.mark.parametrize("few", [2, 3])
def test_few_and_many_rows_have_the_types_of_memory(few: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "people.csv"
    lines = [[name.replace('"', '""') for name in COLUMNS], *zip(*COLUMNS.values(), strict=True)]
    path.write_text("".join(",".join(f'"{cell}"' if cell else "" for cell in line) + "\n" for line in lines))
    monkeypatch.setattr(csv_types, "FEW_ROWS", few)
    asked: list[Any] = []
    in_sql = csv_types._types_in_sql
    monkeypatch.setattr(csv_types, "_types_in_sql", lambda *given: asked.append(given) or in_sql(*given))
    in_memory = read(path).table
    roles = {name: am.Column(role="keep") for name in COLUMNS} | {"whole": am.Column(role="quasi")}
    release = am.anonymize(path, am.Schema(roles), [am.KAnonymity(2)], engine="duckdb", method="mondrian")
    assert bool(asked) == (few < len(COLUMNS["whole"]))
    found = release.store.schema()
    assert {name: str(found.field(name).type) for name in COLUMNS} == {
        name: str(getattr(in_memory[name].type, "value_type", in_memory[name].type)) for name in COLUMNS
    }
    release.write(tmp_path / "out", format="csv")
    kept = read(tmp_path / "out" / "release.csv", nulls=[""]).table
    assert sorted(map(str, kept["half"].to_pylist())) == sorted(map(str, in_memory["half"].to_pylist()))
    assert "1.50" in (tmp_path / "out" / "release.csv").read_text(), "cells are published as they were read"
