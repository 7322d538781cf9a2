"""A run as lines of JSON on stderr, one a thing that happened: for schedulers and whoever gathers logs.

Lines tell steps, seconds, memory and errors. They show no cell.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

VARIABLE = "AMONGST_LOG"
EVENTS = {
    "start": "the command begins; `command` and `version`",
    "step": "a step of a run begins: `step`",
    "note": "a remark beside the result: `what`",
    "error": "what cannot be done: the fields of an error with `--json`",
    "end": "the last line: `exit_code`, `cpu_seconds`, `peak_bytes`",
}
"""What can happen, and what is told of it beside the time."""


class Log:
    """Lines, where they were asked for."""

    def __init__(self) -> None:
        self.asked = False
        self._began = time.monotonic()

    def listen(self, arguments: Sequence[str], version: str) -> None:
        """Find out whether lines are wanted, before anything is parsed."""
        pairs = zip(arguments, [*arguments[1:], ""], strict=True)
        typed = any(one == "--log=json" or (one, following) == ("--log", "json") for one, following in pairs)
        self._began = time.monotonic()
        self.asked = typed or os.environ.get(VARIABLE) == "json"
        command = next((one for one in arguments if one[:1].isalpha() and one != "json"), "")
        self.line("start", command=command, version=version)

    def line(self, event: str, **facts: Any) -> None:
        """Tell of something; flushed at once, for the process may be ended."""
        if not self.asked:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        passed = round(time.monotonic() - self._began, 3)
        told = {"time": now, "event": event, "process": os.getpid(), "seconds": passed, **facts}
        print(json.dumps(told, default=str), file=sys.stderr, flush=True)

    def end(self, code: Any) -> None:
        """Tell how it ended, and what it took."""
        cpu = sum(os.times()[:4])
        number = 0 if code is None else code if isinstance(code, int) else 1
        self.line("end", exit_code=number, cpu_seconds=round(cpu, 2), peak_bytes=_peak())


LOG = Log()
"""The log of this process."""


def _peak() -> int | None:
    """The most memory that this process had, in bytes, where the system says so."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
