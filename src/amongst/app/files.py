"""Files in and out over HTTP: uploads are streamed into the session's folder, releases out of it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from amongst.app.language import say
from amongst.app.loading import TABLE
from amongst.app.project import ENDING
from amongst.app.session import Session

KINDS = ("table", "hierarchy", "population")


def add_routes(app: Any, session: Session) -> None:
    """Where the page sends files to and fetches them from."""

    async def upload(request: Request) -> Response:
        kind, name = request.path_params["kind"], file_name(request.query_params.get("name", ""))
        if kind not in KINDS or session.running is not None:
            return PlainTextResponse(say("Something else is going on; wait for it, or cancel it."), 409)
        path = await _save(request, session, name, own_folder=kind == "table")
        if path is None:
            return PlainTextResponse(
                say(f"The file is larger than {size_words(session.upload_limit)}, the limit."), 413
            )
        if kind == "table":
            session.start(session.open_upload(path))
        else:
            session.take_file(kind, path, request.query_params.get("column", ""))
        return PlainTextResponse("ok")

    async def download(request: Request) -> Response:
        name = request.path_params["name"]
        evidence = {f"evidence-{of}.zip": path for of, path in session.evidence_packed.items()}
        files = {"release.zip": session.packed, "inside.zip": session.packed_inside, **evidence}
        packed = (files | {f"project{ENDING}": session.saved}).get(name)
        if packed is None or not packed.exists():
            return PlainTextResponse(say("There is nothing to download."), 404)
        return FileResponse(packed, filename=name, media_type="application/zip")

    app.add_route("/upload/{kind}", upload, methods=["PUT"])
    app.add_route("/download/{name}", download, methods=["GET"])


async def _save(request: Request, session: Session, name: str, *, own_folder: bool) -> Path | None:
    """The body of a request as a file of the session; None, and nothing left, where it is too large.

    A file that was uploaded before under this name gives way, as the user has one of that name as well; but for
    tables, as the one that is open stays until another one is read.
    """
    limit = session.upload_limit
    if int(request.headers.get("content-length") or 0) > limit:
        return None
    size, part = 0, session.folder / f"part-{secrets.token_hex(8)}"
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as out:
            async for piece in request.stream():
                size += len(piece)
                if size > limit:
                    return None
                out.write(piece)
        path = session.uploads / name
        if own_folder:
            path = session.uploads / f"{TABLE}{secrets.token_hex(4)}" / name
            path.parent.mkdir(mode=0o700)
        elif path.is_dir():
            path = session.uploads / f"other-{name}"
        os.replace(part, path)
        return path
    finally:
        part.unlink(missing_ok=True)


def file_name(told: str) -> str:
    """The name that a browser told, as a name inside one folder and nothing else.

    Examples
    --------
    >>> from amongst.app.files import file_name
    >>> file_name("people 2024.csv"), file_name("../../etc/passwd"), file_name("...")
    ('people 2024.csv', 'passwd', 'table')
    """
    last = told.replace("\\", "/").rsplit("/", 1)[-1]
    kept = "".join(letter if letter.isalnum() or letter in " ._-()" else "_" for letter in last).strip(" .")
    stem, dot, ending = kept.rpartition(".")
    return f"{(stem or kept)[:100]}{dot}{ending[:12]}" if kept and dot else kept[:100] or "table"


def size_words(size: float) -> str:
    """A number of bytes as one reads it.

    Examples
    --------
    >>> from amongst.app.files import size_words
    >>> size_words(900), size_words(2 * 2**30), size_words(3_500_000)
    ('900 bytes', '2 GB', '3.3 MB')
    """
    if size < 1024:
        return f"{size:,.0f} bytes"
    power, unit = (1, "KB") if size < 2**20 else (2, "MB") if size < 2**30 else (3, "GB")
    return f"{size / 1024**power:.1f}".removesuffix(".0") + f" {unit}"
