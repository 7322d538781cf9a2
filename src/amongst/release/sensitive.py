"""The figures of every sensitive column of a release, whatever was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.frequency import tuples_of
from amongst.encode.sensitive import encode_sensitive
from amongst.measure.sensitive import SensitiveFigures, measure_column
from amongst.partition.value_conditions import distance_of

if TYPE_CHECKING:
    from amongst.encode.coded import CodedColumn
    from amongst.release.release import Release


def sensitive_figures(release: Release) -> dict[str, SensitiveFigures]:
    """Before: rows that are equal in all quasi-identifiers. After: rows that publish the same."""
    coded, plan = release.coded, release.plan
    names = [
        name
        for name in release.schema.sensitive
        if release.schema[name].kind is not None and name in release.source.table.column_names
    ]
    if not names:
        return {}
    tuples = tuples_of(coded)
    before = (tuples.tuple_of_row.astype(np.int64), tuples.n_tuples)
    after = (plan.class_of_row, plan.n_classes)
    figures = {}
    for name in names:
        column = coded.sensitive.get(name) or encode_sensitive(
            release.source.table, release.schema, name, coded.kept_rows
        )
        figures[name] = measure_column(column, _distance(release, column), before, after, coded.unit, coded.count)
    return figures


def _distance(release: Release, column: CodedColumn) -> str:
    """The distance that was asked for on this column, or the usual one."""
    asked = [model.distance for model in release.models if model.column in (None, column.name)]
    return distance_of(column, next((distance for distance in asked if distance is not None), None))
