"""Why a label is as coarse as it is, nobody tells: a guess, another one for every completed table.

Filling in takes it that a value is no reason for its label. Where a label says what it can (somebody has each end of a
range) that does little harm. A node of a hierarchy says less, and methods that make groups of neighbours publish wide
ones where people are few: rows with wide labels are rather those at the edges. By how much is not in the release. So
every completed table takes another guess at how values behind such labels lean, and the intervals are as wide as the
guesses are apart: pattern-mixture models (R. J. A. Little, JASA 88, 1993; D. B. Rubin, JASA 72, 1977).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from amongst.analysis.coarse import Coarse

LEAN, SPREAD = 0.7, 0.3
"""Standard deviations of guesses: of the log odds a standard deviation apart, and of its square."""
FURTHEST = 3.0

Weigh = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Guess:
    """How values behind loose labels of one column lean.

    Attributes
    ----------
    loose : ndarray of bool, one a row
    of_name : ndarray of float64, or None
        By category.
    line : tuple of float
        By place on the line: the mean, the spread, and how it leans and spreads.
    """

    loose: np.ndarray
    of_name: np.ndarray | None
    line: tuple[float, float, float, float]

    @classmethod
    def drawn(cls, column: Coarse, value: np.ndarray, rng: np.random.Generator) -> Guess:
        loose = ~(column.tight | column.exact)[column.label_of_row]
        if column.names is not None:
            return cls(loose, LEAN * rng.standard_normal(len(column.names)), (0.0, 1.0, 0.0, 0.0))
        lean, spread = rng.standard_normal(2)
        return cls(loose, None, (float(value.mean()), float(value.std()) or 1.0, LEAN * lean, SPREAD * spread))

    def added(self, likely: Weigh) -> Weigh:
        """How likely values are, with the guess."""
        return lambda rows, tried: likely(rows, tried) + np.where(self.loose[rows], self._of(tried), 0.0)

    def _of(self, tried: np.ndarray) -> np.ndarray:
        if self.of_name is not None:
            return self.of_name[tried.astype(np.int64)]
        mean, deviation, lean, spread = self.line
        place = np.clip((tried - mean) / deviation, -FURTHEST, FURTHEST)
        return lean * place + spread * np.square(place)
