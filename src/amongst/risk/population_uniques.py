"""How many people are alone in the whole population, estimated from a sample of it.

What is known is how many classes of the sample have 1, 2, 3 ... rows, and the size of the population. Every estimate
takes the sample for a simple random one.

- **Zayatz** (1991): of a row alone in the sample the chance to be alone in the population, by Bayes, with the class
  sizes of the sample in place of those of the population.
- **Pitman** (Hoshino 2001): the class sizes follow the Ewens-Pitman formula, its two parameters by maximum likelihood;
  where the likelihood is largest at the edge alpha = 0, that is Ewens' formula.
- **SNB** (Chen and Keller-McNulty 1998): class sizes of the population, less one, are negative binomial; the parameters
  such that the expected classes of one and of two rows in the sample are those seen; how many classes there are in the
  population by the estimator of Shlosser as modified by Haas and Stokes (1998).
- **Dankar** and others (2012), the rule which of them to take: Pitman for samples of up to a tenth, else the smaller of
  Zayatz and SNB; Zayatz where an equation has no solution.

ARX offers the same four. Departures from its source: the formulas of SNB and of Shlosser are those of the papers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

SMALL_SAMPLE = 0.1
N_STEPS = 200


@dataclass(frozen=True)
class PopulationUniques:
    """Estimates of how many people are alone in the population.

    Attributes
    ----------
    n_people : float
        The size of the population.
    zayatz, pitman, snb : float or None
        None where an equation has no solution.
    chosen : str
        Which of them the rule of Dankar takes.
    """

    n_people: float
    zayatz: float
    pitman: float | None
    snb: float | None
    chosen: str

    @property
    def estimate(self) -> float:
        """What the chosen one says."""
        return float(getattr(self, self.chosen))

    @property
    def share(self) -> float:
        return self.estimate / self.n_people


def population_uniques(size_of_class: np.ndarray, fraction: float) -> PopulationUniques:
    """Estimate from the class sizes of a sample that is this fraction of the population.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.risk.population_uniques import population_uniques
    >>> population_uniques(np.array([1] * 30 + [2] * 20 + [5] * 10), 0.2).chosen
    'snb'
    """
    sizes, counts = np.unique(size_of_class, return_counts=True)
    n = int((sizes * counts).sum())
    n_people = n / fraction
    if sizes[0] != 1:
        return PopulationUniques(n_people, 0.0, 0.0, 0.0, "zayatz")
    if fraction >= 1:
        alone = float(counts[0])
        return PopulationUniques(n_people, alone, alone, alone, "zayatz")
    by_zayatz = zayatz(sizes, counts, fraction)
    by_pitman, by_snb = pitman(sizes, counts, fraction), snb(sizes, counts, fraction)
    if fraction <= SMALL_SAMPLE:
        chosen = "zayatz" if by_pitman is None else "pitman"
    else:
        chosen = "zayatz" if by_snb is None or by_zayatz < by_snb else "snb"
    return PopulationUniques(n_people, by_zayatz, by_pitman, by_snb, chosen)


def zayatz(sizes: np.ndarray, counts: np.ndarray, fraction: float) -> float:
    """Zayatz (1991)."""
    n = int((sizes * counts).sum())
    n_people = round(n / fraction)
    once = np.array([_drawn_once(n_people, int(size), n) for size in sizes])
    seen = counts / counts.sum() * once
    return float(counts[0] * (seen[0] / seen.sum()) / fraction)


def _drawn_once(n_people: int, size: int, n: int) -> float:
    """The chance that a sample of n has just one of ``size`` people."""
    if size > n_people - n + 1:
        return 0.0
    return size * math.exp(_log_choose(n_people - size, n - 1) - _log_choose(n_people, n))


def _log_choose(n: int, m: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(m + 1) - math.lgamma(n - m + 1)


def pitman(sizes: np.ndarray, counts: np.ndarray, fraction: float) -> float | None:
    """Hoshino (2001), section 3: theta and alpha where both derivatives of the likelihood are 0."""
    n, n_classes = int((sizes * counts).sum()), int(counts.sum())
    if n_classes < 2 or n_classes == n:
        return None

    def slope_of_theta(theta: float, alpha: float) -> float:
        return _sum_of_steps(theta, alpha, n_classes) - (digamma(theta + n) - digamma(theta + 1))

    def slope_of_alpha(theta: float, alpha: float) -> float:
        own = (n_classes - 1 - theta * _sum_of_steps(theta, alpha, n_classes)) / alpha
        inside = sum(
            int(count) * (digamma(int(size) - alpha) - digamma(1 - alpha))
            for size, count in zip(sizes, counts, strict=True)
        )
        return own - inside

    def best_theta(alpha: float) -> float | None:
        """The logarithm of theta + alpha, which is positive."""
        if slope_of_theta(math.exp(-20.0) - alpha, alpha) <= 0:
            return -20.0
        return _root(lambda x: slope_of_theta(math.exp(x) - alpha, alpha), -20.0, math.log(n) + 12)

    def along(alpha: float) -> float:
        x = best_theta(alpha)
        return math.nan if x is None else slope_of_alpha(math.exp(x) - alpha, alpha)

    n_people = n / fraction
    if along(1e-4) <= 0:
        return _ewens(n, n_classes, n_people)
    alpha = _root(along, 1e-4, 1 - 1e-9)
    x = None if alpha is None else best_theta(alpha)
    if alpha is None or x is None:
        return None
    theta = math.exp(x) - alpha
    uniques = math.exp(math.lgamma(theta + 1) - math.lgamma(theta + alpha) + alpha * math.log(n_people))
    return uniques if 0 <= uniques <= n_people else None


def _ewens(n: int, n_classes: int, n_people: float) -> float | None:
    """With alpha = 0: theta such that as many classes are expected as there are."""
    x = _root(
        lambda y: math.exp(y) * (digamma(math.exp(y) + n) - digamma(math.exp(y))) - n_classes, -20.0, math.log(n) + 12
    )
    return None if x is None else n_people * math.exp(x) / (math.exp(x) + n_people - 1)


def _sum_of_steps(theta: float, alpha: float, n_classes: int) -> float:
    """The sum of 1 / (theta + i alpha) for i from 1 to n_classes - 1."""
    return (digamma(theta / alpha + n_classes) - digamma(theta / alpha + 1)) / alpha


def snb(sizes: np.ndarray, counts: np.ndarray, fraction: float) -> float | None:
    """Chen and Keller-McNulty (1998): of the two equations one is quadratic in alpha, the other has beta alone then."""
    one = float(counts[0])
    two = float(counts[1]) if len(sizes) > 1 and sizes[1] == 2 else 0.0
    if two == 0:
        return None
    n_classes = _classes_of_population(sizes, counts, fraction)
    beta = np.concatenate([np.geomspace(1e-9, 0.5, 2000), 1 - np.geomspace(0.5, 1e-9, 2000)[1:]])
    alpha, excess = _snb_equation(beta, fraction, n_classes, one, two)
    at = np.flatnonzero((excess[:-1] <= 0) & (excess[1:] > 0) | (excess[:-1] >= 0) & (excess[1:] < 0))
    if len(at) == 0:
        return None
    low, high = float(beta[at[0]]), float(beta[at[0] + 1])
    found = _root(lambda b: float(_snb_equation(np.array([b]), fraction, n_classes, one, two)[1][0]), low, high)
    if found is None:
        return None
    alpha, _ = _snb_equation(np.array([found]), fraction, n_classes, one, two)
    uniques = n_classes * found ** float(alpha[0])
    return uniques if 0 <= uniques <= float((sizes * counts).sum()) / fraction else None


def _snb_equation(
    beta: np.ndarray, f: float, n_classes: float, one: float, two: float
) -> tuple[np.ndarray, np.ndarray]:
    """The alpha that gives the right ratio of twos to ones, and how many ones it gives too many."""
    d = (1 - f) * (1 - beta)
    a = f * (1 - beta) / (2 * (1 - d))
    ratio = two / one
    half = (a * (2 - d) - ratio * d) / 2
    alpha = (np.sqrt(half**2 + a * d * ratio * (1 - d)) - half) / (a * d)
    with np.errstate(over="ignore", under="ignore"):
        ones = n_classes * f * np.exp(alpha * np.log(beta / (1 - d))) * (alpha * d / (1 - d) + 1)
    return alpha, ones - one


def _classes_of_population(sizes: np.ndarray, counts: np.ndarray, f: float) -> float:
    """Haas and Stokes (1998), the third form of Shlosser's estimator."""
    i, n = sizes.astype(np.float64), counts.astype(np.float64)
    first = (i * f**2 * (1 - f**2) ** (i - 1) * n).sum() / ((1 - f) ** i * ((1 + f) ** i - 1) * n).sum()
    second = ((1 - f) ** i * n).sum() / (i * f * (1 - f) ** (i - 1) * n).sum()
    return float(n.sum() + n[0] * first * second**2)


def _root(function: Callable[[float], float], low: float, high: float) -> float | None:
    """Where a function changes its sign between two ends; None where it does not."""
    of_low, of_high = function(low), function(high)
    if not (math.isfinite(of_low) and math.isfinite(of_high)) or of_low * of_high > 0:
        return None
    for _ in range(N_STEPS):
        middle = low / 2 + high / 2
        of_middle = function(middle)
        if (of_middle > 0) == (of_low > 0):
            low = middle
        else:
            high = middle
        if high - low <= 1e-14 * max(abs(low), abs(high)):
            break
    return low / 2 + high / 2


def digamma(x: float) -> float:
    """The derivative of log gamma, for x > 0."""
    shift = 0.0
    while x < 12:
        shift -= 1 / x
        x += 1
    y = 1 / (x * x)
    tail = y * (1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y * (1 / 132)))))
    return shift + math.log(x) - 0.5 / x - tail
