"""The frequency set: counted by the executors, fetched as Arrow, and only when it fits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from amongst.engines.counted import COUNT
from amongst.engines.spark.columns import numbered, refuse_unordered
from amongst.engines.spark.plain_errors import spoken
from amongst.engines.spark.session import known_cores

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

N = "n"
TASKS_A_CORE = 4
COPIES = 4
"""How often a tuple is in the driver at the worst time: in Java, in Arrow, as codes, and in what is decided on them."""


class Tuples(NamedTuple):
    """A frequency set that is still with the executors.

    Attributes
    ----------
    frame : DataFrame
        The columns as c0, c1, ... and how many rows there are of each in ``n``.
    n_tuples, n_rows : int
    n_bytes : int
        About what it takes as Arrow.
    """

    frame: DataFrame
    n_tuples: int
    n_rows: int
    n_bytes: int

    @property
    def needed(self) -> int:
        """About the memory that a driver needs to decide on it."""
        return COPIES * self.n_bytes

    def fetch(self, columns: Sequence[str]) -> pa.Table:
        """Bring it to the driver."""
        with spoken("The frequency set cannot be fetched"):
            return self.frame.toArrow().rename_columns([*columns, COUNT])

    def forget(self) -> None:
        """Let the executors drop it."""
        with spoken("The frequency set cannot be dropped"):
            self.frame.unpersist()


def counted(frame: DataFrame, columns: Sequence[str]) -> Tuples:
    """Count the distinct rows of some columns where they are. Nulls are equal, NaN too, and the two zeros.

    The counts are kept by the executors (in memory, or on their disks) until they are fetched, so that the table is
    read once.
    """
    from pyspark import StorageLevel
    from pyspark.sql import functions as F

    keys = numbered(frame, columns)
    refuse_unordered(keys, columns)
    with spoken("The table cannot be counted"):
        tuples = keys.groupBy(*keys.columns).agg(F.count(F.lit(1)).alias(N))
        cores = known_cores(frame.sparkSession)
        if cores is not None:  # what is kept is not put together as other results are: hundreds of small tasks
            tuples = tuples.coalesce(TASKS_A_CORE * cores)
        tuples = tuples.persist(StorageLevel.MEMORY_AND_DISK)
        text = [F.octet_length(c) for c, kind in keys.dtypes if kind == "string" or kind == "binary"]
        long = sum((F.coalesce(length, F.lit(0)) for length in text), start=F.lit(0))
        asked = (F.count(F.lit(1)).alias("tuples"), F.sum(N).alias("rows"), F.sum(long).alias("text"))
        size = tuples.agg(*asked).toArrow().to_pylist()[0]
    n_tuples = int(size["tuples"])
    return Tuples(tuples, n_tuples, int(size["rows"] or 0), 9 * n_tuples * (len(columns) + 1) + int(size["text"] or 0))
