"""A second pass over the rows: the code of every value, written to disk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import encode_column
from amongst.encode.sensitive import encode_sensitive
from amongst.engines.parts.code_file import CodeFile, CodeWriter, record_of, records
from amongst.engines.parts.code_of_value import CodeOfValue, changed
from amongst.engines.parts.distinct_values import Values, kept_rows
from amongst.engines.parts.other_columns import OtherColumns
from amongst.engines.parts.rows import ParquetRows
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class EncodedRows:
    """A table as codes on disk.

    Attributes
    ----------
    table : CodedTable
        The columns with their values; the codes are those of the distinct values, not of rows.
    codes : CodeFile
        The codes of every row that is kept: the quasi-identifiers, the sensitive columns, and last what ``others``
        makes of the row.
    counts : list of ndarray of int64
        How many rows have every code, column by column, but for the last.
    others : OtherColumns, or None
        The columns that are published as they are, where rows can be counted by them.
    """

    table: CodedTable
    codes: CodeFile
    counts: list[np.ndarray]
    others: OtherColumns | None = None


def encode_values(values: Values, schema: Schema, sensitive: Sequence[str]) -> CodedTable:
    """The columns as codes of their distinct values: the same codes that all rows together would give."""
    columns = [encode_column(values.columns[name], name, schema[name], None) for name in schema.quasi]
    of_sensitive = {name: _sensitive(values.columns[name], schema, name) for name in sensitive}
    return CodedTable(columns, values.n_input, None, sensitive=of_sensitive)


def _sensitive(column: pa.ChunkedArray, schema: Schema, name: str) -> CodedColumn:
    import pyarrow as pa

    return encode_sensitive(pa.table({name: column}), schema, name, None)


def encode_rows(
    rows: ParquetRows,
    schema: Schema,
    values: Values,
    table: CodedTable,
    folder: Path,
    others: OtherColumns | None = None,
    say: Callable[[int, int], None] | None = None,
) -> EncodedRows:
    """Write the codes of all rows that are kept."""
    coded = [*table.columns, *table.sensitive.values()]
    maps = [CodeOfValue(values.columns[column.name], column) for column in coded]
    suppressing = [name for name in schema.quasi if schema[name].nulls == "suppress"]
    counts = [np.zeros(len(column.values) + 1, dtype=np.int64) for column in coded]
    keys = [] if others is None else [np.empty(0, dtype=others.dtype)]
    record = record_of([*(column.codes for column in coded), *keys])
    writer = CodeWriter(folder / "codes", record)
    names = [*(column.name for column in coded), *(() if others is None else others.names)]
    n_read = 0
    for block in rows.blocks(list(dict.fromkeys(names))):
        n_read += block.num_rows
        if say is not None:
            say(n_read, rows.n_rows)
        kept = kept_rows(block, suppressing)
        block = block if kept is None else block.take(kept)
        if block.num_rows == 0:
            continue
        codes = [code_of.rows(block.column(column.name)) for code_of, column in zip(maps, coded, strict=True)]
        for count, own in zip(counts, codes, strict=True):
            count += np.bincount(own, minlength=len(count))
        if others is not None:
            codes.append(others.key_of_row(block))
        writer.write(records(codes, record))
    codes_on_disk = writer.close()
    if codes_on_disk.n_rows != values.n_kept:
        raise changed(rows.name, f"{codes_on_disk.n_rows:,} rows where {values.n_kept:,} were counted")
    return EncodedRows(table, codes_on_disk, counts, others)
