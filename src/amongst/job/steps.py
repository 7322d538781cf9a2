"""How far a run is, and how long it may still take."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

RELEASE = {"read": 24, "encode": 5, "group": 14, "publish": 8, "write": 12, "verify": 22, "report": 15}
"""The share of the time that every step of a release takes, measured on a million rows."""
STORED = {"read": 9, "count": 30, "encode": 1, "group": 5, "publish": 5, "write": 28, "verify": 10, "report": 12}
"""The same where the rows stay in a file, a database or on a cluster."""


class Steps:
    """Follows the steps of a run.

    The time that the finished steps took tells how long the others will take. Inside a step that does not
    count, the time since its start stands in for what is done, and stops short of the whole.

    Examples
    --------
    >>> from amongst.job.steps import Steps
    >>> now = 0.0
    >>> steps = Steps({"read": 1, "group": 3}, clock=lambda: now)
    >>> steps.say("read")
    >>> steps.left() is None
    True
    >>> now = 2.0
    >>> steps.say("group")
    >>> steps.left()
    6.0
    """

    def __init__(self, share_of_step: Mapping[str, float], clock: Callable[[], float] = time.monotonic) -> None:
        whole = sum(share_of_step.values())
        self._share = {step: share / whole for step, share in share_of_step.items()}
        self._clock = clock
        self._start = self._step_start = clock()
        self._finished = 0.0
        self._counted = 0.0
        self.step = ""
        self.loss: float | None = None

    def say(self, step: str, done: int = 0, total: int = 0) -> None:
        """Hear that a step begins or goes on."""
        if step != self.step:
            self._finished = self._before(step)
            self._step_start = self._clock()
            self.step = step
            self.loss = None
        self._counted = done / total if total else 0.0

    def lose(self, loss: float) -> None:
        """Hear the loss that a method has come down to."""
        self.loss = loss

    @property
    def names(self) -> list[str]:
        return list(self._share)

    def elapsed(self) -> float:
        return self._clock() - self._start

    def done(self) -> float | None:
        """The share of the run that is done; None while there is nothing to tell it from."""
        share = self._share.get(self.step, 0.0)
        if self._counted:
            return self._finished + share * self._counted
        if not self._finished or not share:
            return None
        expected = (self._step_start - self._start) / self._finished * share
        waited = (self._clock() - self._step_start) / expected if expected else 1.0
        return self._finished + share * min(waited, 0.95)

    def left(self) -> float | None:
        """Seconds until the end, as far as one can tell."""
        done = self.done()
        return self.elapsed() / done * (1 - done) if done else None

    def _before(self, step: str) -> float:
        names = self.names
        return sum(self._share[name] for name in names[: names.index(step)]) if step in names else self._finished


def time_words(elapsed: float, left: float | None) -> str:
    """How long it took and may take.

    Examples
    --------
    >>> from amongst.job.steps import time_words
    >>> time_words(4.2, 75.0)
    'about 1 min 15 s left'
    """
    if left is None:
        return f"{duration(elapsed)} so far"
    return f"about {duration(left)} left"


def loss_words(loss: float | None) -> list[str]:
    """How far the loss has come down, if a method tells.

    Examples
    --------
    >>> from amongst.job.steps import loss_words
    >>> loss_words(0.07123), loss_words(None)
    (['loss 0.0712'], [])
    """
    return [] if loss is None else [f"loss {loss:.4f}"]


def duration(seconds: float) -> str:
    """A time in words.

    Examples
    --------
    >>> from amongst.job.steps import duration
    >>> duration(75.0)
    '1 min 15 s'
    """
    whole = max(round(seconds), 1)
    hours, minutes = divmod(whole // 60, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"
