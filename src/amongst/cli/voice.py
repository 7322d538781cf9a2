"""How the command speaks: results on stdout, errors on stderr; as text, as JSON, or hardly at all."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from amongst.cli.log import LOG

if TYPE_CHECKING:
    from pathlib import Path

    from amongst.cli.page import Shown
    from amongst.errors import AmongstError


class Voice:
    """What the user asked of the output.

    Attributes
    ----------
    json : bool
        One JSON object on stdout and nothing else.
    quiet : bool
        Nothing but errors.
    written : Path or None
        What was written, once it is complete.
    """

    def __init__(self) -> None:
        self.json = False
        self.quiet = False
        self.written: Path | None = None

    def has_written(self, place: Path) -> None:
        """Hear that something is complete."""
        self.written = place

    def outcome(self) -> str:
        """What a run that did not come to its end has left behind."""
        return f"{self.written} was written and is complete." if self.written else "Nothing was written."

    def listen(self, arguments: Sequence[str]) -> None:
        """Find out how to speak before anything is parsed: wrong usage must be told in the right way too."""
        options = arguments[: arguments.index("--")] if "--" in arguments else arguments
        self.json = "--json" in options
        self.quiet = "--quiet" in options or "-q" in options

    @property
    def shows_progress(self) -> bool:
        return not self.json and not self.quiet and not LOG.asked and sys.stderr.isatty()

    def result(self, facts: Callable[[], dict[str, Any]], words: Callable[[], Iterable[Shown]]) -> None:
        """Tell the outcome: the facts to a machine, the words to people. What nobody reads is not made."""
        if self.json:
            _dump(facts())
        elif not self.quiet:
            _show(words(), sys.stdout)

    def error(self, error: AmongstError) -> None:
        """Tell what cannot be done, what was found and how to fix it."""
        LOG.line("error", **error.to_dict())
        if self.json:
            _dump(error.to_dict())
        if self.json or LOG.asked:
            return
        from amongst.cli.page import Facts, Line

        found = [("found:" if i == 0 else "", text) for i, text in enumerate(error.found)]
        fix = [("fix:", error.fix)] if error.fix else []
        hints = [("hint:" if i == 0 else "", text) for i, text in enumerate(error.facts.get("hint", []))]
        stopped = error.code == "stopped"  # what the user asked for is no error
        page: list[Shown] = [Line(error.what) if stopped else Line(f"Error: {error.what}", "bad")]
        if found or fix:
            page.append(Facts([*found, *fix, *hints], indent=2))
        _show(page, sys.stderr)

    def usage_error(self, message: str) -> None:
        """Tell a machine what is wrong with the command itself; people are told by typer."""
        told = {"error": "usage", "what": message, "found": [], "fix": "see amongst --help"}
        LOG.line("error", **told)
        if self.json:
            _dump(told)

    def note(self, text: str) -> None:
        """A remark beside the result."""
        LOG.line("note", what=text)
        if not LOG.asked and not self.json and not self.quiet:
            from amongst.cli.page import Line

            _show([Line(text, "faint")], sys.stderr)


def _dump(facts: dict[str, Any]) -> None:
    print(json.dumps(facts, indent=2, default=str))


def _show(page: Iterable[Shown], stream: Any) -> None:
    from amongst.cli.page import show

    stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter is no reason to stop
    show(page, stream)


VOICE = Voice()
"""The voice of this process."""
