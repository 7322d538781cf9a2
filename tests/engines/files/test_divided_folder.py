"""A folder of Parquet files is one table, with the columns that only the names of its folders tell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import AmongstError, BadInput
from amongst.read.file import read_file

ENGINES = pytest.mark.parametrize("engine", [{}, {"memory": "8GB"}], ids=["memory", "files"])
SCHEMA = {"age": "quasi", "dx": "keep"}


def divided(folder: Path, *places: str, **other: Any) -> Path:
    """A folder with the same four rows in every place."""
    for place in places:
        (folder / "people" / place).mkdir(parents=True, exist_ok=True)
        table = pa.table({"age": [1, 1, 2, 2], "dx": ["a", "b", "a", "b"], **other})
        pq.write_table(table, folder / "people" / place / "part.parquet")
    return folder / "people"


def released(data: Path, schema: Any, out: Path, **engine: Any) -> pa.Table:
    assert am.anonymize(data, schema, [am.KAnonymity(2)], "mondrian", **engine).write(out).ok
    return pq.read_table(out / "release.parquet", partitioning=None)


@ENGINES
def test_a_column_in_names_of_folders_is_a_column(tmp_path: Path, engine: dict[str, Any]) -> None:
    data = divided(tmp_path, "year=2020/region=N%2FE", "year=2021/region=__HIVE_DEFAULT_PARTITION__")
    schema = {**SCHEMA, "year": am.Column(role="quasi"), "region": am.Column(role="keep")}
    found = released(data, schema, tmp_path / "out", **engine)
    cells = set(zip(found["year"].to_pylist(), found["region"].to_pylist(), strict=True))
    assert cells == {("2020", "N/E"), ("2021", None)}
    assert found.num_rows == 8
    with pytest.raises(AmongstError, match="region"):  # a column without a role is never left out silently
        am.anonymize(data, {**SCHEMA, "year": "quasi"}, [am.KAnonymity(2)], **engine)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "-20", "0"], pa.int64()),
        (["01", "2"], pa.string()),
        (["2020-01-31", "2020-02-29"], pa.date32()),
        (["2020-01-31", "2020-02-30"], pa.string()),
        (["1", "x"], pa.string()),
        (["__HIVE_DEFAULT_PARTITION__"], pa.string()),
    ],
)
def test_the_type_of_such_a_column_follows_from_all_its_values(tmp_path: Path, values: Any, kind: Any) -> None:
    table = read_file(divided(tmp_path, *(f"part={value}" for value in values))).table
    assert table.schema.field("part").type == kind
    told = ["/".join(str(cell) for cell in table["part"].unique().to_pylist())]
    assert told == ["/".join("None" if one.startswith("__") else one for one in sorted(values))]


def test_what_another_reader_sees(tmp_path: Path) -> None:
    data = divided(tmp_path, "region=1/x", "region=2/y", "region=3/y", "region=10/z")
    other = duckdb.sql(f"SELECT age, dx, region FROM read_parquet('{data}/*/*/*.parquet', hive_partitioning=true)")
    found = read_file(data).table
    assert sorted(zip(*(c.to_pylist() for c in found.columns), strict=True)) == sorted(other.fetchall())


@ENGINES
@pytest.mark.parametrize(
    ("places", "other", "told"),
    [
        (("region=1", "area=2"), {}, "area, region"),
        (("region=1", "."), {}, "region"),
        (("a=1/a=2",), {}, "a"),
        (("age=1",), {}, "'age'"),
    ],
)
def test_what_names_of_folders_say_otherwise_is_refused(
    tmp_path: Path, engine: dict[str, Any], places: Any, other: Any, told: str
) -> None:
    with pytest.raises(BadInput, match="folders") as caught:
        am.anonymize(divided(tmp_path, *places, **other), SCHEMA, [am.KAnonymity(2)], **engine)
    assert told in str(caught.value)


@ENGINES
def test_files_of_other_types_are_read_in_a_type_that_holds_them(tmp_path: Path, engine: dict[str, Any]) -> None:
    """Read in the type of the first file, 1.75 would become 2."""
    data = divided(tmp_path, "a")
    other = pa.table({"dx": pa.array(["z"] * 4, pa.large_string()), "age": [1.75, 1.75, 2.0, 2.0]})
    pq.write_table(other, data / "b.parquet")
    found = released(data, {"age": am.Column(role="quasi"), "dx": "keep"}, tmp_path / "out", **engine)
    assert sorted(set(found["age"].to_pylist())) == ["1.0", "1.75", "2.0"]
    pq.write_table(pa.table({"age": ["x"], "dx": ["y"]}), data / "c.parquet")
    with pytest.raises(BadInput, match="different types"):
        am.anonymize(data, SCHEMA, [am.KAnonymity(2)], **engine)
    pq.write_table(pa.table({"age": [1], "ds": ["y"]}), data / "c.parquet")
    with pytest.raises(BadInput, match="different columns"):
        am.anonymize(data, SCHEMA, [am.KAnonymity(2)], **engine)


def test_the_release_and_the_digest_are_those_of_memory(tmp_path: Path) -> None:
    data = divided(tmp_path, "region=b", "region=a", "region=c")
    schema = {"age": "quasi", "dx": "keep", "region": am.Column(role="quasi")}
    tables = [released(data, schema, tmp_path / f"out{n}", **one) for n, one in enumerate(({}, {"memory": "8GB"}))]
    assert tables[0].to_pylist() == tables[1].to_pylist()
    sources = [am.anonymize(data, schema, [am.KAnonymity(2)], **one).source for one in ({}, {"memory": "8GB"})]
    assert sources[0].sha256 == sources[1].sha256 != ""
    assert am.attack(tmp_path / "out0", schema, original=data, attacks=["re-identification"]).n_rows == 12


@ENGINES
def test_the_name_of_the_folder_itself_may_have_such_a_sign(tmp_path: Path, engine: dict[str, Any]) -> None:
    (tmp_path / "k=5").mkdir()
    found = released(divided(tmp_path / "k=5", "part1", "part2"), SCHEMA, tmp_path / "out", **engine)
    assert found.num_rows == 8
