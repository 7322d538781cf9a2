"""One run of the app: what was loaded and chosen is made, compared, asked and published."""

from __future__ import annotations

import asyncio
import copy
import os
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from amongst.app.draft import method_of
from amongst.app.loading import EXAMPLE_TABLES, EXAMPLES, Loading
from amongst.app.project import ENDING, packed_project
from amongst.app.running import ATTACK, COMPARE, EVIDENCE, FIT, LATTICE, MAKE, WRITE
from amongst.app.state import MAIN, STEPS
from amongst.app.worker_process import ENDED, Cancelled, Refused
from amongst.errors import BadOption, BadOutput
from amongst.models import MODELS
from amongst.own_files import inside_beside

MOST_KEPT = 20
"""Releases that are remembered, by their settings and figures."""
LONG = 5.0
"""Seconds; what took longer is made when somebody says so, not at every change."""

__all__ = ["EXAMPLES", "EXAMPLE_TABLES", "MAIN", "STEPS", "Session"]


class Session(Loading):
    """One run of the app."""

    async def make(self) -> bool:
        """The release that the draft asks for; one that is being made is waited for, and taken where it is that."""
        while self.draft is not None and self._making is not None and not self._making.done():
            asked, done = self._tried == self.draft.content, await self._making
            if asked:
                return done
        if self.draft is None:
            return False
        self._making = asyncio.ensure_future(self._make(copy.deepcopy(self.draft.content)))
        return await self._making

    async def _make(self, job: dict[str, Any]) -> bool:
        assert self.draft is not None
        start = time.monotonic()
        self._tried = job
        told = await self.run("workbench", "Making the release", MAKE, "anonymize", job=job)
        if told is None:
            return False
        self.written = self.packed = self.packed_inside = self.findings = self.fitted = None
        self.evidence_packed = {}
        self.result = {"told": told, "job": job, "text": self.draft.job_text(), "seconds": time.monotonic() - start}
        self.n_made += 1
        places = [i for i, one in enumerate(self.history) if one["job"] == job]
        made = _summary(self.result) | {"number": self.n_made}
        self.history[slice(places[0], places[0] + 1) if places else slice(0, 0)] = [made]
        del self.history[MOST_KEPT:]
        self.changed()
        return True

    async def settle(self) -> None:
        """Make what is asked now, unless it was tried already, does not fit, or would take long; again until it is."""
        while self.draft is not None and self.running is None:
            job = self.draft.content
            if job in (self.made_job, self._tried) or self._is_long():
                return
            await self.check()
            if self.problems or self.running is not None:
                self.error = self.error if self.running else None  # what stands in the way is told instead
                self.changed()
                return
            await self.make()

    def _is_long(self) -> bool:
        """Whether what is asked takes long, as far as it was made before."""
        assert self.draft is not None
        asked = (method_of(self.draft.content)[0], "harden" in self.draft.content)
        if asked[1]:
            return True
        took = [one["seconds"] for one in self.history if (one["method"], "harden" in one["job"]) == asked]
        return bool(took) and took[0] > LONG

    async def try_out(self, content: dict[str, Any], **window: Any) -> dict[str, Any] | None:
        """What a release with these settings would be like, or under ``error`` why there can be none."""
        try:
            told: dict[str, Any] = await self._look("trial", job=content, **window)
        except Refused as error:
            return {"error": error.what, "fix": error.fix}
        except Cancelled:
            return None
        return told

    async def figures(self) -> dict[str, Any] | None:
        """All figures of the release."""
        return await self._about_release("view")

    async def rows(self, **window: Any) -> dict[str, Any] | None:
        """Rows before and after."""
        return await self._about_release("rows", **window)

    async def explain(self, row: int, table: str | None = None) -> dict[str, Any] | None:
        """Why a row is published as it is."""
        return await self._about_release("explain", row=row, table=table)

    async def _about_release(self, do: str, **given: Any) -> dict[str, Any] | None:
        with suppress(Refused, Cancelled):
            found: dict[str, Any] | None = await self._look(do, **given)
            return found
        return None

    async def _look(self, do: str, **given: Any) -> Any:
        """A look at what is there; once more where the process that has it died over it: the next one gets it again."""
        try:
            return await self.told(do, **given)
        except Refused as error:
            if error.code != ENDED:
                raise
        return await self.told(do, **given)

    async def find(self, methods: Sequence[Any] | None, ks: list[int] | None, budget: float | None) -> bool:
        """Many methods side by side."""
        assert self.draft is not None
        job = copy.deepcopy(self.draft.content)
        given = {"job": job, "methods": methods, "ks": ks, "budget": budget}
        found = await self.run("workbench", "Comparing methods", COMPARE, "compare", **given)
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
        found = await self.run("workbench", "Searching the lattice", LATTICE, "lattice", **given)
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

    async def attack(self, attacks: list[str] | None) -> None:
        """What a motivated intruder finds in the release."""
        found = await self.run("workbench", "Attacking the release", ATTACK, "attack", attacks=attacks)
        if found is not None:
            self.findings = found
            self.changed()

    async def fit(self, formula: str) -> None:
        """A model of the user's own before and after."""
        self.fitted = None
        found = await self.run("workbench", "Fitting the model", FIT, "regression", formula=formula)
        if found is not None:
            self.fitted = found
            self.changed()

    async def gather(self) -> None:
        """The evidence pack; its archives lie in the session's folder until the app ends."""
        assert self.draft is not None
        self._n_packed += 1
        folder = self.folder / f"evidence-{self._n_packed}"
        folder.mkdir(mode=0o700)
        archives = {of: self.folder / f"evidence-{self._n_packed}-{of}.zip" for of in ("public", "inside")}
        given = {"folder": str(folder), "review": self.draft.content.get("review")}
        given |= {of: str(path) for of, path in archives.items()}
        if await self.run("publish", "Gathering the evidence", EVIDENCE, "evidence", **given) is not None:
            self.evidence_packed = archives
            self.changed()
        shutil.rmtree(folder, ignore_errors=True)

    def save_project(self, with_table: bool) -> None:
        """The project as a file to download."""
        assert self.draft is not None
        path = self.folder / f"project{ENDING}"
        made = packed_project(self.draft, self.history, self.lines, with_table=with_table)
        path.unlink(missing_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(made)
        self.saved = path

    async def ask(self, sql: str) -> dict[str, Any]:
        """A question to the release."""
        try:
            answer: dict[str, Any] = await self._look("query", sql=sql)
        except Refused as error:
            return {"sql": sql, "error": {"what": error.what, "found": error.found, "fix": error.fix}}
        except Cancelled:
            return {"sql": sql, "error": {"what": "It was cancelled.", "found": [], "fix": "ask again"}}
        return answer

    async def partition(self, x: str, y: str, window: list[float] | None = None) -> dict[str, Any] | None:
        """The groups of the release over two columns."""
        return await self._about_release("partition", x=x, y=y, window=window)

    async def write(self, folder: str) -> None:
        """Write the release to a folder of this machine."""
        format = self._format()
        path = Path(folder).expanduser()
        if not path.is_absolute():
            path = Path.cwd() / path
        if path.is_file() or (path.is_dir() and any(path.iterdir())):
            what = "There is something already where the release should go."
            self.refuse("publish", BadOutput(what, found=f"{path} exists", fix="choose another folder"))
            return
        given = {"folder": str(path), "format": format, "shape": self._shape()}
        written = await self.run("publish", "Writing the release", WRITE, "write", **given)
        if written is not None:
            self.written = written
            self.changed()

    def _shape(self) -> str | None:
        """The shape that the job asks for, where the format has one."""
        output = {} if self.draft is None or self.draft.many else self.draft.output
        return output.get("shape") if output.get("format") == "csv" else None

    async def pack(self) -> None:
        """One archive to give away, and one to keep; they lie in the session's folder until the app ends."""
        self._n_packed += 1
        folder = self.folder / f"packed-{self._n_packed}"
        archive, inside = (self.folder / f"packed-{self._n_packed}{of}.zip" for of in ("", "-inside"))
        given: dict[str, Any] = {
            "folder": str(folder),
            "format": self._format(),
            "archive": str(archive),
            "inside": str(inside),
        }
        given["shape"] = self._shape()
        if await self.run("publish", "Packing the release", WRITE, "pack", **given) is not None:
            self.packed, self.packed_inside = archive, inside if inside.exists() else None
            self.changed()
        for written in (folder, inside_beside(folder)):
            shutil.rmtree(written, ignore_errors=True)

    def _format(self) -> str:
        assert self.draft is not None
        return str(self.draft.output.get("format", "parquet"))


def _summary(result: Mapping[str, Any]) -> dict[str, Any]:
    """What is remembered of a release, to go back to."""
    job = result["job"]
    method, options = method_of(job)
    listed = ", ".join(f"{key} = {value}" for key, value in options.items())
    made = {
        "method": method,
        "title": f"{method} ({listed})" if listed else method,
        "asked": asked_words(job["privacy"]),
        "seconds": result["seconds"],
        "job": job,
    }
    return {**made, "gauges": result["told"]["gauges"]}


def asked_words(privacy: list[dict[str, Any]]) -> str:
    """What is asked, in few letters.

    Examples
    --------
    >>> from amongst.app.session import asked_words
    >>> asked_words([{"model": "k-anonymity", "k": 10}, {"model": "l-diversity", "l": 2, "sense": "distinct"}])
    'k 10, l 2'
    """
    told = []
    for one in privacy:
        letter = MODELS[one["model"]].symbol if one["model"] in MODELS else ""
        value = one.get(letter)
        told.append(f"{letter} {value:g}" if isinstance(value, (int, float)) else one["model"])
    return ", ".join(told)
