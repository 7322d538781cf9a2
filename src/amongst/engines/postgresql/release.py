"""A release that becomes a table of the database that the rows are in."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.release.documents import write_documents
from amongst.release.manifest import manifest
from amongst.release.release import both_folders, refuse_unproved
from amongst.release.stored import StoredRelease
from amongst.staging import staged_pair

if TYPE_CHECKING:
    from amongst.verify import Verdict


@dataclass(frozen=True, eq=False)
class TableRelease(StoredRelease):
    """What ``anonymize`` gives for a table of PostgreSQL. Nothing is written before ``write`` is called.

    It holds a transaction open until it is written or closed.
    """

    store: Any = None

    def write(  # type: ignore[override]
        self,
        folder: Any,
        *,
        table: str = "",
        format: str = "",
        force: bool = False,
        step: Callable[..., None] | None = None,
        inside: str | os.PathLike[str] | None = None,
    ) -> Verdict:
        """Write the release as a new table, and a folder with ``manifest.json`` and ``report.html``; and the inside.

        The table is verified as it stands in the server, before the transaction is committed: others see a release
        that holds, or none.

        Parameters
        ----------
        folder : path
            Where manifest and report go. It must not exist, or be empty.
        table : str
            The name of the new table, such as ``public.people_release``.
        format : str
            Not used: the rows stay in the database.
        force : bool
            Replace a release that is there already, folder and table. Other tables are never replaced.
        step : callable, optional
            Told the name of every step.
        """
        if not table:
            raise BadOption(
                "The release of a table in PostgreSQL is a table there.",
                found="no name for it",
                fix="name it with --out-table (table=)",
            )
        say = step or (lambda *told: None)
        with self.store, staged_pair(*both_folders(folder, inside), force=force) as (staging, hidden):
            say("write")
            if self.from_counts is not None:
                self.store.publish_counts(self.publication, self.from_counts, table, force=force)
            else:
                self.store.publish(self.publication, table, lambda name, done, total: say(name), force=force)
            say("verify")
            verdict = self._verified(table)
            say("report")
            facts = self._write_report(staging, hidden, verdict)
            self.store.commit(f"manifest sha256 {hashlib.sha256(facts).hexdigest()}")
        return verdict

    def close(self) -> None:
        """End the transaction without a release."""
        self.store.close()

    def _verified(self, table: str) -> Verdict:
        from amongst.verify.verify import verify

        verdict = verify(self.store.published(table), self.schema, self.models)
        refuse_unproved(verdict)
        return verdict

    def _write_report(self, folder: Path, inside: Path, verdict: Verdict) -> bytes:
        """Both versions of report and manifest; the bytes of the public manifest."""
        name, digest = self.store.target_name, self.store.digest_of_release()
        story: Any = replace(self.story(verdict=verdict), digests={name: digest})
        told = manifest(self, {}, verdict)
        told["output"]["table"] = {"name": name, "rows_sha256": digest}
        return write_documents(folder, inside, story, told, verdict)
