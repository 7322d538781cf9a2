"""Rows sorted by class on disk: dealt out over buckets of classes, of which each is laid out in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.engines.counted import CLASS
from amongst.engines.parts.code_of_value import changed
from amongst.engines.parts.distinct_values import kept_rows
from amongst.engines.parts.parts import MOST_PARTS
from amongst.engines.parts.rows import ParquetRows
from amongst.recode.lay_out import lay_out

if TYPE_CHECKING:
    import pyarrow as pa


def sorted_rows(
    rows: ParquetRows,
    suppressing: Sequence[str],
    names: Sequence[str],
    class_of_row: Iterator[np.ndarray],
    size_of_class: np.ndarray,
    most_rows: int,
    folder: Path,
) -> Iterator[tuple[np.ndarray, dict[str, pa.Array]]]:
    """The published rows in order, bucket by bucket: the class of every row, and the columns published as they are.

    Parameters
    ----------
    suppressing : sequence of str
        Rows with a null in these columns are left out.
    class_of_row : iterator of ndarray
        Of the rows that are kept, in blocks of any size.
    most_rows : int
        What a bucket may hold; one class alone may be larger.
    """
    first_class = bucket_edges(size_of_class, max(most_rows, -(-int(size_of_class.sum()) // MOST_PARTS)))
    places = _deal_out(rows, suppressing, names, class_of_row, first_class, folder)
    for place, first, end in zip(places, first_class[:-1], first_class[1:], strict=True):
        table = _read(place)
        place.unlink()
        own = table.column(CLASS).to_numpy() - np.int32(first)
        sizes, laid = lay_out(own, int(end - first), {n: _as_in_memory(table.column(n), rows, n) for n in names})
        if not np.array_equal(sizes, size_of_class[first:end]):
            raise changed(rows.name, "other rows than were counted")
        yield np.repeat(np.arange(first, end, dtype=np.int32), sizes), laid


def bucket_edges(size_of_class: np.ndarray, most_rows: int) -> np.ndarray:
    """The first class of every bucket, and one more at the end."""
    upto = np.cumsum(size_of_class)
    edges = [0]
    while edges[-1] < len(upto):
        before = int(upto[edges[-1] - 1]) if edges[-1] else 0
        edges.append(max(int(np.searchsorted(upto, before + most_rows, side="right")), edges[-1] + 1))
    return np.array(edges)


def _deal_out(
    rows: ParquetRows,
    suppressing: Sequence[str],
    names: Sequence[str],
    class_of_row: Iterator[np.ndarray],
    first_class: np.ndarray,
    folder: Path,
) -> list[Path]:
    """One pass over the rows: every row goes to the file of its bucket."""
    import pyarrow as pa

    schema = pa.schema([pa.field(CLASS, pa.int32()), *(pa.field(n, _plain_type(rows.schema, n)) for n in names)])
    places = [folder / f"bucket_{b}" for b in range(len(first_class) - 1)]
    with ExitStack() as stack:
        writers = [
            stack.enter_context(pa.ipc.new_stream(stack.enter_context(pa.OSFile(str(place), "wb")), schema))
            for place in places
        ]
        held = np.empty(0, dtype=np.int32)
        for block in rows.blocks(list(dict.fromkeys([*names, *suppressing]))):
            kept = kept_rows(block, suppressing)
            block = block if kept is None else block.take(kept)
            while len(held) < block.num_rows:
                more = next(class_of_row, None)
                if more is None:
                    raise changed(rows.name, "more rows than were counted")
                held = np.concatenate([held, more])
            own, held = held[: block.num_rows], held[block.num_rows :]
            table = block.select(list(names)).add_column(0, CLASS, pa.array(own, pa.int32())).cast(schema)
            _write(writers, table, np.searchsorted(first_class, own, side="right") - 1)
        if len(held) or next(class_of_row, None) is not None:
            raise changed(rows.name, "fewer rows than were counted")
    return places


def _write(writers: Sequence[Any], table: pa.Table, bucket: np.ndarray) -> None:
    import pyarrow as pa

    order = np.argsort(bucket.astype(np.uint16), kind="stable")
    ends = np.cumsum(np.bincount(bucket, minlength=len(writers)))
    table = table.take(pa.array(order)).combine_chunks()
    for number in np.unique(bucket):
        first = int(ends[number - 1]) if number else 0
        writers[number].write_table(table.slice(first, int(ends[number]) - first))


def _read(place: Path) -> pa.Table:
    import pyarrow as pa

    with pa.OSFile(str(place), "rb") as stream:
        return pa.ipc.open_stream(stream).read_all()


def _plain_type(schema: pa.Schema, name: str) -> pa.DataType:
    """Text in full: the dictionaries of many small blocks would take more."""
    import pyarrow as pa

    kind = schema.field(name).type
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _as_in_memory(column: pa.ChunkedArray, rows: ParquetRows, name: str) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not pa.types.is_dictionary(rows.schema.field(name).type):
        return column
    # One chunk: where there are many, later steps compare the dictionary of each with the others.
    return pa.chunked_array([pc.dictionary_encode(column.combine_chunks())])
