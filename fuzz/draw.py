"""Choices made from bytes, so that whoever mutates the bytes mutates the choices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """Takes bytes from the front; when none are left every choice is the first one."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def whole(self, first: int, last: int) -> int:
        number = self.byte()
        return first + (number if last - first < 256 else number << 8 | self.byte()) % (last - first + 1)

    def choose(self, choices: Sequence[T]) -> T:
        return choices[self.whole(0, len(choices) - 1)]

    def flag(self) -> bool:
        return self.byte() % 2 == 1

    def text(self, most: int = 20) -> str:
        taken = self.data[self.at : self.at + self.whole(0, most)]
        self.at += len(taken)
        return taken.decode("utf-8", errors="ignore")

    def rest(self) -> bytes:
        taken, self.at = self.data[self.at :], len(self.data)
        return taken
