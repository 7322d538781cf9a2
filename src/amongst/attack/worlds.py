"""Worlds: the ways in which the values of a class may lie among its people, and what those that are left tell."""

from __future__ import annotations

import numpy as np

from amongst.attack.rate import Z

ENOUGH = 40
"""So many worlds must be left for a belief."""
MARGIN = 0.05
"""Many shares are looked at: what exceeds by less than this may do so by chance."""


class Weighed:
    """What was counted over the worlds of many classes.

    Attributes
    ----------
    n_classes, n_telling : int
        Classes that were tried, and those in which a division that k alone allows was not made.
    n_rows, n_parts : int
        Where the method was run anew, on how many people, and in how many parts their values were dealt out.
    n_people, n_raised, n_certain : int
        People of classes with enough worlds; those for whom a value became likelier than its share; those for whom one
        value alone is left.
    own_before, own_after : float
        How likely people's own values were, summed: by the shares of their class, and by the worlds that are left.
    """

    n_classes = n_telling = n_people = n_raised = n_certain = n_rows = n_parts = 0
    own_before = own_after = 0.0

    def add(self, seen: np.ndarray, n_left: int, share: np.ndarray, value: np.ndarray) -> None:
        """Count what the worlds tell: how often everybody had every value, beside its share in their class."""
        at = np.arange(len(value))
        self.n_people += len(value)
        self.n_raised += int((lower_end(seen, n_left) > share + MARGIN).any(axis=1).sum())
        self.n_certain += int(((seen == n_left) & (share < 1)).any(axis=1).sum())
        self.own_before += float(share[at, value].sum())
        self.own_after += float((seen[at, value] / n_left).sum())


def lower_end(success: np.ndarray, n: int) -> np.ndarray:
    """The lower end of Wilson's interval, of many shares at once."""
    half = Z * np.sqrt(success * (n - success) / n + Z * Z / 4)
    return np.where(success > 0, (success + Z * Z / 2 - half) / (n + Z * Z), 0.0)
