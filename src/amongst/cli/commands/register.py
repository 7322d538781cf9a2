"""``amongst register``: which releases there are of whom."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown


_STANDING: dict[bool | None, Any] = {
    True: "as it was written",
    False: ("gone or changed", "warn"),
    None: ("in a database: not looked at", "faint"),
}
"""What is said of the files of a release."""


def register(
    folder: Annotated[Path, typer.Argument(metavar="REGISTER", help="The folder of the register.")],
    action: Annotated[str, typer.Argument(metavar="[add|list]", help="What to do.")] = "list",
    release: Annotated[Path | None, typer.Argument(metavar="RELEASE", help="Of add: a release folder.")] = None,
    people: Annotated[
        str | None,
        typer.Option("--people", metavar="NAME", help="Of add: whom it is about; else what the input was called."),
    ] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Keep a register of releases: add one, or list them. Manifests are kept, data is not copied."""
    from amongst.errors import BadInput, BadOption
    from amongst.release.register import Register, is_register

    kept = Register(folder)
    if action not in ("add", "list") or (action == "add") != (release is not None):
        raise BadOption(
            "A register is added to, or listed.",
            found=f"{action}{'' if release is None else ' with a release'}",
            fix="write: amongst register FOLDER add RELEASE, or amongst register FOLDER list",
        )
    if release is not None:
        entry = kept.add(release, people=people)
        VOICE.result(entry.to_dict, lambda: _grid([entry.to_dict()]))
        return
    if not is_register(folder):
        raise BadInput("There is no such register.", found=f"{folder}", fix="add a release to make one")
    entries = [entry.to_dict() for entry in kept.entries()]
    VOICE.result(lambda: {"register": str(folder), "entries": entries}, lambda: _grid(entries))


def _grid(entries: list[dict[str, Any]]) -> list[Shown]:
    from amongst.cli.page import Grid, Line

    if not entries:
        return [Line("no releases yet")]
    rows = [
        [
            str(one["number"]),
            one["name"],
            one["people"],
            one["added"],
            str(one["threshold"]),
            one["method"],
            _STANDING[one["there"]],
        ]
        for one in entries
    ]
    return [Grid(["", "release", "people", "added", "k", "method", "files"], rows, right=["", "k"])]
