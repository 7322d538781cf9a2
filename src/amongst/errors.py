"""Errors that say what is wrong, what was found and how to fix it.

They carry column names and counts, never cell values: a message may end in a log, and a log is not
where microdata belongs. The facts are attributes, so that the command, the web page and JSON can
render the same object.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any


class AmongstError(Exception):
    """Base of every error that amongst raises on purpose.

    Parameters
    ----------
    what : str
        One sentence: what cannot be done.
    found : str or list of str
        What was seen: column names, counts, types. Never a cell value.
    fix : str
        What the user can do about it.
    **facts
        Machine-readable details, kept in ``error.facts``.

    Examples
    --------
    >>> import amongst as am
    >>> error = am.errors.Infeasible("k is too large.", found="6 rows", fix="use k <= 6", largest_k=6)
    >>> error.code, error.facts["largest_k"]
    ('infeasible', 6)
    """

    code = "error"

    def __init__(self, what: str, *, found: str | Iterable[str] = "", fix: str = "", **facts: Any) -> None:
        self.what = what
        self.found = [found] if isinstance(found, str) and found else list(found)
        self.fix = fix
        self.facts = facts
        super().__init__(self._text())

    def _text(self) -> str:
        lines = [self.what]
        for i, line in enumerate(self.found):
            lines.append(f"  {'found:' if i == 0 else '      '} {line}")
        if self.fix:
            lines.append(f"  fix:   {self.fix}")
        return "\n".join(lines)

    def __str__(self) -> str:
        return self._text()

    def to_dict(self) -> dict[str, Any]:
        """The error as plain data, for ``--json``."""
        return {"error": self.code, "what": self.what, "found": self.found, "fix": self.fix, **self.facts}


class BadInput(AmongstError):
    """The data cannot be read or used as it is."""

    code = "bad-input"


class BadSchema(AmongstError):
    """The schema does not fit the data, or does not fit itself."""

    code = "bad-schema"


class BadHierarchy(BadSchema):
    """A hierarchy has problems; ``found`` lists all of them."""

    code = "bad-hierarchy"


class BadJob(AmongstError):
    """The job file cannot be understood."""

    code = "bad-job"


class BadOption(AmongstError):
    """An option or argument has a value it cannot have."""

    code = "bad-option"


class BadQuestion(BadOption):
    """A question that cannot be answered from a release."""

    code = "bad-question"


class Infeasible(AmongstError):
    """No grouping can reach what was asked; the best reachable value is in ``facts``."""

    code = "infeasible"


class BadOutput(AmongstError):
    """The release cannot be written where it should go."""

    code = "bad-output"


class Changed(AmongstError):
    """The table is no longer what it was when the run began."""

    code = "changed"


class NotVerified(AmongstError):
    """A release does not hold what was asked of it; it is not left on disk."""

    code = "not-verified"


def refuse_unknown_word(
    what: str, name: str, value: Any, known: Collection[str], *, error: type[AmongstError] = BadOption
) -> None:
    """Raise where an argument is none of the words that it can be.

    Examples
    --------
    >>> from amongst.errors import refuse_unknown_word
    >>> refuse_unknown_word("There is no such order.", "order", "near", ["random", "near"])
    """
    if value not in known:
        raise error(what, found=f"{name} = {value!r}", fix="use one of: " + ", ".join(known))


def did_you_mean(name: Any, known: Iterable[str]) -> str:
    """A word on the known name that comes closest, or nothing.

    Examples
    --------
    >>> from amongst.errors import did_you_mean
    >>> did_you_mean("mondrain", ["mondrian", "hilbert"]) + "use another"
    "did you mean 'mondrian'? use another"
    """
    from difflib import get_close_matches  # seldom needed

    close = get_close_matches(str(name), known, n=1)
    return f"did you mean {close[0]!r}? " if close else ""
