"""A table that Spark knows, as an engine sees it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from amongst.engines.duckdb.file_store import refuse_changed
from amongst.engines.gaps import OF_PLACES, Gap
from amongst.engines.memory import size_of, words
from amongst.engines.spark.count import Tuples, counted
from amongst.engines.spark.formed import within_limits
from amongst.engines.spark.in_parts import SHARE_OF_A_BROADCAST, encode_tuples, group_tuples, look_at_values
from amongst.engines.spark.plain_errors import spoken
from amongst.engines.spark.published import published_files, published_frame
from amongst.engines.spark.recode import published_rows, rows_of_driver
from amongst.engines.spark.session import driver_memory
from amongst.engines.spark.source import arrow_schema, is_frame, is_path, open_frame, whole_path
from amongst.engines.spark.state import state_of
from amongst.engines.spark.text import TextOptions
from amongst.engines.spark.write import (
    computed,
    remove_files,
    remove_table,
    rename_table,
    staging_name,
    write_files,
    write_table,
)
from amongst.engines.store import Counts, Grouping, Place, Say, Store, Written
from amongst.errors import BadOption
from amongst.read.file import file_digest
from amongst.recode.plan import RecodingPlan, plan_recoding
from amongst.request import Request

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from amongst.engines.spark.session import Started
    from amongst.published.source import Source as PublishedSource
    from amongst.schema.schema import Schema

A_ROW = 24
"""Bytes that a row takes beside its codes where a method sees every row."""
DATA = "release.parquet"


class SparkStore(Store):
    """Rows on a cluster: counted and recoded there. To the driver come counts, never rows.

    Parameters
    ----------
    session : SparkSession
    data : DataFrame, str or path
        A frame, the name of a table, or a path to Parquet or CSV files.
    memory : str or int, optional
        What the frequency set may take in the driver, with all that is decided on it; the driver's heap otherwise.
    text : TextOptions, optional
        How CSV files are written.

    Attributes
    ----------
    part_tuples : int or None
        How many combinations one executor groups at a time, where the driver cannot hold them all; a number here says
        that it cannot.
    started : Started, or None
        A session that was made for it is stopped by ``close``, or with the store.
    """

    engine = "spark"
    gaps: ClassVar[Mapping[str, Gap]] = {
        **OF_PLACES,
        "formats": Gap("not yet", "the executors write parts of Parquet, or a table of the catalog"),
        "shape": Gap("not yet", "the executors write parts of Parquet, or a table of the catalog"),
    }

    def __init__(
        self, session: SparkSession, data: Any, *, memory: str | int | None = None, text: TextOptions | None = None
    ) -> None:
        self.session = session
        self.files, self.name = open_frame(session, data, text or TextOptions())
        self.frame = self.files.values
        self.memory = driver_memory(session) if memory is None else size_of(memory)
        self._path = whole_path(data) if is_path(data) else None
        self.released: DataFrame | None = None
        self.part_tuples: int | None = None
        self.started: Started | None = None
        self._counted: tuple[tuple[str, ...], Tuples] | None = None
        self._staged = ""

    @property
    def room(self) -> int:
        return self.memory

    def schema(self) -> pa.Schema:
        """The columns and their types, as Arrow has them."""
        with spoken(f"The columns of {self.name} cannot be read"):
            return arrow_schema(self.frame)

    def with_limits(self, schema: Schema) -> tuple[Store, Schema]:
        if not any(column.has_limits for column in schema.values()):
            return self, schema
        (values, shown), coarse = within_limits((self.files.values, self.files.shown), schema)
        self.files = self.files._replace(values=values, shown=shown)
        self.frame = values
        return self, coarse

    def tuples(self, columns: Sequence[str]) -> Tuples:
        """The frequency set where it is, with the executors; it is counted once."""
        asked = tuple(columns)
        if self._counted is None or self._counted[0] != asked:
            self.forget()
            self._counted = asked, counted(self.frame, columns)
        return self._counted[1]

    def needed(self, tuples: Tuples, every_row: bool = False) -> int:
        """About the memory that the driver needs to decide, with the codes of every row where a method sees them."""
        rows = tuples.n_rows * (2 * (len(tuples.frame.columns) - 1) + A_ROW) if every_row else 0
        return tuples.needed + rows

    def count(
        self, columns: Sequence[str], say: Say = lambda step, done, total: None, exact: Sequence[str] = ()
    ) -> pa.Table:
        """The frequency set of some columns, fetched; raises where it does not fit."""
        say("count", 0, 0)
        try:
            tuples = self.tuples(columns)
            if self.needed(tuples) > self.memory:
                raise self.too_large(tuples)
            return tuples.fetch(columns)
        finally:
            self.forget()

    def too_large(self, tuples: Tuples) -> BadOption:
        """What to say of a frequency set that does not fit."""
        return BadOption(
            "The frequency set does not fit into the driver.",
            found=f"{tuples.n_tuples:,} distinct combinations, for which about {words(tuples.needed)} are needed, "
            f"and {words(self.memory)} are allowed",
            fix=f'allow more: memory = "{words(tuples.needed)}", with a driver that has it; or leave out columns',
            least=tuples.needed,
        )

    def forget(self) -> None:
        """Let the executors drop what they have counted."""
        if self._counted is not None:
            self._counted[1].forget()
        self._counted = None

    def digest(self) -> str | None:
        """None: the bytes of a table on a cluster are nobody's to read at once."""
        return None

    def state(self) -> str:
        """A text that changes when the table changes; of a path also when there are more files than at first."""
        if self._path is None:
            return state_of(self.frame)
        with spoken(f"{self.name} cannot be looked at"):
            return state_of(self.session.read.text(self._path))  # only its files are listed, whatever is in them

    def look(self, request: Request, say: Say) -> Counts:
        """The distinct rows, or where the driver cannot hold them the distinct values of single columns."""
        say("count", 0, 0)
        tuples = self.tuples(request.counted)
        if self.part_tuples is None and self.needed(tuples, not request.on_tuples) <= self.memory:
            return super().look(request, say)
        if request.schema.household is not None:  # whose members are looked at side by side
            raise self.too_large(tuples)
        return look_at_values(self, tuples, request)

    def encode(self, counts: Counts, request: Request, say: Say) -> Any:
        return (
            super().encode(counts, request, say) if counts.more is None else encode_tuples(self, counts.more, request)
        )

    def group(
        self, coded: Any, counts: Counts, request: Request, say: Say, report_loss: Callable[[float], None] | None
    ) -> Grouping:
        if counts.more is None:
            return super().group(coded, counts, request, say, report_loss)
        return group_tuples(self, coded, request)

    def plan(self, grouping: Grouping, counts: Counts, request: Request) -> RecodingPlan:
        if counts.more is None:
            return super().plan(grouping, counts, request)
        stays = [own > 0 for own in grouping.rows_of_code]
        plan = plan_recoding(grouping.coded, grouping.partition, request, counts.fields, stays)
        return replace(plan, quasi=request.counted, found_by=grouping.more)

    def rows(self, plan: RecodingPlan, observation: Any = None) -> DataFrame:
        """The release as a frame that is not computed yet."""
        limit = self.memory // SHARE_OF_A_BROADCAST
        with spoken("The release cannot be planned"):
            if plan.anew:
                return rows_of_driver(self.session, plan, observation)
            return published_rows(self.files.shown, plan, limit, observation, self.files.kinds)

    def publish(
        self, plan: RecodingPlan, place: Place | Any = None, say: Callable[..., None] = lambda *told: None
    ) -> None:
        """Write the release: to a folder, to a table, or, without a place, to ``released``.

        It is there complete or not at all. Where other rows come out than were counted, it is taken back.
        """
        from pyspark.sql import Observation

        target = self._target(place)
        say("write", 0, plan.n_published)
        observation = Observation()
        rows = self.rows(plan, observation)
        if target is None:
            self.released = rows = computed(rows)
        elif is_path(target):
            write_files(rows, target)
        else:
            write_table(rows, target)
        try:
            with spoken("The published rows cannot be counted"):
                counted = observation.get.get("rows")  # Connect tells nothing of what is only computed
                n_rows = int(counted if counted is not None else rows.count())
            refuse_changed(n_rows, plan.n_published, self.name)
        except BaseException:
            self.remove(place)
            raise
        say("write", n_rows, plan.n_published)

    def _target(self, place: Any) -> Any:
        """What Spark calls a place: a path, or the name of a table that is a hidden one yet."""
        if not isinstance(place, Place):
            return place
        if not place.table:
            return place.folder / DATA
        self._staged = self._staged or staging_name(place.table)
        return self._staged

    def remove(self, place: Any) -> None:
        """Take back what ``publish`` wrote."""
        target = self._target(place)
        if target is None:
            if self.released is not None:
                self.released.unpersist()
            self.released = None
        elif is_path(target):
            remove_files(target, self.session)
        else:
            remove_table(self.session, target)
            self._staged = ""

    def published(self, place: Any = None) -> tuple[PublishedSource, ...]:
        """What was written, read back: distinct rows and how often they occur, not row by row."""
        target = self._target(place)
        if target is None:
            assert self.released is not None, "nothing is published yet"
            return (published_frame(self.released, "the release"),)
        if is_frame(target):
            return (published_frame(target, "the release"),)
        with spoken("The release cannot be read back"):
            if is_path(target):
                return (published_files(self.session, os.fspath(target)),)
            return (published_frame(self.session.table(target), str(target)),)

    def written(self, place: Place) -> Written:
        if place.table:
            return Written(table={"name": place.table})
        parts = sorted((place.folder / DATA).iterdir())
        return Written(sha256={f"{DATA}/{part.name}": file_digest(part) for part in parts})

    def commit(self, place: Place, note: str) -> None:
        if place.table:
            rename_table(self.session, self._target(place), place.table)
            self._staged = ""

    def unwritten(self, plan: RecodingPlan) -> tuple[Any, ...]:
        """The release as a frame, computed once."""
        if self.released is None:
            self.publish(plan)
        return self.published(None)

    def native(self, plan: RecodingPlan) -> DataFrame:
        assert self.released is not None
        return self.released

    def refuse_output(self, format: str, form: str, table: str) -> None:
        if format != "parquet":
            raise BadOption(
                f"Spark does not write a release as {format!r}.", found=f"format = {format!r}", fix="use parquet"
            )

    def close(self) -> None:
        """Stop the session, if it was made for this."""
        if self.started is not None:
            self.started.close()
