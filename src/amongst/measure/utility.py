"""All figures on what a release keeps and loses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import page_part
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.measure.average_class import average_class
from amongst.measure.classification_metric import classification_metric
from amongst.measure.discernibility import discernibility
from amongst.measure.loss_metric import loss_metric
from amongst.measure.ncp import gcp, ncp, weighted_gcp
from amongst.measure.uniques import uniques, uniques_of_classes
from amongst.models import Model, smallest_group
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.partition.partition import Partition
    from amongst.recode.plan import RecodingPlan


@dataclass(frozen=True)
class Utility:
    """What a release keeps and loses.

    Attributes
    ----------
    gcp : float
        Global certainty penalty: 0 nothing lost, 1 nothing left.
    weighted_gcp : float
        The same with the columns' weights.
    ncp : dict of str to float
        Loss of every quasi-identifier.
    lm : float
        Loss metric, the mean over columns.
    c_dm, c_avg : int, float
        Discernibility, and average class size over k.
    n_classes, smallest, largest : int
        Classes are rows that publish the same quasi-identifiers.
    n_published, n_suppressed : int
    uniques_before, uniques_after : int
        Rows that stand alone with their quasi-identifiers.
    cm : float or None
        Classification metric, where a target was given: the share of rows that are not of the most frequent target
        among the rows that look like them, or suppressed.
    """

    gcp: float
    weighted_gcp: float
    ncp: dict[str, float]
    lm: float
    c_dm: int
    c_avg: float
    n_classes: int
    smallest: int
    largest: int
    n_published: int
    n_suppressed: int
    uniques_before: int
    uniques_after: int
    cm: float | None = None

    def _repr_html_(self) -> str:
        rows = [
            ("rows published", f"{self.n_published:,}"),
            ("classes", f"{self.n_classes:,} of {self.smallest:,} to {self.largest:,} rows"),
            ("loss (GCP)", f"{self.gcp:.1%}"),
            ("loss (LM)", f"{self.lm:.1%}"),
            *((f"loss of {name}", f"{loss:.1%}") for name, loss in sorted(self.ncp.items(), key=lambda one: -one[1])),
        ]
        return page_part("What was kept and lost", rows)

    def to_dict(self) -> dict[str, Any]:
        facts = asdict(self)
        return facts if self.cm is not None else {name: fact for name, fact in facts.items() if name != "cm"}


def measure(
    table: CodedTable,
    schema: Schema,
    partition: Partition,
    size_of_class: np.ndarray,
    models: Sequence[Model],
    cm: float | None = None,
) -> Utility:
    """Measure a release from its groups and its published classes."""
    penalties = ncp(table, schema, partition)
    losses = loss_metric(table, schema, partition)
    return _utility(
        table,
        size_of_class,
        models,
        gcp=gcp(penalties),
        weighted_gcp=weighted_gcp(penalties, {column.name: column.weight for column in table.columns}),
        ncp=penalties,
        lm=sum(losses.values()) / len(losses),
        uniques_before=uniques(table, partition),
        uniques_after=uniques_of_classes(size_of_class),
        cm=cm,
    )


def measure_groups(
    table: CodedTable, schema: Schema, partition: Partition, size_of_group: np.ndarray, models: Sequence[Model]
) -> Utility:
    """Measure a release whose quasi-identifiers lose nothing, by the groups that sensitive values are shared in."""
    alone = uniques(table, partition)
    none: dict[str, Any] = {"gcp": 0.0, "weighted_gcp": 0.0, "ncp": dict.fromkeys(schema.quasi, 0.0), "lm": 0.0}
    return _utility(table, size_of_group, models, **none, uniques_before=alone, uniques_after=alone)


def _utility(table: CodedTable, size_of_class: np.ndarray, models: Sequence[Model], **figures: Any) -> Utility:
    """The figures that sizes of classes give, and those that were measured."""
    n_published = int(size_of_class.sum())
    n_suppressed = table.n_input - n_published
    return Utility(
        c_dm=discernibility(size_of_class, n_suppressed, table.n_input),
        c_avg=average_class(size_of_class, smallest_group(models)),
        n_classes=len(size_of_class),
        smallest=int(size_of_class.min()) if len(size_of_class) else 0,
        largest=int(size_of_class.max(initial=0)),
        n_published=n_published,
        n_suppressed=n_suppressed,
        **figures,
    )


def cm_of(table: CodedTable, plan: RecodingPlan, target: CodedColumn) -> float:
    """The classification metric of a release for some target."""
    return classification_metric(plan.class_of_row, plan.n_classes, target.codes, target.n_codes, table.n_input)
