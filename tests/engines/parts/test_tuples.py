"""Counted tuples as rows on disk and back: nothing is lost, and few of them are in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import amongst as am
from amongst.encode.coded import CodedTable
from amongst.engines.parts import code_file, diverse, tuples
from amongst.engines.parts.distinct_values import Values
from amongst.engines.parts.encode_rows import encode_values
from amongst.engines.parts.group_rows import GroupRows
from amongst.engines.spark import one_line
from amongst.engines.spark.one_line import OneLine
from amongst.request import Request
from amongst.schema.check import check

SCHEMA = check(
    am.Schema({"age": am.Column(role="quasi", kind="numeric"), "ill": am.Column(role="sensitive")}),
    pa.table({"age": [20], "ill": ["a"]}),
)
COUNT = np.array([3, 1, 20, 2, 7, 7, 1, 5], dtype=np.int64)
AGE, ILL = np.array([0, 0, 1, 1, 2, 3, 4, 4]), np.array([0, 1, 2, 0, 1, 3, 0, 3])


def coded() -> CodedTable:
    columns = {"age": pa.chunked_array([list(range(20, 25))]), "ill": pa.chunked_array([list("abcd")])}
    return encode_values(Values(columns, int(COUNT.sum()), int(COUNT.sum())), SCHEMA, ["ill"])


def batches(size: int) -> Iterator[pa.RecordBatch]:
    for start in range(0, len(COUNT), size):
        own = [pa.array(column[start : start + size]) for column in (AGE.astype("i4"), ILL.astype("i4"), COUNT)]
        yield pa.record_batch(own, names=["q0", "q1", "n"])


@pytest.mark.parametrize("size", [1, 3, 8])
@pytest.mark.parametrize("models", [[am.KAnonymity(4)], [am.LDiversity(2), am.KAnonymity(3)]], ids=["k", "l"])
def test_pieces_are_the_rows_that_came(
    size: int, models: list[am.KAnonymity], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One tuple has nearly half of the rows, and rows are looked at by fives: it is divided, and none is lost."""
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    for module, name in ((tuples, "MOST_ROWS"), (tuples, "BLOCK"), (one_line, "BATCH"), (code_file, "BLOCK")):
        monkeypatch.setattr(module, name, 5)
    monkeypatch.setattr(diverse, "AT_A_TIME", 5)
    asked = GroupRows.of(Request(schema=SCHEMA, models=models, method="hilbert"), part_rows=6)
    found = pa.Table.from_batches(list(OneLine(coded(), asked)(batches(size))))
    age, ill, n, group = (column.to_numpy() for column in found.columns)
    assert n.min() >= 1
    back = {(a, i): int(n[(age == a) & (ill == i)].sum()) for a, i in zip(AGE.tolist(), ILL.tolist(), strict=True)}
    assert list(back.values()) == COUNT.tolist()
    sizes = np.bincount(group, weights=n)
    assert sizes.min() >= models[-1].k
    assert len(sizes) > 5
    assert not list(tmp_path.iterdir())
