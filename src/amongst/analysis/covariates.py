"""How likely the values of one predictor are, given the others: what fills in a value where the release leaves it open.

Both kinds have the same shape: a score that is linear in the other predictors, times a factor by which the values
together come out as often as they do in the rows as they are filled in now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

N_BINS = 30
"""Pieces of a line in which the factor is constant."""
LOOKED_AT = 2000
"""Rows from which the factor is worked out: a mean over more says the same."""
OWN_COUNT = 5.0
"""Rows as many as which the whole counts when the mean of a category is taken: rare ones are pulled towards it."""


@dataclass(frozen=True, eq=False)
class OnALine:
    """A number given others: normal around a linear predictor, times a factor for every bin."""

    centre: np.ndarray
    spread: float
    edges: np.ndarray
    log_factor: np.ndarray

    def log_density(self, values: np.ndarray) -> np.ndarray:
        """Of values, one row of them for every candidate; up to a constant of the row."""
        bin_of = np.clip(np.searchsorted(self.edges, values, side="right") - 1, 0, len(self.log_factor) - 1)
        return -np.square((values - self.centre) / self.spread) / 2 + self.log_factor[bin_of]


@dataclass(frozen=True, eq=False)
class OfNames:
    """A category given others: the log of its share, one row a row."""

    score: np.ndarray

    def log_density(self, values: np.ndarray) -> np.ndarray:
        return self.score[np.arange(self.score.shape[0])[None, :], values.astype(np.int64)]


@dataclass(frozen=True, eq=False)
class Bins:
    """Where a line is divided.

    Attributes
    ----------
    edges : ndarray of float64
    open : float
        Of how many rows the value is open: a label as wide as the line counts 1, one half as wide 0.25.
    """

    edges: np.ndarray
    open: float

    @classmethod
    def of(cls, value: np.ndarray, lo: np.ndarray, hi: np.ndarray, whole: bool) -> Bins:
        """At whole numbers if there are few, else so that values are spread evenly."""
        first, last = float(lo.min()), float(hi.max())
        if last <= first:
            return cls(np.array([first - 0.5, first + 0.5]), 0.0)
        if whole and last - first < N_BINS:
            edges = np.arange(first, last + 2) - 0.5
        else:
            inner = np.quantile(value, np.linspace(0, 1, N_BINS + 1)[1:-1])
            edges = np.unique(np.concatenate([[first], inner, [last]]))
        return cls(edges, float(np.square((hi - lo) / (last - first)).sum()))


def of_rows(known: OnALine | OfNames, rows: np.ndarray) -> OnALine | OfNames:
    """The same of some rows."""
    if isinstance(known, OfNames):
        return OfNames(known.score[rows])
    return replace(known, centre=known.centre[rows])


def features(values: Mapping[str, np.ndarray], n_names: Mapping[str, int], without: str) -> np.ndarray:
    """The other predictors as columns of numbers: numbers with their squares, categories one by one; centred."""
    parts = [np.zeros((len(values[without]), 0))]
    for name, value in values.items():
        if name == without:
            continue
        if name in n_names:
            parts.append((value[:, None] == np.arange(1, n_names[name])[None, :]).astype(np.float64))
        else:
            spread = float(value.std()) or 1.0
            own = (value - value.mean()) / spread
            parts.append(np.column_stack([own, np.square(own)]))
    found = np.hstack(parts)
    return found - found.mean(axis=0)


def on_a_line(value: np.ndarray, other: np.ndarray, bins: Bins, rng: np.random.Generator) -> OnALine:
    """What a number is, given the others; from rows weighed by lot, so that it is as uncertain as they leave it."""
    edges = bins.edges
    from scipy.special import ndtr

    weight = rng.exponential(size=len(value))
    design = np.column_stack([np.ones(len(value)), other])
    square = (design * weight[:, None]).T @ design
    square[np.diag_indices_from(square)] += 1e-9 * np.trace(square)
    beta = np.linalg.solve(square, design.T @ (weight * value))
    centre = design @ beta
    spread = max(float(np.sqrt(weight @ np.square(value - centre) / weight.sum())), 1e-12, 1e-9 * float(np.ptp(value)))
    looked = rng.choice(len(value), min(len(value), LOOKED_AT), replace=False)
    # The first and the last bin are open: what lies beyond them is theirs.
    inner = np.concatenate([[-np.inf], edges[1:-1], [np.inf]])
    expected = np.diff(ndtr((inner[None, :] - centre[looked, None]) / spread), axis=1).mean(axis=0)
    bin_of = np.clip(np.searchsorted(edges, value, side="right") - 1, 0, len(edges) - 2)
    share = np.bincount(bin_of, weight, len(edges) - 1) / weight.sum()
    # Where within a wide label values lie nobody knows: there the normal distribution has the say.
    pulled = (share * len(value) + bins.open * expected) / (len(value) + bins.open)
    floor = 1.0 / len(value)
    return OnALine(centre, spread, edges, np.log((pulled + floor) / (expected + floor)))


def of_names(value: np.ndarray, other: np.ndarray, n_names: int, rng: np.random.Generator) -> OfNames:
    """What a category is, given the others: linear discriminants from rows weighed by lot."""
    weight, code = rng.exponential(size=len(value)), value.astype(np.int64)
    count = np.bincount(code, weight, n_names)
    share = (count + 0.5) / (count + 0.5).sum()
    score = np.repeat(np.log(share)[None, :], len(value), axis=0)
    if other.shape[1]:
        sums = np.zeros((n_names, other.shape[1]))
        np.add.at(sums, code, other * weight[:, None])
        mean = sums / (count + OWN_COUNT)[:, None]  # features are centred, so that the mean of the whole is 0
        left = other - mean[code]
        spread = (left * weight[:, None]).T @ left / weight.sum()
        spread[np.diag_indices_from(spread)] += 1e-3 * np.maximum(np.diag(spread), 1e-6)
        turned = np.linalg.solve(spread, mean.T)
        score += other @ turned - (mean * turned.T).sum(axis=1) / 2
        score -= score.max(axis=1, keepdims=True)
        expected = np.exp(score)
        expected = (expected / expected.sum(axis=1, keepdims=True)).mean(axis=0)
        score += np.log(share / np.maximum(expected, 1e-12))
    return OfNames(score)
