"""The bar that shows how far a run is, for whatever takes more than a second."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from amongst.cli.log import LOG
from amongst.cli.voice import VOICE
from amongst.job.steps import Steps, loss_words, time_words

PATIENCE = 1.0
"""Seconds before the bar appears."""


@contextlib.contextmanager
def watched(share_of_step: Mapping[str, float]) -> Iterator[Steps]:
    """Steps to tell of; on a terminal a bar shows them, with ``--log`` lines do."""
    steps = (_Logged if LOG.asked else Steps)(share_of_step)
    if not VOICE.shows_progress:
        yield steps
        return
    bar = _Bar(steps)
    timer = threading.Timer(PATIENCE, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield steps
    finally:
        timer.cancel()
        bar.hide()


class _Logged(Steps):
    """Steps that become lines of the log."""

    def say(self, step: str, done: int = 0, total: int = 0) -> None:
        if step != self.step:
            LOG.line("step", step=step)
        super().say(step, done, total)


class _Bar:
    def __init__(self, steps: Steps) -> None:
        self._steps = steps
        self._live: Any = None
        self._lock = threading.Lock()
        self._over = False

    def show(self) -> None:
        from rich.console import Console
        from rich.live import Live

        with self._lock:
            if not self._over:
                self._live = Live(
                    console=Console(file=sys.stderr),
                    get_renderable=self._draw,
                    transient=True,
                    refresh_per_second=8,
                )
                self._live.start()

    def hide(self) -> None:
        with self._lock:
            self._over = True
            if self._live is not None:
                self._live.stop()

    def _draw(self) -> Any:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        steps, done = self._steps, self._steps.done()
        line = Table.grid(padding=(0, 2, 0, 0))
        bar = ProgressBar(total=1.0, completed=done or 0.0, width=32, pulse=done is None)
        words = [time_words(steps.elapsed(), steps.left()), *loss_words(steps.loss)]
        line.add_row(Text(f"{steps.step:<8}", style="bold"), bar, *map(Text, words))
        return line
