"""The flow for rows that stay where they are: count there, decide on the frequency set here, recode there."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.engines.expand import Pieces, expanded, pieces, whole_pieces
from amongst.engines.store import CLASS, COUNT, FIRST, LAST, Publication, Say, Store
from amongst.errors import BadInput, BadOption
from amongst.models import Model, beyond_rows, of_population
from amongst.partition import find_method
from amongst.partition.guided import guided
from amongst.partition.large_counts import MOST_ROWS
from amongst.partition.partition import Partition
from amongst.partition.requested import encode_for, sensitive_columns
from amongst.read.source import Source, refuse_unusable
from amongst.recode import Published, refuse_unknown_form
from amongst.recode.recode import Decided, decide
from amongst.recode.stream import class_table
from amongst.release.stored import StoredRelease
from amongst.schema.check import check
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.engines.checkpoint import Checkpoint


@dataclass(frozen=True, eq=False)
class StoredSource(Source):
    """A table of which the frequency set alone was read."""

    n_stored: int = 0

    @property
    def n_columns(self) -> int:
        return self.n_stored


@dataclass(frozen=True)
class Request:
    """What is asked of rows that stay where they are."""

    schema: Schema
    models: Sequence[Model]
    method: str
    options: dict[str, Any]
    form: str = "labels"
    seed: int = 0
    target: str | None = None
    bound: bool | None = None

    @property
    def on_tuples(self) -> bool:
        """Whether the method decides on tuples and their counts."""
        mended = of_population(self.models) or not all(model.monotone for model in self.models)
        return find_method(self.method).decides_on == "counts" and not mended and self.target is None

    @property
    def counted(self) -> list[str]:
        """The columns by which rows are told apart: those that the method looks at."""
        names = [*self.schema.quasi, *sensitive_columns(self.schema, self.models)]
        return [*names, *([self.target] if self.target is not None and self.target not in names else [])]

    @property
    def others(self) -> list[str]:
        """The columns that are published as they are."""
        return [name for name in self.schema.published if self.schema[name].role != "quasi"]


def request(*asked: Any, unit: str | None, workload: Any) -> Request:
    """What is asked, without what needs every row in memory."""
    for name, given in (("unit", unit), ("workload", workload)):
        if given is not None:
            raise BadOption(
                "This needs every row in memory.",
                found=f"{name} = {given!r}" if isinstance(given, str) else f"a {name}",
                fix=f'use engine = "memory", or leave {name} out',
            )
    return Request(*asked)


def anonymize_stored(
    store: Store, request: Request, say: Say, *, whole: bool = False, checkpoint: Checkpoint | None = None
) -> StoredRelease:
    """Decide what is published of a table that stays where it is.

    Parameters
    ----------
    whole : bool
        Count by all published columns: then the release can be written from the counts, and the rows are read once.
    checkpoint : Checkpoint, optional
        Where the counts are kept, and may be already.
    """
    refuse_elsewhere(request)
    whole = whole and request.on_tuples
    stored = store.schema()
    refuse_unusable_names(stored, store.name)
    check_roles(request.schema, stored.names)
    names = request.counted if not whole else [*dict.fromkeys([*request.counted, *request.others])]
    state = store.state()
    say("count", 0, 0)
    table = _counted(store, names, request.others if whole else [], say, checkpoint)
    if table.num_rows == 0:
        refuse_unusable(table, store.name)
    count = table.column(COUNT).to_numpy().astype(np.int64)
    refuse_too_many(count, request)
    table = table.drop_columns([COUNT])
    schema = check(request.schema, _with_the_rest(table, stored), form=request.form)
    say("encode", 0, 0)
    coded = encode_for(table, schema, request.models, None, request.target, count)
    say("group", 0, 0)
    searched, partition = _partition(coded, schema, request, say)
    say("publish", 0, 0)
    told = decide(schema, searched, partition, request.form)
    kept = np.arange(len(count)) if coded.kept_rows is None else coded.kept_rows
    own_count = count[kept]
    made = whole_pieces(told.class_of_row, own_count) if searched is coded else pieces(told.class_of_row, own_count)
    # What is written from counts is joined with nothing.
    tuples = _tuples(table.select(request.counted), kept, made) if not whole else table.slice(0, 0)
    publication = _publication(tuples, made, told, request, stored)
    sizes = sizes_of_classes(told, searched)
    shown = Published(no_rows(publication, stored), sizes, told.class_of_row, told.n_classes, {})
    known = table if searched is coded else table.select(list(coded.sensitive))
    source = StoredSource(
        known, "pyarrow", store.name, store.digest(), getattr(store, "notes", ()), n_stored=len(stored.names)
    )
    from_counts = (table, kept, told.class_of_row, own_count) if whole and searched is coded else None
    return StoredRelease(
        source,
        schema,
        request.models,
        request.method,
        request.options,
        request.seed,
        request.form,
        searched,
        partition,
        shown,
        bound=request.bound if request.bound else False,
        target=request.target,
        store=store,
        publication=publication,
        state=state,
        from_counts=from_counts,
        checkpoint=checkpoint,
    )


def _counted(store: Store, names: list[str], exact: list[str], say: Say, checkpoint: Checkpoint | None) -> pa.Table:
    """The frequency set, counted now or by an earlier run of the same job that was cut short."""
    name = "counted-" + hashlib.sha256("\0".join([*names, "", *exact]).encode()).hexdigest()[:16]
    kept = None if checkpoint is None else checkpoint.load(name)
    if kept is not None:
        return kept
    table = store.count(names, say, exact)
    if checkpoint is not None:
        checkpoint.save(name, table)
    return table


def _partition(coded: CodedTable, schema: Schema, request: Request, say: Say) -> tuple[CodedTable, Partition]:
    """The groups, and the codes that they are groups of: counted rows, or every row."""
    chosen = find_method(request.method)
    searched = coded if request.on_tuples else expanded(coded)
    more: dict[str, Any] = {"seed": request.seed} if chosen.draws_lots else {}
    guide = guided(searched, schema, chosen, None)
    partition = chosen.run(
        guide, request.models, progress=lambda done, total: say("group", done, total), **more, **request.options
    )
    return searched, replace(partition, count=searched.count)


def sizes_of_classes(told: Decided, searched: CodedTable) -> np.ndarray:
    """How many rows publish the same."""
    kept = told.class_of_row >= 0
    weight = None if searched.count is None else searched.count[kept]
    return np.bincount(told.class_of_row[kept], weights=weight, minlength=told.n_classes).astype(np.int64)


def _tuples(table: pa.Table, kept: np.ndarray, made: Pieces) -> pa.Table:
    """The class of every kind of row."""
    import pyarrow as pa

    tuples = table.take(pa.array(kept[made.coded]))
    tuples = tuples.append_column(CLASS, pa.array(made.class_of_piece, pa.int32()))
    if made.divided:
        tuples = tuples.append_column(FIRST, pa.array(made.first, pa.int64()))
        tuples = tuples.append_column(LAST, pa.array(made.last, pa.int64()))
    return tuples


def published_names(told: Decided, request: Request, stored: pa.Schema) -> list[str]:
    """The published columns, where the table has what they stand for."""
    names: list[str] = []
    for name in stored.names:
        if name in told.columns:
            names += [column.name for column in told.columns[name]]
        elif name in request.others:
            names.append(name)
    return names


def _publication(tuples: pa.Table, made: Pieces, told: Decided, request: Request, stored: pa.Schema) -> Publication:
    columns = published_names(told, request, stored)
    size = np.bincount(made.class_of_piece, weights=made.last - made.first + 1, minlength=told.n_classes)
    return Publication(
        request.counted,
        tuples,
        class_table(told.columns),
        request.others,
        columns,
        int(size.sum()),
        divided=made.divided,
        size_of_class=size.astype(np.int64),
    )


def no_rows(publication: Publication, stored: pa.Schema) -> pa.Table:
    """The published columns, without a row."""
    import pyarrow as pa

    types = {one.name: one.type for one in [*stored, *publication.classes.schema]}
    return pa.schema([pa.field(name, types[name]) for name in publication.columns]).empty_table()


def _with_the_rest(table: pa.Table, stored: pa.Schema) -> pa.Table:
    """The counted rows with the columns that were not counted, empty: for the check of names, roles and types."""
    import pyarrow as pa

    columns = [
        table.column(field.name) if field.name in table.column_names else pa.nulls(table.num_rows, field.type)
        for field in stored
    ]
    return pa.table(columns, names=stored.names)


def check_roles(schema: Schema, names: Sequence[str]) -> None:
    """Raise before anything is counted where names or roles do not fit; types and values are looked at after it."""
    import pyarrow as pa

    from amongst.schema.column import Column

    roles = Schema({name: Column(role=column.role) for name, column in schema.items()})
    check(roles, pa.table({name: pa.array(["-"]) for name in names}))


def refuse_unusable_names(stored: pa.Schema, name: str) -> None:
    """Raise for columns that cannot be told apart, or that have a name which the frequency set needs."""
    import pyarrow as pa

    refuse_unusable(pa.Table.from_arrays([pa.nulls(1, field.type) for field in stored], names=stored.names), name)
    taken = [own for own in (COUNT, CLASS, FIRST, LAST) if own in stored.names]
    if taken:
        raise BadInput(
            "A column has a name that is needed for counting.", found=", ".join(map(repr, taken)), fix="rename it"
        )


def refuse_elsewhere(request: Request) -> None:
    """Raise for what needs the rows themselves in memory."""
    chosen = find_method(request.method)
    chosen.check_options(request.options)
    refuse_unknown_form(request.form)
    if chosen.publishes == "two tables":
        raise BadOption(
            f"The method {request.method!r} publishes two tables: it needs the rows in memory.",
            found=f"method = {request.method!r}",
            fix='use engine = "memory", or another method',
        )


def refuse_too_many(count: np.ndarray, request: Request) -> None:
    """Raise where the counts are larger than the kernels can add up.

    Mondrian with k alone cuts until they can; nothing else does.
    """
    total, most = int(count.sum()), int(count.max())
    only_k = not beyond_rows(request.models)
    cut_first = find_method(request.method).by_parts == "cuts" and only_k and request.target is None
    if most > MOST_ROWS or (total > MOST_ROWS and not cut_first):
        raise BadInput(
            "There are more rows than can be counted at once.",
            found=f"{total:,} rows; up to {MOST_ROWS:,} can be, and with method = 'mondrian' and k alone any number",
            fix="divide the table, for instance by region, and anonymize the parts one by one",
        )
