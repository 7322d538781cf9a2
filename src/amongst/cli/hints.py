"""What to type next: errors speak of schemas and files, the command line knows its own options."""

from __future__ import annotations

import contextlib
import difflib
import shlex
from collections.abc import Iterator

from amongst.errors import AmongstError, BadInput

DATA = "{data}"
"""Stands for what was given; other braces of a hint are to be typed."""
HINT_OF_PROBLEM = {
    "undecided": "name them after --quasi, --sensitive, --keep or --identifier; "
    "or let `amongst inspect {data} --write job.toml` draft a job for `amongst run`",
    "nulls": "--nulls-rule own-value, --nulls-rule match-anything or --nulls-rule suppress",
}
HINT_OF_READING = {
    "encoding": "--encoding windows-1252, utf-16, latin-1 or what it is",
    "separator": "--separator ';', tab, blank or what it is",
    "reads": "--reads COLUMN=FORM, or COLUMN={form='1234,56', missing=['n.b.']}; amongst inspect shows what fits",
    "table": "--table NAME",
    "header": "--no-header if the first line is a row, --header if it has names",
}
"""What to type for an option that ``amongst.read`` names in its errors; in a job file they are keys of [input]."""


@contextlib.contextmanager
def hinted(data: str) -> Iterator[None]:
    """Errors that leave this block carry a hint on what to type, where there is one."""
    try:
        yield
    except AmongstError as error:
        hints = [hint.replace(DATA, shlex.quote(data)) for hint in _hints(error, data)]
        if hints:
            error.facts["hint"] = hints
        raise


def _hints(error: AmongstError, data: str) -> list[str]:
    kinds = {problem.get("problem") for problem in error.facts.get("problems", [])}
    hints = [hint for kind, hint in HINT_OF_PROBLEM.items() if kind in kinds]
    hints += [HINT_OF_READING[option] for option in error.facts.get("say", []) if option in HINT_OF_READING]
    if isinstance(error, BadInput) and "no file" in " ".join(error.found):
        hints += _near_data_set(data)
    return hints


def _near_data_set(data: str) -> list[str]:
    from amongst.datasets import names

    near = difflib.get_close_matches(data, names(), n=1)
    return [f"there is a data set '{near[0]}' (see `amongst datasets`)"] if near else []
