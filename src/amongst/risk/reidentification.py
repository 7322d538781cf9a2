"""The chance of finding a person: one known to be in the table, one of the population, as many as can be.

El Emam, *Guide to the De-Identification of Personal Health Information* (2013): with the classes J of the
table, of which class j has f_j rows here and F_j people in the population,

- **prosecutor**: 1 / f_j for everybody in class j; on average \\|J\\| / n;
- **journalist**: 1 / F_j; on average the larger of \\|J\\| / sum F_j and (1 / n) sum f_j / F_j;
- **marketer**: the share of rows that is expected to be found when all are tried, (1 / n) sum f_j / F_j.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Reidentification:
    """The chance of finding a person.

    Attributes
    ----------
    highest, average : float
        Over the rows.
    n_at_risk : int
        Rows whose chance is above 1/k.
    share_at_risk : float
    """

    highest: float
    average: float
    n_at_risk: int
    share_at_risk: float


def prosecutor(size_of_class: np.ndarray, rows_of_class: np.ndarray, k: int) -> Reidentification:
    """Somebody is known to be in the table: one of those of the class."""
    return _over_rows(1 / size_of_class, rows_of_class, k)


def journalist(people_of_class: np.ndarray, rows_of_class: np.ndarray, k: int) -> Reidentification:
    """Somebody of the population, who may be in the table: one of those of the population who would be in the class."""
    found = _over_rows(1 / people_of_class, rows_of_class, k)
    average = max(found.average, len(people_of_class) / float(people_of_class.sum()))
    return Reidentification(found.highest, average, found.n_at_risk, found.share_at_risk)


def expected(risk_of_class: np.ndarray, rows_of_class: np.ndarray, k: int) -> Reidentification:
    """The journalist where the population is not known, by the estimated chance of every class."""
    return _over_rows(risk_of_class, rows_of_class, k)


def marketer(risk_of_class: np.ndarray, rows_of_class: np.ndarray) -> float:
    """The share of rows that is expected to be found, when everybody is tried."""
    return float((risk_of_class * rows_of_class).sum() / rows_of_class.sum())


def _over_rows(risk: np.ndarray, rows: np.ndarray, k: int) -> Reidentification:
    n_rows = int(rows.sum())
    at_risk = int(rows[risk > (1 + 1e-12) / k].sum())
    return Reidentification(float(risk.max()), float((risk * rows).sum() / n_rows), at_risk, at_risk / n_rows)
