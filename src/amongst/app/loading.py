"""The first step: tables, databases, job files and examples become a draft."""

from __future__ import annotations

import copy
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Any

from amongst.app.draft import Draft, first_draft
from amongst.app.project import ENDING, apply_project, read_project
from amongst.app.running import READ
from amongst.app.state import State, reading_of
from amongst.app.worker_process import Cancelled, Refused
from amongst.errors import AmongstError, BadOption
from amongst.job.job import Job
from amongst.read.file import TEXT
from amongst.relations.stores import DUCKDB, SQLITE
from amongst.schema.file import read_toml, text_of_file

EXAMPLES: dict[str, dict[str, Any]] = {"adult": {}, "patients": {}, "census": {"n_rows": 20_000}}
EXAMPLE_TABLES: dict[str, dict[str, Any]] = {"hospital": {"n_persons": 500}}
READING = ("nulls", "separator", "encoding", "header", "reads", "table")
OF_A_TABLE = ("draft", "about", "history", "lines", "population", "_past", "_undone", "_last")
"""What is kept of a table when another one takes its place."""
TABLE = "table-"
"""Every table that is uploaded has a folder of its own, so that one of the same name does not replace it."""


class Loading(State):
    """A session that can load."""

    async def open_file(
        self, path: Path, reading: dict[str, Any] | None = None, origin: str = "", columns: dict[str, Any] | None = None
    ) -> bool:
        """Read a table; what is suggested for its columns becomes the draft, or the columns given.

        Of a table with the columns of the one before, all settings stay. A file that cannot be read changes nothing.
        """
        reading = reading or {}
        if self.running is not None:
            return False
        facts = await self.run("load", f"Reading {path.name}", READ, "open", path=str(path), **reading_of(reading))
        if facts is None:
            await self._cannot_read(path, reading, origin)
            return False
        before = self.draft
        told = {key: value for key, value in reading.items() if value is not None}
        draft = first_draft(path, facts["columns"], {**facts["found"], **told}, self.uploads)
        draft.origin = origin
        if columns is not None:
            draft.content["columns"] = columns
        facts["kept"] = before is not None and draft.keep_settings(before)
        self._take(draft, facts)
        await self.check()
        await self._take_project()
        self.changed()
        return True

    def _take(self, draft: Draft, facts: dict[str, Any]) -> None:
        """What was loaded takes the place of what was there, whose settings stay where they are kept."""
        if not facts["kept"]:
            self.left = None if self.draft is None else {name: getattr(self, name) for name in OF_A_TABLE}
            self.forget()
        self.result = self.comparison = self.lattice = self.findings = self.fitted = self.written = None
        self.evidence_packed = {}
        self.packed = self.packed_inside = self.unread = None
        self.about, self.draft = facts, draft
        self.n_loaded += 1

    async def go_back(self) -> None:
        """To the table that was open before another one took its place, with all that was chosen for it."""
        if self.left is None or self.draft is None or self.running is not None:
            return
        back, self.left = self.left, {name: getattr(self, name) for name in OF_A_TABLE}
        self.forget()
        for name, value in back.items():
            setattr(self, name, value)
        self._table_in = 0  # it is read again as soon as it is needed
        self.n_loaded += 1
        self.changed()
        await self.check()

    async def _cannot_read(self, path: Path, reading: dict[str, Any], origin: str) -> None:
        """Keep what is known of a file that could not be read, so that it can be read otherwise."""
        error, self.error = self.error, None
        if error is None:  # cancelled
            return
        self.unread = {"path": path, "reading": dict(reading), "origin": origin, "error": error}
        self.unread["seen"] = await self.peek(path, reading)
        self.changed()

    async def peek(self, path: Path, reading: dict[str, Any]) -> dict[str, Any] | None:
        """The first lines of a text file as they would be read, and what it seems to be; None of other files."""
        if not is_text(path):
            return None
        with suppress(Refused, Cancelled):
            seen: dict[str, Any] = await self.told("peek", path=str(path), **reading_of(reading))
            return seen
        return None

    def leave_project(self) -> None:
        """Let go of a project that waits for its table."""
        self.project = None
        self.changed()

    def dismiss_unread(self) -> None:
        """Let go of the file that could not be read."""
        self.unread = None
        self.changed()

    async def open_example(self, name: str) -> None:
        """A bundled table, as a file like any other."""
        options = EXAMPLES[name]
        path = self.uploads / f"{name}.parquet"
        path.unlink(missing_ok=True)
        made = await self.run("load", f"Making {name}", READ, "example", name=name, options=options, path=str(path))
        if made is not None:
            words = "".join(f" --option {key}={value}" for key, value in options.items())
            origin = f"amongst datasets {name}{words} --write {path.name}   makes the table"
            await self.open_file(path, origin=origin, columns=made["columns"])

    async def open_example_tables(self, name: str) -> None:
        """A bundled set of tables."""
        folder = self.uploads / name
        shutil.rmtree(folder, ignore_errors=True)
        given = {"name": name, "options": EXAMPLE_TABLES[name], "folder": str(folder)}
        fields = await self.run("load", f"Making {name}", READ, "example_database", **given)
        if fields is not None:
            await self.open_database(str(folder), fields=fields, origin=f"the tables of the example {name}")

    async def open_database(
        self, address: str, namespace: str | None = None, fields: dict[str, Any] | None = None, origin: str = ""
    ) -> None:
        """All tables of a database, with suggested keys and roles."""
        if self.running is not None:
            return
        facts = await self.run(
            "load", "Reading the tables", READ, "open_database", address=address, namespace=namespace
        )
        if facts is None:
            return
        before = self.draft
        content = copy.deepcopy(fields or facts["job"])
        content |= {"privacy": [{"model": "k-anonymity", "k": 10}], "method": {"name": "miracle", "seed": 0}}
        content["output"] = {"format": "parquet"}
        draft = Draft(content, self.uploads, origin)
        facts["kept"] = before is not None and draft.keep_settings(before)
        self._take(draft, facts)
        await self.check()
        await self._take_project()
        self.changed()

    async def take_table(self, table: str) -> None:
        """Go on with one table of the database alone."""
        path = self.uploads / f"{_safe_name(table)}.parquet"
        path.unlink(missing_ok=True)
        taken = await self.run("load", f"Taking {table}", READ, "take_table", table=table, path=str(path))
        if taken is not None:
            await self.open_file(path, origin=f"the table {table} of the database, saved as {path.name}")

    async def open_job(self, path: Path) -> None:
        """A job file that was named on the command line: its table, and all that it says."""

        try:
            job, text = Job.from_file(path), text_of_file(path)
        except AmongstError as error:
            self.refuse("load", error)
            return
        content = job.to_dict()
        source = content["input"]
        if job.many:
            await self.open_database(source["path"], source.get("namespace"), fields=content)
        else:
            told = {key: source.get(key) for key in (*READING, "unit")}
            await self.open_file(Path(source["path"]), told | {"reads": source.get("reads", {})})
        if self.draft is not None:
            self.draft.content = content
            self.draft.output.setdefault("format", "parquet")
            self.draft.keep_text(text, path.parent)
            await self.check()
            self.changed()

    async def open_named(self, data: str) -> None:
        """What was named on the command line: a job file, a table, or a database."""
        path = Path(data).absolute()
        if "://" in data:
            await self.open_database(data)
        elif path.is_dir() or path.suffix.lower() in (*DUCKDB, *SQLITE):
            await self.open_database(str(path))
        elif path.suffix.lower() == ".toml":
            await self.open_job(path)
        else:
            await self.open_file(path)

    async def open_upload(self, path: Path) -> None:
        """A file that was uploaded: a table, a database, or a job file whose settings are taken over."""
        if path.suffix.lower() == ".toml":
            await self.take_settings(path)
            return
        if path.suffix.lower() == ENDING:
            await self.open_project(path)
            return
        if path.suffix.lower() in (*DUCKDB, *SQLITE):
            await self.open_database(str(path))
        else:
            await self.open_file(path)
        self._remove_older(path)

    def _remove_older(self, path: Path) -> None:
        """Tables that were uploaded before, and are no longer open."""
        open_now = [] if self.draft is None else [self.draft]
        open_before = [] if self.left is None else [self.left["draft"]]
        used = {path.parent, *(Path(one.content["input"]["path"]).parent for one in (*open_now, *open_before))}
        for old in self.uploads.glob(f"{TABLE}*"):
            if old not in used:
                shutil.rmtree(old, ignore_errors=True)

    async def open_project(self, path: Path) -> None:
        """A project: with its table, over the table that is open, or kept until its table is loaded."""
        place = self.uploads / f"project-{path.parent.name[-8:]}"
        try:
            place.mkdir(mode=0o700, exist_ok=True)
            project = read_project(path, place, self.upload_limit)
        except AmongstError as error:
            self.refuse("load", error)
            return
        finally:
            path.unlink(missing_ok=True)
        self.project = project
        if project.table is not None:
            source = project.content["input"]
            told = {key: source[key] for key in READING if source.get(key) is not None}
            await self.open_file(project.table, told | {"reads": source.get("reads", {})})
        elif self.draft is not None:
            await self._take_project()
        self.changed()

    async def _take_project(self) -> None:
        """The settings of the project that waits, where its table is here now; else it goes on waiting."""
        project = self.project
        if project is None or self.draft is None:
            return
        try:
            apply_project(project, self.draft, self.history)
            Job.from_dict(self.draft.content)
        except AmongstError as error:
            self.refuse("load", error)
            return
        self.lines, self.project = dict(project.lines), None
        await self.check()
        self.changed()

    async def take_settings(self, path: Path) -> None:
        """Roles, hierarchies, privacy and method of an uploaded job file; the table stays the one that is open.

        The page opens no files that the user did not name on the command line, so paths in it are not followed.
        """
        try:
            if self.draft is None or self.draft.many:
                raise BadOption(
                    "A job file needs a table.",
                    found="no table yet",
                    fix="load the table first, or amongst app JOB.toml",
                )
            self.draft.take_over(read_toml(path))
            self.draft.keep_text(text_of_file(path), None)
        except AmongstError as error:
            self.refuse("load", error)
        finally:
            path.unlink(missing_ok=True)
        await self.check()
        self.changed()

    def take_file(self, kind: str, path: Path, column: str) -> None:
        """A hierarchy or a population that was uploaded."""
        if self.draft is None or self.draft.many:
            path.unlink()
            return
        if kind == "hierarchy" and column in self.draft.columns:
            self.draft.columns[column]["hierarchy"] = {"csv": str(path)}
            self.start(self.check())
        elif kind == "population":
            self.population = path
        self.n_taken += 1
        self.changed()

    async def read_again(self, path: Path, reading: dict[str, Any], origin: str = "") -> bool:
        """A file, read otherwise."""
        return await self.open_file(path, {key: value for key, value in reading.items() if value is not None}, origin)


def is_text(path: Path) -> bool:
    """Whether a file is one of lines and cells, by its name."""
    return Path(path.name.lower().removesuffix(".gz")).suffix in TEXT


def _safe_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)[:80] or "table"
