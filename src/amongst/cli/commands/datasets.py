"""``amongst datasets``: tables to try things on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

ANSWER = (
    {
        "datasets": "[object]: name, title, rows, columns, source and licence of all",
    },
    {
        "name": "string: the data set",
        "title": "string: what it is",
        "rows": "integer: its rows",
        "columns": "[string]: their names",
        "source": "string: where it is from",
        "licence": "string: under which it may be used",
        "written?": "string: the file that was written",
    },
)


def datasets(
    name: Annotated[str | None, typer.Argument(help="A data set, to be written with --write.")] = None,
    write: Annotated[Path | None, typer.Option("--write", help="The .csv or .parquet file to write it to.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="A=B", help="An option of the data set: n_rows=1000."),
    ] = None,
    force: o.Replace = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """List the data sets, or write one to a file."""
    from amongst.cli.page import Facts

    if name is None:
        _list()
        return
    facts = _write(name, write, option, force)
    VOICE.result(lambda: facts, lambda: [Facts([(key, _words(value)) for key, value in facts.items()])])


def _list() -> None:
    from amongst.cli.page import Grid
    from amongst.datasets import describe

    known = describe()
    headings = ["name", "rows", "what it is", "options"]
    rows = [[(one["name"], "name"), f"{one['rows']:,}", one["title"], _options(one["options"])] for one in known]
    VOICE.result(lambda: {"datasets": known}, lambda: [Grid(headings, rows, right=["rows"])])


def _words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def _options(options: dict[str, object]) -> str:
    return ", ".join(name if default is None else f"{name}={default}" for name, default in options.items())


def _write(name: str, path: Path | None, option: list[str] | None, force: bool) -> dict[str, object]:
    from amongst.cli.columns import options_in
    from amongst.datasets import load
    from amongst.new_file import refuse_existing, refuse_unknown_kind, write_table

    if path is not None:
        refuse_unknown_kind(path)
        refuse_existing(path, force)
    data = load(name, **options_in(option))
    if path is not None:
        write_table(data.table, path)
        VOICE.written = path
    return {
        "name": data.name,
        "title": data.about.title,
        "rows": data.table.num_rows,
        "columns": data.table.column_names,
        "source": data.about.source,
        "licence": data.about.licence,
        **({"written": str(path)} if path is not None else {}),
    }
