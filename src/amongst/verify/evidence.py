"""All that a proof may look at: classes, labels, sensitive values, people; each read from the published table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from amongst.errors import BadOption
from amongst.models import Model, of_values
from amongst.published.classes import Classes, classes_of_rows, wild_keys
from amongst.published.layout import Layout, Leaf
from amongst.published.people import PERSON, People, with_people
from amongst.published.readings import Reading, read_labels
from amongst.published.sensitive_values import number_values
from amongst.published.source import Source
from amongst.published.tally import Distinct, Tally, distinct_keys, one_key, tally
from amongst.schema.column import Column
from amongst.verify.histogram import Histogram, histogram


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was read.

    Attributes
    ----------
    layout : Layout
    classes : Classes
    histograms : dict of str to Histogram
        Of every sensitive column that a model speaks of and that is there.
    people : People, or None
    """

    layout: Layout
    classes: Classes
    histograms: dict[str, Histogram] = field(default_factory=dict)
    people: People | None = None

    @cached_property
    def readings(self) -> list[Reading]:
        """What the labels say."""
        return read_labels(self.layout, self.classes.tally)

    @cached_property
    def wild(self) -> bool:
        """Whether a published null matches anything, so that rows do not fall into classes."""
        return any(bool(where.any()) for where in wild_keys(self.layout, self.classes.tally))

    def columns_of(self, model: Model) -> list[str]:
        """The sensitive columns that a model speaks of, of those that are there."""
        foreign = model.column is None and self.layout.foreign
        names = list(self.histograms) if foreign else model.columns_in(self.layout.schema)
        names = [name for name in names if name in self.histograms]
        if model.column is None and model.of_kinds:
            names = [name for name in names if self.histograms[name].values.kind in model.of_kinds]
        return [name for name in names if name in self.histograms]


def gather(source: Source, layout: Layout, models: Sequence[Model], units: Any = None) -> Evidence:
    """Read the rows once, with all the columns that the models ask for."""
    names = sensitive_columns(layout, models)
    leaves = [leaf for key in layout.keys for leaf in key.leaves]
    own = [Leaf(name) for name in names if name in layout.others]
    if not own and units is None:
        return Evidence(layout, classes_of_rows(layout, tally(source, leaves)))
    person = [] if units is None else [PERSON]
    items = tally(source if units is None else with_people(source, units), [*leaves, *own, *person])
    rows, class_of_item = _classes(items, leaves)
    people = None if units is None else _people(class_of_item, items.columns[PERSON].codes)
    classes = classes_of_rows(layout, rows, people)
    person_of_item = None if units is None else items.columns[PERSON].codes
    size = rows.size if people is None else people.count(np.arange(len(rows.size)), len(rows.size))
    histograms = {}
    for leaf in own:
        column = items.columns[leaf]
        values, number_of_code = number_values(column, _described(layout, leaf.column), source.separator is not None)
        value_of_item = number_of_code[column.codes]
        histograms[leaf.column] = histogram(values, class_of_item, value_of_item, items.size, size, person_of_item)
    return Evidence(layout, classes, histograms, people)


def sensitive_columns(layout: Layout, models: Sequence[Model]) -> list[str]:
    """The columns that the models speak of; raises where a model speaks of none that can be sensitive."""
    names: list[str] = []
    for model in of_values(models):
        named = model.columns_in(layout.schema)
        if not named:
            raise BadOption(
                f"The model {model.name!r} needs a sensitive column.",
                found="no column named in the model, and none with this role in a schema",
                fix='name it, such as column="disease", or give a schema with role="sensitive"',
            )
        names += named
    quasi = [name for name in names if name in layout.schema.quasi]
    if quasi:
        raise BadOption(
            "A quasi-identifier cannot be the sensitive column of a model.",
            found=f"'{quasi[0]}' is both",
            fix="take it out of one of them",
        )
    return list(dict.fromkeys(names))


def _described(layout: Layout, name: str) -> Column:
    described = layout.schema[name] if name in layout.schema else Column(role="sensitive")
    return replace(described, kind="numeric") if described.role == "weight" else described


def _classes(items: Tally, leaves: Sequence[Leaf]) -> tuple[Tally, np.ndarray]:
    """The distinct rows in the quasi-identifiers alone, and which of them every item belongs to."""
    key = one_key([items.columns[leaf].codes for leaf in leaves], len(items.size))
    _, first, class_of_item = np.unique(key, return_index=True, return_inverse=True)
    class_of_item = class_of_item.reshape(-1)
    size = np.bincount(class_of_item, weights=items.size, minlength=len(first)).astype(np.int64)
    columns = {}
    for leaf in leaves:
        column = items.columns[leaf]
        columns[leaf] = Distinct(column.codes[first], column.values, column.null_like, column.n_unused)
    return Tally(columns, size), class_of_item


def _people(class_of_item: np.ndarray, person_of_item: np.ndarray) -> People:
    n_people = int(person_of_item.max(initial=-1)) + 1
    pairs = distinct_keys(class_of_item * n_people + person_of_item)
    return People(pairs // max(n_people, 1), pairs % max(n_people, 1), n_people)
