"""The app started: a socket on this machine alone, a code, a private folder, the page, and the end of all of it."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from amongst.app.door import LOOPBACK, Door
from amongst.app.proxy import ProxyDoor
from amongst.errors import BadOption

UPLOAD_LIMIT = 2 * 2**30
PATIENCE = 120.0
"""Seconds that a page may be out of touch, on a busy machine or one that sleeps, before it has to begin anew."""


def start(
    data: str | None = None,
    *,
    port: int = 0,
    upload_limit: int = UPLOAD_LIMIT,
    tell: Callable[[Door], None] = lambda door: print(door.addresses[0]),
    open_page: bool = True,
    behind: str | None = None,
    listen: str = LOOPBACK,
) -> None:
    """Serve the app until it is closed from the page or by Ctrl-C.

    Parameters
    ----------
    data : str, optional
        A table, a job file, or a database to begin with.
    port : int
        0 for any free one.
    upload_limit : int
        Bytes that one uploaded file may have.
    tell : callable
        Told how to get in: the addresses, and the page that opens the app.
    open_page : bool
        Whether to open the page in the browser.
    behind : str, optional
        The address of a proxy that does the login, see ``proxy``; nothing is told or opened then.
    listen : str
        Where to listen; beyond this machine only behind a proxy.
    """
    refuse_missing(data)
    if behind is None and listen != LOOPBACK:
        fix = "leave --listen out, or name the address of the proxy with --behind"
        raise BadOption("Without a proxy only this machine may reach the app.", found="another address", fix=fix)
    proxy = None if behind is None else ProxyDoor(behind)
    from amongst.staging import own_folder, remove_leftovers

    place = Path(tempfile.gettempdir())
    remove_leftovers(place)
    with own_folder(place) as folder, _listen(listen, port) as listening:
        os.environ["NICEGUI_STORAGE_PATH"] = str(folder / "page")  # the page's toolkit must not write anywhere else
        if proxy is not None:
            _serve(folder, listening, proxy, data, upload_limit, lambda: None)
            return
        door = Door(listening.getsockname()[1], folder / "open.html")
        _serve(folder, listening, door, data, upload_limit, lambda: _tell(door, tell, open_page))


def refuse_missing(data: str | None) -> None:
    """Raise before anything is started for a file that is not there."""
    if data is not None and "://" not in data and not Path(data).exists():
        raise BadOption("There is nothing to open.", found=f"no file {data}", fix="check the path")


def _tell(door: Door, tell: Callable[[Door], None], open_page: bool) -> None:
    tell(door)
    if open_page:
        import webbrowser

        # A browser may keep whoever starts it waiting. It is told a file: what stands in its arguments can be listed.
        threading.Thread(target=webbrowser.open, args=(door.page.as_uri(),), daemon=True).start()


def _listen(address: str, port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((address, port))
        listening.listen(128)  # who comes before the page is ready waits
    except OSError as error:
        listening.close()
        found = f"port {port}: {error.strerror}"
        raise BadOption("The app cannot be reached at this port.", found=found, fix="leave --port out") from None
    return listening


def _serve(
    folder: Path,
    listening: socket.socket,
    door: Door | ProxyDoor,
    data: str | None,
    upload_limit: int,
    ready: Callable[[], None],
) -> None:
    try:
        import uvicorn
        from fastapi import FastAPI
        from nicegui import ui
    except ImportError:
        raise BadOption(
            "The app needs packages that are not installed.", found="no nicegui", fix='pip install "amongst[app]"'
        ) from None
    from amongst.app.files import add_routes
    from amongst.app.guard import Guard
    from amongst.app.session import Session
    from amongst.app.shell import add_pages

    session = Session(folder, upload_limit)
    site = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    add_routes(site, session)
    add_pages(session)
    ui.run_with(
        site,
        title="amongst",
        dark=None,
        favicon=_ICON,
        tailwind=False,
        show_welcome_message=False,
        language="en-US",
        reconnect_timeout=PATIENCE,
    )
    guarded = Guard(site, door)
    settings = uvicorn.Config(guarded, log_level="error", access_log=False, timeout_graceful_shutdown=1, ws="auto")
    server = uvicorn.Server(settings)
    session.stop = lambda: setattr(server, "should_exit", True)

    async def begin() -> None:
        ready()
        if data is not None:
            session.start(session.open_named(data))

    from nicegui import app

    app.on_startup(begin)
    try:
        server.run(sockets=[listening])
    finally:
        session.close()


_ICON = (
    "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' fill='#fff'/>"
    "<rect width='19' height='19' fill='#1d4e9e'/><rect x='22' y='22' width='10' height='10' fill='#c8321f'/>"
    "<rect x='22' width='10' height='8' fill='#f2c230'/>"
    "<path d='M20.5 0v32M0 20.5h32M20.5 9.5H32' stroke='#111' stroke-width='3'/></svg>"
)
