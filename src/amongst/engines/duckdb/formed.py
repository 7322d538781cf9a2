"""Columns that are read by a form, stand for something, or have limits, where the rows are not in memory.

The distinct cells of one column are looked at together, as in memory and by the same code; then every row gets what its
cell stands for, block by block, in a file of our own. The cells as they were written stay beside it, under a name of
their own, where they may be published.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst import sql_text
from amongst.engines.duckdb.file_store import RAW, FileStore
from amongst.errors import BadInput
from amongst.read.evidence import counted_cells, forms_of
from amongst.read.from_cells import values_of_cells
from amongst.read.reads import FOUND, all_reads, refuse_unknown
from amongst.schema.limits import coarsened, limited_as_they_are
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 1 << 18
"""Rows that are given their values at a time."""
Known = Mapping[str, tuple[Any, Any]]
"""For columns their distinct cells, and what each of them stands for."""


def by_forms(store: FileStore, told: Any, codes: Mapping[str, Any]) -> FileStore:
    """The store with columns read by the forms that were told, or are to be found, and by the codes of its file."""
    if not told and not codes:
        return store
    texts = _texts(store)
    if told != FOUND:
        _refuse_others(store, all_reads(told or {}), texts)
    cells = {name: _cells(store, name) for name in (texts if told == FOUND else all_reads(told or {}))}
    if told == FOUND:
        found = forms_of({name: counted_cells(*own) for name, own in cells.items()}, usual_dates=not store.text)
        reads: dict[str, Any] = {name: one.reads for name, one in found.items() if one.reads is not None}
    else:
        reads = dict(all_reads(told or {}))
    cells |= {name: _cells(store, name) for name in codes}
    reads |= codes
    if not reads:
        return store
    known = {name: (cells[name][0], values_of_cells(name, *cells[name], one)) for name, one in reads.items()}
    target = _rewritten(store, known, list(known), "formed.parquet")
    kinds = {name: values.type for name, (_, values) in known.items()}
    origin = store.origin or tuple(store.paths)
    return replace(store, paths=[target], origin=origin, reads=reads, kinds={**store.kinds, **kinds})


def within_limits(store: FileStore, schema: Schema) -> tuple[FileStore, Schema]:
    """The store with the limits of its columns carried out, and the schema without them."""
    import pyarrow as pa

    names = [name for name, column in schema.items() if column.has_limits and name in store.schema().names]
    suppressing = [name for name in schema.quasi if schema[name].nulls == "suppress" and name in store.schema().names]
    cells = {name: _cells(store, name)[0] for name in names}
    staying = {name: _cells(store, name, where=suppressing)[0] for name in names}
    if not any(len(own) for own in staying.values()):  # nobody would stay, which is told later
        staying = cells
    kinds = {name: store.fields.field(name).type for name in names}
    values = {name: (own.cast(kinds[name]), staying[name].cast(kinds[name])) for name, own in cells.items()}
    labels, coarse = coarsened(schema, values)
    known = {name: (cells[name], labels[name]) for name in names}
    gone = limited_as_they_are(schema)
    target = _rewritten(store, known, [], "limited.parquet", without=[RAW + name for name in gone])
    origin = store.origin or tuple(store.paths)
    told = {**store.kinds, **dict.fromkeys(names, pa.string())}
    reads = {name: one for name, one in store.reads.items() if name not in gone}
    return replace(store, paths=[target], origin=origin, kinds=told, reads=reads), coarse


def _texts(store: FileStore) -> list[str]:
    import pyarrow.parquet as pq

    stored = pq.read_schema(store.paths[0])
    return [field.name for field in stored if store.text or _is_text(field.type)]


def _refuse_others(store: FileStore, reads: Mapping[str, Any], texts: Sequence[str]) -> None:
    refuse_unknown(reads, store.schema().names)
    other = [name for name in reads if name not in texts]
    if other:
        raise BadInput(
            "Forms are for columns of text.",
            found="columns of another type: " + ", ".join(f"'{name}'" for name in other),
            fix="leave their forms out",
        )


def _cells(store: FileStore, name: str, *, where: Sequence[str] = ()) -> tuple[Any, np.ndarray]:
    """The distinct cells of a column in their order, but for missing ones, and how often each occurs; of the rows in
    which some columns are there."""
    import pyarrow as pa

    own = sql_text.quoted(name)
    there = " AND ".join(f"{sql_text.quoted(one)} IS NOT NULL" for one in dict.fromkeys([name, *where]))
    query = f"SELECT {own} AS cell, count(*) AS n FROM {store.stored} WHERE {there} GROUP BY ALL ORDER BY cell"
    with store.connection() as connection:
        found = connection.sql(query).to_arrow_table()
    cells = found.column(0)
    whole = pa.concat_arrays(cells.chunks) if cells.num_chunks else pa.array([], cells.type)
    return whole, found.column(1).to_numpy().astype(np.int64)


def _rewritten(
    store: FileStore, known: Known, as_written: Sequence[str], name: str, *, without: Sequence[str] = ()
) -> Path:
    """A file with what the cells of some columns stand for, for some of these the cells as well, and without others."""
    import pyarrow.parquet as pq

    target = store.folder / name
    writer = None
    try:
        for block in _blocks(store, known, as_written):
            block = block.drop_columns([one for one in without if one in block.column_names])
            if writer is None:
                writer = pq.ParquetWriter(target, block.schema, compression="lz4", write_statistics=False)
            writer.write_table(block)
    finally:
        if writer is not None:
            writer.close()
    return target


def _blocks(store: FileStore, known: Known, as_written: Sequence[str]) -> Iterator[pa.Table]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    for path in store.paths:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(BLOCK):
                block = pa.Table.from_batches([batch])
                for name in as_written:
                    block = block.append_column(RAW + name, block.column(name))
                for name, (cells, values) in known.items():
                    column = _values(block.column(name), cells, values)
                    block = block.set_column(block.column_names.index(name), name, column)
                yield block


def _values(column: pa.ChunkedArray, cells: pa.Array, values: pa.Array) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = column.cast(cells.type)
    if pa.types.is_floating(cells.type):
        plain = pc.add(plain, 0.0)  # the two zeros are one
    coded = pc.dictionary_encode(pa.concat_arrays(plain.chunks) if plain.num_chunks else pa.array([], cells.type))
    place = pc.index_in(coded.dictionary, cells)
    return pa.chunked_array([values.take(place.take(coded.indices))])


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    return bool(pa.types.is_string(inner) or pa.types.is_large_string(inner))
