"""The data file of a release: Parquet or CSV."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadOption

if TYPE_CHECKING:
    import pyarrow as pa

FORMATS = ("parquet", "csv")


def refuse_unknown_format(format: str, form: str) -> None:
    """Raise for a format that cannot be written."""
    if format not in FORMATS:
        raise BadOption(
            f"A release cannot be written as {format!r}.", found=f"format = {format!r}", fix="use parquet or csv"
        )
    if format == "csv" and form == "structs":
        raise BadOption(
            "A CSV file cannot hold structs.",
            found="format = csv with form = structs",
            fix="use form = bounds, or format = parquet",
        )


def write_data(table: pa.Table, folder: Path, format: str, name: str = "release") -> Path:
    """Write the published table. It carries no index, no schema of the sender, no statistics of cells."""
    path = folder / f"{name}.{format}"
    if format == "csv":
        from pyarrow import csv

        csv.write_csv(table, path, csv.WriteOptions(batch_size=1 << 16))
        return path
    import pyarrow.parquet as pq

    text = [field.name for field in table.schema if _is_text(field.type)]
    pq.write_table(
        table,
        path,
        compression="zstd",
        use_dictionary=text or False,
        write_statistics=False,
        store_schema=False,
        row_group_size=1 << 20,
    )
    return path


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return pa.types.is_dictionary(kind) or pa.types.is_string(kind) or pa.types.is_boolean(kind)
