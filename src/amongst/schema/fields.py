"""Reading a table of a job file strictly: wrong types and unknown keys are noted, with a hint."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from amongst.errors import did_you_mean
from amongst.schema.problem import Problem

BARE = re.compile(r"[A-Za-z0-9_-]+")
"""A name that TOML takes without quotes."""


@dataclass(frozen=True)
class Shape:
    """What a field must look like, in words and as a test."""

    words: str
    fits: Callable[[Any], bool]


def _plain(content: Any, types: type | tuple[type, ...]) -> bool:
    return isinstance(content, types) and not isinstance(content, bool)


TEXT = Shape("a text", lambda content: isinstance(content, str))
YES_OR_NO = Shape("true or false", lambda content: isinstance(content, bool))
WHOLE = Shape("a whole number", lambda content: _plain(content, int))
NUMBER = Shape("a number", lambda content: _plain(content, (int, float)))
NUMBER_OR_TEXT = Shape("a number or a text", lambda content: TEXT.fits(content) or NUMBER.fits(content))
TABLE = Shape("a table", lambda content: isinstance(content, Mapping))
TEXTS = Shape("a list of texts", lambda content: isinstance(content, list) and all(map(TEXT.fits, content)))
VALUES = Shape(
    "a list of values",
    lambda content: isinstance(content, list) and not any(isinstance(one, (list, Mapping)) for one in content),
)
FORMS_OR_FOUND = Shape('a table, or "found"', lambda content: isinstance(content, Mapping) or content == "found")
TABLES = Shape("a list of tables", lambda content: isinstance(content, list) and all(map(TABLE.fits, content)))


def header(*names: str) -> str:
    """The line that opens a table: ``[columns."zip code"]``."""
    return (
        "[" + ".".join(name if BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False) for name in names) + "]"
    )


class Fields:
    """One table of a job file. ``take`` what it may have, then ``done`` notes what is left over."""

    def __init__(self, content: Any, where: str, problems: list[Problem]) -> None:
        self.where = where
        self.problems = problems
        self._known: list[str] = []
        self._content: Mapping[str, Any] = content if isinstance(content, Mapping) else {}
        if not isinstance(content, Mapping):
            self.note("is not a table", "write it as a table")

    def note(self, text: str, fix: str = "", key: str = "") -> None:
        """Note a problem with this table or one of its keys."""
        place = " ".join(filter(None, (self.where, key and f"'{key}'")))
        self.problems.append(Problem(f"{place} {text}".strip(), fix, {"where": self.where, "key": key}))

    def take(self, key: str, shape: Shape, default: Any = None, required: bool = False) -> Any:
        """The value of a key; the default where it is missing or has another shape."""
        self._known.append(key)
        if key not in self._content:
            if required:
                self.note("is missing", f"add it: {shape.words}", key)
            return default
        if not shape.fits(self._content[key]):
            self.note(f"is not {shape.words}", f"write {shape.words}", key)
            return default
        return self._content[key]

    def choose(self, key: str, choices: Sequence[str], default: str | None = None) -> str | None:
        """The value of a key that is one of some words."""
        chosen = self.take(key, TEXT, default)
        if chosen is None or chosen in choices:
            return chosen
        self.note(f"cannot be '{chosen}'", did_you_mean(chosen, choices) + "use one of: " + ", ".join(choices), key)
        return default

    def done(self) -> None:
        """Note the keys that nobody took."""
        for key in self._content:
            if key not in self._known:
                fix = did_you_mean(key, self._known) or "take it out; "
                self.note("is not known", fix + "known: " + ", ".join(self._known), key)
