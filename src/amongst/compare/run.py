"""Candidates made in parallel processes, within a time budget."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from amongst.compare.candidate import Candidate, Outcome
from amongst.compare.worker import receive, send

Progress = Callable[[int, int, float | None], None]
"""Told how many are done, how many there are, and how many seconds are left as far as one can tell."""
START = "import sys; sys.path.insert(0, {place!r}); from amongst.compare.worker import main; main()"
TICK = 0.25


def run_all(
    made: Sequence[Candidate], task: dict[str, Any], budget: float | None, n_processes: int | None, progress: Progress
) -> list[Outcome]:
    """The outcome of every candidate, in their order.

    What is not done when the budget is over is ended and called unfinished. When the caller is interrupted, the
    processes are ended before the interruption goes on.
    """
    n = min(n_processes or os.cpu_count() or 1, len(made))
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for i in range(len(made)):
        waiting.put(i)
    done: queue.SimpleQueue[tuple[int, Outcome] | None] = queue.SimpleQueue()
    workers = [_Worker(made, task, waiting, done) for _ in range(n)]
    found: dict[int, Outcome] = {}
    start, n_alive = time.monotonic(), n
    try:
        for worker in workers:
            worker.start()
        progress(0, len(made), None)
        while len(found) < len(made) and n_alive and not _over(start, budget):
            try:
                told = done.get(timeout=TICK)
            except queue.Empty:
                continue
            n_alive -= told is None
            if told is not None:
                found[told[0]] = told[1]
                progress(len(found), len(made), _left(start, len(found), len(made), budget))
    finally:
        for worker in workers:
            worker.end()
    return [found.get(i) or _unfinished(candidate, n_alive) for i, candidate in enumerate(made)]


def _unfinished(candidate: Candidate, n_alive: int) -> Outcome:
    why = "The time was over." if n_alive else "Its process ended before it was done."
    return Outcome(candidate=candidate, state="unfinished", why=why)


def _over(start: float, budget: float | None) -> bool:
    return budget is not None and time.monotonic() - start >= budget


def _left(start: float, n_done: int, n_all: int, budget: float | None) -> float:
    elapsed = time.monotonic() - start
    left = elapsed / n_done * (n_all - n_done)
    return left if budget is None else min(left, max(budget - elapsed, 0.0))


class _Worker(threading.Thread):
    """Looks after one process: gives it candidates and passes on what it tells."""

    def __init__(
        self,
        made: Sequence[Candidate],
        task: dict[str, Any],
        waiting: queue.SimpleQueue[int],
        done: queue.SimpleQueue[tuple[int, Outcome] | None],
    ) -> None:
        super().__init__(daemon=True)
        self._made, self._task, self._waiting, self._done = made, task, waiting, done
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._lock = threading.Lock()

    def run(self) -> None:
        try:
            while not self._ended and (i := self._next()) is not None:
                outcome = self._ask(self._made[i])
                self._done.put((i, outcome))
        finally:
            self._done.put(None)
            self.end()

    def end(self) -> None:
        """End the process at once."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                self._process.kill()
                self._process.wait()
                for pipe in (self._process.stdin, self._process.stdout):
                    if pipe is not None and threading.current_thread() is self:
                        _close(pipe)

    def _next(self) -> int | None:
        try:
            return self._waiting.get_nowait()
        except queue.Empty:
            return None

    def _ask(self, candidate: Candidate) -> Outcome:
        """The outcome of a candidate; a process that died over it is replaced for the next."""
        try:
            process = self._living()
            send(process.stdin, candidate)  # type: ignore[arg-type]
            outcome = receive(process.stdout)  # type: ignore[arg-type]
        except OSError:
            outcome = None
        if outcome is None:
            return Outcome(candidate=candidate, state="unfinished", why="Its process ended before it was done.")
        return outcome

    def _living(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            with self._lock:
                if self._ended:
                    raise OSError("ended")
                place = str(Path(__file__).parents[2])
                self._process = subprocess.Popen(
                    [sys.executable, "-c", START.format(place=place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            send(self._process.stdin, self._task)  # type: ignore[arg-type]
        return self._process


def _close(pipe: Any) -> None:
    with contextlib.suppress(OSError):
        pipe.close()
