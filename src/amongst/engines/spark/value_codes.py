"""Codes for values where the rows are: the driver knows the distinct values of every column, not their combinations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.engines.parts.distinct_values import Values
from amongst.engines.parts.encode_rows import encode_values
from amongst.engines.spark.columns import to_spark
from amongst.engines.spark.count import N
from amongst.engines.spark.join import join_known, size_in_join
from amongst.engines.spark.plain_errors import spoken
from amongst.errors import Infeasible
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


@dataclass(frozen=True, eq=False)
class ValueCodes:
    """What is known of the columns one by one.

    Attributes
    ----------
    schema : Schema
        Checked against the values.
    table : CodedTable
        The columns; their codes are those of the distinct values, in the order of ``values``.
    values : list of pyarrow.Array
    counts : list of ndarray of int64
        How many rows have every value.
    n_kept : int
        Rows that no null rule leaves out.
    """

    schema: Schema
    table: CodedTable
    values: list[pa.Array]
    counts: list[np.ndarray]
    n_kept: int

    @property
    def names(self) -> list[str]:
        """The columns of codes: q0, q1, ..."""
        return [f"q{i}" for i in range(len(self.values))]

    @property
    def coded(self) -> list[CodedColumn]:
        """All columns with codes: the quasi-identifiers, and the sensitive ones that are looked at."""
        return [*self.table.columns, *self.table.sensitive.values()]

    def of_values(self, column: int) -> np.ndarray:
        """How many rows have every code of a column."""
        own = self.coded[column]
        count = np.bincount(own.codes, weights=self.counts[column], minlength=len(own.values) + 1)
        return count.astype(np.int64)

    def encode(self, frame: DataFrame, broadcast_limit: int) -> DataFrame:
        """The frame with codes for its columns c0, c1, ...; rows with a value that was not counted are left out."""
        from pyspark.sql import functions as F

        for i, values in enumerate(self.values):
            codes = self.coded[i].codes.astype(np.int32)
            mapping = self._mapping(frame, values, codes, i)
            small = size_in_join(values.nbytes + 4 * len(codes), len(codes), 2) <= broadcast_limit
            own, its = F.col(f"c{i}"), F.col(f"v{i}")
            on = own.eqNullSafe(its) if values.null_count else own == its
            frame = join_known(frame, mapping, on, small=small).drop(f"v{i}", f"c{i}")
        return frame

    @staticmethod
    def _mapping(frame: DataFrame, values: pa.Array, codes: np.ndarray, i: int) -> DataFrame:
        import pyarrow as pa

        return to_spark(frame.sparkSession, pa.table([values, pa.array(codes)], names=["v", "q"]), [f"v{i}", f"q{i}"])


class ValuesOfTuples(NamedTuple):
    """The distinct values of every column of a frequency set, and the tuples that no null rule leaves out.

    Attributes
    ----------
    columns : dict of str to pyarrow.ChunkedArray
    counts : list of ndarray of int64
        How many rows have every value.
    n_input : int
    kept : DataFrame
    """

    columns: dict[str, pa.ChunkedArray]
    counts: list[np.ndarray]
    n_input: int
    kept: DataFrame


def values_of_tuples(tuples: DataFrame, schema: Schema, names: Sequence[str]) -> ValuesOfTuples:
    """Fetch the distinct values. ``tuples`` is a frequency set of these columns, as c0, c1, ... and n."""
    from pyspark.sql import functions as F

    kept = tuples
    for i, name in enumerate(names):
        if name in schema.quasi and schema[name].nulls == "suppress":
            kept = kept.where(F.col(f"c{i}").isNotNull())
    with spoken("The values of the columns cannot be counted"):
        n_input = int(tuples.agg(F.sum(N).alias(N)).toArrow().column(0)[0].as_py())
        found = [kept.groupBy(f"c{i}").agg(F.sum(N).alias(N)).toArrow().combine_chunks() for i in range(len(names))]
    if found[0].num_rows == 0:
        raise Infeasible(
            "Every row has a missing quasi-identifier, and the null rule suppresses them all.",
            found=f"{n_input} rows, none complete",
            fix='choose "own value" or "match anything" for the columns with many nulls',
        )
    columns = {name: one.column(0) for name, one in zip(names, found, strict=True)}
    return ValuesOfTuples(columns, [one.column(1).to_numpy().astype(np.int64) for one in found], n_input, kept)


def value_codes(found: ValuesOfTuples, schema: Schema) -> ValueCodes:
    """Give the values codes, by a schema that was checked against them."""
    import pyarrow as pa

    n_kept = int(found.counts[0].sum())
    sensitive = [name for name in found.columns if name not in schema.quasi]
    table = encode_values(Values(found.columns, found.n_input, n_kept), schema, sensitive)
    values = [pa.concat_arrays(column.chunks) for column in found.columns.values()]
    return ValueCodes(schema, table, values, found.counts, n_kept)
