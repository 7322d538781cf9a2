"""What papers claim of a figure, as predicates on its series; and the verdict in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from benchmarks.papers.experiment import Panel


@dataclass(frozen=True)
class Part:
    """One part of a claim: where it was looked at, and where it fails.

    Attributes
    ----------
    words : str
        What is claimed.
    n : int
        At how many places it was looked at.
    failed : tuple of str
        Where it does not hold.
    """

    words: str
    n: int
    failed: tuple[str, ...] = ()

    @property
    def mostly_fails(self) -> bool:
        return 2 * len(self.failed) > self.n or self.n == 0


@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds.

    Attributes
    ----------
    outcome : {"holds", "holds for ours", "holds but for", "does not hold"}
    words : str
        The outcome with its exceptions.
    """

    outcome: str
    words: str

    def to_dict(self) -> dict[str, Any]:
        return {"outcome": self.outcome, "words": self.words}


def verdict(parts: Sequence[Part]) -> Verdict:
    """Put the parts of a claim together.

    A claim holds where no part fails anywhere. It does not hold where its main part, the first, fails at more than
    half of the places that were looked at. Between the two it holds but for what is named.

    Examples
    --------
    >>> from benchmarks.papers.claims import Part, verdict
    >>> verdict([Part("Mondrian is lower", 3, ("k = 5",))]).words
    'holds but for: Mondrian is lower (not at k = 5)'
    """
    failing = [part for part in parts if part.failed or part.n == 0]
    if not failing:
        return Verdict("holds", "holds")
    outcome = "does not hold" if parts[0].mostly_fails else "holds but for"
    return Verdict(outcome, f"{outcome}: " + "; ".join(_exception(part) for part in failing))


def of_both(printed: Verdict, ours: Verdict) -> Verdict:
    """One verdict of the methods as printed and of ours.

    Examples
    --------
    >>> from benchmarks.papers.claims import Verdict, of_both
    >>> of_both(Verdict("does not hold", "does not hold: a below b (no)"), Verdict("holds", "holds")).words
    'holds for ours; as printed it does not hold: a below b (no)'
    """
    if printed.outcome == "holds":
        return printed if ours.outcome == "holds" else Verdict("holds", f"holds as printed; for ours it {ours.words}")
    if ours.outcome == "holds":
        return Verdict("holds for ours", f"holds for ours; as printed it {printed.words}")
    return Verdict(printed.outcome, f"{printed.words}. For ours it {ours.words}")


MOST_PLACES = 4
"""Of more places only the number is told."""


def _exception(part: Part) -> str:
    """A part that fails, and where."""
    if part.n == 0:
        where = "nowhere measured"
    elif part.n == 1:
        where = "no" if part.failed == ("",) else f"not at {part.failed[0]}"
    elif len(part.failed) == part.n:
        where = "nowhere"
    elif len(part.failed) > MOST_PLACES:
        where = f"not at {len(part.failed)} of {part.n} places"
    else:
        where = f"not at {', '.join(part.failed)}"
    return f"{part.words} ({where})"


def below(panel: Panel, one: str, others: Sequence[str], times: float = 1.0, words: str = "") -> Part:
    """``one`` is under every one of the others, ``times`` times, at every x; as low as they are is no failure.

    Examples
    --------
    >>> from benchmarks.papers.claims import below
    >>> from benchmarks.papers.experiment import Panel
    >>> below(Panel("", "k", "GCP", [2, 5], {"a": [1, 3], "b": [2, 2]}), "a", ["b"]).failed
    ('k = 5',)
    """
    said = words or f"{one} below {_and(others)}" + (f" by a factor of {times:g}" if times != 1 else "")
    return _everywhere(
        panel, [one, *others], said, lambda values: all(values[0] * times <= other for other in values[1:])
    )


def similar(panel: Panel, names: Sequence[str], times: float, words: str = "") -> Part:
    """The largest of these series is at most ``times`` the smallest, at every x."""
    said = words or f"{_and(names)} within a factor of {times:g}"
    return _everywhere(panel, names, said, lambda values: max(values) <= times * min(values))


def falls(panel: Panel, names: Sequence[str], words: str = "", slack: float = 0.0) -> Part:
    """Every one of these series falls from each x to the next; it may rise by a share of ``slack``."""
    return _steps(panel, names, words or f"{_and(names)} falling", lambda a, b: b <= a * (1 + slack))


def rises(panel: Panel, names: Sequence[str], words: str = "", slack: float = 0.0) -> Part:
    """Every one of these series rises from each x to the next; it may fall by a share of ``slack``."""
    return _steps(panel, names, words or f"{_and(names)} rising", lambda a, b: b >= a * (1 - slack))


def lower_at_end(panel: Panel, names: Sequence[str], words: str = "") -> Part:
    """Every one of these series ends lower than it begins."""
    ends = {name: [v for v in panel.series[name] if v is not None] for name in names}
    failed = [name for name, values in ends.items() if not values[-1] < values[0]]
    return Part(words or f"{_and(names)} lower at the end", len(ends), tuple(failed))


def true(words: str, holds: bool) -> Part:
    """A part that is looked at once."""
    return Part(words, 1, () if holds else ("",))


def ratio(panel: Panel, over: str, under: str) -> list[float]:
    """One series over another, where both are there."""
    pairs = zip(panel.series[over], panel.series[under], strict=True)
    return [a / b for a, b in pairs if a is not None and b]


def _everywhere(panel: Panel, names: Sequence[str], words: str, holds: Callable[[list[float]], bool]) -> Part:
    failed, n = [], 0
    for x, *values in zip(panel.xs, *(panel.series[name] for name in names), strict=True):
        there = [value for value in values if value is not None]
        if len(there) < len(names):
            continue
        n += 1
        if not holds(there):
            failed.append(place(panel, x))
    return Part(words, n, tuple(failed))


def _steps(panel: Panel, names: Sequence[str], words: str, holds: Callable[[float, float], bool]) -> Part:
    failed, n = [], 0
    for name in names:
        there = [(x, v) for x, v in zip(panel.xs, panel.series[name], strict=True) if v is not None]
        for (_, a), (x, b) in pairwise(there):
            n += 1
            if not holds(a, b):
                failed.append(f"{name} {place(panel, x)}" if len(names) > 1 else place(panel, x))
    return Part(words, n, tuple(failed))


def place(panel: Panel, x: float | str) -> str:
    """An x in words."""
    return x if isinstance(x, str) else f"{panel.x_name} = {x:,g}" if x < 1000 else f"{panel.x_name} = {x:,.0f}"


def _and(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
