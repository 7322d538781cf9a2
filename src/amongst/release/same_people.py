"""Which releases of a register could be about the same people, by what the register knows without the originals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from amongst.release.register import Entry

SAME, OTHERS, UNKNOWN = "the same people", "other people", "not known"


@dataclass(frozen=True)
class Shared:
    """What is known of the people of two releases.

    Attributes
    ----------
    one, other : str
        The releases.
    answer : {"the same people", "other people", "not known"}
        "other people" only where digests under one key say that nobody is in both.
    by : str
        What the answer rests on.
    """

    one: str
    other: str
    answer: str
    by: str

    def to_dict(self) -> dict[str, Any]:
        return {"release": self.one, "other": self.other, "people": self.answer, "by": self.by}


def shared(one: Entry, other: Entry) -> Shared:
    """Whether two releases could be about the same people.

    What was declared can make two releases comparable, but never sets them apart: a hospital and a register of cancer
    are two populations with people in common. Only digests of people under the same key can do that.
    """
    names = one.name, other.name
    if one.who is not None and other.who is not None and one.key_mark == other.key_mark:
        if len(np.intersect1d(one.who, other.who, assume_unique=True)):
            return Shared(*names, SAME, "digests of people: some are in both")
        return Shared(*names, OTHERS, "digests of people under one key: nobody is in both")
    if one.people == other.people:
        return Shared(*names, SAME, f"declared: both are of '{one.people}'" + _when(one, other))
    return Shared(*names, UNKNOWN, f"declared: '{one.people}' and '{other.people}', who may have people in common")


def _when(one: Entry, other: Entry) -> str:
    if one.window is None or other.window is None:
        return ""
    apart = one.window[1] < other.window[0] or other.window[1] < one.window[0]
    return ", at other times; people stay" if apart else ", at the same time"
