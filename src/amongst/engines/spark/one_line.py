"""What a worker of one executor runs: all tuples pass by once, are put on a line, and are cut into groups there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.engines.parts.code_file import CodeWriter, record_of, records
from amongst.engines.parts.group_rows import GroupRows
from amongst.engines.parts.tuples import PiecesOfTuples, TupleWriter
from amongst.staging import own_folder, remove_leftovers

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

BATCH = 1 << 16
"""Tuples whose pieces are sent together."""


@dataclass(frozen=True, eq=False)
class OneLine:
    """Hilb and iDist and their fast forms, with l-diversity too, in one stream.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007, sections 5.1
        and 5.2: one scan of the sorted rows.
    Guarantees
        The groups are those of ``GroupRows``, which are those of memory.
    Cost
        The program runs from one end of the line to the other, so it is one worker's, with the codes of all rows on its
        disk; its memory holds a part of the rows, a few rows of every sensitive value, one number a row and the
        boxes of the groups.
    """

    table: CodedTable
    asked: GroupRows

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Tuples as codes q0, q1, ... and their counts n; back come the same with ``group``, and n rows of each."""
        import pyarrow as pa

        coded = [*self.table.columns, *self.table.sensitive.values()]
        names = [f"q{c}" for c in range(len(coded))]
        place = Path(os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or tempfile.gettempdir())
        remove_leftovers(place)
        with own_folder(place) as folder:
            count = np.empty(0, dtype=np.int64)
            record = record_of([*(column.codes for column in coded), count])
            rows, tuples = TupleWriter(self.table, folder), CodeWriter(folder / "tuples", record)
            for batch in batches:
                codes = [batch.column(f"q{c}").to_numpy().astype(own.codes.dtype) for c, own in enumerate(coded)]
                count = batch.column("n").to_numpy().astype(np.int64)
                rows.write(codes, count)
                tuples.write(records([*codes, count], record))
            written = tuples.close()
            if written.n_rows == 0:
                return
            grouped = self.asked.program(rows.close(), folder)()
            pieces = PiecesOfTuples(grouped, grouped.partition.group_of_row)
            for block in written.blocks(BATCH):
                *codes, count = (block[name] for name in record.names or ())
                for first, made in pieces.of(count):
                    own = [column[first + made.coded].astype(np.int32) for column in codes]
                    sent = [*own, made.last - made.first + 1, made.class_of_piece]
                    yield pa.record_batch([pa.array(column) for column in sent], names=[*names, "n", "group"])


def grouped_on_a_line(tuples: DataFrame, line: OneLine) -> DataFrame:
    """The pieces of all tuples with their group, with the executors; all of them are of one cell."""
    from pyspark.sql import functions as F

    names = [name for name in tuples.columns if name.startswith("q")]
    schema = ", ".join([*(f"{name} int" for name in names), "n bigint", "group int"])

    def group(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return line(batches)

    made = tuples.select(*names, "n").repartition(1).mapInArrow(group, schema)
    return made.repartition(*names).withColumn("cell", F.lit(0))
