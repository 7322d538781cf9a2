"""What was measured, as plain data; counts of people below the threshold are not told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from amongst.brief import page_part
from amongst.risk.attributes import ColumnRisk
from amongst.risk.minimal_uniques import MinimalUniques
from amongst.risk.population_uniques import PopulationUniques
from amongst.risk.reidentification import Reidentification

MOST_LISTED = 10


@dataclass(frozen=True, eq=False)
class RiskFigures:
    """The risk of one table.

    Attributes
    ----------
    n_rows, n_classes, smallest : int
        Classes are rows that are equal in all quasi-identifiers.
    n_people : int or None
        Where people are counted and not rows: how many there are. Everything that is counted below is people then.
    uniques : int
        Rows, or people, that stand alone.
    prosecutor : Reidentification
        Of an intruder who knows that a person is in the table.
    journalist : Reidentification or None
        Of one who does not; None where nothing is known of the population.
    marketer : float
        The share of rows, or people, that is expected to be found when everybody is tried.
    population : PopulationUniques or None
        How many are alone in the population, estimated.
    uniques_in_population : float or None
        Rows, or people, alone in the table who are alone in the population too: counted where the population is given,
        estimated from weights or a sampling fraction.
    fewest_in_population : float or None
        The people of the population whom the smallest class stands for: k in the population, counted or estimated.
    columns, pairs : list of ColumnRisk
        Every column, and every two; those that tell most apart first.
    minimal : MinimalUniques
    chance_of_row : ndarray of float64
        The chance of every row, of the journalist where the population is known, else of the prosecutor. For study;
        reports do not show it.
    """

    n_rows: int
    n_people: int | None
    n_classes: int
    smallest: int
    uniques: int
    prosecutor: Reidentification
    journalist: Reidentification | None
    marketer: float
    population: PopulationUniques | None
    uniques_in_population: float | None
    columns: list[ColumnRisk]
    pairs: list[ColumnRisk]
    minimal: MinimalUniques
    chance_of_row: np.ndarray = field(repr=False)
    fewest_in_population: float | None = None

    def to_dict(self, k: int) -> dict[str, Any]:
        """Plain data in which no count of people below k is told, and no share that would give one away."""
        return {
            "rows": self.n_rows,
            "people": self.n_people,
            "counted": self.counted,
            "classes": self.n_classes,
            f"unique_{self.counted}": hidden(self.uniques, k),
            "prosecutor": _chances(self.prosecutor, k, self.counted),
            "journalist": None if self.journalist is None else _chances(self.journalist, k, self.counted),
            "marketer": self.marketer,
            "population": None if self.population is None else _population(self.population, k),
            "uniques_in_population": _about(self.uniques_in_population, k),
            "fewest_in_population": _about(self.fewest_in_population, k),
            "columns": [_column(one) | {"contribution": self.contribution(one, k)} for one in self.columns],
            "pairs": [_column(one) for one in self.pairs[:MOST_LISTED]],
            "minimal_uniques": {
                "columns_up_to": self.minimal.largest,
                self.counted: hidden(self.minimal.n_rows, k),
                f"{self.counted}_by_columns": {
                    str(size): hidden(n, k) for size, n in self.minimal.rows_of_size.items()
                },
                "sets": [
                    {"columns": list(names), self.counted: hidden(n, k)} for names, n in self.minimal.sets[:MOST_LISTED]
                ],
            },
        }

    @property
    def counted(self) -> str:
        """What is counted: rows or people."""
        return "rows" if self.n_people is None else "people"

    def contribution(self, column: ColumnRisk, k: int) -> float | None:
        """The column's part in the scores of minimal uniques; of too few rows it is not told."""
        told = self.minimal.n_rows == 0 or self.minimal.n_rows >= k
        return self.minimal.contribution[column.columns[0]] if told else None


@dataclass(frozen=True, eq=False)
class Risk:
    """What ``am.risk`` gives.

    Attributes
    ----------
    title : str
    k : int
        The threshold: a chance above 1/k is at risk, counts of people below k are not told.
    before, after : RiskFigures or None
        Of the original and of the published table, as far as they were given.
    assumptions : tuple of str
    """

    title: str
    k: int
    before: RiskFigures | None
    after: RiskFigures | None
    assumptions: tuple[str, ...] = field(default=())

    @property
    def figures(self) -> RiskFigures:
        """Of the published table, or of the original where there is no other."""
        found = self.after or self.before
        assert found is not None
        return found

    @property
    def inside(self) -> bool:
        """Whether it tells more than anybody can count in the published table: then it is not to be published."""
        after = self.after
        return self.before is not None or after is None or after.n_people is not None or after.journalist is not None

    def words(self) -> str:
        """The risk as text for people."""
        from amongst.risk.words import words_of

        return words_of(self)

    def _repr_html_(self) -> str:
        from amongst.risk.words import headings, measures

        rows = [(name, meaning, *told) for name, meaning, told in measures(self)]
        title = f"{self.title}: risk at k = {self.k:,}"
        return page_part(title, rows, headings=["", "", *headings(self)], notes=self.assumptions)

    def to_dict(self) -> dict[str, Any]:
        """The risk as plain data, for ``--json``."""
        return {
            "document": "inside" if self.inside else "public",
            "title": self.title,
            "k": self.k,
            "threshold": 1 / self.k,
            "before": None if self.before is None else self.before.to_dict(self.k),
            "after": None if self.after is None else self.after.to_dict(self.k),
            "assumptions": list(self.assumptions),
        }

    def to_html(self) -> str:
        """The risk as one HTML page that holds everything it shows."""
        from amongst.risk.page import render_risk

        return render_risk(self)


def hidden(number: int, k: int) -> int | str:
    """A count of people, or that it is below k."""
    return f"fewer than {k}" if 0 < number < k else number


def _about(number: float | None, k: int) -> float | str | None:
    return f"fewer than {k}" if number is not None and 0 < number < k else number


def _chances(one: Reidentification, k: int, counted: str) -> dict[str, Any]:
    few = 0 < one.n_at_risk < k
    return {
        "highest": one.highest,
        "average": one.average,
        f"{counted}_at_risk": hidden(one.n_at_risk, k),
        "share_at_risk": None if few else one.share_at_risk,
    }


def _population(one: PopulationUniques, k: int) -> dict[str, Any]:
    estimates = {name: _about(getattr(one, name), k) for name in ("zayatz", "pitman", "snb")}
    return {"people": one.n_people, **estimates, "chosen": one.chosen, "estimate": _about(one.estimate, k)}


def _column(one: ColumnRisk) -> dict[str, Any]:
    return {
        "columns": list(one.columns),
        "values": one.n_values,
        "distinction": one.distinction,
        "separation": one.separation,
    }
