"""What was written, read back for the verifier: distinct rows with their counts come to the driver, never all rows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from amongst.engines.spark.columns import numbered
from amongst.engines.spark.plain_errors import spoken
from amongst.engines.spark.source import arrow_schema
from amongst.verify.source import Source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

BATCH = 1 << 20


def published_files(session: SparkSession, path: str) -> Source:
    """Parquet files of a release."""
    place = path if "://" in path else os.path.abspath(path)
    return published_frame(session.read.parquet(place), Path(place).name)


def published_frame(frame: DataFrame, name: str) -> Source:
    """A frame of a release. Rows that are equal in what is asked for come one after the other, the most frequent first.

    Equal rows are spelled out by the driver, a batch at a time.
    """

    def batches(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        from pyspark.sql import functions as F

        keys = numbered(frame, names)
        with spoken("The release cannot be read back"):
            rows = keys.groupBy(*keys.columns).agg(F.count(F.lit(1)).alias("n"))
            table = rows.orderBy(F.desc("n")).toArrow()
        counts = table.column("n").to_numpy()
        yield from _spelled_out(table.drop_columns(["n"]).rename_columns(list(names)), counts)

    return Source(name, arrow_schema(frame), batches)


def _spelled_out(distinct: pa.Table, counts: np.ndarray) -> Iterator[pa.RecordBatch]:
    ends = np.cumsum(counts)
    for start in range(0, int(ends[-1]) if len(ends) else 0, BATCH):
        stop = min(start + BATCH, int(ends[-1]))
        first, last = np.searchsorted(ends, [start, stop - 1], side="right")
        own = counts[first : last + 1].copy()
        own[0] = ends[first] - start
        own[-1] -= ends[last] - stop
        if first == last:
            own[0] = stop - start
        rows = np.repeat(np.arange(first, last + 1), own)
        yield from distinct.take(pa.array(rows)).combine_chunks().to_batches()
