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
from amongst.published.source import Source

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SURELY_REPEATED = 0.8
"""Where Spark's estimate of the distinct values is below this part of the rows, some are there more than once."""


def published_files(session: SparkSession, path: str) -> Source:
    """Parquet files of a release."""
    place = path if "://" in path else os.path.abspath(path)
    return published_frame(session.read.parquet(place), Path(place).name)


def published_frame(frame: DataFrame, name: str) -> Source:
    """A frame of a release, counted by the executors as the verifier asks."""

    def counted(names: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, np.ndarray]]:
        from pyspark.sql import functions as F

        keys = numbered(frame, names)
        with spoken("The release cannot be read back"):
            table = keys.groupBy(*keys.columns).agg(F.count(F.lit(1)).alias("n")).toArrow()
        for batch in table.combine_chunks().to_batches():
            cells = pa.RecordBatch.from_arrays(batch.columns[:-1], names=list(names))
            yield cells, batch.column("n").to_numpy(zero_copy_only=False).astype(np.int64)

    def batches(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for cells, times in counted(names):
            yield cells.take(pa.array(np.repeat(np.arange(cells.num_rows), times)))

    def n_distinct(column: str) -> int:
        from pyspark.sql import functions as F

        own = numbered(frame, [column])
        with spoken("The release cannot be read back"):
            asked = own.agg(F.count("c0").alias("rows"), F.approx_count_distinct("c0").alias("about"))
            seen = asked.toArrow().to_pylist()[0]
            if seen["about"] < SURELY_REPEATED * seen["rows"]:
                return int(seen["about"])
            return int(own.agg(F.count_distinct("c0").alias("n")).toArrow().column(0)[0].as_py())

    return Source(name, arrow_schema(frame), batches, counted=counted, n_distinct=n_distinct)
