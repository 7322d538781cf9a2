"""Types and forms of a text file follow from the rows that stay: the bytes are as if others had never been in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import amongst as am

NAMES = ["zip", "age", "born", "n", "answer"]
SCHEMA = am.Schema(
    {
        "zip": am.Column(role="quasi", kind="categorical", nulls="suppress"),
        "age": am.Column(role="quasi", kind="numeric"),
        "born": am.Column(role="quasi", kind="date"),
        "n": am.Column(role="keep"),
        "answer": am.Column(role="sensitive"),
    }
)
STAY = [[f"A{i % 2}", f"{30 + i % 7}", f"0{1 + i % 9}.10.19{50 + i % 5}", f"{i % 4}", f"{i % 3}"] for i in range(24)]


def written(folder: Path, rows: list[list[str]], memory: str | None = None, **how: Any) -> dict[str, bytes]:
    """What is published of these rows, file by file."""
    folder.mkdir()
    (folder / "in.csv").write_text("".join(";".join(row) + "\n" for row in [NAMES, *rows]), encoding="utf-8")
    release = am.anonymize(folder / "in.csv", SCHEMA, [am.KAnonymity(3)], "mondrian", reads="found", memory=memory)
    assert release.write(folder / "out", **how).ok
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir() if path.name.startswith("release.")}


ODD = {
    "a fraction": ["", "30", "01.10.1950", "3.5", "1"],
    "a fraction among quasi-identifiers": ["", "30.5", "01.10.1950", "3", "1"],
    "a word": ["", "30", "01.10.1950", "abc", "many"],
    "a long fraction": ["", "30", "01.10.1950", "2.100", "2.1"],
    "a code": ["", "30", "01.10.1950", "007", "01"],
    "a date without a zero": ["", "30", "1.1.1950", "3", "1"],
    "a sign that needs quotes": ["", "30", "01.10.1950", '"3;"', "1"],
}


HOW: tuple[dict[str, Any], ...] = ({"format": "csv", "shape": "input"}, {"format": "csv"}, {"format": "parquet"})


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    """The release of the rows that stay, in every way."""
    folder = tmp_path_factory.mktemp("alone")
    return [written(folder / str(i), STAY, **how) for i, how in enumerate(HOW)]


@pytest.mark.parametrize("row", ODD.values(), ids=ODD)
def test_a_row_that_is_left_out_changes_no_byte(tmp_path: Path, row: list[str], alone: list[dict[str, bytes]]) -> None:
    for i, how in enumerate(HOW):
        assert written(tmp_path / str(i), [row, *STAY], **how) == alone[i]


@pytest.mark.parametrize("name", ["a fraction", "a fraction among quasi-identifiers", "a word"])
def test_nor_does_it_where_rows_are_not_in_memory(tmp_path: Path, name: str, alone: list[dict[str, bytes]]) -> None:
    for i, how in enumerate(HOW[1:], start=1):
        assert written(tmp_path / str(i), [ODD[name], *STAY], memory="4GB", **how) == alone[i]
