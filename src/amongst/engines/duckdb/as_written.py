"""A stream of published rows to a file: any format, in the shape of the input, with cells as they were written.

What a form or a code made of cells is found out from the published ones alone, as in memory: a column in which only
somebody who was left out has a fraction is one of whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from amongst.engines.csv_text import write_csv_text, write_metadata
from amongst.engines.data_file import PLAIN, write_stream
from amongst.engines.shape import Shape, prints_as, shape_like, shaped_labels, shown_reads, written
from amongst.errors import BadOption
from amongst.read.formats import formats
from amongst.read.staying import settled_again

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.engines.duckdb.file_store import FileStore
    from amongst.engines.store import Place
    from amongst.recode.plan import RecodingPlan

A_CELL = 32
"""Bytes that a cell takes in formats which are written from memory."""


@dataclass(frozen=True, eq=False)
class Writing:
    """What is written, of which store, and where."""

    store: FileStore
    plan: RecodingPlan
    place: Place

    def write(self, tables: Iterable[pa.Table]) -> None:
        """Write the published rows, which have their cells as they were written."""
        place, reads = self.place, self.store.reads
        untyped = self.store.untyped if self.plan.n_published < self.store.n_rows else ()
        stored = [name for name in self.plan.others if name not in self.plan.anew]
        tables, forms = self._settled(tables, [name for name in stored if name in reads or name in untyped])
        if place.format == "csv" and (place.like_input or forms):
            self._write_text(tables, forms)
        elif place.format in PLAIN:
            write_stream(tables, place.folder, place.format)
        else:
            format = formats()[place.format]
            if not format.streams:
                self._refuse_large()
            format.write_tables(tables, place.file(), {**self.plan.labelled(self.store.labels, place.format), **forms})

    def _write_text(self, tables: Iterable[pa.Table], forms: Mapping[str, Any]) -> None:
        place = self.place
        labels: Mapping[str, Any] = {}
        if place.like_input:
            shaped, labels = shaped_labels(self.plan.classes, self.plan, place.schema, self.store.reads)
            shape = Shape() if self.store.layout is None else shape_like(self.store.layout)
            write_csv_text(_in_form(tables, self._written_labels(shaped)), place.file(), shape)
        else:
            shape = Shape(whole=False)
            write_stream(tables, place.folder, place.format)
        write_metadata(self.plan.columns, place.file(), replace(shape, forms={**forms, **labels}))

    def _written_labels(self, shaped: pa.Table) -> dict[str, Any]:
        """The form of every column whose labels are written in it."""
        import pyarrow as pa

        def texts(table: pa.Table, name: str) -> pa.ChunkedArray:
            return table.column(name).cast(pa.string())

        made = {column.name: name for name, columns in self.plan.made.items() for column in columns}
        changed = [one for one in made if not texts(shaped, one).equals(texts(self.plan.classes, one))]
        return {one: self.store.reads[made[one]].settled for one in changed}

    def _settled(self, tables: Iterable[pa.Table], names: Sequence[str]) -> tuple[Iterable[pa.Table], dict[str, Any]]:
        """The rows with cells of some columns as they were written, or with values in their place; and how the former
        are read. Rows are laid aside once, to see all published cells first."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if not names:
            return tables, {}
        aside = self.store.folder / "aside"
        cells: dict[str, list[pa.Array]] = {name: [] for name in names}
        writer = None
        with aside.open("wb") as stream:
            for table in tables:
                if writer is None:
                    writer = pa.ipc.new_stream(stream, table.schema, options=pa.ipc.IpcWriteOptions(compression="lz4"))
                    first = table.schema
                writer.write_table(table.cast(first))
                for name, found in cells.items():
                    own = plain_cells(table.column(name))
                    found[:] = [pc.unique(pa.chunked_array([*found, pc.unique(own).drop_null()], own.type))]
            if writer is not None:
                writer.close()
        forms: dict[str, Any] = {}
        known: dict[str, tuple[Any, Any]] = {}
        for name, found in cells.items():
            if name not in self.store.reads:
                again = settled_again(pa.chunked_array(found))
                known |= {} if again is None else {name: (found[0], again)}
                continue
            reads, values = self.store.reads[name], self.store.reads[name].values(found[0])[0]
            own = self.place.has_texts(name, reads, self.store.layout)
            told = self._told(reads, found[0]) if own else None
            if told is not None:
                forms[name] = told
            elif not own or (self.place.format == "csv" and prints_as(values, found[0])):
                known[name] = found[0], values
        return _with_values(aside, known), forms

    def _told(self, reads: Any, cells: pa.Array) -> Any:
        """How cells are read that are written as they were; None where they are not, or are as usual."""
        import pyarrow as pa

        if self.place.format == "csv":
            return shown_reads(reads, pa.chunked_array([cells]))
        return reads if reads.format == self.place.format else None

    def _refuse_large(self) -> None:
        needed = self.plan.n_published * len(self.plan.columns) * A_CELL
        if needed > self.store.memory:
            raise BadOption(
                f"A release is written as {self.place.format} from memory, and this one is larger than the limit.",
                found=f"{self.plan.n_published:,} rows in {len(self.plan.columns)} columns",
                fix="use parquet, csv, jsonl, sqlite or duckdb, or allow more memory",
            )


def plain_cells(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Cells without a dictionary, which may differ from piece to piece."""
    import pyarrow as pa

    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _in_form(tables: Iterable[pa.Table], forms: Mapping[str, Any]) -> Iterator[pa.Table]:
    for table in tables:
        for name, form in forms.items():
            table = table.set_column(table.column_names.index(name), name, written(table.column(name), form))
        yield table


def _with_values(aside: Any, known: Mapping[str, tuple[Any, Any]]) -> Iterator[pa.Table]:
    import pyarrow as pa
    import pyarrow.compute as pc

    with aside.open("rb") as stream:
        for batch in pa.ipc.open_stream(stream):
            table = pa.Table.from_batches([batch])
            for name, (cells, values) in known.items():
                place = pc.index_in(plain_cells(table.column(name)), cells)
                table = table.set_column(table.column_names.index(name), name, values.take(place))
            yield table
    aside.unlink()
