"""Joins whose plan is ours to say: one side is sent to every executor where it is known to be small, else none is.

Left to itself, Spark sends a side of which it believes that it is small. It believes the size of the files, and a few
megabytes of Parquet can be millions of rows, which the driver must hold at once to send them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

A_ROW = 64
"""About what a row takes beside its cells in the hash table of a join in Java."""


def join_known(rows: DataFrame, known: DataFrame, on: Any, *, small: bool) -> DataFrame:
    """Rows with what is known of them: ``known`` is sent to the executors where it is small, else both are shuffled."""
    from pyspark.sql import functions as F

    return rows.join(F.broadcast(known) if small else known.hint("merge"), on=on, how="inner")


def size_in_join(n_bytes: int, n_rows: int, n_columns: int) -> int:
    """About what rows take in the hash table of a join in Java.

    Examples
    --------
    >>> from amongst.engines.spark.join import size_in_join
    >>> size_in_join(8_000, 1_000, 2)
    112000
    """
    return 2 * n_bytes + n_rows * (A_ROW + 16 * n_columns)
