"""Who may talk to the app: this machine's user, from the page that the app served, with the token it printed.

Three checks on every request and every web socket, before anything else looks at it:

- Host: a page elsewhere whose name resolves to this machine (DNS rebinding) sends its own name.
- Origin and Sec-Fetch-Site: a page elsewhere that posts here, or opens a web socket, says so.
- Token: other users of this machine can reach the port too. The address that the command prints has it; from then on
  a cookie that scripts cannot read and other sites cannot send has it.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

OPENING = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>amongst</title>
<meta http-equiv="refresh" content="0;url=/"><p>Opening amongst.</p></html>"""
REFUSED = b"""<!doctype html><html lang="en"><meta charset="utf-8"><title>amongst: not allowed</title>
<style>body{font:16px/1.5 sans-serif;max-width:34em;margin:4em auto;padding:0 1em}</style>
<h1>This page is not open to you</h1>
<p>amongst shows tables about people, so it answers only to the address that it printed when it was started,
with the token at its end. Copy that whole address from the terminal into this browser.</p></html>"""


class Guard:
    """The app behind its checks, with headers that keep the browser from fetching anything elsewhere."""

    def __init__(self, app: Application, token: str, port: int) -> None:
        self.app = app
        self._token = token
        self._cookie = f"amongst-{port}"
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._origins = {f"http://{host}" for host in self._hosts}
        sockets = " ".join(f"ws://{host}" for host in sorted(self._hosts))
        self._headers = [
            (
                b"content-security-policy",
                (
                    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; "
                    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
                    f"connect-src 'self' {sockets}; object-src 'none'; base-uri 'none'; form-action 'self'; "
                    "frame-ancestors 'none'"
                ).encode(),
            ),
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
        in_address = self._is_token(_in_query(scope))
        if not (self._is_here(headers, scope, in_address) and (in_address or self._is_token(self._in_cookie(headers)))):
            await _refuse(scope, receive, send)
        elif scope["type"] == "http" and in_address and scope["path"] == "/":
            await self._let_in(send)
        else:
            await self.app(scope, receive, self._with_headers(scope, send))

    def _is_here(self, headers: dict[str, str], scope: Scope, in_address: bool) -> bool:
        """Whether the request is for this machine, and from a page of this app or from the user."""
        if headers.get("host", "") not in self._hosts:
            return False
        if "origin" in headers and headers["origin"] not in self._origins:
            return False
        if headers.get("sec-fetch-site", "none") in ("same-origin", "none"):
            return True
        # A link to the whole address may stand on another page, such as a terminal in the browser.
        opens = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
        return in_address and opens and scope.get("method") == "GET"

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self._token.encode())

    def _in_cookie(self, headers: dict[str, str]) -> str:
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self._cookie)
        except CookieError:
            return ""
        return "" if found is None else found.value

    async def _let_in(self, send: Send) -> None:
        """Hand out the cookie, and take the token out of the address and the history."""
        cookie = f"{self._cookie}={self._token}; Path=/; HttpOnly; SameSite=Strict"
        headers = [*self._headers, (b"set-cookie", cookie.encode()), (b"cache-control", b"no-store")]
        await _respond(send, 200, OPENING, headers)

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


def _in_query(scope: Scope) -> str:
    return parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]


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
