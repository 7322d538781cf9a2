"""How the user's browser is let in: a code that works once becomes a cookie, and no secret is ever in an argument.

The code lies in a page that only the user can read, which posts it: so it is neither in the arguments of the browser,
which every user of the machine can list, nor in its history. Once it is used there is another one. What the browser
gets for it is a cookie of a host of the app's own, ``<random>.localhost``: the browser shows it to no other server
of this machine, as it would do with a cookie of 127.0.0.1.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

LOOPBACK = "127.0.0.1"


class Door:
    """The code of the moment, the cookies that were given for earlier ones, and the page that opens it.

    Parameters
    ----------
    port : int
    page : Path
        A file in a folder of the user's own.
    """

    def __init__(self, port: int, page: Path) -> None:
        self.page = page
        name = secrets.token_hex(8)
        self.cookie = f"amongst-{name}"
        """The name of the cookie; as random as the host, so that no other server can guess and set it."""
        self.host, self.plain_host = f"{name}.localhost:{port}", f"{LOOPBACK}:{port}"
        self._given: list[tuple[str, str]] = []
        self._new_code()

    @property
    def hosts(self) -> tuple[str, str]:
        """Under which names the app answers; the second for browsers that do not find the first."""
        return self.host, self.plain_host

    @property
    def addresses(self) -> tuple[str, str]:
        """What to type, until somebody did."""
        first, second = (f"http://{host}/?code={self._code}" for host in self.hosts)
        return first, second

    @property
    def origins(self) -> dict[str, str]:
        """Where a page of the app comes from, and the name it was asked under."""
        return {f"http://{host}": host for host in self.hosts}

    @property
    def sockets(self) -> tuple[str, ...]:
        """Where a page of the app may open web sockets."""
        return tuple(f"ws://{host}" for host in self.hosts)

    def enter(self, code: str, host: str) -> str | None:
        """What sets a cookie, for the code of the moment, which is no longer one; None for any other text."""
        if not hmac.compare_digest(code.encode(), self._code.encode()):
            return None
        self._new_code()
        cookie = secrets.token_urlsafe(32)
        self._given.append((cookie, host))
        return f"{self.cookie}={cookie}; Path=/; HttpOnly; SameSite=Strict"

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Whether the request brings a cookie that was given, and to this host."""
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        if found is None:
            return False
        cookie, host = found.value.encode(), headers["host"]
        own = [hmac.compare_digest(cookie, one.encode()) and host == its for one, its in self._given]
        return any(own)

    def _new_code(self) -> None:
        self._code = secrets.token_urlsafe(24)
        part = self.page.with_suffix(".part")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(PAGE.format(code=self._code, first=self.host, second=self.plain_host))
        os.replace(part, self.page)


PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>amongst</title><meta name="referrer" content="no-referrer">
<style>body{{font:16px/1.5 sans-serif;max-width:34em;margin:4em auto;padding:0 1em}}button{{font:inherit}}</style>
<form method="post" action="http://{second}/enter"><input type="hidden" name="code" value="{code}">
<p>Opening amongst. <button>Open it by hand</button></p></form>
<script>
const form = document.forms[0], there = "http://{first}";
// A browser that does not find the name goes to the number.
fetch(there + "/welcome", {{mode: "no-cors", cache: "no-store"}})
  .then(() => {{ form.action = there + "/enter"; }}, () => {{}}).finally(() => form.submit());
</script></html>
"""
