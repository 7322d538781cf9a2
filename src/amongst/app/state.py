"""Everything that every tab shows: the draft, what is known of the table, what runs, what was made.

It lives in the server, so a reload or a second tab finds it again. It holds no table: the worker does.
"""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from amongst.app.draft import Draft
from amongst.app.running import READ, Running
from amongst.app.worker_process import Cancelled, Refused, Worker
from amongst.errors import AmongstError

STEPS = ("load", "roles", "hierarchies", "privacy", "method", "result", "compare", "publish")


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
        self.n_checked = 0
        """How many times what does not fit has changed."""
        self.running: Running | None = None
        self.error: dict[str, Any] | None = None
        self.error_step = ""
        self.dark: bool | None = None
        self.stop: Callable[[], None] = lambda: None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._n_packed = 0
        self.forget()

    def forget(self) -> None:
        """Begin anew: no table, nothing chosen, nothing made."""
        self.draft: Draft | None = None
        self.about: dict[str, Any] = {}
        self.problems: list[dict[str, Any]] = []
        self.result: dict[str, Any] | None = None
        self.history: list[dict[str, Any]] = []
        self.comparison: dict[str, Any] | None = None
        self.lattice: dict[str, Any] | None = None
        self.written: dict[str, Any] | None = None
        self.packed: Path | None = None
        self.population: Path | None = None

    def changed(self) -> None:
        """Tell every tab to look again."""
        self.version += 1

    @property
    def stale(self) -> bool:
        """Whether something was changed since the release on show was made."""
        return self.result is not None and self.draft is not None and self.result["job"] != self.draft.content

    @property
    def column_facts(self) -> dict[str, dict[str, Any]]:
        return {one["name"]: one for one in self.about.get("columns", [])}

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
            return await self.worker.ask(do, running.hear, **given)
        except Refused as error:
            self.refuse(step, error)
        except Cancelled:
            if do not in ("open", "example", "open_database", "example_database"):
                await self.reload()
        finally:
            if self.running is running:
                self.running = None
            self.changed()
        return None

    def refuse(self, step: str, error: AmongstError) -> None:
        """Show an error on a step."""
        problems = error.facts.get("problems") or []
        self.error = {"what": error.what, "found": error.found, "fix": error.fix, "problems": problems}
        self.error_step = step
        self.changed()

    def cancel(self) -> None:
        """End what is going on; the table is read again into a new worker."""
        if self.running is not None:
            self.worker.end()

    async def reload(self) -> None:
        """After the worker was ended: give the next one the table again. Releases are gone with it."""
        again = Running("Reading the table again", READ)
        self.result, self.running = None, again
        self.changed()
        do = "open_database" if self.draft is not None and self.draft.many else "open"
        try:
            await self.worker.ask(do, again.hear, **self._opened_with())
        except Refused as error:
            self.refuse("load", error)
        except Cancelled:
            self.forget()  # cancelled twice: there is no table any more
        finally:
            self.running = None

    def _opened_with(self) -> dict[str, Any]:
        assert self.draft is not None
        source = self.draft.content["input"]
        if self.draft.many:
            return {"address": source["path"], "namespace": source.get("namespace")}
        return {"path": source["path"], **reading_of(source)}

    async def check(self) -> None:
        """What does not fit between roles, hierarchies and the table; tabs are told where that changed."""
        found: list[dict[str, Any]] = []
        if self.draft is not None and not self.draft.many and self.running is None:
            columns = copy.deepcopy(self.draft.columns)
            form = self.draft.output.get("form", "labels")
            with suppress(Refused, Cancelled):
                found = await self.worker.ask("check", columns=columns, form=form)
        if found != self.problems:
            self.problems = found
            self.n_checked += 1

    async def preview(self, column: str, kind: str | None, hierarchy: dict[str, Any]) -> dict[str, Any]:
        """The levels of a hierarchy, or an error under ``error``."""
        try:
            return await self.worker.ask("preview", column=column, kind=kind, hierarchy=hierarchy)
        except Refused as error:
            return {"error": {"what": error.what, "found": error.found, "fix": error.fix, "problems": []}}
        except Cancelled:
            return {}

    async def values(self, column: str, most: int = 400) -> dict[str, Any]:
        """The distinct values of a column."""
        found: dict[str, Any] = await self.worker.ask("values", column=column, most=most)
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
    }
