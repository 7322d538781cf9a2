"""Ctrl-C, and other signals that ask the process to end: what was begun is cleaned up first."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import NoReturn

from amongst.cli.voice import VOICE


class Ended(BaseException):
    """A signal asked the process to end.

    Not a KeyboardInterrupt, which typer would catch and make its own of.
    """

    def __init__(self, number: int) -> None:
        self.number = number


def end_politely() -> None:
    """From now on these signals raise Ended; a second one ends the process at once."""
    usual = {"SIGINT": signal.default_int_handler, "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}
    for name, handler in usual.items():
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == handler:  # who runs us may ignore some on purpose
            signal.signal(number, _end)


ASKED: list[int] = []
"""The signal that asked to end, once there was one."""


def _end(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
    ASKED.append(number)
    raise Ended(number)


def refuse_to_go_on() -> None:
    """Raise Ended again where a library has made an error of its own of it, as databases do of a stopped query."""
    if ASKED:
        raise Ended(ASKED[0])


def tell_and_exit(ended: Ended) -> NoReturn:
    """Say what has become of the run."""
    from amongst.errors import AmongstError

    class Stopped(AmongstError):
        code = "stopped"

    VOICE.error(Stopped(f"Stopped. {VOICE.outcome()}"))
    sys.exit(128 + ended.number)
