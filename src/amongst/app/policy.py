"""What the browser may run and fetch: nothing from elsewhere, and of inline scripts only those of the page's frame.

The digests of the toolkit's own scripts are told with every page. An attribute such as ``onerror``, a link to
``javascript:`` and any other script in the page are not run, wherever they came from. What cannot be forbidden yet is
``eval``: the toolkit makes functions of texts when it draws, and would have to bring them compiled.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Sequence

LAST = b"createApp("
"""In the script that holds what is on the page: what broke out of it would come after it."""
_INLINE = re.compile(rb"<script(?P<told>[^>]*)>(?P<body>.*?)</script>", re.DOTALL | re.IGNORECASE)


def policy(sockets: Sequence[str], html: bytes = b"") -> bytes:
    """The content security policy for a page, or for anything else.

    Examples
    --------
    >>> from amongst.app.policy import policy
    >>> b"'unsafe-inline'" in policy([], b"<script>createApp()</script>").split(b"style-src")[0]
    False
    """
    scripts = " ".join(["'self'", "'unsafe-eval'", *inline_scripts(html)])
    return (
        f"default-src 'self'; script-src {scripts}; script-src-attr 'none'; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        f"connect-src 'self' {' '.join(sockets)}; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-src 'none'; worker-src 'none'; frame-ancestors 'none'"
    ).encode()


def inline_scripts(html: bytes) -> list[str]:
    """The digests of the scripts of the frame; one that somebody got into the page comes after them.

    Examples
    --------
    >>> from amongst.app.policy import inline_scripts
    >>> len(inline_scripts(b"<script src='a.js'></script><script>createApp()</script><script>other()</script>"))
    1
    """
    inline = [one["body"] for one in _INLINE.finditer(html) if b"src=" not in one["told"]]
    last = next((place for place, one in enumerate(inline, start=1) if LAST in one), 0)
    return [f"'sha256-{base64.b64encode(hashlib.sha256(one).digest()).decode()}'" for one in inline[:last]]
