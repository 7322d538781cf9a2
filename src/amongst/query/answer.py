"""Answers: an estimate, and bounds that the truth cannot leave."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from amongst.query.question import Literal

Value = int | float | str | None


@dataclass(frozen=True)
class Answer:
    """The answer to one figure.

    Attributes
    ----------
    figure : str
        What was asked, such as ``COUNT(*)``.
    estimate : int, float, str or None
        The figure if values are spread evenly within every class. None where no row matches.
    lower, upper : int, float, str or None
        The true figure of the original is not below and not above. None where nothing bounds it, or where no row
        can match.
    may_be_empty : bool
        Perhaps no row matches; then SUM, AVG, MIN and MAX have no value.
    n_expected : float
        How many rows are expected to match.
    """

    figure: str
    estimate: Value
    lower: Value
    upper: Value
    may_be_empty: bool = False
    n_expected: float = 0.0

    @property
    def exact(self) -> bool:
        """Whether the bounds leave one value only."""
        return self.lower is not None and self.lower == self.upper and not self.may_be_empty

    @property
    def words(self) -> str:
        if self.exact:
            return f"{shown(self.lower)}, exactly"
        if self.estimate is None:
            return "no value: no row can match"
        low, high = shown(self.lower, "no lower bound"), shown(self.upper, "no upper bound")
        said = f"about {shown(self.estimate)}, between {low} and {high}"
        if self.lower is None or self.upper is None:
            said = f"about {shown(self.estimate)}; {low}, {high}"
            said = said.replace("; no lower bound, no upper bound", "; no bounds")
        return said + (" if any row matches" if self.may_be_empty else "")

    def to_dict(self) -> dict[str, Any]:
        return {
            "figure": self.figure,
            "estimate": self.estimate,
            "lower": self.lower,
            "upper": self.upper,
            "exact": self.exact,
            "may_be_empty": self.may_be_empty,
        }


def shown(value: Value, missing: str = "") -> str:
    """A value of an answer with four digits that matter, or more before the point.

    Examples
    --------
    >>> from amongst.query.answer import shown
    >>> shown(12345.678), shown(0.0123456)
    ('12,346', '0.01235')
    """
    if value is None:
        return missing
    if isinstance(value, str):
        return value
    if isinstance(value, int) or (float(value).is_integer() and abs(value) < 1e15):
        return f"{int(value):,}"
    digits = max(0, 3 - math.floor(math.log10(abs(value)))) if value else 0
    return f"{value:,.{min(digits, 12)}f}" if abs(value) < 1e15 else f"{value:.4g}"


@dataclass(frozen=True)
class Answers:
    """The answers to a question: one line, or one for every combination of the columns of GROUP BY.

    Attributes
    ----------
    columns : tuple of str
        The columns of GROUP BY.
    keys : list of tuple
        Their values, one tuple a line.
    lines : list of list of Answer
        One answer for every figure.
    notes : list of str
        What to know when reading them.
    n_rows, n_suppressed : int
        Rows of the release, and rows of the original that are not in it (None where that is not known).

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)])
    >>> answer = release.query("SELECT COUNT(*) WHERE Age <= 26 AND Disease = 'Flu'")
    >>> answer.estimate, answer.lower, answer.upper
    (1.0, 1, 1)
    """

    columns: tuple[str, ...]
    keys: list[tuple[Literal | None, ...]]
    lines: list[list[Answer]]
    notes: list[str] = field(default_factory=list)
    n_rows: int = 0
    n_suppressed: int | None = None

    @property
    def only(self) -> Answer:
        """The answer, where there is just one."""
        if len(self.lines) != 1 or len(self.lines[0]) != 1:
            raise ValueError(f"there are {sum(map(len, self.lines))} answers: see .lines")
        return self.lines[0][0]

    @property
    def estimate(self) -> Value:
        return self.only.estimate

    @property
    def lower(self) -> Value:
        return self.only.lower

    @property
    def upper(self) -> Value:
        return self.only.upper

    @property
    def exact(self) -> bool:
        return self.only.exact

    def to_dict(self) -> dict[str, Any]:
        lines = [
            {**dict(zip(self.columns, key, strict=True)), "answers": [answer.to_dict() for answer in line]}
            for key, line in zip(self.keys, self.lines, strict=True)
        ]
        return {"rows": self.n_rows, "suppressed": self.n_suppressed, "lines": lines, "notes": self.notes}
