"""A digest that tells whether two hierarchies are the same without showing their values."""

from __future__ import annotations

import json
from typing import Any


def digest_of(content: Any) -> str:
    """The SHA-256 of bytes, a text or plain data, the same on every machine."""
    import hashlib  # only where a digest is asked for: importing it takes as long as a small tree

    if not isinstance(content, (bytes, str)):
        content = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogatepass")
    return hashlib.sha256(content).hexdigest()
