"""What to type next: errors speak of schemas and files, the command line knows its own options."""

from __future__ import annotations

import contextlib
import difflib
import shlex
from collections.abc import Iterator

from amongst.errors import AmongstError, BadInput

HINT_OF_PROBLEM = {
    "undecided": "name them after --quasi, --sensitive, --keep or --identifier; "
    "or let `amongst inspect {data} --write job.toml` draft a job for `amongst run`",
    "nulls": "--nulls-rule own-value, --nulls-rule match-anything or --nulls-rule suppress",
}


@contextlib.contextmanager
def hinted(data: str) -> Iterator[None]:
    """Errors that leave this block carry a hint on what to type, where there is one."""
    try:
        yield
    except AmongstError as error:
        hints = [hint.format(data=shlex.quote(data)) for hint in _hints(error, data)]
        if hints:
            error.facts["hint"] = hints
        raise


def _hints(error: AmongstError, data: str) -> list[str]:
    kinds = {problem.get("problem") for problem in error.facts.get("problems", [])}
    hints = [hint for kind, hint in HINT_OF_PROBLEM.items() if kind in kinds]
    if isinstance(error, BadInput) and "encoding" in error.fix:
        hints.append("--encoding latin-1, if that is what it is")
    if isinstance(error, BadInput) and "no file" in " ".join(error.found):
        hints += _near_data_set(data)
    return hints


def _near_data_set(data: str) -> list[str]:
    from amongst.datasets import names

    near = difflib.get_close_matches(data, names(), n=1)
    return [f"there is a data set '{near[0]}' (see `amongst datasets`)"] if near else []
