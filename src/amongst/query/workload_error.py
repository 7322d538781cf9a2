"""How far the answers of a release are from the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class WorkloadError:
    """The errors of a release over a workload; not a number where a question has no answer.

    Attributes
    ----------
    words : str
        Where the questions come from.
    weight, truth, estimate, lower, upper : ndarray of float64
        One a question: the truth is the answer of the original.
    sanity : float
        Relative errors are shares of the truth, or of this where the truth is smaller.
    """

    words: str
    weight: np.ndarray
    truth: np.ndarray
    estimate: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    sanity: float = 1.0

    @property
    def absolute(self) -> np.ndarray:
        """The distance of every estimate from the truth."""
        return np.abs(self.estimate - self.truth)

    @property
    def relative(self) -> np.ndarray:
        """The same as a share of the truth."""
        return self.absolute / np.maximum(np.abs(self.truth), self.sanity)

    @property
    def mean_absolute(self) -> float:
        return self._mean(self.absolute)

    @property
    def std_absolute(self) -> float:
        return float(np.sqrt(max(self._mean(self.absolute**2) - self.mean_absolute**2, 0.0)))

    @property
    def mean_relative(self) -> float:
        return self._mean(self.relative)

    @property
    def median_relative(self) -> float:
        there = self.relative[~np.isnan(self.relative)]
        return float(np.median(there)) if len(there) else 0.0

    @property
    def exact(self) -> float:
        """The share of questions whose bounds meet."""
        return self._mean((self.lower == self.upper).astype(np.float64))

    @property
    def bounded(self) -> bool:
        """Whether any question has a bound from above."""
        return bool((~np.isnan(self.upper)).any())

    @property
    def width(self) -> float:
        """The mean distance between the bounds, of questions that have both."""
        return self._mean(self.upper - self.lower)

    def _mean(self, values: np.ndarray) -> float:
        there = ~np.isnan(values)
        weight = self.weight[there]
        return float(values[there] @ weight / weight.sum()) if weight.sum() > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The summary, and every question's figures."""
        columns = zip(
            *(
                [None if np.isnan(one) else one for one in values.tolist()]
                for values in (self.weight, self.truth, self.estimate, self.lower, self.upper)
            ),
            strict=True,
        )
        names = ("weight", "truth", "estimate", "lower", "upper")
        return {**self.summary(), "questions": [dict(zip(names, one, strict=True)) for one in columns]}

    def summary(self) -> dict[str, Any]:
        return {
            "workload": self.words,
            "n_questions": len(self.truth),
            "mean_relative": self.mean_relative,
            "median_relative": self.median_relative,
            "mean_absolute": self.mean_absolute,
            "std_absolute": self.std_absolute,
            "exact": self.exact,
            "width": self.width,
        }
