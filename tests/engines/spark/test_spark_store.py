"""Counting and publishing on Spark against loops over rows, whatever is in the cells, the names and the partitions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from odd_tables import counts, decide, expected, odd_table, place

from amongst.engines.spark import SparkStore
from amongst.engines.spark import parts as parts_of_release
from amongst.engines.spark.columns import to_spark
from amongst.engines.store import COUNT


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
    publication = decide(table, quasi, others, rng, divided)
    store = SparkStore(spark, to_spark(spark, table, table.column_names).repartition(int(rng.integers(1, 6))))
    store.publish(publication)
    released = store.released.toArrow()
    assert released.column_names == publication.columns
    assert told(rows_of(released)) == told(expected(table, publication))
    store.remove(None)
