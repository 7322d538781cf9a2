"""A CSV file as columns of text in a file of our own, block by block: later passes read what they need of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amongst.read.text import (
    RaggedRow,
    csv_errors,
    csv_options,
    has_lines,
    missing_where,
    open_text,
    read_header,
    refuse_doubled,
    refuse_open_quote,
    refuse_ragged,
)

BLOCK = 1 << 24


def csv_columns(
    path: Path, folder: Path, *, nulls: Sequence[str] = (), separator: str | None = None, encoding: str | None = None
) -> Path:
    """Write the cells of a CSV file as a Parquet file in ``folder``, and give its path; what is refused in memory is
    refused here."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv

    encoding = encoding or "utf-8"
    names, separator = read_header(path, separator, encoding)
    refuse_doubled(path, names)
    ragged: list[RaggedRow] = []
    options = csv_options(names, nulls, separator, encoding, ragged, pa.string())
    options[0].block_size = BLOCK
    target, lines = folder / "cells.parquet", False
    with csv_errors(path, names, separator, encoding), open_text(path) as stream:
        reader = csv.open_csv(stream, *options)
        schema = pa.schema([pa.field(name, pa.string()) for name in names])
        with pq.ParquetWriter(target, schema, compression="lz4", write_statistics=False) as writer:
            for batch in reader:
                lines = lines or any(has_lines(column) for column in batch.columns)
                cells = [missing_where(column, nulls) for column in batch.columns]
                writer.write_batch(pa.RecordBatch.from_arrays(cells, schema=schema))
    refuse_ragged(path, ragged)
    if lines:
        refuse_open_quote(path, separator, encoding)
    return target
