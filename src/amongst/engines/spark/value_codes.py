"""Codes for values where the rows are: the driver knows the distinct values of every column, not their combinations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.encode.encode import encode_column
from amongst.engines.spark.columns import to_spark
from amongst.engines.spark.count import N
from amongst.engines.spark.join import join_known, size_in_join
from amongst.engines.spark.plain_errors import spoken
from amongst.errors import Infeasible
from amongst.schema.check import check
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
        return [f"q{i}" for i in range(self.table.n_qi)]

    def of_values(self, column: int) -> np.ndarray:
        """How many rows have every code of a column."""
        own = self.table.columns[column]
        count = np.bincount(own.codes, weights=self.counts[column], minlength=own.n_values)
        return count[: own.n_values].astype(np.int64)

    def encode(self, frame: DataFrame, broadcast_limit: int) -> DataFrame:
        """The frame with codes for its columns c0, c1, ...; rows with a value that was not counted are left out."""
        from pyspark.sql import functions as F

        for i, values in enumerate(self.values):
            codes = self.table.columns[i].codes.astype(np.int32)
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


def value_codes(tuples: DataFrame, schema: Schema, stored: pa.Schema, form: str) -> tuple[ValueCodes, DataFrame]:
    """Fetch the distinct values of every quasi-identifier, and give them codes; and the tuples that are kept.

    ``tuples`` is a frequency set of the quasi-identifiers, as c0, c1, ... and n.
    """
    import pyarrow as pa
    from pyspark.sql import functions as F

    kept = tuples
    for i, name in enumerate(schema.quasi):
        if schema[name].nulls == "suppress":
            kept = kept.where(F.col(f"c{i}").isNotNull())
    with spoken("The values of the columns cannot be counted"):
        n_input = int(tuples.agg(F.sum(N).alias(N)).toArrow().column(0)[0].as_py())
        found = [
            kept.groupBy(f"c{i}").agg(F.sum(N).alias(N)).toArrow().combine_chunks() for i in range(len(schema.quasi))
        ]
    if found[0].num_rows == 0:
        raise Infeasible(
            "Every row has a missing quasi-identifier, and the null rule suppresses them all.",
            found=f"{n_input} rows, none complete",
            fix='choose "own value" or "match anything" for the columns with many nulls',
        )
    columns = {name: one.column(0) for name, one in zip(schema.quasi, found, strict=True)}
    told: Any = _Columns(stored, columns)
    checked = check(schema, told, form=form)
    coded = [encode_column(columns[name], name, checked[name], None) for name in checked.quasi]
    counts = [one.column(1).to_numpy().astype(np.int64) for one in found]
    values = [pa.concat_arrays(one.column(0).chunks) for one in found]
    table = CodedTable(coded, n_input, None)
    return ValueCodes(checked, table, values, counts, int(counts[0].sum())), kept


class _Columns:
    """What the check of a schema looks at: names, types, and the distinct values of some columns."""

    def __init__(self, schema: pa.Schema, values: Mapping[str, pa.ChunkedArray]) -> None:
        self.schema, self.values = schema, values
        self.column_names = list(schema.names)

    def column(self, place: int) -> pa.ChunkedArray:
        import pyarrow as pa

        name = self.column_names[place]
        return self.values.get(name, pa.chunked_array([], self.schema.field(name).type))
