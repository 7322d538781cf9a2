"""Lots that nobody can draw again without the table."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np


class Lots:
    """Random numbers from a seed and the table itself.

    The algorithm is public and a seed is often 0. From these alone an intruder could draw the same lots and rule out
    arrangements. So the lots also depend on which row has which sensitive value, through a cryptographic digest: who
    could draw them knows the table already, or has tried all arrangements. The same table and seed give the same
    lots, in whatever order the rows came, and whatever the version of numpy.

    Parameters
    ----------
    seed : int
    columns : sequence of ndarray
        The codes of the table, in an order that does not depend on the input's.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.partition.lots import Lots
    >>> lots = Lots(0, [np.array([1, 2, 2])])
    >>> np.array_equal(lots.draw("rows", 3), Lots(0, [np.array([1, 2, 2])]).draw("rows", 3))
    True
    """

    def __init__(self, seed: int, columns: Sequence[np.ndarray]) -> None:
        digest = hashlib.sha256(f"amongst {int(seed)} {len(columns)}".encode())
        for column in columns:
            digest.update(hashlib.sha256(np.ascontiguousarray(column, dtype="<u4").tobytes()).digest())
        self._key = digest.digest()

    def draw(self, what: str, n: int) -> np.ndarray:
        """``n`` numbers of 64 bits; others for every ``what``."""
        stream = hashlib.shake_256(self._key + what.encode()).digest(8 * n)
        return np.frombuffer(stream, dtype="<u8").astype(np.uint64, copy=False)

    def permutation(self, what: str, n: int) -> np.ndarray:
        """The numbers below ``n`` in a drawn order."""
        return np.argsort(self.draw(what, n), kind="stable")
