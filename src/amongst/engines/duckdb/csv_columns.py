"""A CSV file as columns of text in a file of our own, block by block: later passes read what they need of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amongst.read.cells import refuse_long_cells
from amongst.read.header import Layout, read_layout
from amongst.read.text import (
    RaggedRow,
    csv_errors,
    csv_options,
    has_lines,
    has_quote_amid,
    in_its_encoding,
    missing_where,
    open_cells,
    refuse_open_quote,
    refuse_ragged,
)

BLOCK = 1 << 24


def csv_columns(
    path: Path,
    folder: Path,
    *,
    nulls: Sequence[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
) -> tuple[Path, Layout]:
    """Write the cells of a CSV file as a Parquet file in ``folder``; give its path, and how the file is laid out. What
    is refused in memory is refused here."""
    layout = read_layout(path, separator, encoding, header)
    return in_its_encoding(path, layout, encoding, lambda one: _cells(path, folder, one, nulls))


def _cells(path: Path, folder: Path, layout: Layout, nulls: Sequence[str]) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv

    ragged: list[RaggedRow] = []
    options = csv_options(layout, nulls, ragged, pa.string())
    options[0].block_size = BLOCK
    target, lines = folder / "cells.parquet", False
    with csv_errors(path, layout), open_cells(path, layout) as stream:
        reader = csv.open_csv(stream, *options)
        schema = pa.schema([pa.field(name, pa.string()) for name in layout.names])
        with pq.ParquetWriter(target, schema, compression="lz4", write_statistics=False) as writer:
            for batch in reader:
                for name, column in zip(layout.names, batch.columns, strict=True):
                    refuse_long_cells(path.name, name, column)
                lines = lines or any(has_lines(column) for column in batch.columns)
                cells = [missing_where(column, nulls) for column in batch.columns]
                writer.write_batch(pa.RecordBatch.from_arrays(cells, schema=schema))
    refuse_ragged(path, ragged)
    if lines or has_quote_amid(path, layout):
        refuse_open_quote(path, layout)
    return target
