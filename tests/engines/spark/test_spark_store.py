"""Counting and publishing on Spark against loops over rows, whatever is in the cells, the names and the partitions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from odd_tables import counts, decide, expected, odd_table, place

from amongst.engines.counted import COUNT
from amongst.engines.spark import SparkStore
from amongst.engines.spark import parts as parts_of_release
from amongst.engines.spark.columns import to_spark


def told(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Cells that compare as they should: NaN equals NaN, and the two zeros do not."""
    return [tuple(map(place, row)) for row in rows]


def rows_of(table: pa.Table) -> list[tuple[Any, ...]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_counts_whatever_is_in_cells_and_names(spark: Any, seed: int) -> None:
    table = odd_table(np.random.default_rng(seed), 200, 6)
    store = SparkStore(spark, to_spark(spark, table, table.column_names).repartition(3))
    assert store.schema().equals(table.schema)
    names = table.column_names[:4]
    counted = store.count(names)
    assert counted.column_names == [*names, COUNT]
    assert counted.schema.field(COUNT).type == pa.int64()
    for name in names:
        assert counted.schema.field(name).type == table.schema.field(name).type
    ours: dict[Any, int] = {}
    for row in counted.to_pylist():
        its = next(iter(counts(pa.Table.from_pylist([row], counted.schema), names)))
        assert its not in ours
        ours[its] = row[COUNT]
    assert ours == counts(table, names)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("divided", [False, True])
def test_publishes_what_was_decided(spark: Any, seed: int, divided: bool) -> None:
    rng = np.random.default_rng([seed, divided])
    table = odd_table(rng, 150, 5)
    quasi, others = table.column_names[1:4], [table.column_names[0], table.column_names[4]]
    plan = decide(table, quasi, others, rng, divided)
    store = SparkStore(spark, to_spark(spark, table, table.column_names).repartition(int(rng.integers(1, 6))))
    store.publish(plan)
    released = store.released.toArrow()
    assert released.column_names == plan.columns
    assert told(rows_of(released)) == told(expected(table, plan))
    store.remove(None)


def sent(frame: Any) -> int:
    """How many sides of joins are sent to every executor, in the plan that would be carried out."""
    plan = frame._jdf.queryExecution().executedPlan()
    todo, n = [plan.initialPlan() if plan.nodeName() == "AdaptiveSparkPlan" else plan], 0
    while todo:
        one = todo.pop()
        n += one.nodeName() == "BroadcastExchange"
        below = one.children()
        todo += [below.apply(i) for i in range(below.size())]
    return n


@pytest.mark.parametrize("divided", [False, True])
def test_no_side_of_a_join_is_sent_to_all_unless_it_is_known_to_be_small(
    spark: Any, tmp_path: Path, divided: bool
) -> None:
    """A small file may hold millions of rows: what Spark believes of its size must not decide."""
    rng = np.random.default_rng(divided)
    table = odd_table(rng, 150, 5)
    plan = decide(table, table.column_names[1:4], [table.column_names[0]], rng, divided)
    source = tmp_path / "people.parquet"
    to_spark(spark, table, table.column_names).write.parquet(str(source))
    store = SparkStore(spark, source)
    assert sent(store.frame.alias("a").join(store.frame.alias("b"), table.column_names[0])) == 1  # left to itself
    store.memory = 0
    assert sent(store.rows(plan)) == 0
    store.memory = 1 << 30
    assert 0 < sent(store.rows(plan)) <= 2 + divided


def written(folder: Path) -> pa.Table:
    return pa.concat_tables(pq.ParquetFile(file).read() for file in sorted(folder.iterdir()))


@pytest.mark.parametrize("layout", ["parts", "ranges", "one"])
@pytest.mark.parametrize("limit", [0, 1 << 30])
def test_files_are_the_same_rows_in_order_however_they_are_made(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layout: str, limit: int
) -> None:
    rng = np.random.default_rng(limit + len(layout))
    table = odd_table(rng, 400, 7)
    quasi, others = table.column_names[:3], table.column_names[3:]
    plan = decide(table, quasi, others, rng, divided=False)
    if layout != "one":
        monkeypatch.setattr(parts_of_release, "ROWS_OF_A_PART", 50)
        monkeypatch.setattr(parts_of_release, "MANY_PARTS", 0 if layout == "ranges" else 100)
    source = tmp_path / "people.parquet"
    to_spark(spark, table, table.column_names).repartition(3).write.parquet(str(source))
    store = SparkStore(spark, source)
    store.memory = 8 * limit
    assert store.name == "people.parquet"
    target = tmp_path / "out"
    store.publish(plan, target)
    assert told(rows_of(written(target))) == told(expected(table, plan))
    names = [file.name for file in sorted(target.iterdir())]
    assert names == [f"part-{i:05d}.parquet" for i in range(len(names))]
    assert (len(names) > 1) == (layout != "one")
    for file in target.iterdir():
        footer = pq.ParquetFile(file).metadata
        assert {key.split(b".")[-1] for key in footer.metadata} <= {b"metadata", b"version"}
        assert b'"metadata":{}' in footer.metadata[b"org.apache.spark.sql.parquet.row.metadata"]
        for group in range(footer.num_row_groups):
            for column in range(footer.num_columns):
                chunk = footer.row_group(group).column(column)
                assert chunk.statistics is None or not chunk.statistics.has_min_max
                assert not chunk.has_column_index


def test_a_table_of_the_catalog_in_and_out(spark: Any) -> None:
    rng = np.random.default_rng(5)
    table = odd_table(rng, 60, 4).rename_columns(["a", "b", "c", "d"])
    plan = decide(table, ["a", "b"], ["c", "d"], rng, divided=False)
    to_spark(spark, table, table.column_names).createOrReplaceTempView("`people of 2026`")
    store = SparkStore(spark, "`people of 2026`")
    assert store.name == "people of 2026"
    store.publish(plan, "default.`2026_release`")
    released = store.session.table("default.`2026_release`").toArrow()
    assert sorted(told(rows_of(released))) == sorted(told(expected(table, plan)))
    store.remove("default.`2026_release`")
    assert not spark.catalog.tableExists("default.`2026_release`")
