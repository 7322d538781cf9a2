"""Files larger than memory: counted, joined and sorted by DuckDB within a limit of memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from amongst import sql_text
from amongst.engines.counted import CLASS, COUNT, FIRST, LAST, PERSON
from amongst.engines.data_file import refuse_unknown_format
from amongst.engines.duckdb.as_written import Writing
from amongst.engines.duckdb.connect import connected, keep, watched
from amongst.engines.duckdb.csv_types import text_spellings, text_types
from amongst.engines.gaps import COUNTED_HERE, Gap
from amongst.engines.memory import FOR_QUERIES, FOR_TUPLES, give_back
from amongst.engines.staying import rows_that_stay, whole_where_they_stay
from amongst.engines.store import Counts, Grouping, Place, Say, Store, Written, refuse_no_text_file, refuse_table
from amongst.errors import BadInput, Changed
from amongst.read.as_read import Spelling, as_read, each_as_read
from amongst.read.cells import refuse_long_cells
from amongst.read.file import file_digest
from amongst.read.folder import digest_of_files
from amongst.read.names import refuse_names_by_case
from amongst.read.plain import plain
from amongst.read.staying import settled_again
from amongst.recode.plan import RecodingPlan

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.encode.coded import CodedTable
    from amongst.engines.checkpoint import Checkpoint
    from amongst.engines.work import Work
    from amongst.read.header import Layout
    from amongst.request import Request
    from amongst.schema.schema import Schema

BATCH = 1 << 20
RAW = "as written: "
"""Before the name of a column that was read by a form, the column of its cells as they were written."""


@dataclass(frozen=True, eq=False)
class FileStore(Store):
    """A Parquet file, a folder of them, or a CSV file that was made columns of text (see ``csv_columns``).

    Attributes
    ----------
    name : str
    paths : list of Path
        The files, in the order of their names.
    folder : Path
        Where DuckDB may put what does not fit: private, and gone in the end.
    memory : int
        Bytes that DuckDB may use.
    text : bool
        Whether all columns are text, to be read as the types that all their cells have.
    origin : tuple of Path
        The files that the user named, where others are read in their place.
    notes : tuple of str
        What to know about how they were read; no cells.
    work : Work, or None
        Holds ``folder``, which goes with it.
    layout : Layout, or None
        How a text file is laid out.
    reads : mapping of str to Reads or Codes
        Columns that were read by a form, or whose numbers stand for something; their cells are in columns RAW + name.
    kinds : mapping of str to pyarrow.DataType
        Of columns whose type was settled before, that type.
    labels : mapping of str to str
        What columns are about, where the file says it.
    people : list of ndarray
        The person of every row that was published last, numbered, where people are counted.
    """

    name: str
    paths: list[Path]
    folder: Path
    memory: int
    text: bool = False
    origin: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    engine: str = "duckdb"
    gaps: ClassVar[Mapping[str, Gap]] = COUNTED_HERE
    whole: bool = False
    checkpoint: Checkpoint | None = None
    work: Work | None = None
    layout: Layout | None = None
    reads: Mapping[str, Any] = field(default_factory=dict)
    kinds: Mapping[str, Any] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    people: list[Any] = field(default_factory=list, repr=False)

    @cached_property
    def fields(self) -> pa.Schema:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            found = pq.read_schema(self.paths[0])
        except (pa.ArrowException, OSError):
            raise BadInput(
                f"{self.name} cannot be read as Parquet.",
                found="a file is damaged or of another kind",
                fix="write it anew",
            ) from None
        refuse_names_by_case(found.names, "DuckDB, which reads files larger than memory,")
        first = plain(found.empty_table()).schema
        types = {**(text_types(self) if self.text else {}), **self.kinds}
        return pa.schema([pa.field(one.name, types.get(one.name, _value_type(one.type))) for one in first])

    @property
    def cells_tell_types(self) -> bool:  # type: ignore[override]
        return self.text

    def schema(self) -> pa.Schema:
        import pyarrow as pa

        return pa.schema([one for one in self.fields if not one.name.startswith(RAW) or not self.reads])

    def some_rows(self, n: int) -> pa.Table | None:
        names = ", ".join(sql_text.quoted(one) for one in self.schema().names)
        if not all(path.exists() for path in self.paths):  # what was made of a text file goes with the run
            return None
        with self.connection() as connection:
            return connection.sql(f"SELECT {names} FROM {self.source} LIMIT {n}").to_arrow_table()

    @property
    def unsettled(self) -> list[str]:
        """Columns of text whose type follows from all their cells."""
        import pyarrow.parquet as pq

        raw = {RAW + name for name in self.reads}
        return [name for name in pq.read_schema(self.paths[0]).names if name not in self.kinds and name not in raw]

    @property
    def untyped(self) -> list[str]:
        """Columns of a text file whose published type follows from the published cells."""
        return [name for name in self.unsettled if name not in self.reads] if self.text else []

    @property
    def room(self) -> int:
        return int(self.memory / FOR_QUERIES * FOR_TUPLES)

    @property
    def n_rows(self) -> int:
        import pyarrow.parquet as pq

        return sum(pq.read_metadata(path).num_rows for path in self.paths)

    def with_limits(self, schema: Schema) -> tuple[FileStore, Schema]:
        from amongst.engines.duckdb.formed import within_limits

        return within_limits(self, schema) if any(one.has_limits for one in schema.values()) else (self, schema)

    def state(self) -> str:
        named = self.origin or self.paths
        try:
            told = [(str(path), *_told(os.stat(path))) for path in named]
        except OSError:
            raise Changed(f"{self.name} is no longer there.", found="a file is gone", fix="put it back") from None
        return repr(told)

    def digest(self) -> str:
        """The SHA-256 of the file's bytes; of several files that of their digests, in the order of their names."""
        named = list(self.origin or self.paths)
        return digest_of_files([file_digest(path) for path in named])

    @property
    def source(self) -> str:
        """The rows as something to select from, every column in its type."""
        rows = self.stored
        if not self.text:
            return rows
        types = {"int64": "BIGINT", "double": "DOUBLE", "date32[day]": "DATE", "timestamp[s]": "TIMESTAMP_S"}
        cells = ", ".join(
            f"CAST({sql_text.quoted(one.name)} AS {types[str(one.type)]}) AS {sql_text.quoted(one.name)}"
            if str(one.type) in types
            else sql_text.quoted(one.name)
            for one in self.fields
        )
        return f"(SELECT {cells} FROM {rows})"

    @property
    def stored(self) -> str:
        """The rows as they are stored."""
        return "read_parquet([" + ", ".join(sql_text.text(str(path)) for path in self.paths) + "])"

    def distinct_estimate(self, columns: Sequence[Sequence[str]]) -> tuple[int, list[int]]:
        """The number of rows, and about how many are distinct in some lists of columns: one pass, nothing kept."""
        of_each = [f"approx_count_distinct(hash({', '.join(self._told(name) for name in names)}))" for names in columns]
        with self.connection() as connection:
            [(n, *found)] = connection.execute(f"SELECT count(*), {', '.join(of_each)} FROM {self.source}").fetchall()
        return int(n), [int(one) for one in found]

    def count(self, columns: Sequence[str], say: Say, exact: Sequence[str] = ()) -> pa.Table:
        import pyarrow as pa

        cells = [sql_text.quoted(name) if name in exact else self._told(name) for name in columns]
        told = ", ".join(f"{cell} AS {sql_text.quoted(name)}" for cell, name in zip(cells, columns, strict=True))
        by = ", ".join([*cells, *(self._negative_zero(name) for name in exact if self._is_float(name))])
        query = f"SELECT {told}, count(*) AS {sql_text.quoted(COUNT)} FROM {self.source} GROUP BY {by}"
        want = pa.schema([self.fields.field(name) for name in columns]).append(pa.field(COUNT, pa.int64()))
        with self.connection() as connection, watched(connection, "count", say):
            batches = [_coded(batch, want) for batch in _stream(connection, query)]
        return pa.concat_tables(batches) if batches else want.empty_table().rename_columns([*columns, COUNT])

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        return super().plan(replace(grouping, coded=self.settled(grouping, request)), counts, request)

    def settled(self, grouping: Grouping, request: Request) -> CodedTable:
        """The codes, with numbers of the type that the rows which stay have."""
        coded, partition, rows_of_code = grouping.coded, grouping.partition, grouping.rows_of_code
        if not self.text or (rows_that_stay(coded, partition) is None and not rows_of_code):
            return coded
        return whole_where_they_stay(coded, partition, request.schema, self._written_whole, rows_of_code)

    def _written_whole(self, name: str, values: pa.Array) -> bool:
        """Whether some values of a column, of those that have no form, are written as whole numbers."""
        import pyarrow as pa

        if name not in self.untyped:
            return False
        table = as_read(pa.table({name: pa.chunked_array([values])}), self.spelled([name]))
        again = settled_again(table.column(name))
        return again is not None and bool(pa.types.is_integer(again.type))

    def publish(self, plan: RecodingPlan, place: Place, say: Callable[..., None]) -> None:
        """Stream the rows in published order to a file."""
        give_back()
        counted = [0]

        def seen() -> Iterator[pa.Table]:
            for table in self.written_tables(plan, say):
                counted[0] += table.num_rows
                yield table

        stored = [name for name in plan.others if name not in plan.anew]
        Writing(self, plan, place).write(each_as_read(seen(), self.spelled(stored)))
        refuse_changed(counted[0], plan.n_published, self.name)

    def written_tables(self, plan: RecodingPlan, say: Callable[..., None]) -> Iterator[pa.Table]:
        """The published rows, with cells as they were written in the columns that were read by a form."""
        stored = set(plan.others) - set(plan.anew)
        names = {name: self.written_name(name) if name in stored else name for name in plan.columns}
        own = replace(plan, others=[names[name] for name in plan.others], columns=list(names.values()))
        return (table.rename_columns(list(names)) for table in self.tables(own, say))

    def written_name(self, name: str) -> str:
        return RAW + name if name in self.reads else name

    def tables(self, plan: RecodingPlan, say: Callable[..., None]) -> Iterator[pa.Table]:
        """The published rows: from their counts, or joined with their classes and sorted by DuckDB."""
        if plan.found_by is not None:
            return told(plan.found_by.tables(plan), plan.n_published, say)
        return self.rows(plan, lambda step, done, total: say("write", done, total))

    def person_of_row(self, coded: CodedTable, plan: RecodingPlan) -> np.ndarray | None:
        return np.concatenate([np.empty(0, np.int64), *self.people]) if coded.unit is not None else None

    def spelled(self, names: Sequence[str]) -> dict[str, Spelling]:
        """How the values of some columns were written, where they print otherwise."""
        return text_spellings(self, names) if self.text else {}

    def rows(self, plan: RecodingPlan, say: Say) -> Iterator[pa.Table]:
        """The published rows, batch by batch."""
        import pyarrow as pa

        others = [sql_text.quoted(name) for name in plan.others]
        self.people.clear()
        want = pa.schema([self.fields.field(name) for name in plan.others])
        with self.connection() as connection, watched(connection, "publish", say):
            keep(connection, "tuples", plan.tuples)
            for c, of_value in enumerate((plan.node_of_value or {}).values()):
                keep(connection, f"nodes_{c}", of_value)
            for batch in _stream(connection, self._joined(plan, others)):
                found = pa.Table.from_batches([batch])
                if PERSON in found.column_names:
                    self.people.append(found.column(PERSON).to_numpy())
                    found = found.drop_columns([PERSON])
                published = plan.classes.take(found.column(0))
                kept = _cast(found.drop_columns([found.column_names[0]]), want)
                columns = {**dict(zip(published.column_names, published.columns, strict=True))}
                columns |= dict(zip(plan.others, kept.columns, strict=True))
                yield pa.table({name: columns[name] for name in plan.columns})

    def _joined(self, plan: RecodingPlan, others: list[str]) -> str:
        of_class, first, last = (sql_text.quoted(name) for name in (CLASS, FIRST, LAST))
        rows, on = self.source, self._matched(plan)
        if plan.node_of_value is not None:
            rows = self._with_nodes(plan, others)
        whose = [f"t.{sql_text.quoted(PERSON)}"] if PERSON in plan.tuples.column_names else []
        order = ", ".join([f"t.{of_class}", *self._in_order(plan.others, "r."), *whose])
        picked = ", ".join([f"t.{of_class}", *(f"r.{name}" for name in others), *whose])
        if plan.divided:
            by = ", ".join(self._told(name) for name in plan.quasi)
            within = f"ORDER BY {', '.join(self._in_order(plan.others))}" if others else ""
            number = f"row_number() OVER (PARTITION BY {by} {within}) - 1"
            rows = f"(SELECT *, {number} AS {sql_text.quoted(COUNT)} FROM {self.source})"
            on += f" AND r.{sql_text.quoted(COUNT)} BETWEEN t.{first} AND t.{last}"
        return f"SELECT {picked} FROM {rows} r JOIN tuples t ON {on} ORDER BY {order}"

    def _matched(self, plan: RecodingPlan) -> str:
        by_node = plan.node_of_value is not None
        return " AND ".join(
            f"r.{sql_text.quoted(name)} = t.{sql_text.quoted(name)}"
            if by_node
            else f"{self._told(name, 'r.')} IS NOT DISTINCT FROM t.{sql_text.quoted(name)}"
            for name in plan.quasi
        )

    def _with_nodes(self, plan: RecodingPlan, others: list[str]) -> str:
        """The rows with the nodes of their values in place of these."""
        nodes = [f"n{c}.node AS {sql_text.quoted(name)}" for c, name in enumerate(plan.quasi)]
        joins = "".join(
            f" JOIN nodes_{c} n{c} ON {self._told(name, 'f.')} IS NOT DISTINCT FROM n{c}.value"
            for c, name in enumerate(plan.quasi)
        )
        picked = ", ".join([*nodes, *(f"f.{name}" for name in others if name not in plan.quasi)])
        return f"(SELECT {picked} FROM {self.source} f{joins})"

    def refuse_output(self, format: str, form: str, table: str) -> None:
        refuse_unknown_format(format, form)
        refuse_table(table)

    def refuse_shape(self, format: str) -> None:
        refuse_no_text_file(format, self.layout)

    def published(self, place: Place) -> tuple[Path, ...]:
        give_back()
        return (place.file(),)

    def written(self, place: Place) -> Written:
        give_back()
        files = [path for path in (place.file(), place.metadata(place.file())) if path.is_file()]
        return Written(files=(place.file(),), sha256={path.name: file_digest(path) for path in files})

    def _told(self, name: str, of: str = "") -> str:
        """A column as rows are told apart by it: the two zeros of floats are one."""
        own = of + sql_text.quoted(name)
        return f"({own} + 0.0)" if self._is_float(name) else own

    def _is_float(self, name: str) -> bool:
        import pyarrow as pa

        return bool(pa.types.is_floating(self.fields.field(name).type))

    def _negative_zero(self, name: str, of: str = "") -> str:
        own = of + sql_text.quoted(name)
        return f"({own} = 0 AND signbit({own}))"

    def _in_order(self, names: Sequence[str], of: str = "") -> list[str]:
        """Columns as rows are sorted by them: nulls last, and of the two zeros, which are equal here, the negative
        one first."""
        keys = []
        for name in names:
            keys.append(f"{of}{sql_text.quoted(name)} NULLS LAST")
            if self._is_float(name):
                keys.append(f"{self._negative_zero(name, of)} DESC")
        return keys

    def connection(self) -> Any:
        """A connection to DuckDB with this store's memory and place for what does not fit."""
        return connected(self.memory, self.folder)


def _told(facts: os.stat_result) -> tuple[int, int, int]:
    return facts.st_size, facts.st_mtime_ns, facts.st_ino


def told(tables: Iterator[pa.Table], total: int, say: Callable[..., None]) -> Iterator[pa.Table]:
    """The same tables, telling how far they are."""
    done = 0
    for table in tables:
        yield table
        done += table.num_rows
        say("write", done, total)


def refuse_changed(found: int, expected: int, name: str) -> None:
    """Raise where other rows were published than were counted."""
    if found != expected:
        raise Changed(
            f"{name} changed while it was read.",
            found=f"{found:,} rows to publish where {expected:,} were counted",
            fix="run it again when nobody writes to it",
        )


def _stream(connection: Any, query: str) -> Iterator[pa.RecordBatch]:
    for batch in connection.sql(query).to_arrow_reader(BATCH):
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            refuse_long_cells("the table", name, column)
        yield batch


def _coded(batch: pa.RecordBatch, want: pa.Schema) -> pa.Table:
    """A batch with texts as dictionaries: they repeat."""
    import pyarrow as pa
    import pyarrow.compute as pc

    table = _cast(pa.Table.from_batches([batch]), want)
    return pa.table(
        [pc.dictionary_encode(one) if pa.types.is_string(one.type) else one for one in table.columns],
        names=table.column_names,
    )


def _cast(table: pa.Table, want: pa.Schema) -> pa.Table:
    import pyarrow as pa

    columns = [column.cast(field.type) for column, field in zip(table.columns, want, strict=True)]
    return pa.table(columns, names=want.names) if columns else pa.table({})


def _value_type(kind: pa.DataType) -> pa.DataType:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.string() if pa.types.is_large_string(kind) else kind
