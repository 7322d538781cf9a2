"""The flow for counts that memory cannot hold: they come here once, to disk, and what became of them goes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.engines.counted import COUNT, Columns
from amongst.engines.memory import budget, words
from amongst.engines.parts.code_of_value import CodeOfValue
from amongst.engines.parts.distinct_values import Values, distinct_values, kept_rows
from amongst.engines.parts.encode_rows import EncodedRows, encode_values
from amongst.engines.parts.group_rows import GroupRows
from amongst.engines.parts.plan import plan as plan_parts
from amongst.engines.parts.room import room_on_disk
from amongst.engines.parts.rows import ParquetRows, open_rows
from amongst.engines.parts.summary import Grouped
from amongst.engines.parts.tuples import PiecesOfTuples, TupleWriter
from amongst.engines.postgresql import sql
from amongst.engines.postgresql.connection import plain_columns
from amongst.engines.postgresql.counted import Counted
from amongst.engines.postgresql.failures import told
from amongst.engines.postgresql.types import refuse_no_dates
from amongst.engines.store import Counts, Grouping
from amongst.errors import BadOption
from amongst.partition.feasible import refuse_small_table
from amongst.partition.requested import sensitive_columns
from amongst.recode.plan import RecodingPlan, plan_recoding
from amongst.request import Request

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.engines.postgresql.store import PostgresqlStore

A_TUPLE, A_CELL = 64, 30
"""Bytes here that a distinct row takes, for itself and for each of its columns."""
A_ROW = 24
"""Bytes that a row takes beside its codes where a method sees every row."""


@dataclass(frozen=True, eq=False, kw_only=True)
class EntriesInParts:
    """The entries of a frequency set that stays in the server, on disk here in the same order.

    Attributes
    ----------
    counted : Counted
        Where they are in the server.
    rows : ParquetRows
        The entries with their counts, in the order of their numbers there.
    values : Values
        The distinct values of every column.
    n_rows : int
        Of the table.
    folder : Path
    suppressing : list of str
        Columns whose nulls leave an entry out.
    encoded : EncodedRows
    asked : GroupRows
    grouped : Grouped
    """

    counted: Counted
    rows: ParquetRows
    values: Values
    n_rows: int
    folder: Path
    suppressing: Sequence[str]
    encoded: EncodedRows | Any = None
    asked: GroupRows | Any = None
    grouped: Grouped | Any = None

    @property
    def nullable(self) -> set[str]:
        """The columns with nulls."""
        return {name for name, column in self.values.columns.items() if column.null_count}

    def blocks(self, names: Sequence[str]) -> Iterator[tuple[np.ndarray, np.ndarray, pa.Table]]:
        """The entries that no null rule leaves out: their numbers, how many rows they have, and some columns."""
        import pyarrow as pa

        first = 0
        for block in self.rows.blocks([*dict.fromkeys([*names, *self.suppressing]), COUNT]):
            kept = kept_rows(block, self.suppressing)
            kept = np.arange(block.num_rows) if kept is None else kept
            number, first = first + kept, first + block.num_rows
            block = block.take(pa.array(kept))
            yield number, block.column(COUNT).to_numpy().astype(np.int64), block

    def map(self, plan: RecodingPlan) -> pa.RecordBatchReader:
        """For every entry its classes, and which of its rows are of each; made while it is sent."""
        import pyarrow as pa

        schema = pa.schema([("id", pa.int32()), ("class", pa.int32()), ("first", pa.int64()), ("last", pa.int64())])
        tuples = PiecesOfTuples(self.grouped, plan.class_of_row)

        def batches() -> Iterator[pa.RecordBatch]:
            for number, count, _ in self.blocks([]):
                for first, made in tuples.of(count):
                    own = [number[first + made.coded], made.class_of_piece, made.first, made.last]
                    arrays = [pa.array(column, field.type) for column, field in zip(own, schema, strict=True)]
                    yield pa.record_batch(arrays, schema=schema)

        return pa.RecordBatchReader.from_batches(schema, batches())


def needed(store: PostgresqlStore, counted: Counted, request: Request) -> int:
    """About the memory that a frequency set needs here, with the codes of every row where a method sees them."""
    n_columns = len(counted.columns)
    rows = 0 if request.on_tuples else _rows_of(store, counted) * (2 * n_columns + A_ROW)
    return counted.n_entries * (A_TUPLE + A_CELL * n_columns) + rows


def refuse_beyond_memory(store: PostgresqlStore, request: Request, what: str, how: str, exact: Sequence[str]) -> None:
    """Raise where households or people cannot be grouped: all that is counted of their rows comes to memory for that.

    ``what`` and ``how`` say it; ``exact`` are the columns whose values have to be counted as they are.
    """
    own = [column for column in store.columns if column.name in request.counted]
    inexact = [column.name for column in own if column.name in exact and not column.exact]
    if inexact:
        raise BadOption(
            f"{how} by what was counted, and some values cannot be counted exactly.",
            found=", ".join(f"'{name}'" for name in inexact),
            fix="give these columns another type in a view",
        )
    with told("count", store.name):
        [(n,)] = store.connection.rows(f"SELECT count(*) FROM {store.table.sql}")
    least = int(n) * (A_TUPLE + A_CELL * len(own) + 2 * len(own) + A_ROW)
    if least > store.room:
        raise BadOption(
            f"{what} in memory, and this table does not fit.",
            found=f"{int(n):,} rows, for which about {words(least)} are needed, and {words(store.room)} are there",
            fix="leave out columns, or divide the table by region",
            least=least,
        )


def _rows_of(store: PostgresqlStore, counted: Counted) -> int:
    with told("count", store.name):
        [(n,)] = store.connection.rows(f"SELECT coalesce(sum(n), 0)::int8 FROM {counted.name}")
    return int(n)


def look_at_entries(store: PostgresqlStore, counted: Counted, request: Request, folder: Path) -> Counts:
    """The entries come to disk, and of them the distinct values of single columns to memory."""
    import pyarrow as pa

    fields, schema = store.schema(), request.schema
    with room_on_disk():
        _fetch(store, counted, folder / "entries")
        rows = open_rows(store.name, [folder / "entries"])
        values = distinct_values(rows, schema, counted.names)
        entries = EntriesInParts(
            counted=counted,
            rows=rows,
            values=values,
            n_rows=_rows_of(store, counted),
            folder=folder,
            suppressing=[name for name in schema.quasi if schema[name].nulls == "suppress"],
        )
    return Counts(table=pa.table({}), columns=Columns(fields, values.columns), fields=fields, more=entries)


def _fetch(store: PostgresqlStore, counted: Counted, path: Path) -> None:
    """The entries as a file, batch by batch, in the order of their numbers."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = [(column.name, column.arrow()) for column in counted.columns]
    schema = pa.schema([*kinds, (COUNT, pa.int64())])
    with pq.ParquetWriter(path, schema) as writer, told("count", store.name):
        for batch in store.connection.batches(f"{sql.entries(counted.name, counted.columns)} ORDER BY id"):
            fetched = pa.Table.from_batches([batch])
            cells = plain_columns(fetched.select([f"g{i}" for i in range(len(kinds))]), counted.columns)
            refuse_no_dates(counted.columns, cells)
            writer.write_table(pa.table([*cells, fetched.column("n")], names=schema.names).cast(schema))


def encode_entries(entries: EntriesInParts, request: Request, part_rows: int | None) -> EntriesInParts:
    """The codes of all rows, on disk."""
    coded = encode_values(
        replace(entries.values, n_input=entries.n_rows),
        request.schema,
        sensitive_columns(request.schema, request.models),
    )
    columns = [*coded.columns, *coded.sensitive.values()]
    maps = [CodeOfValue(entries.values.columns[column.name], column) for column in columns]
    with room_on_disk():
        writer = TupleWriter(coded, entries.folder)
        for _, count, block in entries.blocks([column.name for column in columns]):
            writer.write([one.rows(block.column(one.name)) for one in maps], count)
        encoded = writer.close()
    n_kept = encoded.codes.n_rows
    refuse_small_table(replace(coded, count=np.array([n_kept], dtype=np.int64)), request.threshold)
    asked = GroupRows.of(request, part_rows or plan_parts(coded, n_kept, request.threshold, budget(None)).part_rows)
    asked.refuse(coded, encoded.counts)
    return replace(entries, encoded=encoded, asked=asked)


def group_entries(entries: EntriesInParts, request: Request, progress: Callable[[int, int], None]) -> Grouping:
    """The groups of every part."""
    with room_on_disk():
        grouped = entries.asked.program(entries.encoded, entries.folder, progress)()
    more = replace(entries, grouped=grouped)
    counts = entries.encoded.counts
    return Grouping(coded=grouped.table, partition=grouped.partition, rows_of_code=counts, more=more)


def plan_entries(grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
    """Rows find their class by the entry that they are of, and by their number in it."""
    stays = [own > 0 for own in grouping.rows_of_code]
    plan = plan_recoding(grouping.coded, grouping.partition, request, counts.fields, stays)
    return replace(plan, quasi=request.counted, divided=True, found_by=grouping.more)
