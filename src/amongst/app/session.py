"""Everything that every tab shows: the draft, what is known of the table, what runs, what was made.

It lives in the server, so a reload or a second tab finds it again. It holds no table: the worker does.
"""

from __future__ import annotations

import asyncio
import copy
import time
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from amongst.app.draft import Draft, first_draft
from amongst.app.running import COMPARE, LATTICE, MAKE, QUICK, READ, WRITE, Running
from amongst.app.worker_process import Cancelled, Refused, Worker
from amongst.errors import AmongstError, BadOption
from amongst.relations.stores import DUCKDB, SQLITE

EXAMPLES: dict[str, dict[str, Any]] = {"adult": {}, "patients": {}, "census": {"n_rows": 20_000}}
EXAMPLE_TABLES: dict[str, dict[str, Any]] = {"hospital": {"n_persons": 500}}
STEPS = ("load", "roles", "hierarchies", "privacy", "method", "result", "compare", "publish")
MOST_KEPT = 20


class Session:
    """One run of the app."""

    def __init__(self, folder: Path, upload_limit: int) -> None:
        self.folder = folder
        self.uploads = folder / "uploads"
        self.uploads.mkdir(mode=0o700, exist_ok=True)
        self.upload_limit = upload_limit
        self.worker = Worker()
        self.version = 0
        self.n_loaded = 0
        """How many tables were loaded so far."""
        self.running: Running | None = None
        self.error: dict[str, Any] | None = None
        self.error_step = ""
        self.dark: bool | None = None
        self.stop: Callable[[], None] = lambda: None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._n_packed = 0
        self._forget()

    def _forget(self) -> None:
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

    # What every tab needs to know

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

    async def _run(self, step: str, title: str, shares: Mapping[str, float], do: str, **given: Any) -> Any:
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
                await self._reload()
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

    async def _reload(self) -> None:
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
            self._forget()  # cancelled twice: there is no table any more
        finally:
            self.running = None

    def _opened_with(self) -> dict[str, Any]:
        assert self.draft is not None
        source = self.draft.content["input"]
        if self.draft.many:
            return {"address": source["path"], "namespace": source.get("namespace")}
        return {"path": source["path"], **_reading(source)}

    # Load

    async def open_file(
        self, path: Path, reading: dict[str, Any] | None = None, origin: str = "", columns: dict[str, Any] | None = None
    ) -> bool:
        """Read a table; what is suggested for its columns becomes the draft, or the columns given."""
        reading = reading or {}
        self._forget()
        facts = await self._run("load", f"Reading {path.name}", READ, "open", path=str(path), **_reading(reading))
        if facts is None:
            return False
        self.about = facts
        self.draft = first_draft(path, facts["columns"], reading, self.uploads)
        self.draft.origin = origin
        if columns is not None:
            self.draft.content["columns"] = columns
        self.n_loaded += 1
        await self.check()
        return True

    async def open_example(self, name: str) -> None:
        """A bundled table, as a file like any other."""
        options = EXAMPLES[name]
        path = self.uploads / f"{name}.parquet"
        path.unlink(missing_ok=True)
        made = await self._run("load", f"Making {name}", READ, "example", name=name, options=options, path=str(path))
        if made is not None:
            words = "".join(f" --option {key}={value}" for key, value in options.items())
            origin = f"amongst datasets {name}{words} --write {path.name}   makes the table"
            await self.open_file(path, origin=origin, columns=made["columns"])

    async def open_example_tables(self, name: str) -> None:
        """A bundled set of tables."""
        import shutil

        folder = self.uploads / name
        shutil.rmtree(folder, ignore_errors=True)
        given = {"name": name, "options": EXAMPLE_TABLES[name], "folder": str(folder)}
        fields = await self._run("load", f"Making {name}", READ, "example_database", **given)
        if fields is not None:
            await self.open_database(str(folder), fields=fields, origin=f"the tables of the example {name}")

    async def open_database(
        self, address: str, namespace: str | None = None, fields: dict[str, Any] | None = None, origin: str = ""
    ) -> None:
        """All tables of a database, with suggested keys and roles."""
        self._forget()
        facts = await self._run(
            "load", "Reading the tables", READ, "open_database", address=address, namespace=namespace
        )
        if facts is None:
            return
        self.about = facts
        content = copy.deepcopy(fields or facts["job"])
        content |= {"privacy": [{"model": "k-anonymity", "k": 10}], "method": {"name": "miracle", "seed": 0}}
        content["output"] = {"format": "parquet"}
        self.draft = Draft(content, self.uploads, origin)
        self.n_loaded += 1
        self.changed()

    async def take_table(self, table: str) -> None:
        """Go on with one table of the database alone."""
        path = self.uploads / f"{_safe_name(table)}.parquet"
        path.unlink(missing_ok=True)
        taken = await self._run("load", f"Taking {table}", READ, "take_table", table=table, path=str(path))
        if taken is not None:
            await self.open_file(path, origin=f"the table {table} of the database, saved as {path.name}")

    async def open_job(self, path: Path) -> None:
        """A job file that was named on the command line: its table, and all that it says."""
        from amongst.relations.job import DatabaseJob
        from amongst.schema.job import Job, read_toml

        try:
            content = read_toml(path)
            many = "tables" in content
            text = (DatabaseJob if many else Job).from_file(path).to_toml()
        except AmongstError as error:
            self.refuse("load", error)
            return
        import tomllib

        content = tomllib.loads(text)
        source = content["input"]
        if many:
            await self.open_database(source["path"], source.get("namespace"), fields=content)
        else:
            await self.open_file(Path(source["path"]), {key: source.get(key) for key in (*READING, "unit")})
        if self.draft is not None:
            self.draft.content = content
            self.draft.content.setdefault("output", {}).setdefault("format", "parquet")
            await self.check()

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
        for old in self.uploads.iterdir():
            if old.is_file() and old != path:
                old.unlink()
        if path.suffix.lower() in (*DUCKDB, *SQLITE):
            await self.open_database(str(path))
        else:
            await self.open_file(path)

    async def take_settings(self, path: Path) -> None:
        """Roles, hierarchies, privacy and method of an uploaded job file; the table stays the one that is open.

        The page opens no files that the user did not name on the command line, so paths in it are not followed.
        """
        from amongst.schema.job import read_toml

        try:
            if self.draft is None or self.draft.many:
                raise BadOption(
                    "A job file needs a table.",
                    found="no table yet",
                    fix="load the table first, or amongst app JOB.toml",
                )
            content = read_toml(path)
            self.draft.take_over(content)
        except AmongstError as error:
            self.refuse("load", error)
        finally:
            path.unlink(missing_ok=True)
        await self.check()

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
        self.changed()

    async def read_again(self, nulls: list[str], separator: str | None, encoding: str | None) -> None:
        """The same file, read otherwise."""
        assert self.draft is not None
        path, origin = Path(self.draft.content["input"]["path"]), self.draft.origin
        await self.open_file(path, {"nulls": nulls, "separator": separator, "encoding": encoding}, origin)

    # Choose

    async def check(self) -> None:
        """What does not fit between roles, hierarchies and the table."""
        if self.draft is not None and not self.draft.many and self.running is None:
            columns = copy.deepcopy(self.draft.columns)
            form = self.draft.output.get("form", "labels")
            with suppress(Refused, Cancelled):
                self.problems = await self.worker.ask("check", columns=columns, form=form)
        self.changed()

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

    # Make

    async def make(self) -> bool:
        """The release that the draft asks for."""
        if self.draft is None:
            return False
        job, start = copy.deepcopy(self.draft.content), time.monotonic()
        do = "anonymize_database" if self.draft.many else "anonymize"
        view = await self._run("method", "Making the release", MAKE, do, job=job)
        if view is None:
            return False
        self.written, self.packed = None, None
        self.result = {
            "view": view,
            "job": job,
            "text": self.draft.job_text(),
            "seconds": time.monotonic() - start,
        }
        self.history = [_summary(self.result), *self.history][:MOST_KEPT]
        self.changed()
        return True

    async def find(self, methods: list[str] | None, ks: list[int] | None, budget: float | None) -> bool:
        """Many methods side by side."""
        assert self.draft is not None
        job = copy.deepcopy(self.draft.content)
        given = {"job": job, "methods": methods, "ks": ks, "budget": budget}
        found = await self._run("compare", "Comparing methods", COMPARE, "compare", **given)
        if found is not None:
            self.comparison = found
            self.changed()
        return found is not None

    async def find_best(self, budget: float | None) -> bool:
        """Compare, and make what is recommended."""
        if not await self.find(None, None, budget):
            return False
        assert self.comparison is not None
        if self.comparison["recommended"] is None:
            self.refuse(
                "method",
                BadOption(
                    "No method could make this release.",
                    found=[f"{one['method']}: {one['why']}" for one in self.comparison["candidates"]],
                    fix="ask for less privacy, or look at roles and hierarchies",
                ),
            )
            return False
        return await self.choose(self.comparison["recommended"])

    async def choose(self, place: int) -> bool:
        """Make the candidate of the comparison at this place."""
        assert self.comparison is not None
        assert self.draft is not None
        one = self.comparison["candidates"][place]
        self.draft.content["privacy"] = copy.deepcopy(one["privacy"])
        self.set_method(one["method"], one["options"])
        return await self.make()

    def set_method(self, name: str, options: Mapping[str, Any] | None = None) -> None:
        """Another method for the draft; its seed stays."""
        assert self.draft is not None
        kept = {key: value for key, value in self.draft.method.items() if key in ("seed", "target")}
        self.draft.content["method"] = {"name": name, **kept, **({"options": dict(options)} if options else {})}

    async def draw_lattice(self, suppression: float) -> None:
        """The lattice of full-domain generalizations."""
        assert self.draft is not None
        given = {"job": copy.deepcopy(self.draft.content), "suppression": suppression, "limits": None}
        found = await self._run("result", "Searching the lattice", LATTICE, "lattice", **given)
        if found is not None:
            self.lattice = {"view": found, "suppression": suppression, "job": given["job"]}
            self.changed()

    async def apply_levels(self, levels: Mapping[str, int], suppression: float) -> bool:
        """Make the generalization of the lattice with at most these levels."""
        options: dict[str, Any] = {"limits": dict(levels)}
        if suppression:
            options["suppression"] = suppression
        self.set_method("incognito", options)
        return await self.make()

    async def ask(self, sql: str) -> dict[str, Any]:
        """A question to the release."""
        try:
            answer: dict[str, Any] = await self.worker.ask("query", sql=sql)
        except Refused as error:
            return {"sql": sql, "error": {"what": error.what, "found": error.found, "fix": error.fix}}
        except Cancelled:
            return {"sql": sql, "error": {"what": "It was cancelled.", "found": [], "fix": "ask again"}}
        return answer

    async def partition(self, x: str, y: str, window: list[float] | None = None) -> dict[str, Any] | None:
        """The groups of the release over two columns."""
        with suppress(Refused, Cancelled):
            found: dict[str, Any] | None = await self.worker.ask("partition", x=x, y=y, window=window)
            return found
        return None

    # Publish

    async def write(self, folder: str) -> None:
        """Write the release to a folder of this machine."""
        format = self._format()
        path = Path(folder).expanduser()
        if not path.is_absolute():
            path = Path.cwd() / path
        written = await self._run("publish", "Writing the release", WRITE, "write", folder=str(path), format=format)
        if written is not None:
            self.written = written
            self.changed()

    async def pack(self) -> None:
        """One archive of the release to download; it lies in the session's folder until the app ends."""
        import shutil

        self._n_packed += 1
        folder, archive = self.folder / f"packed-{self._n_packed}", self.folder / f"packed-{self._n_packed}.zip"
        given = {"folder": str(folder), "format": self._format(), "archive": str(archive)}
        if await self._run("publish", "Packing the release", WRITE, "pack", **given) is not None:
            self.packed = archive
            self.changed()
        shutil.rmtree(folder, ignore_errors=True)

    def _format(self) -> str:
        assert self.draft is not None
        return str(self.draft.output.get("format", "parquet"))

    def close(self) -> None:
        """End the worker."""
        self.worker.end()


READING = ("nulls", "separator", "encoding")


def _reading(source: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "nulls": list(source.get("nulls") or []),
        "separator": source.get("separator") or None,
        "encoding": source.get("encoding") or None,
    }


def _safe_name(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)[:80] or "table"


def _summary(result: Mapping[str, Any]) -> dict[str, Any]:
    """A line of the list of what was made."""
    job = result["job"]
    return {
        "method": job["method"]["name"],
        "options": dict(job["method"].get("options", {})),
        "privacy": job["privacy"],
        "seconds": result["seconds"],
        "loss": _loss(result["view"]),
        "job": job,
    }


def _loss(view: Mapping[str, Any]) -> str:
    if view.get("database"):
        return f"{100 * view['lm']:.1f}%"
    return next((tile["value"] for tile in view["headline"] if tile["key"] == "loss"), "")


__all__ = ["EXAMPLES", "EXAMPLE_TABLES", "QUICK", "STEPS", "Session"]
