"""What fuzzing found once, and must not find again: each of these ended in an error that was not amongst's own."""

from __future__ import annotations

import datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.errors import AmongstError, BadInput, BadJob, BadOption, BadOutput, BadQuestion
from amongst.job.job import Job
from amongst.models import model_from_dict
from amongst.published.labels import parse
from amongst.read.file import read_file

PATIENTS = am.datasets.load("patients")


@pytest.mark.parametrize("text", ["0001-01-01T00:00+05:00", "9999-12-31T23:59:59-12:00"])
def test_a_time_that_lies_beyond_the_calendar_elsewhere(text: str) -> None:
    assert parse(text, "date").kind == "value"
    assert parse(text, "date").lo is None
    assert parse("2020-01-01T02:00+02:00", "date").lo == (datetime.date(2020, 1, 1) - datetime.date(1970, 1, 1)).days


@pytest.mark.parametrize("name", [["k-anonymity"], {"k": 1}, 3, None])
def test_a_model_whose_name_is_no_text(name: object) -> None:
    with pytest.raises(BadOption, match="no privacy model"):
        model_from_dict({"model": name, "k": 2})


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = " + "9" * 5000])
def test_a_job_file_without_end(text: str, tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_text(text)
    with pytest.raises(BadJob):
        Job.from_file(tmp_path / "job.toml")


@pytest.mark.parametrize("number", ["9" * 400, "9" * 5000, "1e999", "0x1F"])
def test_numbers_in_questions(number: str) -> None:
    release = am.anonymize(PATIENTS.table, PATIENTS.schema, [am.KAnonymity(2)], method="mondrian")
    with pytest.raises(BadQuestion):
        am.query(release, f"SELECT COUNT(*) WHERE Age = {number}")


def test_a_row_whose_only_cell_is_missing_is_a_person(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("age\n30\n\n31\n\n")
    assert read_file(tmp_path / "one.csv").table["age"].to_pylist() == [30, None, 31, None]
    (tmp_path / "two.csv").write_text("age,sex\n30,f\n\n31,m\n")
    assert read_file(tmp_path / "two.csv").table.num_rows == 2


@pytest.mark.parametrize("separator", ["é", "\n", "\r", '"', "\0", "\u2028", ",,", ""])
def test_separators_that_are_none(separator: str, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("a,b\n1,2\n")
    with pytest.raises(BadOption, match="separator"):
        read_file(tmp_path / "in.csv", separator=separator)


@pytest.mark.parametrize("encoding", ["a\0b", "utf-16", "punycode", "undefined", "no such"])
def test_encodings_that_do_not_fit(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("a,b\n1,2\n")
    with pytest.raises((BadInput, BadOption)):
        read_file(tmp_path / "in.csv", encoding=encoding)


@pytest.mark.parametrize("path", ["a\0b.csv", "a" * 5000 + ".csv"])
def test_paths_that_are_none(path: str) -> None:
    for call in (
        lambda: read_file(path),
        lambda: am.verify(path, None, am.KAnonymity(2)),
        lambda: am.query(path, "SELECT COUNT(*)"),
        lambda: am.Hierarchy.from_csv(path),
        lambda: am.Schema.from_file(path),
    ):
        with pytest.raises(AmongstError):
            call()
    release = am.anonymize(PATIENTS.table, PATIENTS.schema, [am.KAnonymity(2)], method="mondrian")
    with pytest.raises(BadOutput):
        release.write(path)


@pytest.mark.parametrize("content", ["\na,b\n1,2\n", "\r\n1\n", '"\n\n'])
def test_a_published_file_without_a_header(content: str, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_bytes(content.encode())
    with pytest.raises(BadInput):
        am.verify(tmp_path / "out.csv", None, am.KAnonymity(1))


def damaged_arrow(folder: Path) -> Path:
    """The last offset of a text column points far beyond its bytes."""
    path = folder / "damaged.arrow"
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, pa.schema([("a", pa.string())])) as writer:
        writer.write_batch(pa.record_batch({"a": pa.array(["a", "b", "c" * 7])}))
    stored = path.read_bytes()
    right, wrong = (np.array([0, 1, 2, end], dtype=np.int32).tobytes() for end in (9, 1_000_000))
    assert stored.count(right) == 1
    path.write_bytes(stored.replace(right, wrong))
    return path


def test_an_arrow_file_that_points_beyond_its_bytes(tmp_path: Path) -> None:
    """It would be read as whatever lies there in memory, and published."""
    path = damaged_arrow(tmp_path)
    with pytest.raises(BadInput):
        read_file(path)
    with pytest.raises(BadInput):
        am.verify(path, None, am.KAnonymity(1))


def test_a_time_zone_that_nobody_knows() -> None:
    times = pa.array([datetime.datetime(2020, 1, 1)] * 2).cast(pa.timestamp("us")).cast(pa.int64())
    table = pa.table({"at": times.cast(pa.timestamp("us", "Nowhere/Never"))})
    with pytest.raises(BadInput, match="'at'"):
        am.verify(table, None, am.KAnonymity(2))


def test_a_parquet_name_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    pq.write_table(pa.table({"abcdef": [1, 2]}), path, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"abcdef", b"abc\xff\xfef"))
    for call in (read_file, lambda one: am.verify(one, None, am.KAnonymity(1))):
        with pytest.raises(BadInput):
            call(path)


def test_a_population_and_missing_values() -> None:
    table = pa.table({"area": ["a", "b", None, None, "c", "a"], "age": [1, 2, 3, 1, 2, 3]})
    everybody = pa.table({"area": ["a", "b", "c"] * 8, "age": [1, 2, 3] * 8})
    tree = am.Hierarchy.nested({"north": ["a", "b"], "south": ["c"]})
    for rule in ("own value", "match anything"):
        schema = am.Schema(
            {
                "area": am.Column(role="quasi", hierarchy=tree, nulls=rule),
                "age": am.Column(role="quasi"),
            }
        )
        for method in ("mondrian", "best", "hilbert"):
            release = am.anonymize(table, schema, [am.KMap(3, everybody)], method=method)
            assert release.verdict.ok, release.verdict.words()
    with pytest.raises(BadOption, match="matches anything"):
        am.anonymize(table, schema, [am.DeltaPresence(0, 0.9, everybody)], method="mondrian")
