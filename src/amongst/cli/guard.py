"""What becomes of errors: each is told in its way and ends in its exit code, never in a traceback."""

from __future__ import annotations

import functools
import os
import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import typer

from amongst.cli.voice import VOICE
from amongst.errors import AmongstError, BadInput, BadOption

REFUSED, USAGE, DEFECT = 1, 2, 3
PACKAGE = Path(__file__).parents[1]
NO_ROOM = re.compile("failed to map segment|[Cc]annot allocate memory")
"""What the system says where there is no memory left to load a library."""


class Defect(AmongstError):
    """Something that amongst should not do."""

    code = "defect"


def guarded(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with every way to fail turned into words and an exit code."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except (typer.Exit, BrokenPipeError):
            raise
        except AmongstError as error:
            _end(error, USAGE if isinstance(error, BadOption) else REFUSED)
        except MemoryError:
            _end(_too_large(), REFUSED)
        except Exception as error:
            if isinstance(error, ImportError) and NO_ROOM.search(str(error)):
                _end(_too_large(), REFUSED)
            if os.environ.get("AMONGST_DEBUG") == "1":
                traceback.print_exc()
            _end(_defect(error), DEFECT)

    return run


def _end(error: AmongstError, code: int) -> NoReturn:
    from amongst.cli.ending import refuse_to_go_on

    refuse_to_go_on()
    VOICE.error(error)
    raise typer.Exit(code) from None


def _too_large() -> BadInput:
    return BadInput(
        f"There is not enough memory for this table. {VOICE.outcome()}",
        found="the memory of this machine was used up",
        fix="use a machine with more memory, or fewer rows or columns",
    )


def _defect(error: Exception) -> Defect:
    """Type and place of an error that nobody expected; its text stays unsaid, for it may hold values."""
    return Defect(
        f"This is a defect in amongst, not in your data. {VOICE.outcome()}",
        found=f"{type(error).__name__} at {_place(error)}",
        fix="please report this line; AMONGST_DEBUG=1 shows all, which may hold values of your data",
    )


def _place(error: Exception) -> str:
    ours = [
        frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(PACKAGE)
    ]
    if not ours:
        return "an unknown place"
    return f"amongst/{Path(ours[-1].filename).relative_to(PACKAGE).as_posix()}:{ours[-1].lineno}"
