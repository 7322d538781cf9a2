"""Parquet files: text comes as dictionaries, one row group at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from amongst.verify.source import Source, readable, refuse_duplicates


def open_parquet(path: Path) -> Source:
    """Open a Parquet file; only its footer is read now."""
    with readable(path.name, "Parquet"), pq.ParquetFile(path) as file:
        schema = file.schema_arrow
        refuse_duplicates(path.name, schema.names)

    def batches(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with readable(path.name, "Parquet"):
            text = [name for name in names if _is_text(schema.field(name).type)]
            with pq.ParquetFile(path, read_dictionary=text) as file:
                for group in range(file.num_row_groups):
                    # In the order asked for, and nothing beside it, however pyarrow reads a dot in a name.
                    rows = file.read_row_group(group, columns=list(names)).select(list(names))
                    yield from rows.to_batches()

    return Source(path.name, schema, batches, path, dictionaries=True)


def _is_text(of: pa.DataType) -> bool:
    return pa.types.is_string(of) or pa.types.is_large_string(of)
