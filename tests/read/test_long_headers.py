"""A line of names longer than what is read at a time: read, or refused for what it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import amongst as am
from amongst.errors import BadInput
from amongst.read import read
from amongst.read.header import LONGEST_HEADER


def written(folder: Path, sign: str, n_columns: int, length: int) -> Path:
    path = folder / "wide.csv"
    names = ",".join(f"c{i}".ljust(length, sign) for i in range(n_columns))
    row = ",".join(["ab"] * n_columns)
    path.write_text(f"{names}\n{row}\n{row}\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("sign", "n_columns"), [("x", 1000), ("é", 600), ("漢", 300), ("🙂", 300)])
def test_names_of_more_bytes_than_a_block(sign: str, n_columns: int, tmp_path: Path) -> None:
    assert read(written(tmp_path, sign, n_columns, 1040)).table.num_columns == n_columns


def test_a_longer_line_is_refused_as_such_by_reader_and_verifier(tmp_path: Path) -> None:
    path = written(tmp_path, "x", 2, LONGEST_HEADER)
    with pytest.raises(BadInput, match=r"first line of wide\.csv is too long"):
        read(path)
    with pytest.raises(BadInput, match=r"first line of wide\.csv is too long"):
        am.verify(path, ["c0"], [am.KAnonymity(2)])
