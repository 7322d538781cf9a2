"""What tight labels say beside the range: somebody in the class has its lower end, somebody its upper end.

Of a class of two rows with the range from 20 to 26 one is 20 and the other 26, whatever else is likely. So in every
class one row is held at each end, or at each member of a set; the others move freely, and holders change places by lot.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from amongst.analysis.coarse import Coarse

N_SWAPS = 3
"""How often in a turn a holder may change places with somebody of its class."""


@dataclass(frozen=True, eq=False)
class Ends:
    """The values that somebody must have, in one column.

    Attributes
    ----------
    rows : ndarray of int64
        The rows of tight labels, sorted by class.
    class_of : ndarray of int64, one a row of ``rows``
        Numbered from 0.
    first : ndarray of int64, one a class and one more
        Where its rows begin in ``rows``.
    need_class, need_value : ndarray
        One for every class and every value that somebody in it must have.
    """

    rows: np.ndarray
    class_of: np.ndarray
    first: np.ndarray
    need_class: np.ndarray
    need_value: np.ndarray

    def holders(self, value: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """For every need a row, drawn by lot from those of the class that have the value; as places in ``rows``."""
        return self._by_need(value, rng)[0]

    def counts(self, value: np.ndarray) -> np.ndarray:
        """How many rows of its class have the value, for every need."""
        return self._by_need(value, None)[1]

    def _by_need(self, value: np.ndarray, rng: np.random.Generator | None) -> tuple[np.ndarray, np.ndarray]:
        own = value[self.rows]
        lots = rng.random(len(own)) if rng is not None else np.zeros(len(own))
        order = np.lexsort((lots, own, self.class_of))
        key_class, key_value = self.class_of[order], own[order]
        starts = np.flatnonzero(np.concatenate([[True], (np.diff(key_class) != 0) | (np.diff(key_value) != 0)]))
        width = np.diff(np.append(starts, len(order)))
        # Needs are sorted by class and value, as the runs are, and every need has a run.
        run = _positions(key_class[starts], key_value[starts], self.need_class, self.need_value)
        return order[starts[run]], width[run]

    def begin(self, value: np.ndarray, rng: np.random.Generator) -> None:
        """Give every needed value to somebody of its class, in place."""
        order = np.lexsort((rng.random(len(self.rows)), self.class_of))
        nth = np.arange(len(self.need_class)) - np.searchsorted(self.need_class, self.need_class)
        value[self.rows[order[self.first[self.need_class] + nth]]] = self.need_value

    def kept(self, before: np.ndarray, after: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """The rows whose class goes back to how it was.

        A holder is one of those that have the value, by lot, so that classes in which many have it would be met too
        often; taking a step with the chance (how many had it) / (how many have it now) sets that right.
        """
        ratio = np.log(self.counts(before)) - np.log(self.counts(after))
        together = np.bincount(self.need_class, ratio, len(self.first) - 1)
        back = np.log(rng.random(len(together))) >= together
        return self.rows[back[self.class_of]]

    def swap(
        self, value: np.ndarray, log_weight: Callable[[np.ndarray, np.ndarray], np.ndarray], rng: np.random.Generator
    ) -> None:
        """Let one holder of every class change places with somebody else of it, in place.

        ``log_weight(rows, values)`` tells how likely rows are to have values.
        """
        holder = self.holders(value, rng)
        # One need a class, by lot, so that no row is asked twice at once.
        order = np.lexsort((rng.random(len(holder)), self.need_class))
        chosen = order[np.unique(self.need_class[order], return_index=True)[1]]
        one = self.rows[holder[chosen]]
        width = np.diff(self.first)[self.need_class[chosen]]
        other = self.rows[self.first[self.need_class[chosen]] + np.floor(rng.random(len(chosen)) * width).astype(int)]
        now = log_weight(one, value[one]) + log_weight(other, value[other])
        then = log_weight(one, value[other]) + log_weight(other, value[one])
        taken = np.log(rng.random(len(chosen))) < then - now
        value[one[taken]], value[other[taken]] = value[other[taken]], value[one[taken]]


def _positions(run_class: np.ndarray, run_value: np.ndarray, class_of: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Where pairs of a class and a value stand among sorted runs of such pairs."""
    values = np.unique(run_value)
    key = run_class * len(values) + np.searchsorted(values, run_value)
    return np.searchsorted(key, class_of * len(values) + np.searchsorted(values, value))


def ends_of(column: Coarse, class_of_row: np.ndarray) -> Ends | None:
    """What must be there in a column; None where its labels are not tight."""
    rows = np.flatnonzero((column.tight & ~column.exact)[column.label_of_row])
    if not len(rows):
        return None
    rows = rows[np.argsort(class_of_row[rows], kind="stable")]
    _, first, class_of = np.unique(class_of_row[rows], return_index=True, return_inverse=True)
    label = column.label_of_row[rows[first]]
    needed = {one: column.required(one) for one in np.unique(label).tolist()}
    first = np.append(first, len(rows))
    width = np.diff(first)
    # A class too small for all that it must hold was not made as it is told; it is left free.
    lists = [
        needed[one] if len(needed[one]) <= n else np.zeros(0) for one, n in zip(label.tolist(), width, strict=True)
    ]
    need_class = np.repeat(np.arange(len(lists)), [len(one) for one in lists])
    if not len(need_class):
        return None
    return Ends(rows, class_of.reshape(-1), first, need_class, np.concatenate(lists))
