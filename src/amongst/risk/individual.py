"""The chance of finding a person of a sample, where weights tell how many people a row stands for.

Benedetti and Franconi (1998); Franconi and Polettini, *Individual risk estimation in mu-Argus* (2004). Of a class with
f rows and the sum of weights W, the people F of the population are taken as negative binomial given f, with p = f / W.
The chance is the mean of 1 / F, which is

    r = integral from 0 to 1 of z^(f-1) / (1 + (1-p)/p z) dz .

sdcMicro's ``indivRisk`` has the same for f = 1 and 2, and approximations for more; here it is exact for every f.
"""

from __future__ import annotations

import numpy as np

FEW_ROWS = 20
N_TERMS = 64


def individual_risk(rows: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """The chance of everybody in classes with so many rows that stand for so many people.

    Parameters
    ----------
    rows : ndarray of int
        f, at least 1.
    weight : ndarray of float
        W, the sum of the weights of a class. Where it is below f, everybody of the population is taken to be here.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.risk.individual import individual_risk
    >>> individual_risk(np.array([1, 2]), np.array([17.0, 110.0])).round(6).tolist()
    [0.177076, 0.017144]
    """
    f = np.asarray(rows, dtype=np.float64)
    p = np.minimum(f / np.asarray(weight, dtype=np.float64), 1.0)
    odds = (1 - p) / p
    # Two ways, each where it is exact: steps from f to f + 1 lose nothing while the odds are at least 1.
    by_steps = (odds >= 1) & (f < FEW_ROWS)
    risk = _series(f, 1 - p) * p / f
    risk[by_steps] = _stepped(f[by_steps], odds[by_steps])
    return risk


def _series(f: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The hypergeometric function 2F1(1, 1; f + 1; q)."""
    term = np.ones_like(f)
    total = np.ones_like(f)
    for n in range(1, N_TERMS):
        term = term * q * n / (f + n)
        total += term
    return total


def _stepped(f: np.ndarray, odds: np.ndarray) -> np.ndarray:
    """By r(f + 1) = (1/f - r(f)) / odds, from r(1) = log(1 + odds) / odds."""
    risk = np.log1p(odds) / odds
    for n in range(1, FEW_ROWS - 1):
        risk = np.where(f > n, (1 / n - risk) / odds, risk)
    return risk
