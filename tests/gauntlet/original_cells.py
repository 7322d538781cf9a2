"""The cells of a table as they were, read with nothing of amongst."""

from __future__ import annotations

import csv
from pathlib import Path

from gauntlet_table import GauntletTable


def original_cells(table: GauntletTable, path: Path) -> tuple[set[object], set[object]]:
    """The cells of the columns that name people, and those of all others."""
    people: set[object] = set()
    others: set[object] = set()
    for name, cells in _columns(table, path):
        (people if name in table.people else others).update(cells)
    return people, others


def _columns(table: GauntletTable, path: Path) -> list[tuple[str, list[object]]]:
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        read = pq.read_table(path)
        return [(name, column.to_pylist()) for name, column in zip(read.column_names, read.columns, strict=True)]
    reading = table.reading or {}
    with path.open(encoding=reading.get("encoding", "utf-8"), newline="") as file:
        header, *rows = csv.reader(file, delimiter=reading.get("separator", ","))
    return [(name, list(cells)) for name, cells in zip(header, zip(*rows, strict=True), strict=True)]
