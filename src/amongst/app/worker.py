"""The process that holds the table: it carries out one command after another and tells how far it is.

It ends when the page's process is gone, whatever it is at: a thread of its own listens to the pipe.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO

from amongst.app.error_words import error_in_page_words
from amongst.app.messages import packed, receive
from amongst.errors import AmongstError

OFTEN = 0.1
"""Seconds between two messages about progress within a step."""


def main() -> None:
    """Carry out commands until the other side closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the page's process decides when to stop
    inbox, outbox = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever prints must not disturb the messages
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(inbox, waiting), daemon=True).start()
    from amongst.app.desk import Desk

    desk = Desk()
    while True:
        asked = waiting.get()
        outbox.write(packed({"id": asked["id"], **_answer(desk, asked, outbox)}))
        outbox.flush()


def _listen(inbox: BinaryIO, waiting: queue.SimpleQueue[Any]) -> None:
    while (asked := receive(inbox)) is not None:
        waiting.put(asked)
    os._exit(0)


def _answer(desk: Any, asked: dict[str, Any], outbox: BinaryIO) -> dict[str, Any]:
    try:
        desk.say = _teller(asked["id"], outbox)
        return {"result": getattr(desk, asked["do"])(**asked["with"])}
    except AmongstError as error:
        told = {"code": error.code, "what": error.what, "found": error.found, "fix": error.fix, **_facts(error)}
        return {"error": error_in_page_words(told)}
    except MemoryError:
        return {"error": _told("There was not enough memory.", "close other programs, or take fewer columns")}
    except Exception as error:  # the page shows no traceback, and a traceback may show cells
        place = _place(error)
        fix = "please report it, with what you clicked last"
        return {"error": {"code": "defect", "what": "A defect in amongst.", "found": [place], "fix": fix}}


def _told(what: str, fix: str) -> dict[str, Any]:
    return {"code": "memory", "what": what, "found": [], "fix": fix}


def _facts(error: AmongstError) -> dict[str, Any]:
    return {key: error.facts[key] for key in ("problems", "say", "tables") if error.facts.get(key)}


def _place(error: Exception) -> str:
    """Where it happened: a file and a line, and no message, which might tell a cell."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = "" if trace is None else f" at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
    return f"{type(error).__name__}{where}"


def _teller(number: int, outbox: BinaryIO) -> Callable[..., None]:
    last: dict[str, Any] = {"step": None, "time": 0.0}

    def say(step: str, done: int = 0, total: int = 0, **more: Any) -> None:
        now = time.monotonic()
        if step == last["step"] and now - last["time"] < OFTEN:
            return
        last.update(step=step, time=now)
        outbox.write(packed({"id": number, "progress": {"step": step, "done": done, "total": total, **more}}))
        outbox.flush()

    return say
