"""The whole flow on Spark against the same in memory: the same rows in the same order, the same figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import amongst as am
from amongst.anonymize import release_of
from amongst.engines.spark import open_spark
from amongst.engines.spark.columns import to_spark
from amongst.request import Request

SILENT = lambda step, done, total: None  # noqa: E731


def people(n_rows: int, seed: int = 0, skewed: bool = False) -> tuple[pa.Table, am.Schema]:
    """Adult-like people with a few nulls and two other columns."""
    data = am.datasets.adult_like(n_rows=n_rows, seed=seed)
    rng = np.random.default_rng(seed)
    age = pa.array(data.table.column("age").to_numpy(), mask=rng.random(n_rows) < 0.02)
    table = data.table.set_column(data.table.column_names.index("age"), "age", age)
    if skewed:
        head = table.slice(0, 1).take(pa.array(np.zeros(9 * n_rows, dtype=np.int64)))
        table = pa.concat_tables([table, head])
    plain = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    table = pa.table(plain, names=table.column_names)
    noise = rng.random(table.num_rows).round(2)
    table = table.append_column("income", pa.array(noise, mask=noise < 0.05))
    columns = dict(data.schema.items())
    columns["age"] = am.Column(role="quasi", kind="numeric", nulls="own value")
    columns["income"] = am.Column(role="keep")
    return table, am.Schema(columns)


def on_spark(spark: Any, table: pa.Table, schema: am.Schema, models: list[Any], method: str, **options: Any) -> Any:
    frame = to_spark(spark, table, table.column_names).repartition(3)
    request = Request(schema=schema, models=models, method=method, options=options)
    return release_of(open_spark(frame, request, SILENT), request, SILENT)


def same_rows(ours: pa.Table, theirs: pa.Table) -> None:
    theirs = theirs.select(ours.column_names)
    for name in ours.column_names:
        ours_column = ours.column(name)
        kind = ours_column.type
        assert theirs.column(name).cast(kind).to_pylist() == ours_column.to_pylist(), name


@pytest.mark.parametrize("method", ["mondrian", "incognito"])
def test_strict_methods_publish_the_same_rows_in_the_same_order(spark: Any, method: str) -> None:
    table, schema = people(3000)
    options = {"suppression": 0.01} if method in ("incognito", "datafly") else {}
    theirs = am.anonymize(table, schema, [am.KAnonymity(5)], method=method, **options)
    ours = on_spark(spark, table, schema, [am.KAnonymity(5)], method, **options)
    same_rows(ours.table.toArrow(), theirs.arrow)
    assert ours.verdict.ok
    assert ours.utility.to_dict() == theirs.utility.to_dict()
    ours.store.remove(None)


def test_what_is_only_published_has_the_texts_of_its_file(spark: Any, tmp_path: Path) -> None:
    """``2.100`` stays ``2.100``: a decimal number where all cells have as many decimals, otherwise text."""
    doses, marks = ["2.100", "0.500", "1.250", "10.000"], ["1.0", "2.50", "3", "-0.0"]
    lines = [f"{20 + i % 2},{doses[i % 4]},{marks[i % 4]},{i % 3}.5" for i in range(24)]
    file = tmp_path / "in.csv"
    file.write_text("\n".join(["age,dose,mark,level", *lines]) + "\n")
    schema = am.Schema({"age": "quasi", "dose": "keep", "mark": "sensitive", "level": "keep"})
    release = am.anonymize(file, schema, [am.KAnonymity(2)], engine="spark", session=spark)
    release.write(tmp_path / "out")
    table = pq.read_table(tmp_path / "out" / "release.parquet")
    assert pa.types.is_decimal(table.schema.field("dose").type)
    assert pa.types.is_string(table.schema.field("mark").type)
    assert pa.types.is_floating(table.schema.field("level").type)  # it prints as it is written
    cells = {name: [str(cell) for cell in table.column(name).to_pylist()] for name in table.column_names}
    assert sorted(cells["dose"]) == sorted(6 * doses)
    assert sorted(cells["mark"]) == sorted(6 * marks)
    assert sorted(cells["level"]) == sorted(f"{i % 3}.5" for i in range(24))


def test_what_a_model_looks_at_has_the_texts_of_its_file_in_the_order_of_its_values(spark: Any, tmp_path: Path) -> None:
    """The cells and the order of memory: 9.50 before 10.0, which text is not, also where equal rows are divided."""
    marks, doses, zeros = ["9.50", "10.0", "2.50", "3", ""], ["2.100", "10.000", "9.500"], ["-0.00", "1.00", "0.50"]
    lines = [f"{20 + i % 2},{marks[i % 5]},{doses[i % 3]},{zeros[i % 3]}" for i in range(60)]
    file = tmp_path / "in.csv"
    file.write_text("\n".join(["age,mark,dose,zero", *lines]) + "\n")
    schema = am.Schema({"age": "quasi", "mark": "sensitive", "dose": "sensitive", "zero": "keep"})
    models = [am.LDiversity(2, column="dose"), am.TCloseness(0.4, "ordered", column="mark")]
    theirs = am.anonymize(file, schema, models, method="mondrian-relaxed").table
    release = am.anonymize(file, schema, models, method="mondrian-relaxed", engine="spark", session=spark)
    assert release.verdict.ok
    ours = release.table.toArrow()
    for name in ours.column_names:
        assert ours.column(name).to_pylist() == theirs.column(name).to_pylist(), name
    assert pa.types.is_decimal(ours.schema.field("dose").type)
    assert [pa.types.is_string(ours.schema.field(name).type) for name in ("mark", "zero")] == [True, True]
    release.store.remove(None)


def test_forms_and_limits_of_a_file_are_those_of_memory(spark: Any, tmp_path: Path) -> None:
    rows = [f"{i * 5 % 28 + 1:02d}.{i % 12 + 1:02d}.{1950 + i % 9};{i % 7},50;{20 + i % 40}" for i in range(90)]
    path = tmp_path / "in.csv"
    path.write_text("\n".join(["birth;dose;age", *rows]) + "\n", encoding="utf-8")
    schema = am.Schema(
        {
            "birth": am.Column(role="quasi", finest="month"),
            "age": am.Column(role="quasi", finest=5, top=50),
            "dose": am.Column(role="keep"),
        }
    )
    told: dict[str, Any] = {"reads": {"birth": "dd.MM.yyyy", "dose": "1234,56"}, "separator": ";"}
    here = am.anonymize(path, schema, k=5, method="mondrian", **told)
    there = am.anonymize(str(path), schema, k=5, engine="spark", session=spark, **told)
    same_rows(here.table, there.table.toArrow())
