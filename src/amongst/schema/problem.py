"""Problems are collected and raised once, so that a user can put all of them right in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from amongst.errors import AmongstError


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: what was found, and what to do about it. Never a cell value."""

    text: str
    fix: str = ""
    facts: dict[str, Any] = field(default_factory=dict)

    def line(self) -> str:
        return f"{self.text} ({self.fix})" if self.fix else self.text

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text, "fix": self.fix, **self.facts}

    def about(self, column: str) -> Problem:
        """The same problem, said of a column."""
        return Problem(f"'{column}': {self.text}", self.fix, {"column": column, **self.facts})


def raise_all(error: type[AmongstError], what: str, problems: Sequence[Problem]) -> None:
    """Raise ``error`` with all the problems, or return when there are none."""
    if not problems:
        return
    found = [problem.text for problem in problems]
    fixes = list(dict.fromkeys(problem.fix for problem in problems if problem.fix))
    if len(fixes) > 1:
        found = [problem.line() for problem in problems]
        fixes = [f"put the {len(problems)} points above right"]
    facts = [problem.to_dict() for problem in problems]
    raise error(what, found=found, fix="".join(fixes), problems=facts)


def problems_of(error: AmongstError) -> list[Problem]:
    """The problems an error was raised with, so that they can join others."""
    kept = error.facts.get("problems")
    if not kept:
        return [Problem(found, error.fix) for found in error.found or [error.what]]
    return [
        Problem(one["text"], one["fix"], {key: one[key] for key in one if key not in ("text", "fix")}) for one in kept
    ]


def count(number: int, noun: str, plural: str = "") -> str:
    """``count(1, "value")`` is "1 value", ``count(3, "value")`` is "3 values"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def are(number: int, noun: str, plural: str = "") -> str:
    """``are(1, "value")`` is "1 value is", ``are(3, "value")`` is "3 values are"."""
    return f"{count(number, noun, plural)} {'is' if number == 1 else 'are'}"


def values_are(number: int, what: str, what_of_one: str = "") -> str:
    """``values_are(3, "not covered")`` is "3 values of the column are not covered"."""
    subject = are(number, "value of the column", "values of the column")
    return f"{subject} {what_of_one if number == 1 and what_of_one else what}"


def listed(names: Sequence[object], most: int = 10) -> str:
    """Names or numbers with commas, cut short after ``most`` of them."""
    shown = ", ".join(str(name) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"
