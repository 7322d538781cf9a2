"""A frequency set that no driver holds: the same groups, in the same order, as in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from test_spark_flow import SILENT, people, same_rows
from test_spark_store import sent

import amongst as am
from amongst.anonymize import release_of
from amongst.engines.spark import SparkStore, open_spark
from amongst.engines.spark.columns import to_spark
from amongst.request import Request
from thorough import some


def in_parts(spark: Any, table: pa.Table, schema: am.Schema, k: int, part_tuples: int, **options: Any) -> Any:
    store = SparkStore(spark, to_spark(spark, table, table.column_names).repartition(3))
    request = Request(schema=schema, models=[am.KAnonymity(k)], method="mondrian", options=options)
    store.part_tuples = part_tuples
    return release_of(store, request, SILENT)


def random_people(seed: int) -> tuple[pa.Table, am.Schema]:
    """Numbers, categories with and without a tree; nulls of every rule; a set; a skewed tuple."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(40, 400))
    zips = np.array([f"{i:02d}" for i in range(40)])
    columns: dict[str, Any] = {
        "age": pa.array(rng.integers(0, 60, n), mask=rng.random(n) < 0.1),
        "zip": pa.array(zips[rng.integers(0, 40, n)], mask=rng.random(n) < 0.1),
        "job": pa.array(np.array(["a", "b", "c", "d"])[rng.integers(0, 4, n)], mask=rng.random(n) < 0.05),
        "score": pa.array(rng.normal(size=n).round(1)),
        "pay": pa.array(rng.integers(0, 5, n)),
    }
    table = pa.table(columns)
    table = pa.concat_tables([table, table.take(pa.array(np.zeros(int(rng.integers(0, 200)), dtype=np.int64)))])
    rules = ["own value", "match anything", "suppress"]
    schema = am.Schema(
        {
            "age": am.Column(role="quasi", kind="numeric", nulls=rules[int(rng.integers(3))]),
            "zip": am.Column(role="quasi", hierarchy=am.Hierarchy.digits(2), nulls=rules[int(rng.integers(3))]),
            "job": am.Column(role="quasi", publish="set", nulls=rules[int(rng.integers(3))]),
            "score": am.Column(role="quasi", kind="numeric", weight=float(rng.integers(1, 4))),
            "pay": am.Column(role="sensitive"),
        }
    )
    return table, schema


@pytest.mark.parametrize("seed", range(some(4)))
def test_groups_of_parts_are_the_groups_of_the_whole(spark: Any, seed: int) -> None:
    table, schema = random_people(seed)
    cuts = ["hierarchy-first", "ordered", "hierarchy"][seed % 3]
    theirs = am.anonymize(table, schema, [am.KAnonymity(3)], method="mondrian", cuts=cuts)
    ours = in_parts(spark, table, schema, 3, [40, 25, 60, 100][seed], cuts=cuts)
    assert ours.partition.facts["parts"] > 1
    np.testing.assert_array_equal(ours.partition.lo, theirs.partition.lo)
    np.testing.assert_array_equal(ours.partition.hi, theirs.partition.hi)
    np.testing.assert_array_equal(ours.partition.size_of_group, theirs.partition.size_of_group)
    same_rows(ours.table.toArrow(), theirs.arrow)
    assert ours.utility.to_dict() == theirs.utility.to_dict()
    ours.store.remove(None)


def test_a_small_limit_of_memory_goes_by_parts(spark: Any) -> None:
    table, schema = people(2000)
    frame = to_spark(spark, table, table.column_names)
    request = Request(schema=schema, models=[am.KAnonymity(10)], method="mondrian")
    ours = release_of(open_spark(frame, request, SILENT, memory="200kB"), request, SILENT)
    theirs = am.anonymize(table, schema, [am.KAnonymity(10)], method="mondrian")
    assert ours.partition.facts["parts"] > 1
    same_rows(ours.table.toArrow(), theirs.arrow)


def test_no_join_of_parts_sends_what_is_not_known_to_be_small(spark: Any) -> None:
    table, schema = random_people(3)
    ours = in_parts(spark, table, schema, 3, 40)
    ours.store.memory = 0
    assert sent(ours.store.rows(ours.plan)) == 0
    ours.store.memory = 1 << 30
    assert sent(ours.store.rows(ours.plan)) == 2 + len(schema.quasi)  # codes of values, kinds, and labels


@pytest.mark.parametrize("asked", ["incognito", "top-down", "diverse", "entropy"])
def test_what_cannot_be_done_by_parts_is_refused_with_the_least_memory(spark: Any, asked: str) -> None:
    table, schema = people(2000)
    models = {"diverse": [am.LDiversity(2)], "entropy": [am.LDiversity(2, "entropy")]}.get(asked, [])
    method = {"diverse": "mondrian", "entropy": "hilbert"}.get(asked, asked)
    request = Request(schema=schema, models=[am.KAnonymity(2), *models], method=method)
    frame = to_spark(spark, table, table.column_names)
    with pytest.raises(am.errors.BadOption, match="not fit into the driver") as caught:
        release_of(open_spark(frame, request, SILENT, memory="100kB"), request, SILENT)
    assert caught.value.facts["least"] > 100_000
