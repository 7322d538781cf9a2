"""Columns that are read by a form, or have limits, on a cluster: the driver looks at the distinct cells of a column, by
the code of memory, and the executors give every row what its cell stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.engines.spark.columns import numbered, to_spark
from amongst.read.evidence import counted_cells, forms_of
from amongst.read.from_cells import values_of_cells
from amongst.read.reads import FOUND, all_reads, refuse_unknown

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

    from amongst.schema.schema import Schema


def by_forms(frame: DataFrame, told: Any, *, usual_dates: bool) -> tuple[DataFrame, dict[str, Any]]:
    """The frame with columns of text read by the forms that were told, or are to be found; and these forms."""
    if not told:
        return frame, {}
    texts = [field.name for field in frame.schema.fields if field.dataType.simpleString() == "string"]
    if told == FOUND:
        cells = {name: _cells(frame, name) for name in texts}
        found = forms_of({name: counted_cells(*own) for name, own in cells.items()}, usual_dates=usual_dates)
        reads = {name: one.reads for name, one in found.items() if one.reads is not None}
    else:
        reads = all_reads(told)
        refuse_unknown(reads, texts)
        cells = {name: _cells(frame, name) for name in reads}
    values = {name: (cells[name][0], values_of_cells(name, *cells[name], one)) for name, one in reads.items()}
    return _with_values(frame, values), reads


def within_limits(frames: Sequence[DataFrame], schema: Schema) -> tuple[list[DataFrame], Schema]:
    """Frames of the same rows with the limits of columns carried out, by the values of the first; and the schema."""
    from amongst.schema.limits import coarsened

    frame = frames[0]
    names = [name for name, column in schema.items() if column.has_limits and name in frame.columns]
    suppressing = [name for name in schema.quasi if schema[name].nulls == "suppress" and name in frame.columns]
    cells = {name: _cells(frame, name)[0] for name in names}
    staying = {name: _cells(frame, name, where=suppressing)[0] for name in names}
    if not any(len(own) for own in staying.values()):  # nobody would stay, which is told later
        staying = cells
    labels, coarse = coarsened(schema, {name: (cells[name], staying[name]) for name in names})
    known = {name: (cells[name], labels[name]) for name in names}
    return [_with_values(one, known) for one in frames], coarse


def _cells(frame: DataFrame, name: str, *, where: Sequence[str] = ()) -> tuple[pa.Array, np.ndarray]:
    """The distinct cells of a column in their order, but for missing ones, and how often each occurs; of the rows in
    which some columns are there."""
    import pyarrow as pa
    from pyspark.sql import functions as F

    rows = numbered(frame, [*dict.fromkeys([name, *where])]).dropna()
    found = rows.groupBy("c0").agg(F.count("*").alias("n")).toArrow().sort_by("c0")
    cells = found.column("c0").combine_chunks()
    whole = pa.concat_arrays(cells.chunks) if isinstance(cells, pa.ChunkedArray) else cells
    return whole, found.column("n").to_numpy().astype(np.int64)


def _with_values(frame: DataFrame, known: Mapping[str, tuple[Any, Any]]) -> DataFrame:
    import pyarrow as pa
    from pyspark.sql import functions as F

    names = frame.columns
    for name, (cells, values) in known.items():
        plain = frame.toDF(*(f"c{i}" for i in range(len(names))))
        told = to_spark(frame.sparkSession, pa.table({"cell": cells, "value": values}), ["cell", "value"])
        own = f"c{names.index(name)}"
        joined = plain.join(F.broadcast(told), F.col(own).eqNullSafe(F.col("cell")), "left")
        picked = [F.col("value").alias(one) if one == own else F.col(one) for one in plain.columns]
        frame = joined.select(*picked).toDF(*names)
    return frame
