"""A release that the executors write: as files, as a table of the catalog, or as a frame."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.engines.spark.write import rename_table, staging_name
from amongst.errors import BadOption
from amongst.read.file import file_digest
from amongst.release.documents import write_documents
from amongst.release.manifest import manifest
from amongst.release.release import both_folders, refuse_unproved
from amongst.release.stored import StoredRelease
from amongst.staging import staged_pair

if TYPE_CHECKING:
    import numpy as np
    from pyspark.sql import DataFrame

    from amongst.encode.coded import CodedColumn
    from amongst.engines.spark.store import SparkStore
    from amongst.engines.spark.value_codes import ValueCodes
    from amongst.verify import Verdict

DATA = "release.parquet"


@dataclass(frozen=True, eq=False)
class SparkRelease(StoredRelease):
    """What ``anonymize`` gives for a table on Spark. Nothing is computed before it is asked for.

    A session that was made for it is stopped by ``close``, or with the release.
    """

    store: SparkStore | Any = None
    codes: ValueCodes | None = None

    def counts_of_values(self, column: CodedColumn) -> np.ndarray:
        """How many rows have every value of a quasi-identifier."""
        if self.codes is None:
            return super().counts_of_values(column)
        place = [own.name for own in self.coded.columns].index(column.name)
        return self.codes.of_values(place)

    @cached_property
    def table(self) -> DataFrame:
        """The release as a frame, sorted, computed once and verified."""
        self.refuse_changed()
        self.store.publish(self.publication)
        self._proved(None)
        self.refuse_changed()
        assert self.store.released is not None
        return self.store.released

    @cached_property
    def verdict(self) -> Verdict:
        """What the verifier says of ``table``."""
        return self._verdict(None) if self.store.released is not None else self._verdict_of_table()

    def write(  # type: ignore[override]
        self,
        folder: str | os.PathLike[str],
        *,
        table: str = "",
        format: str = "parquet",
        force: bool = False,
        step: Callable[..., None] | None = None,
        inside: str | os.PathLike[str] | None = None,
    ) -> Verdict:
        """Write the release folder: the data as part files, ``manifest.json`` and ``report.html``; and the inside.

        What was written is counted again by the executors and verified before the folder appears under its name.

        Parameters
        ----------
        folder : path
            Where the release goes; a path of this machine. It must not exist, or be empty. On a cluster it is on a
            file system that all executors see, or the data goes to a table.
        table : str, optional
            The name of a new table of the catalog for the data; the folder has the manifest and the report then.
        format : {"parquet"}
        force : bool
            Replace a release that is there already; a table never is.
        step : callable, optional
            Told the name of every step.
        """
        if format != "parquet":
            raise BadOption(
                f"Spark does not write a release as {format!r}.", found=f"format = {format!r}", fix="use parquet"
            )
        say = step or (lambda *told: None)
        with staged_pair(*both_folders(folder, inside), force=force) as (staging, hidden):
            target: Any = staging_name(table) if table else staging / DATA
            self.refuse_changed()
            say("write")
            self.store.publish(self.publication, target, lambda name, done, total: say("write", done, total))
            try:
                say("verify")
                verdict = self._proved(target)
                self.refuse_changed()
                say("report")
                self._write_report(staging, hidden, table, verdict)
                if table:
                    rename_table(self.store.session, target, table)
            except BaseException:
                self.store.remove(target)
                raise
        return verdict

    def close(self) -> None:
        """Stop the session, if it was made for this release."""
        self.work.close()

    def _proved(self, target: Any) -> Verdict:
        verdict = self._verdict(target)
        if not verdict.ok:
            self.store.remove(target)
        refuse_unproved(verdict)
        return verdict

    def _verdict(self, target: Any) -> Verdict:
        from amongst.verify.verify import verify

        return verify(self.store.published(target), self.schema, self.models)

    def _verdict_of_table(self) -> Verdict:
        assert self.table is not None
        return self._verdict(None)

    def _write_report(self, folder: Path, inside: Path, table: str, verdict: Verdict) -> None:
        parts = sorted((folder / DATA).iterdir()) if not table else []
        digests = {f"{DATA}/{part.name}": file_digest(part) for part in parts}
        told = manifest(self, digests, verdict)
        if table:
            told["output"]["table"] = {"name": table}
        story = self.story(verdict=verdict)
        write_documents(folder, inside, story, told, verdict)
