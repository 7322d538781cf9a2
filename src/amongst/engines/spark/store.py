"""A table that Spark knows, as an engine sees it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from amongst.engines.duckdb.file_store import refuse_changed
from amongst.engines.memory import size_of, words
from amongst.engines.spark.count import Tuples, counted
from amongst.engines.spark.plain_errors import spoken
from amongst.engines.spark.published import published_files, published_frame
from amongst.engines.spark.recode import published_rows
from amongst.engines.spark.session import driver_memory
from amongst.engines.spark.source import arrow_schema, is_frame, is_path, open_frame, whole_path
from amongst.engines.spark.state import state_of
from amongst.engines.spark.text import TextOptions
from amongst.engines.spark.write import computed, remove_files, remove_table, write_files, write_table
from amongst.engines.store import Publication, Say
from amongst.errors import BadOption

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from amongst.published.source import Source as PublishedSource

A_ROW = 24
"""Bytes that a row takes beside its codes where a method sees every row."""
SHARE_OF_A_BROADCAST = 8
"""A join sends its smaller side to all executors where it takes at most this part of the driver's memory."""


class SparkStore:
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
    """

    engine = "spark"

    def __init__(
        self, session: SparkSession, data: Any, *, memory: str | int | None = None, text: TextOptions | None = None
    ) -> None:
        self.session = session
        self.frame, self.name = open_frame(session, data, text or TextOptions())
        self.memory = driver_memory(session) if memory is None else size_of(memory)
        self._path = whole_path(data) if is_path(data) else None
        self.released: DataFrame | None = None
        self._counted: tuple[tuple[str, ...], Tuples] | None = None

    def schema(self) -> pa.Schema:
        """The columns and their types, as Arrow has them."""
        with spoken(f"The columns of {self.name} cannot be read"):
            return arrow_schema(self.frame)

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

    def rows(self, publication: Publication, observation: Any = None) -> DataFrame:
        """The release as a frame that is not computed yet."""
        limit = self.memory // SHARE_OF_A_BROADCAST
        with spoken("The release cannot be planned"):
            return published_rows(self.frame, publication, limit, observation)

    def publish(self, publication: Publication, target: Any = None, say: Say = lambda step, done, total: None) -> None:
        """Write the release: to a folder (a path), to a table (its name), or, without a target, to ``released``.

        It is there complete or not at all. Where other rows come out than were counted, it is taken back.
        """
        from pyspark.sql import Observation

        say("publish", 0, publication.n_published)
        observation = Observation()
        rows = self.rows(publication, observation)
        if target is None:
            self.released = computed(rows)
        elif is_path(target):
            write_files(rows, target)
        else:
            write_table(rows, target)
        try:
            with spoken("The published rows cannot be counted"):
                n_rows = int(observation.get["rows"])
            refuse_changed(n_rows, publication.n_published, self.name)
        except BaseException:
            self.remove(target)
            raise
        say("publish", n_rows, publication.n_published)

    def remove(self, target: Any) -> None:
        """Take back what ``publish`` wrote."""
        if target is None:
            if self.released is not None:
                self.released.unpersist()
            self.released = None
        elif is_path(target):
            remove_files(target, self.session)
        else:
            remove_table(self.session, target)

    def published(self, target: Any = None) -> PublishedSource:
        """What was written, read back: distinct rows and how often they occur, not row by row."""
        if target is None:
            assert self.released is not None, "nothing is published yet"
            return published_frame(self.released, "the release")
        if is_frame(target):
            return published_frame(target, "the release")
        with spoken("The release cannot be read back"):
            if is_path(target):
                return published_files(self.session, os.fspath(target))
            return published_frame(self.session.table(target), str(target))
