"""``amongst app``: the same in a local web page."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.app.door import Door


def app(
    data: Annotated[
        str | None,
        typer.Argument(metavar="[FILE|JOB.toml]", help="A table, a job file or a database to begin with."),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 for any free one.")] = 0,
    open: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    upload_limit: Annotated[
        float, typer.Option("--upload-limit", metavar="GB", min=0.001, help="The largest file that may be uploaded.")
    ] = 2.0,
    behind: Annotated[
        str | None,
        typer.Option("--behind", metavar="URL", help="The address of a proxy that does the login (docs/container.md)."),
    ] = None,
    listen: Annotated[
        str, typer.Option("--listen", metavar="ADDRESS", help="Where to listen; another machine only with --behind.")
    ] = "127.0.0.1",
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Open a page on this machine to load, choose, see, compare and publish.

    Only this machine can reach it, and only who started it. Nothing is kept after it ends unless you save it.
    """
    from amongst.app.start import start
    from amongst.cli.ending import Ended

    with contextlib.suppress(Ended):  # Ctrl-C is how one ends it
        start(
            data,
            port=port,
            upload_limit=round(upload_limit * 2**30),
            tell=_tell,
            open_page=open,
            behind=behind,
            listen=listen,
        )
    VOICE.note("amongst is closed. Nothing is kept but what you saved.")


def _tell(door: Door) -> None:
    from amongst.cli.page import Facts

    address, by_number = door.addresses
    told = {"address": address, "by_number": by_number, "file": str(door.page)}
    lines = [
        ("open at", address),
        ("", "works once, on this machine; Ctrl-C ends the app"),
        ("or", by_number),
        ("", "where the browser does not find that name"),
        ("again", door.page.as_uri()),
        ("", "opens it in another browser; only you can read this file"),
    ]
    VOICE.result(lambda: told, lambda: [Facts(lines)])
    sys.stdout.flush()
