"""TOML out: Python reads it, but does not write it."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from amongst.schema.value_text import text_of

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
SHORT_ESCAPES = {"\b": r"\b", "\t": r"\t", "\n": r"\n", "\f": r"\f", "\r": r"\r", '"': r"\"", "\\": r"\\"}
NEEDS_ESCAPE = re.compile(r'[\x00-\x1f\x7f"\\]')


def quoted(text: str) -> str:
    """The text as a TOML string on one line.

    Examples
    --------
    >>> from amongst.schema.toml import quoted
    >>> print(quoted('a "b"'))
    "a \\"b\\""
    """
    return '"' + NEEDS_ESCAPE.sub(lambda match: _escape(match[0]), text) + '"'


def _escape(letter: str) -> str:
    return SHORT_ESCAPES.get(letter) or f"\\u{ord(letter):04X}"


def key(name: str) -> str:
    """The name as a key: bare where TOML allows it."""
    return name if BARE_KEY.fullmatch(name) else quoted(name)


def header(*names: str) -> str:
    """The line that opens a table: ``[columns."zip code"]``."""
    return "[" + ".".join(map(key, names)) + "]"


def pair(name: str, content: Any) -> str:
    """A line ``key = value``."""
    return f"{key(name)} = {value(content)}"


def value(content: Any) -> str:
    """Plain data as a TOML value on one line."""
    if isinstance(content, bool):
        return "true" if content else "false"
    if isinstance(content, float):
        return repr(float(content)) if math.isfinite(content) else str(float(content))
    if isinstance(content, int):
        return str(content)
    if isinstance(content, (dt.date, dt.time)):
        return content.isoformat()
    if isinstance(content, Mapping):
        return "{ " + ", ".join(pair(str(name), below) for name, below in content.items()) + " }" if content else "{}"
    if isinstance(content, (list, tuple)):
        return "[" + ", ".join(map(value, content)) + "]"
    return quoted(content.as_posix() if isinstance(content, PurePath) else text_of(content))


def comment(text: str) -> str:
    """A comment on one line, whatever the text holds."""
    words = re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]", " ", text)
    return f"# {words}".rstrip()
