"""Estimates from several filled-in tables put together, with intervals that know how much was filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Combined:
    """What several completed tables say together.

    Attributes
    ----------
    estimate, error : ndarray
    free : ndarray
        Degrees of freedom of the t distribution that intervals come from.
    missing : ndarray
        How much of the information on every coefficient was not in the release, between 0 and 1.
    """

    estimate: np.ndarray
    error: np.ndarray
    free: np.ndarray
    missing: np.ndarray

    def interval(self, level: float) -> tuple[np.ndarray, np.ndarray]:
        """Confidence intervals."""
        from scipy.stats import t

        half = t.ppf(0.5 + level / 2, self.free) * self.error
        return self.estimate - half, self.estimate + half


def combine(estimates: Sequence[np.ndarray], variances: Sequence[np.ndarray], free: float) -> Combined:
    """Put estimates of completed tables together.

    Parameters
    ----------
    estimates, variances : sequence of ndarray
        Of every completed table; the variance of every coefficient.
    free : float
        Degrees of freedom that complete rows would have.

    Notes
    -----
    Rules of D. B. Rubin, *Multiple Imputation for Nonresponse in Surveys*, 1987, section 3.3: the variance is the mean
    of the variances and (1 + 1/m) times the variance of the estimates. Degrees of freedom by J. Barnard, D. B. Rubin,
    *Small-sample degrees of freedom with multiple imputation*, Biometrika 86, 1999.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.analysis.rubin import combine
    >>> found = combine([np.array([1.0]), np.array([3.0])], [np.array([1.0]), np.array([1.0])], 100)
    >>> found.estimate[0], found.error[0]  # 1 within, 2 between: 1 + 1.5 * 2
    (np.float64(2.0), np.float64(2.0))
    """
    m, own = len(estimates), np.asarray(estimates, dtype=np.float64)
    within = np.asarray(variances, dtype=np.float64).mean(axis=0)
    between = own.var(axis=0, ddof=1) if m > 1 else np.zeros(own.shape[1])
    total = within + (1 + 1 / m) * between
    with np.errstate(divide="ignore", invalid="ignore"):
        missing = np.where(total > 0, (1 + 1 / m) * between / total, 0.0)
        old = np.where(missing > 0, (m - 1) / np.square(missing), np.inf)
    observed = (free + 1) / (free + 3) * free * (1 - missing)
    joined = np.where(np.isinf(old), free, 1 / (1 / old + 1 / np.maximum(observed, 1e-9)))
    return Combined(own.mean(axis=0), np.sqrt(total), np.maximum(joined, 1.0), missing)
