"""A release of rows that stay where they are: what is published is decided, and written when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from amongst.errors import BadOption, Changed
from amongst.read.as_read import Spelling, each_as_read
from amongst.release.release import Release

if TYPE_CHECKING:
    from amongst.engines.store import Publication, Store
    from amongst.verify import Verdict


@dataclass(frozen=True, eq=False)
class StoredRelease(Release):
    """What ``anonymize`` gives where the rows are in a file larger than memory, a database or a cluster.

    It has the figures of a release and can be written; the rows themselves are never in memory. ``coded`` and
    ``partition`` are those of the distinct rows that were counted.

    Attributes
    ----------
    store : Store
        Where the rows are.
    publication : Publication
        What is to be published of them.
    state : str
        What the store said of itself when the rows were counted.
    """

    store: Store | Any = None
    publication: Publication | Any = None
    state: str = ""
    work: Any = field(default=None, repr=False)
    checkpoint: Any = field(default=None, repr=False)
    from_counts: tuple[pa.Table, np.ndarray, np.ndarray, np.ndarray] | None = field(default=None, repr=False)

    @property
    def table(self) -> Any:
        raise _not_in_memory("table")

    @property
    def verdict(self) -> Any:
        raise _not_in_memory("verdict")

    @property
    def group_of_row(self) -> np.ndarray:
        raise _not_in_memory("group_of_row")

    @property
    def person_of_row(self) -> None:
        return None

    def write_rows(self, folder: Path, format: str, say: Callable[..., None]) -> Path:
        """Recode where the rows are, and write them into a folder."""
        self.refuse_changed()
        path = self._write_rows(folder, format, say)
        self.refuse_changed()
        return path

    def write(self, folder: Any, **options: Any) -> Verdict:
        """As ``Release.write``; what was kept for a run that resumes goes when the release is there."""
        verdict = super().write(folder, **options)
        if self.checkpoint is not None:
            self.checkpoint.drop()
        return verdict

    def refuse_changed(self) -> None:
        """Raise where the table is no longer what it was when it was counted."""
        if self.store.state() != self.state:
            raise Changed(
                f"{self.store.name} changed while it was read.",
                found="it is not what it was when its rows were counted",
                fix="run it again when nobody writes to it",
            )

    def _write_rows(self, folder: Path, format: str, say: Callable[..., None]) -> Path:
        from amongst.release.data_file import write_stream

        if self.from_counts is not None:
            from amongst.recode.stream import stream_counted

            table, kept, class_of_row, count = self.from_counts
            others = {name: table.column(name).take(pa.array(kept)) for name in self.publication.others}
            rows = stream_counted(self.publication.classes, others, self.publication.columns, class_of_row, count)
            return write_stream(self._shown(rows, say), folder, format)
        path = folder / f"release.{format}"
        self.store.publish(self.publication, path, lambda step, done, total: say("write", done, total))
        return path

    def _shown(self, tables: Iterator[pa.Table], say: Callable[..., None]) -> Iterator[pa.Table]:
        """The rows as they are written, telling how far they are."""
        return each_as_read(
            told(tables, self.publication.n_published, say), spelled_in(self.store, self.publication.others)
        )


def spelled_in(store: Any, names: list[str]) -> Mapping[str, Spelling]:
    """How the values of some columns were written in a text file, where they print otherwise."""
    found: Mapping[str, Spelling] = store.spelled(names) if hasattr(store, "spelled") else {}
    return found


def told(tables: Iterator[pa.Table], total: int, say: Callable[..., None]) -> Iterator[pa.Table]:
    """The same tables, telling how far they are."""
    done = 0
    for table in tables:
        yield table
        done += table.num_rows
        say("write", done, total)


def _not_in_memory(what: str) -> BadOption:
    return BadOption(
        "The rows of this release are not in memory.",
        found=f"asked for {what}",
        fix="write it with release.write(folder), and open what was written",
    )
