"""Least squares and logistic regression: estimates, their covariance, a draw of parameters, and likelihoods."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst.errors import BadInput

FAMILIES = ("linear", "logistic")
MOST_STEPS = 50
"""Newton steps of a logistic regression; where it has an estimate a dozen are plenty."""

PRIOR = 5.0
"""The weak prior: a standard deviation of a predictor changes the log odds by some such number at most."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A model that was fitted to complete rows.

    Attributes
    ----------
    beta : ndarray
    covariance : ndarray
    variance : float
        Of the errors of a linear model; 1 otherwise.
    free : int
        Degrees of freedom.
    """

    family: str
    beta: np.ndarray
    covariance: np.ndarray
    variance: float
    free: int

    def drawn(self, rng: np.random.Generator) -> Fitted:
        """Parameters as uncertain as the rows leave them: a draw from the posterior with a flat prior."""
        variance = self.variance
        if self.family == "linear":
            variance = self.variance * self.free / rng.chisquare(self.free)
        scale = variance / self.variance if self.variance else 1.0
        root = np.linalg.cholesky(self.covariance * scale + 1e-14 * np.diag(np.diag(self.covariance) + 1e-30))
        return Fitted(
            self.family, self.beta + root @ rng.standard_normal(len(self.beta)), self.covariance, variance, self.free
        )

    def log_likelihood(self, response: np.ndarray, linear: np.ndarray) -> np.ndarray:
        """Of a response where the linear predictor is this; up to a constant."""
        if self.family == "linear":
            return -np.square(response - linear) / (2 * max(self.variance, 1e-300))
        return response * linear - np.logaddexp(0.0, linear)


def fit(matrix: np.ndarray, response: np.ndarray, family: str, *, weak_prior: bool = False) -> Fitted:
    """Fit a model to complete rows; with a weak prior, what rows do not tell of a logistic model stays near 0."""
    n, p = matrix.shape
    if n <= p:
        raise BadInput(
            "There are too few rows for this formula.", found=f"{n} rows, {p} coefficients", fix="use fewer terms"
        )
    return _linear(matrix, response) if family == "linear" else _logistic(matrix, response, weak_prior)


def _linear(matrix: np.ndarray, response: np.ndarray) -> Fitted:
    n, p = matrix.shape
    inverse = _inverse(matrix.T @ matrix)
    beta = inverse @ (matrix.T @ response)
    beta += inverse @ (matrix.T @ (response - matrix @ beta))  # once more: the normal equations lose digits
    left = response - matrix @ beta
    variance = float(left @ left / (n - p))
    return Fitted("linear", beta, inverse * variance, variance, n - p)


def _logistic(matrix: np.ndarray, response: np.ndarray, weak_prior: bool) -> Fitted:
    n, p = matrix.shape
    beta, prior = np.zeros(p), np.zeros(p)
    if weak_prior:
        spread = matrix.std(axis=0)
        prior = np.where(spread > 0, np.square(spread / PRIOR), 0.0)
    for _ in range(MOST_STEPS):
        share = 1 / (1 + np.exp(-np.clip(matrix @ beta, -30, 30)))
        weight = np.maximum(share * (1 - share), 1e-10)
        inverse = _inverse((matrix * weight[:, None]).T @ matrix + np.diag(prior))
        step = inverse @ (matrix.T @ (response - share) - prior * beta)
        beta = beta + step * min(1.0, 5.0 / max(float(np.abs(step).max()), 1e-300))
        if np.abs(step).max() < 1e-9 * (1 + np.abs(beta).max()):
            break
    return Fitted("logistic", beta, inverse, 1.0, n - p)


def _inverse(square: np.ndarray) -> np.ndarray:
    """The inverse of a matrix of cross products, scaled first: columns of a formula are of all sizes."""
    scale = np.sqrt(np.maximum(np.diag(square), 1e-300))
    scaled = square / np.outer(scale, scale)
    found = np.linalg.pinv(scaled, rcond=1e-11, hermitian=True)
    return found / np.outer(scale, scale)
