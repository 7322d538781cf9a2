"""The chance of finding a person: one known to be in the table, one of the population, as many as can be.

El Emam, *Guide to the De-Identification of Personal Health Information* (2013): with the classes J of the
table, of which class j has f_j rows here and F_j people in the population,

- **prosecutor**: 1 / f_j for everybody in class j; on average \\|J\\| / n;
- **journalist**: 1 / F_j; on average the larger of \\|J\\| / sum F_j and (1 / n) sum f_j / F_j;
- **marketer**: the share of rows that is expected to be found when all are tried, (1 / n) sum f_j / F_j.

Where people are counted, f_j are people, and somebody who is in several classes has the largest of their chances; n are
people then. Where a missing value matches anything, f_j and F_j are all that the class fits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class Reidentification:
    """The chance of finding a person.

    Attributes
    ----------
    highest, average : float
        Over the rows; over the people, where people are counted.
    n_at_risk : int
        Rows, or people, whose chance is above 1/k.
    share_at_risk : float
    """

    highest: float
    average: float
    n_at_risk: int
    share_at_risk: float


def over_all(chance: np.ndarray, times: np.ndarray, k: int) -> Reidentification:
    """Of chances that so many rows, or people, have."""
    n = int(times.sum())
    at_risk = int(times[chance > (1 + 1e-12) / k].sum())
    return Reidentification(float(chance.max()), float((chance * times).sum() / n), at_risk, at_risk / n)


def of_counted_people(found: Reidentification, people_of_class: np.ndarray) -> Reidentification:
    """The journalist, where the people of the population are counted: on average the larger of two means."""
    return replace(found, average=max(found.average, len(people_of_class) / float(people_of_class.sum())))
