"""The data file of a release: Parquet or CSV, written in one go or as a stream of tables, with the same bytes."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.engines.equal_rows import text_by_runs
from amongst.errors import BadOption
from amongst.read.formats import formats
from amongst.read.formats.fitting import Holds, fitted

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.engines.shape import Shape

PLAIN = ("parquet", "csv")
"""Formats that every engine writes; rows in memory can have those of ``amongst.read.formats`` too."""
IN_TEXT = Holds(zones=True, halves=True, infinite=True)
"""What is written into a CSV file as Arrow writes it."""
ROW_GROUP = 1 << 20
"""Rows of a row group of a Parquet file."""
CSV_BATCH = 1 << 16


def refuse_unknown_format(format: str, form: str) -> None:
    """Raise for a format that cannot be written."""
    if format not in writable():
        known = formats().get(format)
        fix = f"use {known.writes}" if known is not None else "use one of: " + ", ".join(writable())
        raise BadOption(f"A release cannot be written as {format!r}.", found=f"format = {format!r}", fix=fix)
    if format not in PLAIN:
        formats()[format].refuse_missing()
        if form == "structs":
            raise BadOption(
                "Only Parquet holds structs.",
                found=f"format = {format} with form = structs",
                fix="use form = bounds, or format = parquet",
            )
    if format == "csv" and form == "structs":
        raise BadOption(
            "A CSV file cannot hold structs.",
            found="format = csv with form = structs",
            fix="use form = bounds, or format = parquet",
        )


def writable() -> tuple[str, ...]:
    """The formats that a release can be written in."""
    return (*PLAIN, *(name for name, one in formats().items() if one.write is not None))


def refuse_unknown_shape(shape: str | None) -> None:
    """Raise for a shape that a file cannot have."""
    if shape not in (None, "input"):
        raise BadOption(f"There is no shape {shape!r}.", found=f"shape = {shape!r}", fix='use "input", or leave it out')


def write_data(
    table: pa.Table,
    folder: Path,
    format: str,
    name: str = "release",
    *,
    shape: Shape | None = None,
    codes: Mapping[str, Any] | None = None,
) -> tuple[Path, ...]:
    """Write the published table. It carries no index, no schema of the sender, no statistics of cells.

    A CSV file that has a shape has metadata beside it, which say how it is to be read. ``codes`` tell what the numbers
    of columns stand for, in formats that can say it.
    """
    if format not in PLAIN:
        path = folder / f"{name}.{format}"
        formats()[format].write_tables([table], path, codes or {})
        return (path,)
    if shape is None:
        return (write_stream([table], folder, format, name),)
    from amongst.engines.csv_text import write_csv_text, write_metadata

    path = folder / f"{name}.{format}"
    if shape.whole:
        write_csv_text([table], path, shape)
    else:
        write_stream([table], folder, format, name)
    return path, write_metadata(table.column_names, path, shape)


def write_stream(tables: Iterable[pa.Table], folder: Path, format: str, name: str = "release") -> Path:
    """Write the published table as it comes, piece by piece; the file is the same however it is divided.

    Text may come as it is or dictionary-encoded. The dictionary of a row group has the texts of its rows alone: in
    the order of the dictionary they came with, or sorted where they came without.
    """
    path = folder / f"{name}.{format}"
    if format == "csv":
        from pyarrow import csv

        pieces = fitted(tables, IN_TEXT)
        first = next(pieces)
        options = csv.WriteOptions(batch_size=CSV_BATCH)
        with path.open("wb") as stream, closing(csv.CSVWriter(stream, first.schema, write_options=options)) as out:
            for piece in _each(first, pieces):
                texts = text_by_runs(piece.cast(first.schema))
                if texts is None:
                    out.write_table(piece.cast(first.schema), CSV_BATCH)
                else:
                    stream.writelines(texts)
        return path
    import pyarrow.parquet as pq

    groups = (_compact(group) for group in _row_groups(tables))
    first = next(groups)
    text = [field.name for field in first.schema if _is_text(field.type)]
    with pq.ParquetWriter(
        path,
        first.schema,
        compression="zstd",
        use_dictionary=text or False,
        write_statistics=False,
        store_schema=False,
    ) as writer:
        for group in _each(first, groups):
            writer.write_table(group, row_group_size=ROW_GROUP)
        if types := _types(first.schema):
            writer.add_key_value_metadata(types)
    return path


def _types(schema: pa.Schema) -> dict[str, str]:
    """What Arrow's types are where Parquet has none of them: spans of time, and zones other than UTC. Types alone."""
    import pyarrow as pa

    def lost(kind: pa.DataType) -> bool:
        return pa.types.is_duration(kind) or (pa.types.is_timestamp(kind) and kind.tz not in (None, "UTC"))

    if not any(lost(kind) for kind in schema.types):
        return {}
    kinds = [kind.value_type if pa.types.is_dictionary(kind) else kind for kind in schema.types]
    plain = pa.schema(list(zip(schema.names, kinds, strict=True)))
    return {"ARROW:schema": b64encode(plain.serialize().to_pybytes()).decode()}


def _each(first: pa.Table, others: Iterator[pa.Table]) -> Iterator[pa.Table]:
    yield first
    yield from others


def _row_groups(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same rows in tables of ROW_GROUP rows, the last with what is left; at least one."""
    import pyarrow as pa

    held: list[pa.Table] = []
    n_held = 0
    for table in tables:
        at = 0
        while n_held + table.num_rows - at >= ROW_GROUP:
            piece = table.slice(at, ROW_GROUP - n_held)
            at += piece.num_rows
            yield pa.concat_tables([*held, piece])
            held, n_held = [], 0
        if at < table.num_rows or not held:
            held.append(table.slice(at))
            n_held += table.num_rows - at
    rest = pa.concat_tables(held) if held else None
    if rest is not None and (rest.num_rows or rest.num_columns):
        yield rest


def _compact(group: pa.Table) -> pa.Table:
    """The rows with texts as dictionaries that name nothing but them."""
    import pyarrow as pa

    return pa.table([_column(column) for column in group.columns], names=group.column_names)


def _column(column: pa.ChunkedArray) -> pa.Array:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    ready = pa.types.is_dictionary(kind)
    if ready and not _is_string(kind.value_type):
        return _whole(column.cast(kind.value_type))
    if not ready and not _is_string(kind):
        return _whole(column)
    array = _whole((column if ready else pc.dictionary_encode(column)).unify_dictionaries())
    indices = array.indices.fill_null(0) if array.null_count else array.indices
    index = indices.to_numpy(zero_copy_only=False)
    used = np.zeros(max(len(array.dictionary), 1), dtype=bool)
    used[index if not array.null_count else index[array.is_valid().to_numpy(zero_copy_only=False)]] = True
    kept = np.flatnonzero(used[: len(array.dictionary)])
    texts = array.dictionary.take(pa.array(kept))
    place = np.arange(len(kept), dtype=np.int32)
    if not ready:
        by_text = pc.array_sort_indices(texts).to_numpy()
        place[by_text] = np.arange(len(kept), dtype=np.int32)
        texts = texts.take(pa.array(by_text))
    number = np.zeros(len(used), dtype=np.int32)
    number[kept] = place
    missing = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
    return pa.DictionaryArray.from_arrays(pa.array(number[index], mask=missing), texts)


def _whole(column: pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa

    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0) if array.num_chunks else pa.array([], array.type)
    return array


def _is_string(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_dictionary(kind) or _is_string(kind) or pa.types.is_boolean(kind))
