"""The app for one person of a team: a proxy does the login, and shows a secret that only it and the app know.

One app is one person's desk: it has one table and one set of settings. A team has an app for everyone, and a proxy
that knows who comes and leads to the right one (see docs/container.md).
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from amongst.errors import BadOption

SECRET = "AMONGST_PROXY_SECRET"
"""The environment variable with the secret: arguments of a process can be listed by others."""
HEADER = "x-amongst-proxy"
SHORTEST = 32


class ProxyDoor:
    """Lets in whatever the proxy sends on, under the name that the proxy answers to.

    Parameters
    ----------
    address : str
        What people type, such as ``https://anonymize.example.org``.
    """

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
            found = "an address with a path" if parts.netloc else "no address"
            fix = "give the address that people type, such as https://anonymize.example.org"
            raise BadOption("The app cannot answer under this address.", found=found, fix=fix)
        self._secret = os.environ.pop(SECRET, "").encode()  # no child process inherits it
        if len(self._secret) < SHORTEST:
            raise BadOption(
                "Behind a proxy the app needs a secret that the proxy shows with every request.",
                found=f"{SECRET} has {len(self._secret)} characters",
                fix=f"set {SECRET} to {SHORTEST} random characters or more, and let the proxy send them as {HEADER}",
            )
        self.address = f"{parts.scheme}://{parts.netloc}"
        self.hosts = (parts.netloc,)
        self.origins = {self.address: parts.netloc}
        self.sockets = (f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}",)

    def admits(self, headers: Mapping[str, str]) -> bool:
        """Whether the proxy sent it."""
        return hmac.compare_digest(headers.get(HEADER, "").encode("latin-1"), self._secret)

    def enter(self, code: str, host: str) -> None:
        """No code lets anybody in."""
