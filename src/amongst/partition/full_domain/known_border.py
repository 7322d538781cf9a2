"""What is known of a lattice from the nodes that were looked at: which hold, which fail, and what follows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst.measure.at_levels import LevelLoss
from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.choose import comparable
from amongst.partition.lattice import Levels


class KnownBorder:
    """Looks at nodes, each at most once, and remembers the best of those that hold.

    What generalizes a node that holds holds as well, and what a node that fails generalizes fails: most nodes are
    decided without looking at them.

    Attributes
    ----------
    best : (loss, height, levels) or None
        Of all nodes that were looked at and hold, the one with the least loss; ties go to the lower height, then to the
        lower levels of the first columns.
    n_looked_at : int
    failing : ndarray of int, shape (n, n_columns)
        Nodes that fail, of which none is below another.
    """

    def __init__(
        self, sets: FrequencySets, ask: Ask, losses: LevelLoss, progress: Callable[[int, int], None] | None = None
    ) -> None:
        self.sets, self.ask, self.losses, self.progress = sets, ask, losses, progress
        self.best: tuple[float, int, Levels] | None = None
        self.n_looked_at = 0
        self.failing = np.zeros((0, ask.lattice.n_columns), dtype=np.int16)
        self._holding = np.zeros((0, ask.lattice.n_columns), dtype=np.int16)
        self._seen: dict[Levels, bool] = {}

    def holds(self, node: Levels) -> bool:
        """Whether a node holds, looked at where that does not follow from others."""
        if node in self._seen:
            return self._seen[node]
        if self.fails_by(node) is not None:
            return False
        if len(self._holding) and bool((self._holding <= np.array(node)).all(axis=1).any()):
            return True
        return self.look_at(node)

    def fails_by(self, node: Levels) -> np.ndarray | None:
        """Of the nodes that fail and are not finer than this one, the one that leaves the fewest ways out."""
        above = (self.failing >= np.array(node, dtype=np.int16)).all(axis=1)
        if not above.any():
            return None
        them = self.failing[above]
        ways_out = (them < np.array(self.ask.lattice.heights)).sum(axis=1)
        found: np.ndarray = them[int(np.argmin(ways_out))]
        return found

    def look_at(self, node: Levels) -> bool:
        """Count the rows at a node, and remember what comes of it."""
        if node in self._seen:
            return self._seen[node]
        found = self.sets.scan(tuple(range(len(node))), node)
        self.n_looked_at += 1
        self._seen[node] = self.ask.holds(found)
        levels = np.array([node], dtype=np.int16)
        if self._seen[node]:
            key = (float(comparable(self.losses.of(found, self.ask.k))), sum(node), node)
            self.best = key if self.best is None or key < self.best else self.best
            self._holding = np.concatenate([self._holding[~(self._holding >= levels).all(axis=1)], levels])
        else:
            self.failing = np.concatenate([self.failing[~(self.failing <= levels).all(axis=1)], levels])
        if self.progress is not None:
            self.progress(self.n_looked_at, 0)
        return self._seen[node]

    def raised_while_it_fails(self, node: Levels, order: list[int]) -> None:
        """Generalize a node that fails as far as it still does: it then rules out as much as it can."""
        levels = list(node)
        for c in order:
            while levels[c] < self.ask.lattice.heights[c]:
                levels[c] += 1
                if self.holds(tuple(levels)):
                    levels[c] -= 1
                    break
