"""Everything that every tab shows: the draft, what is known of the table, what runs, what was made.

It lives in the server, so a reload or a second tab finds it again. It holds no table: the worker does.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from amongst.app.draft import Draft
from amongst.app.project import Project
from amongst.app.running import MAKE, READ, Running
from amongst.app.worker_process import Cancelled, Refused, Worker
from amongst.errors import AmongstError

OPENING = ("open", "peek", "example", "open_database", "example_database")
"""Commands that need no table yet."""
ABOUT_A_RELEASE = ("view", "rows", "explain", "partition", "query", "attack", "regression", "evidence", "write", "pack")
MOST_UNDONE = 100
"""Changes that can be taken back."""
STEPS = ("load", "workbench", "roles", "hierarchies", "privacy", "method", "publish")
MAIN = ("load", "workbench", "publish")
"""The way through; the other steps are for what the workbench has no room for."""


class State:
    """What is known, and commands to the worker that every tab can watch."""

    def __init__(self, folder: Path, upload_limit: int) -> None:
        self.folder = folder
        self.uploads = folder / "uploads"
        self.uploads.mkdir(mode=0o700, exist_ok=True)
        self.upload_limit = upload_limit
        self.worker = Worker()
        self.version = 0
        self.n_loaded = 0
        """How many tables were loaded so far."""
        self.n_made = 0
        """How many releases were made so far."""
        self.lines: dict[str, float] = {}
        """Where the lines of the gauges are, where not at their usual places."""
        self.n_taken = 0
        """How many hierarchies and populations were uploaded; one of the same name may hold something else."""
        self.n_checked = 0
        """How many times what does not fit has changed."""
        self.running: Running | None = None
        self.error: dict[str, Any] | None = None
        self.error_step = ""
        self.dark: bool | None = None
        self.language: str | None = None
        """Of the page: what the first browser asked for, until another one is chosen."""
        self.stop: Callable[[], None] = lambda: None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._n_packed = 0
        self._table_in = self._release_in = 0
        """In which of its processes the worker has the table, and the release."""
        self._restoring = asyncio.Lock()
        self.saved: Path | None = None
        """The project as it was saved last, to download."""
        self.project: Project | None = None
        """A project that waits for its table."""
        self.left: dict[str, Any] | None = None
        """The table that was open before, with what was chosen for it."""
        self.unread: dict[str, Any] | None = None
        """A file that could not be read, with why, and how it may be read otherwise."""
        self.forget()

    def forget(self) -> None:
        """Begin anew: no table, nothing chosen, nothing made."""
        self.draft: Draft | None = None
        self.about: dict[str, Any] = {}
        self.problems: list[dict[str, Any]] = []
        self.result: dict[str, Any] | None = None
        self._tried: dict[str, Any] | None = None
        self._making: asyncio.Future[bool] | None = None
        self.history: list[dict[str, Any]] = []
        self.comparison: dict[str, Any] | None = None
        self.lattice: dict[str, Any] | None = None
        self.findings: dict[str, Any] | None = None
        self.fitted: dict[str, Any] | None = None
        self.evidence_packed: dict[str, Path] = {}
        self.written: dict[str, Any] | None = None
        self.packed: Path | None = None
        self.packed_inside: Path | None = None
        self.population: Path | None = None
        self._past: list[dict[str, Any]] = []
        self._undone: list[dict[str, Any]] = []
        self._last: dict[str, Any] | None = None

    def changed(self) -> None:
        """Tell every tab to look again; and remember the settings of before, if they are others now."""
        self.version += 1
        now = None if self.draft is None else {"content": self.draft.content, "lines": self.lines}
        if now != self._last:
            if self._last is not None:
                self._past = [*self._past, self._last][-MOST_UNDONE:]
                self._undone = []
            self._last = copy.deepcopy(now)

    @property
    def may_change(self) -> bool:
        """Whether nothing is going on that the settings are needed for."""
        return self.running is None or self.running.lets_change

    @property
    def can_undo(self) -> bool:
        """Whether a change of the settings can be taken back."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether a change that was taken back can be made again."""
        return bool(self._undone)

    def undo(self) -> None:
        """The settings of before."""
        self._step(self._past, self._undone)

    def redo(self) -> None:
        """The settings that were taken back."""
        self._step(self._undone, self._past)

    def _step(self, taken: list[dict[str, Any]], left: list[dict[str, Any]]) -> None:
        if self.draft is None or not taken or not self.may_change:
            return
        left.append(copy.deepcopy({"content": self.draft.content, "lines": self.lines}))
        back = taken.pop()
        self.draft.content, self.lines = back["content"], back["lines"]
        self._last = copy.deepcopy(back)
        self.start(self.check())
        self.changed()

    @property
    def stale(self) -> bool:
        """Whether something was changed since the release on show was made."""
        return self.result is not None and self.draft is not None and self.result["job"] != self.draft.content

    @property
    def made_job(self) -> dict[str, Any] | None:
        """The settings of what was made last."""
        return None if self.result is None else self.result["job"]

    @property
    def column_facts(self) -> dict[str, dict[str, Any]]:
        return {one["name"]: one for one in self.about.get("columns", [])}

    @property
    def named_in_public(self) -> list[str]:
        """Columns that seem to name people and are published nevertheless."""
        if self.draft is None or self.draft.many:
            return []
        roles = {name: fields.get("role") for name, fields in self.draft.columns.items()}
        suggested = {name: facts.get("fields", {}).get("role") for name, facts in self.column_facts.items()}
        return [
            name
            for name, role in roles.items()
            if suggested.get(name) == "identifier" and role not in (None, "identifier")
        ]

    def start(self, work: Coroutine[Any, Any, Any]) -> None:
        """Have work done whatever becomes of the tab that asked for it."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def run(self, step: str, title: str, shares: Mapping[str, float], do: str, **given: Any) -> Any:
        """Carry out a long command where every tab can see it; None where it was refused or cancelled."""
        if self.running is not None:
            return None
        running = self.running = Running(title, shares)
        self.error = None
        self.changed()
        try:
            return await self.told(do, running.hear, **given)
        except Refused as error:
            self.refuse(step, error)
        except Cancelled:
            with suppress(Cancelled, Refused):  # then it is tried again when the table is needed
                await self._restore(False)
        finally:
            if self.running is running:
                self.running = None
            self.changed()
        return None

    def refuse(self, step: str, error: AmongstError) -> None:
        """Show an error on a step."""
        facts = {key: error.facts.get(key) or [] for key in ("problems", "say", "tables")}
        self.error = {"what": error.what, "found": error.found, "fix": error.fix, **facts}
        self.error_step = step
        self.changed()

    def cancel(self) -> None:
        """End what is going on; the table is read again into a new worker."""
        if self.running is not None:
            self.worker.end()

    async def told(self, do: str, hear: Callable[[dict[str, Any]], None] | None = None, /, **given: Any) -> Any:
        """Have a command carried out by a worker that has what the command is about, whatever became of the last."""
        if do not in OPENING:
            async with self._restoring:
                await self._restore(do in ABOUT_A_RELEASE)
        answer = await self.worker.ask(do, hear, **given)
        if do in ("open", "open_database"):
            self._table_in = self.worker.n_started
        elif do == "anonymize":
            self._release_in = self.worker.n_started
        return answer

    async def _restore(self, release: bool) -> None:
        """Give a new worker the table again, and the release on show: the same settings and seed make the same one."""
        if self.draft is None:
            return
        ended = not self.worker.alive
        if ended or self._table_in != self.worker.n_started:
            with self._seen("Reading the table again", READ) as again:
                await self.worker.ask("open_database" if self.draft.many else "open", again.hear, **self._opened_with())
            self._table_in = self.worker.n_started
        if release and self.result is not None and self._release_in != self.worker.n_started:
            with self._seen("Making the release again", MAKE) as again:
                await self.worker.ask("anonymize", again.hear, job=self.result["job"])
            self._release_in = self.worker.n_started

    @contextmanager
    def _seen(self, title: str, shares: Mapping[str, float]) -> Iterator[Running]:
        """Something long that every tab sees, in the place of what waits for it."""
        before, again = self.running, Running(title, shares)
        self.running = again
        self.changed()
        try:
            yield again
        finally:
            self.running = before
            self.changed()

    def _opened_with(self) -> dict[str, Any]:
        assert self.draft is not None
        source = self.draft.content["input"]
        if self.draft.many:
            return {"address": source["path"], "namespace": source.get("namespace")}
        return {"path": source["path"], **reading_of(source)}

    async def check(self) -> None:
        """What does not fit between roles, hierarchies and the table; tabs are told where that changed."""
        found: list[dict[str, Any]] = []
        if self.draft is not None and self.running is None:
            asked = copy.deepcopy(self.draft.content)
            with suppress(Refused, Cancelled):
                found = await self.told("check", job=asked)
        if found != self.problems:
            self.problems = found
            self.n_checked += 1

    async def preview(self, column: str, kind: str | None, hierarchy: dict[str, Any]) -> dict[str, Any]:
        """The levels of a hierarchy, or an error under ``error``."""
        try:
            return dict(await self.told("preview", column=column, kind=kind, hierarchy=hierarchy))
        except Refused as error:
            return {"error": {"what": error.what, "found": error.found, "fix": error.fix, "problems": []}}
        except Cancelled:
            return {}

    async def values(self, column: str, most: int = 400) -> dict[str, Any]:
        """The distinct values of a column."""
        found: dict[str, Any] = await self.told("values", column=column, most=most)
        return found

    def close(self) -> None:
        """End the worker."""
        self.worker.end()


def reading_of(source: Mapping[str, Any]) -> dict[str, Any]:
    """How a text file is to be read, as the worker wants it."""
    return {
        "nulls": list(source.get("nulls") or []),
        "separator": source.get("separator") or None,
        "encoding": source.get("encoding") or None,
        "header": source.get("header"),
        "reads": source.get("reads"),
        "table": source.get("table"),
    }
