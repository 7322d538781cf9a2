"""What goes wrong on a cluster: rows that change, workers that die, sessions that end; and what is never fetched."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from odd_tables import decide, odd_table
from test_spark_flow import SILENT, on_spark, people, same_rows

import amongst as am
from amongst.anonymize import release_of
from amongst.engines.spark import SparkStore, open_spark
from amongst.engines.spark.columns import to_spark
from amongst.engines.spark.plain_errors import spoken
from amongst.request import Request


def test_no_rows_come_to_the_driver(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table, schema = people(300)
    frame = to_spark(spark, table, table.column_names)
    fetched: list[str] = []
    kind = type(frame)
    fetch = kind.toArrow

    def watched(self: Any) -> pa.Table:
        fetched.append(self._jdf.queryExecution().optimizedPlan().toString())
        return fetch(self)

    def refused(self: Any, *args: Any, **options: Any) -> Any:
        raise AssertionError("rows were fetched")

    monkeypatch.setattr(kind, "toArrow", watched)
    for way in ("collect", "toPandas", "toLocalIterator", "take", "head", "first", "tail"):
        monkeypatch.setattr(kind, way, refused)
    request = Request(schema=schema, models=[am.KAnonymity(5)], method="mondrian")
    release = release_of(open_spark(frame, request, SILENT), request, SILENT)
    assert release.write(tmp_path / "out").ok
    assert len(fetched) > 3
    assert all("Aggregate" in plan for plan in fetched)


def test_partitions_and_adaptive_plans_have_no_say(spark: Any) -> None:
    table, schema = people(200, skewed=True)  # one tuple has nine rows in ten
    theirs = am.anonymize(table, schema, [am.KAnonymity(4)], method="mondrian")
    for n_partitions, adaptive, compiled in ((1, "true", "true"), (7, "false", "false")):
        spark.conf.set("spark.sql.adaptive.enabled", adaptive)
        spark.conf.set("spark.sql.codegen.wholeStage", compiled)
        spark.conf.set("spark.sql.shuffle.partitions", str(n_partitions))
        try:
            frame = to_spark(spark, table, table.column_names).repartition(n_partitions)
            request = Request(schema=schema, models=[am.KAnonymity(4)], method="mondrian")
            ours = release_of(open_spark(frame, request, SILENT), request, SILENT)
            same_rows(ours.table.toArrow(), theirs.arrow)
        finally:
            spark.conf.set("spark.sql.adaptive.enabled", "true")
            spark.conf.set("spark.sql.codegen.wholeStage", "false")
            spark.conf.set("spark.sql.shuffle.partitions", "2")


@pytest.mark.parametrize("others", ["keep", "identifier"])
def test_hilbert_loses_what_it_loses_in_memory(spark: Any, others: str) -> None:
    table, schema = people(500, seed=3)
    schema = schema.with_columns(**{name: am.Column(role=others) for name in schema if name not in schema.quasi})
    theirs = am.anonymize(table, schema, [am.KAnonymity(5)], method="hilbert")
    ours = on_spark(spark, table, schema, [am.KAnonymity(5)], "hilbert")
    assert ours.plan.divided
    assert ours.table.count() == theirs.arrow.num_rows
    assert ours.verdict.ok
    assert ours.utility.gcp == pytest.approx(theirs.utility.gcp, rel=1e-9)


def test_a_worker_that_dies_changes_nothing(spark: Any, tmp_path: Path) -> None:
    table, schema = people(300)
    marker = str(tmp_path / "died")

    def dies_once(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            yield from batches
        else:
            os.kill(os.getpid(), signal.SIGKILL)

    frame = to_spark(spark, table, table.column_names).repartition(3)
    frame = frame.mapInArrow(dies_once, frame.schema)
    request = Request(schema=schema, models=[am.KAnonymity(5)], method="mondrian")
    ours = release_of(open_spark(frame, request, SILENT), request, SILENT)
    same_rows(ours.table.toArrow(), am.anonymize(table, schema, [am.KAnonymity(5)], method="mondrian").arrow)
    assert os.path.exists(marker)


def test_a_table_that_changes_is_refused_and_nothing_is_left(spark: Any, tmp_path: Path) -> None:
    table, schema = people(300)
    source = tmp_path / "people.parquet"
    frame = to_spark(spark, table, table.column_names)
    frame.write.parquet(str(source))
    request = Request(schema=schema, models=[am.KAnonymity(5)], method="mondrian")
    release = release_of(open_spark(source, request, SILENT, session=spark), request, SILENT)
    frame.limit(5).write.mode("append").parquet(str(source))
    with pytest.raises(am.errors.Changed, match="changed while it was read"):
        release.write(tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.parquet"]


def test_other_rows_than_were_counted_are_refused(spark: Any, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    table = odd_table(rng, 50, 3)
    plan = decide(table, table.column_names[:2], table.column_names[2:], rng, divided=False)
    store = SparkStore(spark, to_spark(spark, table, table.column_names))
    with pytest.raises(am.errors.Changed, match="rows to publish where"):
        store.publish(replace(plan, count=plan.count + 1), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ("nowhere.people", "no table of this name"),
        ("/nowhere/people.parquet", "no file"),
        (42, "a int"),
    ],
)
def test_what_cannot_be_read_is_said_plainly(spark: Any, data: Any, found: str) -> None:
    with pytest.raises(am.errors.BadInput) as caught:
        SparkStore(spark, data)
    assert found in str(caught.value)
    assert "java" not in str(caught.value).lower()
    assert "Traceback" not in str(caught.value)


def test_names_and_types_that_spark_cannot_use_are_refused(spark: Any) -> None:
    with pytest.raises(am.errors.BadInput, match="upper and lower case"):
        SparkStore(spark, spark.range(3).selectExpr("id as Age", "id as age"))
    nested = spark.range(3).selectExpr("id", "array(id) as list")
    with pytest.raises(am.errors.BadInput, match="'list' have no order"):
        SparkStore(spark, nested).count(["list"])


@pytest.mark.parametrize(
    "thrown",
    [
        "Not enough memory to build and broadcast the table to all worker nodes",
        "java.lang.OutOfMemoryError: Java heap space",
        "java.lang.OutOfMemoryError: GC overhead limit exceeded",
        "org.apache.spark.memory.SparkOutOfMemoryError: [UNABLE_TO_ACQUIRE_MEMORY]",
        "[CANNOT_BROADCAST_TABLE_OVER_MAX_TABLE_BYTES] Cannot broadcast the table",
        "Cannot broadcast the table that is larger than 8GB: 9 GB",
        "Could not execute broadcast in 300 secs",
        "Container killed by YARN for exceeding memory limits",
    ],
)
def test_what_is_about_memory_says_so(spark: Any, thrown: str) -> None:
    java = spark.sparkContext._jvm.java.lang.RuntimeException(
        "outside", spark.sparkContext._jvm.java.lang.Error(thrown)
    )
    from py4j.protocol import Py4JJavaError

    with pytest.raises(am.errors.BadOption) as caught, spoken("The release cannot be written", am.errors.BadOutput):
        raise Py4JJavaError("An error occurred while calling o1.parquet.\n", java)
    assert "memory" in str(caught.value)
    assert "spark.driver.memory" in caught.value.fix
    assert "logs" not in str(caught.value)


def test_errors_of_spark_show_no_cell(spark: Any) -> None:
    frame = spark.createDataFrame(pa.table({"a": ["the secret cell"]})).selectExpr("cast(a as int) as a")
    with pytest.raises(am.errors.BadInput) as caught:
        SparkStore(spark, frame).count(["a"])
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    with pytest.raises(ZeroDivisionError), spoken("Ours stay ours"):
        raise ZeroDivisionError


def test_csv_has_the_types_and_cells_it_has_in_memory(spark: Any, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(
        'zip;age;pay;day;price;note\n007;31;1.5;2020-02-01;250.1;"a;""b""\nline"\n'
        '12;;2.25;2021-12-31;250.10;""\n9;-4;;;3;\nNA;5;1e3;2020-02-01;3;x\n',
        encoding="utf-8",
    )
    from amongst.read import read

    theirs = read(path).table
    store = SparkStore(spark, path)
    for field in theirs.schema:
        kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        assert store.schema().field(field.name).type == kind, field.name
    ours = store.count(theirs.column_names)
    cells = sorted(map(repr, zip(*(ours.column(name).to_pylist() for name in theirs.column_names), strict=True)))
    assert cells == sorted(map(repr, zip(*(column.to_pylist() for column in theirs.columns), strict=True)))


LOST = """
import sys, tempfile, pathlib
import amongst as am
from amongst.anonymize import release_of
from amongst.request import Request
from amongst.engines.spark import open_spark
adult = am.datasets.load("patients")
import pyarrow.parquet as pq
folder = pathlib.Path(sys.argv[1])
pq.write_table(adult.table, folder / "people.parquet")
from pyspark import SparkContext
def die(step, done, total):
    if step == "encode":
        SparkContext._gateway.proc.kill()
request = Request(schema=adult.schema, models=[am.KAnonymity(2)])
store = open_spark(folder / "people.parquet", request, die, work=folder, memory="1GB")
release = release_of(store, request, die)
try:
    release.write(folder / "out")
except am.errors.AmongstError as error:
    print("said:", error)
release.close()
print("left:", sorted(path.name for path in folder.iterdir()))
"""


def test_a_session_that_is_lost_is_said_and_leaves_nothing(spark: Any, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOST, str(tmp_path)], capture_output=True, text=True, check=False, timeout=600
    )
    assert "the Spark session is gone" in done.stdout, done.stdout + done.stderr[-2000:]
    assert "left: ['people.parquet']" in done.stdout
