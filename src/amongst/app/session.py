"""One run of the app: what was loaded and chosen is made, compared, asked and published."""

from __future__ import annotations

import copy
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from amongst.app.loading import EXAMPLE_TABLES, EXAMPLES, Loading
from amongst.app.running import COMPARE, LATTICE, MAKE, WRITE
from amongst.app.state import STEPS
from amongst.app.worker_process import Cancelled, Refused
from amongst.errors import BadOption, BadOutput
from amongst.own_files import inside_beside

MOST_KEPT = 20
"""Releases that are remembered, by their settings and figures."""

__all__ = ["EXAMPLES", "EXAMPLE_TABLES", "STEPS", "Session"]


class Session(Loading):
    """One run of the app."""

    async def make(self) -> bool:
        """The release that the draft asks for."""
        if self.draft is None:
            return False
        job, start = copy.deepcopy(self.draft.content), time.monotonic()
        view = await self.run("method", "Making the release", MAKE, "anonymize", job=job)
        if view is None:
            return False
        self.written = self.packed = self.packed_inside = None
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
        found = await self.run("compare", "Comparing methods", COMPARE, "compare", **given)
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
        found = await self.run("result", "Searching the lattice", LATTICE, "lattice", **given)
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
            answer: dict[str, Any] = await self.told("query", sql=sql)
        except Refused as error:
            return {"sql": sql, "error": {"what": error.what, "found": error.found, "fix": error.fix}}
        except Cancelled:
            return {"sql": sql, "error": {"what": "It was cancelled.", "found": [], "fix": "ask again"}}
        return answer

    async def partition(self, x: str, y: str, window: list[float] | None = None) -> dict[str, Any] | None:
        """The groups of the release over two columns."""
        with suppress(Refused, Cancelled):
            found: dict[str, Any] | None = await self.told("partition", x=x, y=y, window=window)
            return found
        return None

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
