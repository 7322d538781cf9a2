"""``amongst pseudonymise``: pseudonyms with a key, dates moved person by person, ages in place of dates."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

ANSWER = {
    "file": "string: the table that was written",
    "rows": "integer: its rows",
    "pseudonyms": "string: the column that has them",
    "moved": "[string]: columns whose dates were moved",
    "status": "string: what the table is now",
    "not_protected": "[string]: what this does not protect against",
}


def pseudonymise(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="The table.")],
    person: Annotated[str, typer.Option("--person", metavar="COLUMN", help="What tells people apart.")],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The file of the key; keep it elsewhere.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The .csv or .parquet file to write.")],
    new_key: Annotated[bool, typer.Option("--new-key", help="Draw a key and write it to the file first.")] = False,
    scope: Annotated[str, typer.Option("--scope", help="Pseudonyms of another scope are others.")] = "",
    move: Annotated[
        list[str] | None, typer.Option("--move", metavar="A,B", help="Dates, moved by days of each person's own.")
    ] = None,
    most_days: Annotated[int, typer.Option("--most-days", min=1, help="Dates move by at most so many days.")] = 182,
    age_at: Annotated[
        list[str] | None,
        typer.Option("--age-at", metavar="NEW=BORN:EVENT", help="A new column: the age at an event."),
    ] = None,
    drop: Annotated[list[str] | None, typer.Option("--drop", metavar="A,B", help="Columns to leave out.")] = None,
    force: o.Replace = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Replace what tells people apart by pseudonyms. The result is pseudonymised: not yet fit to be published."""
    from amongst.cli.page import Facts
    from amongst.errors import BadOption
    from amongst.new_file import refuse_existing, refuse_unknown_kind, write_table
    from amongst.pseudonyms import NOT_PROTECTED, Pseudonyms, make_key, read_key
    from amongst.pseudonyms.key import refuse_key_in
    from amongst.read import read

    refuse_unknown_kind(out)
    refuse_existing(out, force)
    refuse_key_in(out.absolute().parent, key)
    ages = {}
    for one in age_at or ():
        name, _, pair = one.partition("=")
        born, _, event = pair.partition(":")
        if not (name and born and event):
            raise BadOption("An age is told as NEW=BORN:EVENT.", found=one, fix="write age=born:visit")
        ages[name] = (born, event)
    source = read(data)
    made = Pseudonyms(make_key(key) if new_key else read_key(key), scope)
    table = made.table(source.table, person, move=_names(move), most_days=most_days, ages=ages, drop=_names(drop))
    write_table(
        source.as_read(table, [name for name in table.column_names if name not in {person, *_names(move)}]), out
    )
    facts = {
        "file": str(out),
        "rows": table.num_rows,
        "pseudonyms": person,
        "moved": _names(move),
        "status": "pseudonymised, not anonymous: to be given only to whom personal data may be given",
        "not_protected": list(NOT_PROTECTED),
    }
    shown = [("written", str(out)), ("status", str(facts["status"])), *(("not", one) for one in NOT_PROTECTED)]
    VOICE.result(lambda: facts, lambda: [Facts(shown)])


def _names(given: list[str] | None) -> list[str]:
    return [name.strip() for one in given or () for name in one.split(",") if name.strip()]
