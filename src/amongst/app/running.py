"""What is going on in the worker right now, for every tab that looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from amongst.job.steps import RELEASE, Steps, loss_words, time_words

READ = {"make": 30, "read": 60, "look": 40}
MAKE = {"read": 1, "encode": 10, "group": 20, "publish": 12, "verify": 12, "measure": 45}
"""The share of the time that every step takes, on a million rows."""
COMPARE = {"compare": 1}
LATTICE = {"read": 10, "search": 60, "draw": 30}
ATTACK = {"attack": 1}
FIT = {"fit": 1}
EVIDENCE = {"write": 10, "verify": 10, "compare": 5, "attack": 50, "measure": 20, "pack": 5}
WRITE = {name: RELEASE[name] for name in ("write", "verify", "report")} | {"pack": 20}

WORDS = {
    "make": "Making the table",
    "read": "Reading the table",
    "look": "Looking at the columns",
    "encode": "Putting values in order",
    "group": "Finding groups",
    "publish": "Writing labels",
    "verify": "Proving it from what is published",
    "measure": "Measuring what was lost",
    "compare": "Trying methods side by side",
    "search": "Searching the lattice",
    "draw": "Weighing generalizations",
    "write": "Writing the release",
    "report": "Writing the report",
    "pack": "Packing the files",
    "attack": "Attacking it",
    "fit": "Fitting the model before and after",
    "ask": "Asking",
}


class Running:
    """A command on its way: what it is, how far it is, how long it may still take."""

    def __init__(self, title: str, shares: Mapping[str, float]) -> None:
        self.title = title
        self.lets_change = shares is MAKE
        """Whether settings may be changed meanwhile: what is made has a copy of its own."""
        self.steps = Steps(shares)
        self._counted = ""
        self._left: float | None = None
        self._knows_left = False

    def hear(self, told: Mapping[str, Any]) -> None:
        """Take in what the worker tells."""
        self.steps.say(told["step"], told["done"], told["total"])
        if "loss" in told:
            self.steps.lose(told["loss"])
        if "left" in told:
            self._knows_left, self._left = True, told["left"]
            self._counted = f"{told['done']} of {told['total']}"

    @property
    def done(self) -> float | None:
        """The share that is done, or None while nobody can tell."""
        return self.steps.done()

    @property
    def words(self) -> str:
        """Where it is."""
        step = WORDS.get(self.steps.step, self.title)
        return ", ".join([part for part in (step, self._counted, *loss_words(self.steps.loss)) if part])

    @property
    def time(self) -> str:
        """How long it may still take."""
        return time_words(self.steps.elapsed(), self._left if self._knows_left else self.steps.left())
