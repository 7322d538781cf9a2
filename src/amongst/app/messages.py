"""Messages between the page's process and the worker: JSON with its length before it."""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

HEAD = struct.Struct("<Q")


def packed(message: Any) -> bytes:
    """A message as bytes.

    Examples
    --------
    >>> from amongst.app.messages import packed
    >>> packed({"do": "open"})[8:]
    b'{"do": "open"}'
    """
    content = json.dumps(message, ensure_ascii=False, default=_plain).encode("utf-8", "surrogatepass")
    return HEAD.pack(len(content)) + content


def unpacked(content: bytes) -> Any:
    """The message of bytes without their length."""
    return json.loads(content.decode("utf-8", "surrogatepass"))


def receive(pipe: BinaryIO) -> Any:
    """Read one message; None when the other side is gone."""
    head = pipe.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    (size,) = HEAD.unpack(head)
    content = pipe.read(size)
    return unpacked(content) if len(content) == size else None


def _plain(content: Any) -> Any:
    """Numbers of numpy as numbers, whatever else as text."""
    return content.item() if hasattr(content, "item") else str(content)
