"""What lies beside the cells: indexes, metadata, columns that number the rows."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import feather

from amongst.models import KAnonymity
from amongst.schema import Column, Schema
from amongst.verify import verify

SCHEMA = Schema({"a": Column(role="quasi"), "b": Column(role="keep"), "c": Column(role="sensitive")})
K = [KAnonymity(2)]


def notes(published, schema=SCHEMA):
    verdict = verify(published, schema, K)
    return verdict.ok, [note.code for note in verdict.notes]


def table(b, c=None):
    return pa.table({"a": ["x"] * len(b), "b": b, "c": ["flu"] * len(b) if c is None else c})


@pytest.mark.parametrize("b", [list(range(100)), [37 * i % 101 for i in range(100)], [f"id{i}" for i in range(100)]])
def test_a_column_that_numbers_the_rows(b, tmp_path):
    assert notes(table(b)) == (True, ["row-number"])
    pq.write_table(table(b), tmp_path / "p.parquet", row_group_size=30)
    verdict = verify(tmp_path / "p.parquet", SCHEMA, K)
    assert [note.code for note in verdict.notes] == ["row-number"]
    assert "'b'" in verdict.notes[0].found


def test_names_that_begin_alike_are_not_mixed_up(tmp_path):
    columns = {"a": ["x"] * 20, "b.x": [7] * 20, "b": list(range(20)), "c.x": list(range(20)), "c": [7] * 20}
    pq.write_table(pa.table(columns), tmp_path / "p.parquet")
    verdict = verify(tmp_path / "p.parquet", ["a"], K)
    assert verdict.notes[-1].found == "'b', 'c.x'"


def test_other_columns_do_not():
    nearly = (True, ["nearly-unique"])
    assert notes(table([1, 1, *range(2, 100)])) == nearly
    assert notes(table([None, *range(1, 100)])) == nearly
    assert notes(table([i / 7 for i in range(100)])) == nearly
    # Different in all the first rows, but not later on.
    assert notes(table([*range(15_000), 3])) == nearly
    assert notes(table([*range(15_000), *range(5_000)])) == (True, [])
    assert notes(table(list(range(5)))) == (True, [])


def test_a_pandas_index_in_a_file(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": ["x", "x"], "b": [1, 1], "c": ["flu", "flu"]})
    path = tmp_path / "p.parquet"
    frame.to_parquet(path)
    assert notes(path) == (True, [])
    frame.set_index(pd.RangeIndex(7, 9)).to_parquet(path)
    assert notes(path) == (True, ["index"])
    frame.set_index(pd.Index(["Ann", "Bob"])).to_parquet(path)
    verdict = verify(path, SCHEMA, K)
    assert [finding.code for finding in verdict.findings] == ["unexpected-column"]
    assert "__index_level_0__" in verdict.findings[0].found
    assert [note.code for note in verdict.notes] == ["index"]


def test_attributes_and_other_metadata(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"a": ["x", "x"], "b": [1, 1], "c": ["flu", "flu"]})
    frame.attrs["names"] = ["Ann", "Bob"]
    frame.to_parquet(tmp_path / "p.parquet")
    verdict = verify(tmp_path / "p.parquet", SCHEMA, K)
    assert {note.code for note in verdict.notes} == {"metadata"}
    assert "Ann" not in verdict.words()
    odd = table([1, 1]).replace_schema_metadata({"row order": "2,1", "pandas": "no json"})
    assert notes(odd) == (True, ["metadata", "metadata"])
    field = pa.field("b", pa.int64(), metadata={"rows": "2,1"})
    assert notes(table([1, 1]).cast(pa.schema([pa.field("a", pa.string()), field, pa.field("c", pa.string())])))[1] == [
        "metadata"
    ]


def test_files_of_others_are_judged_by_their_classes_alone():
    verdict = verify(table(list(range(100))).append_column("group_id", pa.array([1] * 100)), ["a"], K)
    assert verdict.ok
    assert [note.code for note in verdict.notes] == ["other-columns", "row-number"]
    reversed_range = pa.table({"a": ["[30-20]"] * 2})
    verdict = verify(reversed_range, ["a"], K)
    assert (verdict.ok, [note.code for note in verdict.notes]) == (True, ["label-not-understood"])


def test_further_entries_in_the_metadata_of_pandas_are_noted(tmp_path):
    told = {"index_columns": [], "columns": [], "note": "Ann has hiv"}
    table = pa.table({"a": ["x", "x"]}).replace_schema_metadata({"pandas": json.dumps(told)})
    for ending, write in (("parquet", pq.write_table), ("arrow", feather.write_feather)):
        path = tmp_path / f"r.{ending}"
        write(table, path)
        found = verify(path, ["a"], K).notes
        assert [note.code for note in found] == ["metadata"]
        assert "note" in found[0].found
        assert "Ann" not in str(found)
