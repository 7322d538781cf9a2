"""People as rows of bits, without a compiler."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Bits:
    """Bits that all members have, and those (where not having counts) in which they differ."""

    members: list[int]
    has: np.ndarray
    star: np.ndarray


class BitmapSpace:
    """See ``bitmaps.h``."""

    def __init__(self, bits: np.ndarray, n_columns: int, complete: bool) -> None:
        self.bits, self.n_columns, self.complete = bits, n_columns, complete

    def make(self, person: int) -> Bits:
        own = self.bits[person]
        return Bits([person], own.copy(), np.zeros_like(own))

    def distance(self, a: Bits, b: Bits) -> float:
        if self.complete:
            lost, whole = _count((a.has ^ b.has) | a.star | b.star), self.n_columns
        else:
            lost, whole = _count(a.has ^ b.has), _count(a.has) + _count(b.has)
        return lost / whole if whole else 0.0

    placing_distance = distance

    def merge(self, a: Bits, b: Bits) -> Bits:
        if not self.complete:
            return Bits(a.members + b.members, a.has & b.has, a.star)
        star = a.star | b.star | (a.has ^ b.has)
        return Bits(a.members + b.members, a.has & ~star, star)


def _count(words: np.ndarray) -> int:
    return int(np.unpackbits(words.view(np.uint8)).sum())
