"""Where the rows live: in memory, in files, in a database, on a cluster. The same verbs everywhere.

A store is looked at (distinct rows and how many there are of each, or the rows themselves), its columns get codes, the
codes are grouped, and what every class publishes is carried out where the rows are. Most of that is the same for all
of them and stands here; a store that cannot hold its distinct rows in memory does it part by part.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from amongst.engines.counted import (
    COUNT,
    check_asked,
    found_by_rows,
    found_by_tuples,
    refuse_elsewhere,
    refuse_too_many,
    refuse_unusable_names,
    with_the_rest,
)
from amongst.engines.data_file import PLAIN, refuse_unknown_format
from amongst.engines.expand import expanded
from amongst.engines.gaps import UNTIL_SAID, Gap
from amongst.engines.households import partition_of, refuse_beside, with_numbers
from amongst.engines.memory import budget
from amongst.errors import BadOption, Changed
from amongst.partition.guided import guided
from amongst.partition.requested import encode_for
from amongst.partition.row_order import as_they_were, drawn_rows, rows_of
from amongst.read.source import Source, StoredSource, refuse_unusable
from amongst.recode.plan import RecodingPlan, plan_recoding
from amongst.schema.check import check
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.encode.coded import CodedTable
    from amongst.engines.checkpoint import Checkpoint
    from amongst.partition.partition import Partition
    from amongst.read.as_read import Spelling
    from amongst.request import Request

Say = Callable[[str, int, int], None]
"""Told (step, done, total) now and then."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Counts:
    """What a search decides on.

    Attributes
    ----------
    table : pyarrow.Table
        Distinct rows of the columns that were counted, or the rows.
    count : ndarray of int64, or None
        How many rows every row of the table stands for; None: itself.
    columns
        All columns of the stored table, as the check of a schema looks at them.
    fields : pyarrow.Schema
        Their types.
    whole : bool
        Whether all published columns were counted, so that the release can be written from the counts.
    more
        What else a store found out.
    """

    table: pa.Table
    count: np.ndarray | None = None
    columns: Any
    fields: pa.Schema
    whole: bool = False
    more: Any = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Grouping:
    """Groups, and the codes that they are groups of: rows, counted rows, or a row for every group.

    Attributes
    ----------
    coded : CodedTable
    partition : Partition
    rows_of_code : sequence of ndarray
        How many rows have every code, column by column, where ``coded`` does not tell it.
    more
        What else a store needs to find the class of its rows.
    """

    coded: CodedTable
    partition: Partition
    rows_of_code: Sequence[np.ndarray] = ()
    more: Any = None


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a release is written: a folder that is hidden yet, in a format, perhaps in the shape of the input; or a
    table of this name."""

    folder: Path
    format: str = "parquet"
    table: str = ""
    force: bool = False
    like_input: bool = False
    schema: Any = None

    def has_texts(self, name: str, reads: Any, layout: Any) -> bool:
        """Whether a column that was read by a form has its cells as they were written: in the format that they come
        from, and where they are kept and were texts in a file with types, which has no ``layout``."""
        typed = layout is None and reads.format == "csv" and self.schema is not None
        return bool(reads.format == self.format or (typed and self.schema[name].role == "keep"))

    def metadata(self, path: Path) -> Path:
        """Where a file says how it is to be read, if it does."""
        return path.with_name(f"{path.name}-metadata.json")

    def file(self, name: str = "release") -> Path:
        return self.folder / f"{name}.{self.format}"


@dataclass(frozen=True, kw_only=True)
class Written:
    """What was written, as report and manifest tell it.

    Attributes
    ----------
    files : tuple of Path
        Data files that a reader can check by himself.
    sha256 : dict of str to str
        The digest of every data file.
    table : dict, or None
        The table of a database that it is: its name, and the digest of its rows where there is one.
    """

    files: tuple[Path, ...] = ()
    sha256: dict[str, str] = field(default_factory=dict)
    table: dict[str, str] | None = None


class Store:
    """A table, wherever its rows live.

    Attributes
    ----------
    name : str
        What reports call it: the name of the file or table, without its place.
    engine : {"memory", "duckdb", "postgresql", "spark"}
    in_memory : bool
    notes : tuple of str
        What to know about how it was read; no cells.
    whole : bool
        Whether to count by all published columns, where the method allows it: the rows are then read once.
    checkpoint : Checkpoint, or None
        Where counts are kept, and may be already.
    format : str
        What a release is written as where nobody says.
    gaps : mapping of str to Gap
        What cannot be asked of it, by the names in ``engines/gaps.py``.
    cells_tell_types : bool
        Whether it is a text file, so that the types of its columns follow from their cells.
    """

    name: str
    engine: str
    gaps: ClassVar[Mapping[str, Gap]] = UNTIL_SAID
    in_memory = False
    notes: tuple[str, ...] = ()
    whole: bool = False
    checkpoint: Checkpoint | None = None
    format: str = "parquet"
    cells_tell_types: bool = False

    @property
    def n_rows(self) -> int | None:
        """How many rows there are, where that is known before they are counted."""
        return None

    @property
    def room(self) -> int:
        """The bytes that what comes to memory may take."""
        return budget(None).for_tuples

    def schema(self) -> pa.Schema:
        """The columns and their types, as they would be in memory; reads no rows."""
        raise NotImplementedError

    def with_limits(self, schema: Schema) -> tuple[Store, Schema]:
        """The table with the limits of its columns carried out, and the schema without them."""
        if any(column.has_limits for column in schema.values()):
            raise BadOption(
                "Limits of columns are carried out in memory, in files and on Spark.",
                found=f"finest, top or bottom with engine = {self.engine!r}",
                fix="coarsen the columns before, for instance in a view",
            )
        return self, schema

    def count(self, columns: Sequence[str], say: Say, exact: Sequence[str] = ()) -> pa.Table:
        """The frequency set: the distinct rows of these columns, and how many there are of each in COUNT (int64).

        Text may come dictionary-encoded. Nulls are values like others. In any order. The two zeros of floats are one,
        but for the columns in ``exact``, which are published from the counts as they are.
        """
        raise NotImplementedError

    def spelled(self, names: Sequence[str]) -> dict[str, Spelling]:
        """How the values of some columns were written, where they print otherwise."""
        return {}

    def written_name(self, name: str) -> str:
        """Where the cells of a column that is published as it is are to be found."""
        return name

    def some_rows(self, n: int) -> pa.Table | None:
        """The first rows, for whoever owns the table to be told of it; None where they are not at hand."""
        return None

    def state(self) -> str:
        """A text that changes when the table changes."""
        raise NotImplementedError

    def digest(self) -> str | None:
        """A digest of the table's bytes, where it has one."""
        return None

    def publish(self, plan: RecodingPlan, place: Place, say: Callable[..., None]) -> None:
        """Write the release where it belongs, complete or not at all, not yet under its final name if that can be."""
        raise NotImplementedError

    def published(self, place: Place) -> tuple[Any, ...]:
        """What was written, for the verifier: files that it opens by its own readers, or a table counted for it."""
        raise NotImplementedError

    def written(self, place: Place) -> Written:
        """The same as report and manifest tell it."""
        raise NotImplementedError

    # From here on what is the same for nearly all of them.

    def look(self, request: Request, say: Say) -> Counts:
        """Count the distinct rows, in an earlier run of the same job that was cut short or now."""
        refuse_elsewhere(request, self.gaps)
        fields = self.schema()
        refuse_unusable_names(fields, self.name)
        check_asked(request, fields.names)
        together = request.schema.household is not None
        whole = together or (self.whole and request.on_tuples)
        names = [*dict.fromkeys([*request.counted, *(request.others if whole else ())])]
        names += [own for name in request.others if together and (own := self.written_name(name)) not in names]
        say("count", 0, 0)
        table = self._kept_or_counted(names, request.others if whole else [], say)
        table = in_order(table) if request.row_by_row else table
        if table.num_rows == 0:
            refuse_unusable(table, self.name)
        count = table.column(COUNT).to_numpy().astype(np.int64)
        refuse_too_many(count, request)
        table = table.drop_columns([COUNT])
        if together:
            refuse_beside(request)
            table, count = table.take(np.repeat(np.arange(len(count)), count)), None
        return Counts(
            table=table,
            count=count,
            columns=with_the_rest(table, fields, request.schema.weight),
            fields=fields,
            whole=whole,
        )

    def _kept_or_counted(self, names: list[str], exact: list[str], say: Say) -> pa.Table:
        name = "counted-" + hashlib.sha256("\0".join([*names, "", *exact]).encode()).hexdigest()[:16]
        kept = None if self.checkpoint is None else self.checkpoint.load(name)
        if kept is not None:
            return kept
        table = self.count(names, say, exact)
        if self.checkpoint is not None:
            self.checkpoint.save(name, table)
        return table

    def checked(self, counts: Counts, request: Request) -> Request:
        """The request with a kind and a way to publish for every quasi-identifier; raises where it does not fit."""
        return replace(request, schema=check(request.schema, counts.columns, form=request.form))

    def encode(self, counts: Counts, request: Request, say: Say) -> Any:
        """Ordered codes, one array a column."""
        return encode_for(
            counts.table, request.schema, request.models, request.unit, request.target, count=counts.count
        )

    def group(
        self, coded: Any, counts: Counts, request: Request, say: Say, report_loss: Callable[[float], None] | None
    ) -> Grouping:
        """The method's groups: of counted rows where it decides on these, else of every row."""
        if request.schema.household is not None:
            return Grouping(coded=coded, partition=partition_of(coded, counts.table, request, say))
        chosen = request.chosen
        told: dict[str, Any] = {"progress": lambda done, total: say("group", done, total), **request.options}
        told |= {"report_loss": report_loss} if chosen.reports_loss else {}
        told |= {"seed": request.seed} if chosen.draws_lots else {}
        searched = coded if coded.count is None or request.on_tuples else expanded(coded)
        if chosen.prepare is not None:
            searched = chosen.prepare(searched, request.options)
        # The same codes; weights and widths as target and workload want.
        guide = guided(searched, request.schema, chosen, request.workload)
        group = chosen.run_for(guide, request.models, request.options)
        if (counts.count is None or request.row_by_row) and chosen.recoding == "local":
            # Equal rows are divided: which of them goes where must not follow from the order of the input.
            row_at = drawn_rows(guide, *rows_behind(counts, coded, request), request.unit)
            partition = group(rows_of(guide, row_at), request.models, **told)
            partition = as_they_were(partition, row_at)
        else:
            partition = group(guide, request.models, **told)
        if searched.count is not None:
            partition = replace(partition, count=searched.count)
        return Grouping(coded=searched, partition=partition, more=coded.kept_rows)

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        """What every class publishes, and how rows find their class."""
        plan = plan_recoding(grouping.coded, grouping.partition, request, counts.fields)
        if request.schema.household is not None:
            rows = with_numbers(counts.table, grouping.coded, plan, request.schema)
            return found_by_rows(plan, grouping.coded.kept_rows, rows, request)
        return found_by_tuples(plan, grouping.more, counts, request, grouping.coded.unit)

    def known(self, counts: Counts, grouping: Grouping) -> Source:
        """What reports tell of the table; its rows as far as they were counted."""
        known = (
            counts.table if grouping.coded.count is not None else counts.table.select(list(grouping.coded.sensitive))
        )
        return StoredSource(known, "pyarrow", self.name, self.digest(), self.notes, n_stored=len(counts.fields))

    def numbered(self, table: pa.Table, coded: CodedTable, plan: RecodingPlan, schema: Schema) -> pa.Table:
        """The table with new numbers for what is published under such."""
        return table

    def without_rows(self, empty: Source) -> Any:
        """What a pickle of a release has in its place: nothing that leads to the rows."""
        from amongst.left_out import LeftOut

        return LeftOut(in_memory=False)

    def person_of_row(self, coded: CodedTable, plan: RecodingPlan) -> np.ndarray | None:
        """The person of every published row, numbered; None where rows are counted."""
        return None if coded.unit is None else coded.unit[plan.row_at]

    def unwritten(self, plan: RecodingPlan) -> tuple[Any, ...]:
        """The release for the verifier before it is written anywhere; raises where that is not to be had."""
        raise self.not_in_memory("the published rows")

    def native(self, plan: RecodingPlan) -> Any:
        """The release as the kind of frame that came in."""
        raise self.not_in_memory("table")

    def not_in_memory(self, what: str) -> BadOption:
        """The one answer to whoever asks for rows that are not here."""
        return BadOption(
            "The rows of this release are not in memory.",
            found=f"asked for {what}",
            fix="write it with release.write(folder), and open what was written",
        )

    def refuse_output(self, format: str, form: str, table: str) -> None:
        """Raise for what cannot be written from here."""
        refuse_unknown_format(format, form)
        if format not in PLAIN and not self.in_memory:
            raise BadOption(
                f"A release is written as {format} where rows are in memory.",
                found=f"format = {format!r} with engine = {self.engine!r}",
                fix="use parquet or csv, or leave the engine and the limit of memory out",
            )
        refuse_table(table)

    def refuse_shape(self, format: str) -> None:
        """Raise where a release cannot have the shape of the input."""
        raise BadOption(
            "A release has the shape of its input where rows are in memory.",
            found=f"shape = 'input' with engine = {self.engine!r}",
            fix="leave the shape out, or the engine and the limit of memory",
        )

    def refuse_changed(self, state: str) -> None:
        """Raise where the table is no longer what it was when it was counted."""
        if self.state() != state:
            raise Changed(
                f"{self.name} changed while it was read.",
                found="it is not what it was when its rows were counted",
                fix="run it again when nobody writes to it",
            )

    def writing(self) -> contextlib.AbstractContextManager[Any]:
        """Held open while the release is written."""
        return contextlib.nullcontext()

    def commit(self, place: Place, note: str) -> None:
        """What was written and proved takes its name, where the folder is not all of it."""

    def remove(self, place: Place | None) -> None:
        """Take back what was written, where it does not go with the folder."""

    def close(self) -> None:
        """Let go of what is held open."""


def in_order(table: pa.Table) -> pa.Table:
    """Counted rows in an order of their own, whatever order they were counted in."""
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = [one.cast(one.type.value_type) if pa.types.is_dictionary(one.type) else one for one in table.columns]
    keys = pa.table(plain, names=[f"c{place}" for place in range(len(plain))])
    return table.take(pc.sort_indices(keys, [(name, "ascending") for name in keys.column_names]))


def rows_behind(counts: Counts, coded: CodedTable, request: Request) -> tuple[pa.Table, Schema]:
    """The rows that codes are of, and what their columns are: as they were read, or as often as they were counted."""
    import pyarrow as pa

    if counts.count is None:
        return counts.table, request.schema
    assert coded.count is not None
    kept = np.arange(counts.table.num_rows) if coded.kept_rows is None else coded.kept_rows
    known = {name: column for name, column in request.schema.items() if name in counts.table.column_names}
    return counts.table.take(pa.array(np.repeat(kept, coded.count))), Schema(known)


def refuse_table(table: str) -> None:
    """Raise where a table is named that is not written."""
    if table:
        raise BadOption(
            "Tables are read and written in a database.",
            found=f"table = {table!r}",
            fix="leave it out, or give the address of a database: postgresql://...",
        )


def refuse_no_text_file(format: str, layout: Any) -> None:
    """Raise where a release cannot have the shape of a text file."""
    if format != "csv" or layout is None:
        raise BadOption(
            "The shape of the input is that of a text file.",
            found=f"format = {format!r}" if format != "csv" else "an input that is no text file",
            fix='leave shape out, or give a text file and format = "csv"',
        )
