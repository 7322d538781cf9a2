"""What becomes of errors: each is told in its way and ends in its exit code, never in a traceback."""

from __future__ import annotations

import functools
import os
import signal
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import typer

from amongst.cli.voice import VOICE
from amongst.errors import AmongstError, BadInput, BadOption

REFUSED, USAGE, DEFECT = 1, 2, 3
PACKAGE = Path(__file__).parents[1]


class Defect(AmongstError):
    """Something that amongst should not do."""

    code = "defect"


class Stopped(AmongstError):
    """The user or the system ended the run."""

    code = "stopped"


class Ended(KeyboardInterrupt):
    """Another signal that asks the process to end, treated as Ctrl-C is: what was begun is cleaned up."""

    def __init__(self, number: int) -> None:
        self.number = number


def guarded(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with every way to fail turned into words and an exit code."""

    @functools.wraps(command)
    def run(*arguments: Any, **options: Any) -> Any:
        _clean_up_when_ended()
        try:
            return command(*arguments, **options)
        except (typer.Exit, BrokenPipeError):
            raise
        except AmongstError as error:
            _end(error, USAGE if isinstance(error, BadOption) else REFUSED)
        except KeyboardInterrupt as stop:
            _end(Stopped("Stopped. Nothing was written."), 128 + getattr(stop, "number", signal.SIGINT))
        except MemoryError:
            _end(_too_large(), REFUSED)
        except Exception as error:
            if os.environ.get("AMONGST_DEBUG") == "1":
                traceback.print_exc()
            _end(_defect(error), DEFECT)

    return run


def _end(error: AmongstError, code: int) -> NoReturn:
    VOICE.error(error)
    raise typer.Exit(code) from None


def _clean_up_when_ended() -> None:
    def end(number: int, frame: FrameType | None) -> None:
        raise Ended(number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, end)


def _too_large() -> BadInput:
    return BadInput(
        "There is not enough memory for this table. Nothing was written.",
        found="the memory of this machine was used up",
        fix="use a machine with more memory, or fewer rows or columns",
    )


def _defect(error: Exception) -> Defect:
    """Type and place of an error that nobody expected; its text stays unsaid, for it may hold values."""
    return Defect(
        "This is a defect in amongst, not in your data. Nothing was written.",
        found=f"{type(error).__name__} at {_place(error)}",
        fix="please report this line; AMONGST_DEBUG=1 shows all, which may hold values of your data",
    )


def _place(error: Exception) -> str:
    ours = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(PACKAGE)
    ]
    if not ours:
        return "an unknown place"
    return f"amongst/{Path(ours[-1].filename).relative_to(PACKAGE).as_posix()}:{ours[-1].lineno}"
