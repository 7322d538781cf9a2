"""Parquet files: text comes as dictionaries, one row group at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from amongst.errors import BadInput
from amongst.published.source import Source, readable, refuse_duplicates, sound

ENDINGS = (".parquet", ".pq")


def open_parquet(path: Path) -> Source:
    """Open a Parquet file, or a folder of such files; only footers are read now."""
    parts = _parts(path) if os.path.isdir(path) else (path,)
    with readable(path.name, "Parquet"):
        schema = pq.read_schema(parts[0])
        refuse_duplicates(path.name, schema.names)
        for part in parts[1:]:
            _refuse_other_columns(path, part, schema)

    def batches(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with readable(path.name, "Parquet"):
            for part in parts:
                text = _text_leaves(part, schema, names)
                with pq.ParquetFile(part, read_dictionary=text) as file:
                    for group in range(file.num_row_groups):
                        # In the order asked for, and nothing beside it, however pyarrow reads a dot in a name.
                        rows = file.read_row_group(group, columns=list(names)).select(list(names))
                        yield from map(sound, rows.to_batches())

    def head(names: Sequence[str], n: int) -> pa.RecordBatch | None:
        with readable(path.name, "Parquet"), pq.ParquetFile(parts[0]) as file:
            rows = next(file.iter_batches(n, columns=list(names)), None)
            return None if rows is None else sound(rows.select(list(names)))

    return Source(path.name, schema, batches, path, parts, dictionaries=True, head=head)


def _parts(folder: Path) -> tuple[Path, ...]:
    """The files of a release that a cluster wrote, by their names; whatever else lies there is refused."""
    with readable(folder.name, "Parquet"):
        names = sorted(os.listdir(folder))
    odd = [name for name in names if not name.lower().endswith(ENDINGS) or not (folder / name).is_file()]
    if names and not odd:
        return tuple(folder / name for name in names)
    raise BadInput(
        f"{folder.name} is no folder of Parquet files alone.",
        found=f"{len(odd)} other files or folders in it" if odd else "an empty folder",
        fix="keep the parts that were written together in it, and nothing else",
    )


def _refuse_other_columns(path: Path, part: Path, schema: pa.Schema) -> None:
    if not pq.read_schema(part).remove_metadata().equals(schema.remove_metadata()):
        raise BadInput(
            f"The files of {path.name} are not parts of one table.",
            found=f"{part.name} has other columns than the first of them",
            fix="keep the parts that were written together in it, and nothing else",
        )


def _text_leaves(part: Path, schema: pa.Schema, names: Sequence[str]) -> list[str]:
    """The columns of text, and the texts within those of structs and lists, by the names that Parquet gives them."""
    text = [name for name in names if _is_text(schema.field(name).type)]
    nested = [f"{name}." for name in names if schema.field(name).type.num_fields]
    if not nested:
        return text
    stored = pq.read_metadata(part).schema
    leaves = [stored.column(i) for i in range(len(stored))]
    return text + [
        leaf.path
        for leaf in leaves
        if leaf.logical_type.type == "STRING" and any(leaf.path.startswith(name) for name in nested)
    ]


def _is_text(of: pa.DataType) -> bool:
    return pa.types.is_string(of) or pa.types.is_large_string(of)
