"""Figures of the population that a sample stands for: every row counts as often as its weight says."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import page_part
from amongst.encode.coded import CodedTable
from amongst.measure.ncp import gcp, ncp
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.partition.partition import Partition
    from amongst.recode.plan import RecodingPlan


@dataclass(frozen=True)
class Population:
    """What a release keeps and loses, counted in people of the population.

    Attributes
    ----------
    people : float
        Whom the published rows stand for: the sum of their weights.
    smallest : float
        Whom the rows of the smallest class stand for.
    gcp : float
        The global certainty penalty with every row as often as its weight says.
    ncp : dict of str to float
        The same for every quasi-identifier.
    """

    people: float
    smallest: float
    gcp: float
    ncp: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def words(self) -> str:
        """In a line."""
        return (
            f"{self.people:,.0f} people by the weights; the smallest class stands for {self.smallest:,.0f}; "
            f"loss counted in people (GCP) {self.gcp:.1%}"
        )

    def _repr_html_(self) -> str:
        rows = [
            ("people", f"{self.people:,.0f}"),
            ("smallest class stands for", f"{self.smallest:,.0f}"),
            ("loss (GCP)", f"{self.gcp:.1%}"),
            *((f"loss of {name}", f"{loss:.1%}") for name, loss in self.ncp.items()),
        ]
        return page_part("Counted in people of the population", rows)


def of_population(
    table: CodedTable, schema: Schema, partition: Partition, plan: RecodingPlan, weight: np.ndarray
) -> Population:
    """The figures, by the weight of every row of the input."""
    own = weight if table.kept_rows is None else weight[table.kept_rows]
    shown = plan.class_of_row >= 0
    people = np.bincount(plan.class_of_row[shown], weights=own[shown], minlength=plan.n_classes)
    penalties = ncp(table, schema, partition, (own, float(weight.sum())))
    return Population(
        people=float(people.sum()),
        smallest=float(people.min()) if len(people) else 0.0,
        gcp=gcp(penalties),
        ncp=penalties,
    )
