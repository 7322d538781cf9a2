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

ANSWER = (
    {
        "register": "string: the register",
        "entries": "[object]: its releases",
    },
    {
        "number": "integer: of the release in the register",
        "name": "string: the folder's name",
        "people": "string: the population it is about",
        "added": "string: the day",
        "window": "[string]?: from when to when",
        "knows_people": "boolean: whether digests of people are kept",
        "threshold": "integer?: its k",
        "method": "string: its method",
        "rows": "integer: its rows",
        "sha256": "object: digests of its files",
        "there": "boolean: whether its files are still where they were",
    },
)


def register(
    folder: Annotated[Path, typer.Argument(metavar="REGISTER", help="The folder of the register.")],
    action: Annotated[str, typer.Argument(metavar="[add|list|people]", help="What to do.")] = "list",
    release: Annotated[Path | None, typer.Argument(metavar="RELEASE", help="Of add: a release folder.")] = None,
    people: Annotated[
        str | None,
        typer.Option("--people", metavar="NAME", help="Of add: whom it is about; else what the input was called."),
    ] = None,
    window: Annotated[
        str | None, typer.Option("--window", metavar="FROM..TO", help="Of add: from when to when it tells of people.")
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option("--table", metavar="FILE", help="Of add: the table, to remember its people by digests."),
    ] = None,
    person: Annotated[str | None, typer.Option("--person", metavar="COLUMN", help="What tells people apart.")] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="The key of the digests; not kept.")] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Keep a register of releases: add one, list them, or say which could be about the same people. Manifests are
    kept, and digests of people under a key where they are wanted; data is not copied."""
    from amongst.errors import BadInput, BadOption
    from amongst.release.register import Register, is_register

    kept = Register(folder)
    if action not in ("add", "list", "people") or (action == "add") != (release is not None):
        raise BadOption(
            "A register is added to, or listed.",
            found=f"{action}{'' if release is None else ' with a release'}",
            fix="write: amongst register FOLDER add RELEASE, or amongst register FOLDER list",
        )
    if release is not None:
        entry = kept.add(release, people=people, window=_window(window), **_persons(table, person, key))
        VOICE.result(entry.to_dict, lambda: _grid([entry.to_dict()]))
        return
    if not is_register(folder):
        raise BadInput("There is no such register.", found=f"{folder}", fix="add a release to make one")
    if action == "people":
        from itertools import combinations

        from amongst.cli.page import Grid
        from amongst.release.same_people import shared

        pairs = [shared(one, other).to_dict() for one, other in combinations(kept.entries(), 2)]
        rows = [[one["release"], one["other"], one["people"], one["by"]] for one in pairs]
        headings = ["release", "and", "are about", "by"]
        VOICE.result(lambda: {"register": str(folder), "pairs": pairs}, lambda: [Grid(headings, rows)])
        return
    entries = [entry.to_dict() for entry in kept.entries()]
    VOICE.result(lambda: {"register": str(folder), "entries": entries}, lambda: _grid(entries))


def _window(given: str | None) -> tuple[str, str] | None:
    import datetime

    from amongst.errors import BadOption

    if given is None:
        return None
    try:
        first, last = (datetime.date.fromisoformat(end.strip()).isoformat() for end in given.split(".."))
        if last < first:
            raise ValueError
    except ValueError:
        raise BadOption(
            "A window is two days, the earlier one first.", found=given, fix="write 2024-01-01..2024-01-31"
        ) from None
    return first, last


def _persons(table: Path | None, person: str | None, key: Path | None) -> dict[str, Any]:
    from amongst.errors import BadOption

    given = [one is not None for one in (table, person, key)]
    if not any(given):
        return {}
    if table is None or person is None or key is None:
        fix = "give --table, --person and --key together"
        raise BadOption("People are remembered by digests under a key.", found="not all of it", fix=fix)
    from amongst.pseudonyms import Pseudonyms, read_key
    from amongst.read import read

    rows = read(table).table
    if person not in rows.column_names:
        raise BadOption("A column is not in the table.", found=f"'{person}'", fix="use the names of its columns")
    return {"persons": rows.column(person), "under": Pseudonyms(read_key(key), "register")}


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
