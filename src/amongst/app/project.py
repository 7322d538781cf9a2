"""A project as a file: the job, its hierarchies, what was tried and where the lines are; the table only if asked.

It is a zip archive: ``project.json``, ``files/`` for hierarchies and populations, ``table/`` for the table. What it has
is taken from in there, by name: no path in a project leads to another file of the machine.
"""

from __future__ import annotations

import copy
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amongst.app.draft import Draft, columns_of
from amongst.errors import BadOption

ENDING = ".amongst"
FORMAT = 1
LARGEST_TEXT = 50 * 2**20
"""Bytes that ``project.json``, or a hierarchy, may have when it is unpacked."""
KEPT = ("columns", "tables", "privacy", "method", "output", "harden", "review", "analysis")


@dataclass(frozen=True)
class Project:
    """A project that was read.

    Attributes
    ----------
    content : dict
        The job; files that it names are unpacked, and named where they are now.
    history : list of dict
    lines : dict
    table : Path, or None
        The table, where it is in the file.
    name : str
        What the table was called.
    """

    content: dict[str, Any]
    history: list[dict[str, Any]]
    lines: dict[str, float]
    table: Path | None
    name: str


def packed_project(
    draft: Draft, history: list[dict[str, Any]], lines: Mapping[str, float], *, with_table: bool
) -> bytes:
    """The project as the bytes of a file."""
    files: dict[str, Path] = {}
    content = _renamed(draft.content, lambda path: _pack_name(path, files))
    table = Path(draft.content["input"]["path"])
    content["input"]["path"] = table.name
    tried = [
        {**one, "job": _renamed(one["job"], lambda path: _pack_name(path, files)) | {"input": content["input"]}}
        for one in history
    ]
    told = {"amongst project": FORMAT, "job": content, "tried": tried, "lines": dict(lines)}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("project.json", json.dumps(told, indent=1))
        for name, path in files.items():
            archive.write(path, f"files/{name}")
        if with_table:
            archive.write(table, f"table/{table.name}")
    return packed.getvalue()


def read_project(path: Path, place: Path, upload_limit: int) -> Project:
    """A project from a file; what it holds is unpacked into ``place``."""
    try:
        with zipfile.ZipFile(path) as archive:
            told = json.loads(_read(archive, "project.json", LARGEST_TEXT))
            if told.get("amongst project") != FORMAT:
                raise ValueError
            found: dict[str, str] = {}
            table = None
            for one in archive.namelist():
                folder, _, name = one.partition("/")
                if folder not in ("files", "table") or not name or Path(name).name != name:
                    continue
                target = place / name
                target.write_bytes(_read(archive, one, LARGEST_TEXT if folder == "files" else upload_limit))
                if folder == "table":
                    table = target
                else:
                    found[name] = str(target)
            content = _renamed(told["job"], lambda name: _unpacked(name, found))
            name = Path(str(content["input"]["path"])).name
            history = [
                {**one, "job": _renamed(one["job"], lambda name: _unpacked(name, found))}
                for one in told.get("tried", [])
            ]
            lines = {str(key): float(value) for key, value in told.get("lines", {}).items()}
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, OSError):
        raise BadOption(
            "This is no project of amongst, or it is damaged.", found=path.name, fix="save it again, or begin anew"
        ) from None
    return Project(content, history, lines, table, name)


def apply_project(project: Project, draft: Draft, history: list[dict[str, Any]]) -> None:
    """Its settings over those of a table with the same columns, and what was tried before with it."""
    own, asked = set(draft.columns), set(columns_of(project.content))
    if own != asked:
        missing = sorted(asked - own) or sorted(own - asked)
        raise BadOption(
            "The project is about another table.",
            found="columns that differ: " + ", ".join(missing[:8]),
            fix=f"load {project.name} first",
        )
    source = draft.content["input"]
    for part in KEPT:
        if part in project.content:
            draft.content[part] = copy.deepcopy(project.content[part])
        elif part in ("harden", "review", "analysis"):
            draft.content.pop(part, None)
    if "unit" in project.content["input"]:
        source["unit"] = project.content["input"]["unit"]
    history[:] = [
        {**one, "job": {**one["job"], "input": copy.deepcopy(source)}, "number": -place}  # others count from 1
        for place, one in enumerate(project.history, start=1)
    ]


def _read(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    with archive.open(name) as member:
        found = member.read(limit + 1)
    if len(found) > limit:
        raise ValueError
    return found


def _renamed(content: Mapping[str, Any], name: Any) -> dict[str, Any]:
    """A copy of a job in which every file that it names has another name."""
    made: dict[str, Any] = copy.deepcopy(dict(content))
    for fields in made.get("columns", {}).values():
        if "csv" in fields.get("hierarchy", {}):
            fields["hierarchy"]["csv"] = name(fields["hierarchy"]["csv"])
    for model in made.get("privacy", []):
        if "population" in model:
            model["population"] = name(model["population"])
    return made


def _pack_name(path: str, files: dict[str, Path]) -> str:
    """The name of a file in the archive; two of the same name are told apart."""
    for known, own in files.items():
        if own == Path(path):
            return known
    name = Path(path).name
    while name in files:
        name = f"other-{name}"
    files[name] = Path(path)
    return name


def _unpacked(name: str, found: Mapping[str, str]) -> str:
    if name not in found:
        raise ValueError  # a project names no file but those that are in it
    return found[name]
