"""How often an attack succeeds: with an interval, beside its baseline, and without counts of a few people.

Paper: Giomi, Boenisch, Wehmeyer, Tasnádi: *A Unified Framework for Quantifying Privacy Risk in Synthetic Data*, PoPETs
2023, section 4: Wilson intervals, and the risk as what is left of the success after that on a control group.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

Z = 1.959963984540054
"""For intervals of 95 percent."""


def student(z: float, free: int) -> float:
    """Student's quantile where the normal one is z, by its expansion: within 0.01 from 7 degrees of freedom on, and z
    up to 2; from 15 on up to 3."""
    return z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)


@dataclass(frozen=True)
class Rate:
    """How many of some people, or of some tries.

    Attributes
    ----------
    name : str
        What became of them, such as ``"fit one record alone"``.
    success : float
        How many; a fraction where a guess among equals is counted by its chance.
    n : int
        Of how many.
    threshold : int
        Counts of people below it are not shown, neither of those who were hit nor of those who were not.
    sampled : bool
        They are a sample, or guesses: the rate has an interval. Otherwise it is a fact about all of them.
    """

    name: str
    success: float
    n: int
    threshold: int = 1
    sampled: bool = True

    @property
    def value(self) -> float:
        return self.success / self.n if self.n else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of 95 percent; without a sample the rate itself, twice."""
        if not self.sampled:
            return self.value, self.value
        return wilson(self.success, self.n)

    @property
    def few(self) -> bool:
        """Fewer than the threshold, but some."""
        return 0 < self.success < self.threshold

    @property
    def few_left(self) -> bool:
        """All but fewer than the threshold, but not all."""
        return self.success > 0 and 0 < self.n - self.success < self.threshold and not self.few

    @property
    def words(self) -> str:
        """The rate for people."""
        if self.n == 0:
            return "nobody was tried"
        if self.few:
            return f"fewer than {self.threshold:,} of {self.n:,}"
        if self.few_left:
            return f"all but fewer than {self.threshold:,} of {self.n:,}"
        count = f"{round(self.success):,} of {self.n:,} ({share(self.value)}"
        return count + (f"; {interval_words(self.interval)})" if self.sampled else ")")

    def to_dict(self) -> dict[str, Any]:
        """The rate as plain data; what is not shown to people is not told here either."""
        told: dict[str, Any] = {"name": self.name, "of": self.n}
        if self.few or self.few_left:
            word = "fewer_than" if self.few else "all_but_fewer_than"
            return told | {"count": None, word: self.threshold, "rate": None, "interval": None}
        interval = [round(end, 6) for end in self.interval] if self.sampled else None
        return told | {"count": round(self.success, 3), "rate": round(self.value, 6), "interval": interval}


@dataclass(frozen=True)
class Risk:
    """What the release itself adds to an attack: (attack - control) / (1 - control), with its interval.

    0: people in the release are attacked no better than people who are not in it. 1: every attack succeeds that the
    control group withstands. Where the control group withstands few, a small difference is a large risk: look at both.
    """

    attack: Rate
    control: Rate

    @property
    def value(self) -> float:
        return min(max(self._raw, 0.0), 1.0)

    @property
    def interval(self) -> tuple[float, float]:
        """The errors of both rates, carried over."""
        a, c = _centre(self.attack), _centre(self.control)
        left = max(1 - c[0], 1e-12)
        error = math.hypot(a[1] / left, c[1] * (1 - a[0]) / left**2)
        middle = (a[0] - c[0]) / left
        return min(max(middle - error, 0.0), 1.0), min(max(middle + error, 0.0), 1.0)

    @property
    def difference(self) -> float:
        """By how much the attack succeeds more often; not more than that of all people are worse off."""
        return self.attack.value - self.control.value

    @property
    def seen(self) -> bool:
        """The attack succeeds more often than on the control group, beyond chance."""
        return self.interval[0] > 0

    @property
    def hidden(self) -> bool:
        return any((one.few or one.few_left) for one in (self.attack, self.control))

    @property
    def words(self) -> str:
        if self.hidden:
            return f"at most {share(self.interval[1])} of what was left to learn"
        return f"{share(self.value)} of what was left to learn ({interval_words(self.interval)})"

    @property
    def _raw(self) -> float:
        return (self.attack.value - self.control.value) / max(1 - self.control.value, 1e-12)

    def to_dict(self) -> dict[str, Any]:
        return {
            "risk": None if self.hidden else round(self.value, 6),
            "interval": [round(end, 6) for end in self.interval] if not self.hidden else None,
            "difference": None if self.hidden else round(self.difference, 6),
            "at_most": round(self.interval[1], 6),
            "attack": self.attack.to_dict(),
            "control": self.control.to_dict(),
        }


def wilson(success: float, n: int) -> tuple[float, float]:
    """Wilson's score interval of 95 percent for a share.

    Examples
    --------
    >>> from amongst.attack.rate import wilson
    >>> [round(end, 3) for end in wilson(5, 10)]
    [0.237, 0.763]
    """
    if n == 0:
        return 0.0, 1.0
    middle = (success + Z * Z / 2) / (n + Z * Z)
    half = Z / (n + Z * Z) * math.sqrt(max(success * (n - success) / n, 0.0) + Z * Z / 4)
    low = 0.0 if success <= 0 else max(middle - half, 0.0)
    return low, 1.0 if success >= n else min(middle + half, 1.0)


def apart(one: Rate, other: Rate) -> tuple[float, tuple[float, float]]:
    """By how much two independent shares differ, with Newcombe's interval of 95 percent (Statistics in Medicine 1998).

    Examples
    --------
    >>> from amongst.attack.rate import Rate, apart
    >>> difference, ends = apart(Rate("", 56, 70), Rate("", 48, 80))
    >>> round(difference, 4), [round(end, 4) for end in ends]
    (0.2, [0.0524, 0.3339])
    """
    a, b = one.value, other.value
    (low_a, high_a), (low_b, high_b) = wilson(one.success, one.n), wilson(other.success, other.n)
    return a - b, (a - b - math.hypot(a - low_a, high_b - b), a - b + math.hypot(high_a - a, b - low_b))


def _centre(rate: Rate) -> tuple[float, float]:
    """The middle of Wilson's interval, and half its width."""
    low, high = wilson(rate.success, rate.n)
    return (low + high) / 2, (high - low) / 2


def share(number: float) -> str:
    """A share in percent, and never 0 or 100 for what is not."""
    from amongst.report.wording import percent

    return percent(number)


def interval_words(interval: tuple[float, float]) -> str:
    return f"95% interval {share(interval[0])} to {share(interval[1])}"
