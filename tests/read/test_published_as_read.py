"""Kept and sensitive cells of a text file are published as they were written, in memory and from files."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import amongst as am
from amongst.read import read

NASTY = {
    "thousands": ["2.100", "3.200", "10.050"],
    "money": ["12.50", "3.10", "-4.00"],
    "whole": ["1.0", "2.0"],
    "mixed": ["1.50", "2.5", "3", "1e5", "-0"],
    "wide": ["123456789012345", "0.5"],
    "time": ["2020-01-01T10:00", "2021-02-03 10:00", "2020-05-05T10:00:00"],
    "zip": ["007", "8"],
    "plus": ["+5", "3"],
    "blank": [" 5", "6"],
    "long": ["123456789012345678901", "5"],
    "truth": ["TRUE", "false"],
    "under": ["1_000", "2"],
    "date": ["2020-01-31", "1999-12-31"],
    "plain": ["0.25", "7.5"],
}


def _published(folder: Path, cells: dict[str, list[str]], roles: dict[str, str], format: str) -> pa.Table:
    """Write the table, publish it in memory and from files, see that both are the same, and give it."""
    names, n = list(cells), len(next(iter(cells.values())))
    folder.mkdir(exist_ok=True)
    path = folder / "in.csv"
    rows = [[str(20 + i % 3), *(cells[name][i] for name in names)] for i in range(n)]
    with path.open("w", newline="") as out:
        csv.writer(out).writerows([["age", *names], *rows])
    schema = am.Schema({"age": "quasi", **roles})
    written = []
    for i, where in enumerate(({}, {"memory": "8GB"})):
        release = am.anonymize(path, schema, [am.KAnonymity(2)], **where)
        release.write(folder / f"out{i}", format=format, force=True)
        written.append(folder / f"out{i}" / f"release.{format}")
    assert written[0].read_bytes() == written[1].read_bytes()
    if format == "parquet":
        return pq.read_table(written[0])
    with written[0].open(newline="") as stream:
        first, *rest = csv.reader(stream)
    return pa.table([list(column) for column in zip(*rest, strict=True)], names=first)


def _texts(table: pa.Table, names: list[str]) -> Counter[tuple[str, ...]]:
    rows = zip(*(table.column(name).to_pylist() for name in names), strict=True)
    return Counter(tuple("" if cell is None else str(cell) for cell in row) for row in rows)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("role", ["keep", "sensitive"])
@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_cells_are_published_as_read(tmp_path, format, role):
    cells = {name: [([*texts, ""] * 60)[i + i // 7] for i in range(60)] for name, texts in NASTY.items()}
    found = _published(tmp_path, cells, dict.fromkeys(cells, role), format)
    assert _texts(found, list(cells)) == Counter(zip(*cells.values(), strict=True))


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=12, deadline=None)
@given(st.lists(st.from_regex(r"-?[0-9]{1,3}(\.[0-9]{1,3})?([eE][-+]?[0-9])?", fullmatch=True), min_size=1, max_size=6))
def test_numbers_in_any_writing(tmp_path_factory, texts):
    cells = {"x": (texts * 12)[:12], "y": [f"{i % 2}.50" for i in range(12)]}
    found = _published(tmp_path_factory.mktemp("any"), cells, {"x": "keep", "y": "sensitive"}, "csv")
    assert _texts(found, ["x", "y"]) == Counter(zip(*cells.values(), strict=True))


def test_what_type_a_parquet_file_gets(tmp_path):
    """Numbers stay numbers where they print as they were written."""
    cells = {name: (NASTY[name] * 12)[:12] for name in ("thousands", "mixed", "time", "plain", "date")}
    found = _published(tmp_path, cells, dict.fromkeys(cells, "keep"), "parquet").schema
    assert pa.types.is_decimal(found.field("thousands").type)
    assert found.field("mixed").type == found.field("time").type == pa.string()
    assert found.field("plain").type == pa.float64()
    assert found.field("date").type == pa.date32()


def test_parquet_stays_as_it_is(tmp_path):
    table = pa.table(
        {"age": [1, 1, 2, 2], "x": pa.array([2.1, -0.0, 1e5, None]), "f": pa.array([1, 2, 3, 4], "float32")}
    )
    pq.write_table(table, tmp_path / "in.parquet")
    schema = am.Schema({"age": "quasi", "x": "keep", "f": "sensitive"})
    am.anonymize(tmp_path / "in.parquet", schema, [am.KAnonymity(2)], method="mondrian").write(tmp_path / "out")
    found = pq.read_table(tmp_path / "out" / "release.parquet")
    assert [found.schema.field(name).type for name in ("x", "f")] == [pa.float64(), pa.float32()]
    assert Counter(map(repr, found.column("x").to_pylist())) == Counter(map(repr, table.column("x").to_pylist()))


def test_columns_written_so_are_still_numbers_to_generalize(tmp_path):
    (tmp_path / "in.csv").write_text("pay,dx\n12.50,a\n3.10,b\n4.00,c\n5.20,d\n")
    source = read(tmp_path / "in.csv")
    assert source.table.schema.field("pay").type == pa.float64()
    release = am.anonymize(
        tmp_path / "in.csv", am.Schema({"pay": "quasi", "dx": "keep"}), [am.KAnonymity(2)], method="mondrian"
    )
    assert sorted(set(release.table.column("pay").to_pylist())) == ["[3.1-4.0]", "[5.2-12.5]"]
    assert "12.50" not in repr(source) + repr(source.spelled)


@pytest.mark.filterwarnings("ignore")
def test_the_frame_and_two_tables_too(tmp_path):
    (tmp_path / "in.csv").write_text("age,fee,pay\n" + "".join(f"{20 + i},{i}.50,{i}.100\n" for i in range(8)))
    schema = am.Schema({"age": "quasi", "fee": "keep", "pay": "sensitive"})
    release = am.anonymize(tmp_path / "in.csv", schema, [am.KAnonymity(2)], method="mondrian")
    assert sorted(map(str, release.table.column("fee").to_pylist())) == [f"{i}.50" for i in range(8)]
    two = am.anonymize(tmp_path / "in.csv", schema, [am.LDiversity(2)], method="anatomy")
    two.write(tmp_path / "two", format="csv")
    with (tmp_path / "two" / "sensitive.csv").open(newline="") as stream:
        assert sorted(row["pay"] for row in csv.DictReader(stream)) == [f"{i}.100" for i in range(8)]
