"""The page's side of the worker: it asks, hears how far it is, and ends it when told to."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import amongst
from amongst.app.messages import HEAD, packed, unpacked
from amongst.errors import AmongstError

START = "import sys; sys.path.insert(0, {place!r}); from amongst.app.worker import main; main()"
ENDED = "ended"
"""The code of the error that tells that the process died."""


class Cancelled(Exception):
    """The user ended what was going on."""


class Refused(AmongstError):
    """What the worker could not do, in the words it told."""

    def __init__(self, told: dict[str, Any]) -> None:
        facts = {key: told.get(key, []) for key in ("problems", "say", "tables")}
        super().__init__(told["what"], found=told["found"], fix=told["fix"], **facts)
        self.code = told["code"]


class Worker:
    """One process; it is started when it is needed first, and again after it was ended."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._number = 0
        self.n_started = 0
        """How many processes there were so far: what one of them had, the next has not."""
        self._turn = asyncio.Lock()
        self._cancelled = False

    async def ask(self, do: str, hear: Callable[[dict[str, Any]], None] | None = None, /, **given: Any) -> Any:
        """Have a command carried out; raises ``Refused`` with what stood in the way."""
        async with self._turn:
            self._cancelled = False
            process = await self._running()
            self._number += 1
            try:
                return await self._exchange(process, {"id": self._number, "do": do, "with": given}, hear)
            except (asyncio.IncompleteReadError, ConnectionError, BrokenPipeError):
                await process.wait()
                self._process = None
                if self._cancelled:
                    raise Cancelled from None
                raise Refused(_gone(process.returncode)) from None

    async def _exchange(
        self,
        process: asyncio.subprocess.Process,
        message: dict[str, Any],
        hear: Callable[[dict[str, Any]], None] | None,
    ) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(packed(message))
        await process.stdin.drain()
        while True:
            (size,) = HEAD.unpack(await process.stdout.readexactly(HEAD.size))
            told = unpacked(await process.stdout.readexactly(size))
            if "progress" in told:
                if hear is not None:
                    hear(told["progress"])
            elif "error" in told:
                raise Refused(told["error"])
            else:
                return told["result"]

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            place = str(Path(amongst.__file__).parent.parent)
            self.n_started += 1
            # A group of its own, so that what it starts ends with it.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-c",
                START.format(place=place),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                start_new_session=True,
                # Products of small matrices are quicker on one thread than on many that wait for each other.
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )
        return self._process

    @property
    def alive(self) -> bool:
        """Whether the process that was started last still runs."""
        return self._process is not None and self._process.returncode is None

    def end(self) -> None:
        """End the process and all it started, whatever it is at."""
        self._cancelled = True
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()

    async def gone(self) -> None:
        """Wait until the process that was ended is gone."""
        if self._process is not None:
            await self._process.wait()


def _gone(code: int | None) -> dict[str, Any]:
    found = [f"its process ended with {code}"]
    if code == -getattr(signal, "SIGKILL", 9):
        found = ["the system ended its process, as it does when memory runs out"]
    fix = "the table and all settings are kept; close other programs, take fewer columns, or use a larger machine"
    return {"code": ENDED, "what": "The work ended before it was done.", "found": found, "fix": fix}
