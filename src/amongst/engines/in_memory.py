"""Rows in memory, as a store: they are not counted but handed over, and published as one table or as two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from amongst.encode import encode
from amongst.engines.data_file import write_data
from amongst.engines.households import partition_of, refuse_beside, with_numbers
from amongst.engines.shape import Shape, prints_as, shape_like, shaped_labels, shown_reads
from amongst.engines.staying import forms_that_stay, rows_that_stay, whole_where_they_stay
from amongst.engines.store import Counts, Grouping, Place, Say, Store, Written, refuse_no_text_file
from amongst.errors import BadOption, BadSchema
from amongst.partition.anatomy.anatomy import anatomy, rows_of_group
from amongst.partition.guided import refuse_guides
from amongst.partition.requested import sensitive_columns
from amongst.read import Source, read
from amongst.read.file import file_digest
from amongst.recode import RecodingPlan, plan_recoding, recode
from amongst.recode.two_tables import input_order, two_tables
from amongst.schema.limits import limited, limited_as_they_are
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from amongst.engines.gaps import Gap
    from amongst.request import Request


@dataclass(frozen=True, eq=False)
class MemoryStore(Store):
    """A table that was read."""

    read: Source
    engine: str = "memory"
    gaps: ClassVar[Mapping[str, Gap]] = {}
    in_memory: bool = True

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.read.name

    @property
    def cells_tell_types(self) -> bool:  # type: ignore[override]
        return self.read.layout is not None

    def schema(self) -> pa.Schema:
        return self.read.table.schema

    def some_rows(self, n: int) -> pa.Table | None:
        return self.read.table.slice(0, n)

    def with_limits(self, schema: Schema) -> tuple[MemoryStore, Schema]:
        if not any(column.has_limits for column in schema.values()):
            return self, schema
        table, coarse = limited(self.read.table, schema)
        return replace(self, read=self.read.without_texts(table, limited_as_they_are(schema))), coarse

    def state(self) -> str:
        return ""

    def refuse_changed(self, state: str) -> None:
        """Nothing to refuse: nobody else writes to it."""

    def digest(self) -> str | None:
        return self.read.sha256

    def look(self, request: Request, say: Say) -> Counts:
        """The rows: counting equal ones would cost what it saves."""
        table = self.read.table
        return Counts(table=table, columns=table, fields=table.schema)

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        """All that is published, sorted by what it shows."""
        if request.schema.household is not None:  # as it is it would be published with its own numbers
            raise BadOption(
                "Households are numbered anew by am.anonymize alone.",
                found=f"'{request.schema.household}' has the role household",
                fix='drop the column with role="identifier"',
            )
        plan = self.planned(grouping, counts, request)
        return self.read.values_of(recode(self.read.with_texts(counts.table, plan.others), grouping.coded, plan))

    def planned(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        """What every class publishes; of a text file in the types and forms of the rows that stay."""
        coded, partition = grouping.coded, grouping.partition
        stay = rows_that_stay(coded, partition)
        if stay is not None and self.read.layout is not None:
            coded = whole_where_they_stay(
                coded, partition, request.schema, lambda name, values: self.read.whole_in(name, stay)
            )
        plan = plan_recoding(coded, partition, request, counts.fields)
        return replace(plan, forms=forms_that_stay(self.read, list(plan.made), stay))

    def known(self, counts: Counts, grouping: Grouping) -> Source:
        return self.read

    def shown(self, plan: RecodingPlan) -> pa.Table:
        """The published table as it is handed out: what is published as it is, is written as it was read."""
        return self.read.as_read(plan.table, plan.others)

    def without_rows(self, empty: Source) -> MemoryStore:
        return replace(self, read=empty)

    def unwritten(self, plan: RecodingPlan) -> tuple[Any, ...]:
        return (plan.table,)

    def native(self, plan: RecodingPlan) -> Any:
        return self.read.native(plain_text(self.shown(plan), self.read.table))

    def publish(self, plan: RecodingPlan, place: Place, say: Callable[..., None]) -> None:
        table, shape = self.as_written(plan, place)
        codes = plan.labelled(self.read.labels, place.format)
        codes |= {
            name: one for name, one in self.read.reads.items() if name in plan.texts and one.format == place.format
        }
        write_data(table, place.folder, place.format, shape=shape, codes=codes)

    def as_written(self, plan: RecodingPlan, place: Place) -> tuple[pa.Table, Shape | None]:
        """The published table as it is written, and the shape of the file where it is not the usual one.

        In a text file columns that are published as they are have the texts of the input; with its shape, labels are
        written in the forms of their columns too.
        """
        table, reads, layout = self.shown(plan), self.read.reads, self.read.layout
        own = {name: texts for name, texts in plan.texts.items() if place.has_texts(name, reads[name], layout)}
        forms = {}
        for name, texts in own.items():
            told = shown_reads(reads[name], texts) if place.format == "csv" else reads[name]
            if told is not None:
                forms[name] = told
            elif place.format == "csv" and prints_as(table.column(name), texts):
                continue  # a form that suppressed rows alone needed leaves no trace
            table = table.set_column(table.column_names.index(name), name, texts)
        if place.format != "csv" or not (place.like_input or forms):
            return table, None
        if not place.like_input:
            return table, Shape(forms=forms, whole=False)
        table, labels = shaped_labels(table, plan, place.schema, plan.forms)
        return table, replace(Shape() if layout is None else shape_like(layout), forms={**forms, **labels})

    def refuse_shape(self, format: str) -> None:
        refuse_no_text_file(format, self.read.layout)

    def published(self, place: Place) -> tuple[Path, ...]:
        return (place.file(),)

    def written(self, place: Place) -> Written:
        files = self.published(place)
        beside = [path for path in (place.metadata(one) for one in files) if path.is_file()]
        return Written(files=files, sha256={path.name: file_digest(path) for path in (*files, *beside)})


@dataclass(frozen=True, eq=False)
class HouseholdStore(MemoryStore):
    """A table in which some rows are of people who live together: their households are grouped, and numbered anew."""

    def look(self, request: Request, say: Say) -> Counts:
        refuse_beside(request)
        return super().look(request, say)

    def group(
        self, coded: Any, counts: Counts, request: Request, say: Say, report_loss: Callable[[float], None] | None
    ) -> Grouping:
        return Grouping(coded=coded, partition=partition_of(coded, counts.table, request, say))

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        plan = self.planned(grouping, counts, request)
        texts = self.read.with_texts(counts.table, plan.others)
        table = self.numbered(texts, grouping.coded, plan, request.schema)
        return self.read.values_of(recode(table, grouping.coded, plan))

    def numbered(self, table: pa.Table, coded: Any, plan: RecodingPlan, schema: Schema) -> pa.Table:
        return with_numbers(table, coded, plan, schema)


@dataclass(frozen=True, eq=False)
class PairStore(MemoryStore):
    """A table that is published as two, which only a group number links."""

    def look(self, request: Request, say: Say) -> Counts:
        rows_of_group(request.models)  # refuse early what cannot be held
        refuse_guides(request.method, request.target, request.workload)
        return super().look(request, say)

    def encode(self, counts: Counts, request: Request, say: Say) -> Any:
        _refuse_unfit(request)
        _refuse_copies(counts.table, request.schema)
        sensitive_columns(request.schema, request.models)  # raises where a model names a column that is not sensitive
        return encode(counts.table, request.schema, request.schema.sensitive)

    def group(
        self, coded: Any, counts: Counts, request: Request, say: Say, report_loss: Callable[[float], None] | None
    ) -> Grouping:
        row_at = input_order(counts.table, request.schema, coded)
        partition = anatomy(coded, request.models, seed=request.seed or 0, row_at=row_at, **request.options)
        return Grouping(coded=coded, partition=partition)

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        return two_tables(counts.table, request.schema, grouping.coded, grouping.partition)

    def second(self, plan: RecodingPlan) -> pa.Table:
        """The table of sensitive values, written as it was read."""
        assert plan.sensitive is not None
        return self.read.as_read(plan.sensitive, plan.sensitive.column_names[1:2])

    def unwritten(self, plan: RecodingPlan) -> tuple[Any, ...]:
        return (plan.table, plan.sensitive)

    def publish(self, plan: RecodingPlan, place: Place, say: Callable[..., None]) -> None:
        super().publish(plan, place, say)
        write_data(self.second(plan), place.folder, place.format, "sensitive")

    def published(self, place: Place) -> tuple[Path, ...]:
        return (place.file(), place.file("sensitive"))


def open_memory(data: Any, request: Request, say: Say, **reading: Any) -> MemoryStore:
    """Read a table, or take one that was read."""
    say("read", 0, 0)
    source = data if isinstance(data, Source) else read(data, **reading)
    if request.chosen.publishes == "two tables":
        return PairStore(source)
    return (MemoryStore if request.schema.household is None else HouseholdStore)(source)


def plain_text(published: pa.Table, original: pa.Table) -> pa.Table:
    """The table with dictionary-encoded text as plain text, but for columns that came in as categories."""
    import pyarrow as pa

    def plain(name: str) -> pa.ChunkedArray:
        column = published.column(name)
        came_so = name in original.column_names and pa.types.is_dictionary(original.schema.field(name).type)
        if pa.types.is_dictionary(column.type) and not came_so:
            return column.cast(column.type.value_type)
        return column

    return pa.table({name: plain(name) for name in published.column_names})


def _refuse_unfit(request: Request) -> None:
    schema, form, unit = request.schema, request.form, request.unit
    if len(schema.sensitive) != 1:
        raise BadOption(
            "Anatomy needs exactly one sensitive column: rows of a group differ in it, and may be alike in another.",
            found="sensitive: " + (", ".join(f"'{name}'" for name in schema.sensitive) or "none"),
            fix='give one column role="sensitive", and drop others with role="identifier"',
        )
    if form != "labels":
        raise BadOption(
            "Anatomy publishes no ranges, so they have no form.", found=f"form = {form!r}", fix='use form="labels"'
        )
    if schema.household is not None:
        raise BadOption(
            "Anatomy knows no households.",
            found=f"'{schema.household}' has the role household",
            fix='use another method, or drop the column with role="identifier"',
        )
    if unit is not None:
        raise BadOption(
            "Anatomy counts rows, not people: several rows of one person would tell more than one group allows.",
            found=f"unit = {unit!r}",
            fix="make one row a person, and leave unit out",
        )


def _refuse_copies(table: pa.Table, schema: Schema) -> None:
    """Raise where a column that is published as it is says what the sensitive column says."""
    plain = plain_text(table, table.slice(0, 0).select([]))
    sensitive = plain.column(schema.sensitive[0])
    shown = [name for name in schema.published if name not in schema.sensitive]
    same = [name for name in shown if plain.column(name).equals(sensitive)]
    if same:
        raise BadSchema(
            "A column that would be published as it is has the same value as the sensitive one in every row.",
            found=", ".join(f"'{name}'" for name in same),
            fix='drop it with role="identifier"',
        )
