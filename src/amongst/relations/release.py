"""A release of many tables: what is published, with its proof and its figures."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import Brief
from amongst.errors import BadOption
from amongst.kernels.relations import Grouped
from amongst.relations.diversity import database_models
from amongst.relations.forest import Forest
from amongst.relations.manifest import database_manifest
from amongst.relations.measure import DatabaseUtility, measure_database
from amongst.relations.publish import PublishedTables
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Stored
from amongst.release.write import both_folders
from amongst.staging import staged_pair
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.verify import DatabaseVerdict

FORMATS = ("parquet", "csv", "duckdb", "sqlite")


@dataclass(frozen=True, eq=False)
class DatabaseRelease(Brief):
    """What ``anonymize_database`` gives.

    Attributes
    ----------
    tables : dict of str to table
        The published tables, frames in the kind that came in. They are verified before they are handed out.
    verdict : DatabaseVerdict
        What the verifier found in the published tables.
    utility : DatabaseUtility
        What was kept and lost.
    group_of_person : ndarray
        The group of every row of the table of persons, -1 where it was suppressed. For study; never written.
    """

    stored: Stored
    schema: DatabaseSchema
    models: Sequence[Any]
    method: str
    options: dict[str, Any]
    seed: int
    forest: Forest
    grouped: Grouped
    published: PublishedTables

    @property
    def threshold(self) -> int:
        """Counts of people below this are not shown."""
        return database_models(self.models)[0]

    @property
    def arrow(self) -> dict[str, pa.Table]:
        """The published tables as pyarrow, not yet verified."""
        return self.published.tables

    @property
    def shown(self) -> dict[str, pa.Table]:
        """The published tables as they are handed out: what is published as it is, is written as it was read."""
        return {name: self.stored.as_read(name, table, self.schema[name].schema) for name, table in self.arrow.items()}

    @cached_property
    def verdict(self) -> DatabaseVerdict:
        return self._verified(self.arrow, compare=True)

    @cached_property
    def tables(self) -> dict[str, Any]:
        refuse_unproved(self.verdict)
        plain = plain_tables(self.shown)
        return {name: self.stored.native.get(name, _same)(table) for name, table in plain.items()}

    @cached_property
    def utility(self) -> DatabaseUtility:
        return measure_database(self.forest, self.grouped)

    @cached_property
    def group_of_person(self) -> np.ndarray:
        groups = np.full(self.forest.n_input[0], -1, dtype=np.int32)
        groups[self.forest.row_of[0]] = self.grouped.group_of_person
        return groups

    def brief(self) -> str:
        sizes = ", ".join(f"{name}: {table.num_rows:,} rows" for name, table in self.arrow.items())
        return f"{sizes}; by {self.method}"

    def __getstate__(self) -> dict[str, Any]:
        """A pickle may go where the original must not: it holds what is published, and figures."""
        from amongst.left_out import LeftOut

        asked = {name: getattr(self, name) for name in ("schema", "models", "method", "options")}
        figures = {"verdict": self.verdict, "utility": self.utility, "seed": None}
        gone = {name: LeftOut() for name in ("stored", "forest", "grouped")}
        return {**asked, **figures, **gone, "published": LeftOut(tables=self.arrow), "tables": plain_tables(self.arrow)}

    def report(self, verdict: DatabaseVerdict | None = None, *, public: bool = False) -> str:
        """The report as the text of one HTML file: for the inside, or for the public."""
        from amongst.relations.report import render_database

        return render_database(self, verdict or self.verdict, public=public)

    def write(
        self,
        folder: str | os.PathLike[str],
        *,
        format: str | None = None,
        force: bool = False,
        step: Callable[[str], None] | None = None,
        inside: str | os.PathLike[str] | None = None,
    ) -> DatabaseVerdict:
        """Write the release folder: the tables, ``manifest.json`` and ``report.html``; and what stays inside.

        The tables are read back and verified before the folder appears under its name; a release that fails is not
        left on disk.

        Parameters
        ----------
        folder : path
            Where the release goes. It must not exist, or be empty.
        format : {"parquet", "csv", "duckdb", "sqlite"}, optional
            One file a table, or one database file; left out, the kind that came in (Parquet for frames and
            PostgreSQL).
        force : bool
            Replace a release that is there already.
        step : callable, optional
            Told the name of every step.
        inside : path, optional
            Where the full manifest and report go; left out, ``<folder>.inside`` beside the folder.
        """
        from amongst.read.file import file_digest
        from amongst.relations.public import public_database_manifest

        kind = format or (self.stored.kind if self.stored.kind in FORMATS else "parquet")
        if kind not in FORMATS:
            fix = "use one of: " + ", ".join(FORMATS)
            raise BadOption(f"Tables cannot be written as {kind!r}.", found=f"format = {kind!r}", fix=fix)
        say = step or (lambda name: None)
        refuse_unproved(self.verdict)
        with staged_pair(*both_folders(folder, inside), force=force) as (staging, hidden):
            say("write")
            place = self._write_tables(staging, kind)
            say("verify")
            verdict = self._verified(place)
            refuse_unproved(verdict)
            say("report")
            digests = {path.name: file_digest(path) for path in sorted(staging.iterdir())}
            facts = database_manifest(self, digests, verdict)
            facts.write(hidden, self.report(verdict))
            public_database_manifest(facts, self, verdict).write(staging, self.report(verdict, public=True))
        return verdict

    def write_postgresql(self, address: str, namespace: str) -> DatabaseVerdict:
        """Write the tables into a new schema of a PostgreSQL database, with their keys, in one transaction.

        They are read back and verified before the transaction ends; whatever goes wrong, nothing is left.
        """
        from amongst.relations.stores.postgresql import write_postgresql

        refuse_unproved(self.verdict)
        seen: list[DatabaseVerdict] = []

        def prove(tables: Mapping[str, pa.Table]) -> None:
            seen.append(self._verified(tables))
            refuse_unproved(seen[0])

        write_postgresql(self.arrow, self.schema, address, namespace, prove)
        return seen[0]

    def _write_tables(self, staging: Path, kind: str) -> Path:
        from amongst.relations.stores.duckdb_file import write_duckdb
        from amongst.relations.stores.folder import write_folder
        from amongst.relations.stores.sqlite_file import write_sqlite

        if kind in ("csv", "parquet"):
            write_folder(self.shown, staging, kind)
            return staging
        path = staging / f"release.{kind}"
        write = write_duckdb if kind == "duckdb" else write_sqlite
        write(plain_tables(self.arrow), self.schema, path)
        return path

    def _verified(self, published: Any, *, compare: bool = False) -> DatabaseVerdict:
        """What the verifier says; with ``compare`` also whether every cell is true of its original."""
        from amongst.relations.verify import verify_database

        known: dict[str, Any] = (
            {"original": self.stored.tables, "input_row": self.published.input_row} if compare else {}
        )
        return verify_database(published, self.schema, self.models, **known)


def plain_tables(tables: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """The tables with dictionary-encoded columns as plain ones."""
    import pyarrow as pa

    def plain(table: pa.Table) -> pa.Table:
        kinds = [field.type.value_type if pa.types.is_dictionary(field.type) else field.type for field in table.schema]
        kinds = [pa.float32() if pa.types.is_float16(kind) else kind for kind in kinds]  # databases have no halves
        return table.cast(pa.schema(list(zip(table.column_names, kinds, strict=True))))

    return {name: plain(table) for name, table in tables.items()}


def _same(table: Any) -> Any:
    return table
