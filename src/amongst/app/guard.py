"""Who may talk to the app: this machine's user, from the page that the app served, with the cookie it was given.

Three checks on every request and every web socket, before anything else looks at it:

- Host: a page elsewhere whose name resolves to this machine (DNS rebinding) sends its own name.
- Origin and Sec-Fetch-Site: a page elsewhere that posts here, or opens a web socket, says so.
- Cookie: other users of this machine can reach the port too. A code that works once, see ``door``, becomes a cookie
  that scripts cannot read and other sites cannot send. Behind a proxy that does the login, a secret that it shows
  stands in its place, see ``proxy``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from amongst.app.door import Door
from amongst.app.policy import policy
from amongst.app.proxy import ProxyDoor

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

FILES = ("/_nicegui", "/assets/", "/download/", "/upload/")
"""What is no page."""
LARGEST_FORM = 1024
"""Bytes that the form with the code may have."""
WELCOME = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>amongst</title>
<meta http-equiv="refresh" content="0;url=/"><p>Opening amongst.</p></html>"""
OPEN_TO_ALL = (b"cross-origin-resource-policy", b"cross-origin")
"""So that the page in the file can find out whether the browser knows the name of the host."""
REFUSED = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>amongst: not allowed</title>
<style>body{font:16px/1.5 sans-serif;max-width:34em;margin:4em auto;padding:0 1em}</style>
<h1>This page is not open to you</h1>
<p>amongst shows tables about people, so it opens only to whoever started it. The address in the terminal works once;
the file named below it opens the app again, in this browser or another one.</p></html>"""


class Guard:
    """The app behind its checks, with headers that keep the browser from fetching anything elsewhere."""

    def __init__(self, app: Application, door: Door | ProxyDoor) -> None:
        self.app = app
        self._door = door
        self._headers = [
            (b"content-security-policy", policy(door.sockets)),
            (b"referrer-policy", b"no-referrer"),
            (b"x-content-type-options", b"nosniff"),
            (b"x-frame-options", b"DENY"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        if scope["type"] == "http" and scope["path"] == "/alive":  # says that there is an app, and nothing else
            await _respond(send, 200, b"alive", [(b"cache-control", b"no-store")])
        elif headers.get("host", "") not in self._door.hosts:
            await _refuse(scope, receive, send)
        elif (code := await _code(scope, headers, receive)) is not None:
            await self._let_in(scope, headers, code, receive, send)
        elif scope["type"] == "http" and scope["path"] == "/welcome":
            await _respond(send, 200, WELCOME, [OPEN_TO_ALL, (b"cache-control", b"no-store")])
        elif self._is_let_in(headers):
            await self._serve(scope, receive, send)
        else:
            await _refuse(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(FILES):
            # A page comes as it is written, so that its policy can name the scripts in it.
            plain = [one for one in scope["headers"] if one[0].lower() != b"accept-encoding"]
            scope, send = {**scope, "headers": plain}, self._with_policy(send)
        await self.app(scope, receive, self._with_headers(scope, send))

    def _with_policy(self, send: Send) -> Send:
        """Hold a page back until all of it is there, and name its own scripts in its policy."""
        start: MutableMapping[str, Any] = {}
        page = b""

        async def sending(message: MutableMapping[str, Any]) -> None:
            nonlocal page
            if message["type"] == "http.response.start" and _is_page(message):
                start.update(message)
            elif start and message["type"] == "http.response.body":
                page += message.get("body", b"")
                if message.get("more_body"):
                    return
                others = [one for one in start["headers"] if one[0].lower() != b"content-security-policy"]
                own = (b"content-security-policy", policy(self._door.sockets, page))
                await send({**start, "headers": [*others, own]})
                await send({"type": "http.response.body", "body": page})
            else:
                await send(message)

        return sending

    def _is_let_in(self, headers: dict[str, str]) -> bool:
        """Whether the request is from a page of this app under the same name, or from the user, with the cookie."""
        if "origin" in headers and self._door.origins.get(headers["origin"]) != headers["host"]:
            return False
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return False
        return self._door.admits(headers)

    async def _let_in(self, scope: Scope, headers: dict[str, str], code: str, receive: Receive, send: Send) -> None:
        """Hand out the cookie, and go where the code is not in the address: a redirect is not in the history.

        The page there leads on by itself, as a browser that came from elsewhere would not show the cookie at once.
        """
        given = self._door.enter(code, headers["host"]) if _opens(headers) else None
        if given is None:
            await (self._serve if self._is_let_in(headers) else _refuse)(scope, receive, send)
            return
        more = [(b"location", b"/welcome"), (b"set-cookie", given.encode()), (b"cache-control", b"no-store")]
        await _respond(send, 303, b"", [*self._headers, *more])

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        kept = scope["path"].startswith("/_nicegui/")  # assets of the wheel may stay in the browser's cache

        async def sending(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                ours = self._headers if kept else [*self._headers, (b"cache-control", b"no-store")]
                names = {name for name, _ in ours}
                message["headers"] = [pair for pair in message.get("headers", []) if pair[0].lower() not in names]
                message["headers"] += ours
            await send(message)

        return sending


def _is_page(message: MutableMapping[str, Any]) -> bool:
    told = {name.lower(): value for name, value in message.get("headers", [])}
    return told.get(b"content-type", b"").startswith(b"text/html") and b"content-encoding" not in told


async def _code(scope: Scope, headers: dict[str, str], receive: Receive) -> str | None:
    """The code that a request brings: in the address that was printed, or in the form of the page in the file."""
    if scope["type"] != "http":
        return None
    if scope["method"] == "GET" and scope["path"] == "/":
        told = scope.get("query_string", b"")
        return parse_qs(told.decode("latin-1")).get("code", [None])[0]
    if scope["method"] != "POST" or scope["path"] != "/enter":
        return None
    form = b""
    while len(form) <= LARGEST_FORM:
        message = await receive()
        form += message.get("body", b"")
        if not message.get("more_body"):
            break
    return parse_qs(form[:LARGEST_FORM].decode("latin-1")).get("code", [""])[0]


def _opens(headers: dict[str, str]) -> bool:
    """Whether a window is opened: by the user, by a link, or by a form; not fetched by a script or shown in a frame."""
    if headers.get("sec-fetch-site", "none") in ("same-origin", "none"):
        return True
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4403})  # before it was accepted: the browser sees a 403
        return
    await _respond(send, 403, REFUSED, [(b"cache-control", b"no-store"), (b"referrer-policy", b"no-referrer")])


async def _respond(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    kind = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*kind, *headers]})
    await send({"type": "http.response.body", "body": body})
