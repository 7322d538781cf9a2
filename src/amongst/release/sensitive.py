"""The figures of every sensitive column of a release, whatever was asked for.

Those of the release are of its rows alone: how far values lie from each other goes by the values that are published,
and so does the kind of a column of a text file. A value that only somebody has who was left out shows in none of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.frequency import tuples_of
from amongst.encode.sensitive import encode_sensitive
from amongst.measure.sensitive import SensitiveFigures, measure_column
from amongst.models import of_values
from amongst.partition.value_conditions import distance_of
from amongst.read.text import typed
from amongst.schema.arrow_kind import natural_kind

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
        shown = _of_rows_that_stay(column, plan.class_of_row, settles=_settles(release, column))
        asked = _asked_distance(release, name)
        distances = (distance_of(column, asked), distance_of(shown, asked))
        figures[name] = measure_column(column, shown, distances, (before, after), coded.unit, coded.count)
    return figures


def shown_kind(release: Release, name: str) -> str | None:
    """The kind of a column in documents: of a sensitive one that no model looks at, that of what is published.

    Where its published cells are not at hand, and the type of all cells would say more than they do, it is not told.
    """
    column, figures = release.schema[name], release.sensitive.get(name)
    if figures is not None:
        return figures.kind
    free = column.role == "sensitive" and release.store.cells_tell_types and name not in _looked_at(release)
    return None if free else column.kind


def _looked_at(release: Release) -> set[str]:
    """The sensitive columns that a model was asked for."""
    return {name for model in of_values(release.models) for name in model.columns_in(release.schema)}


def _asked_distance(release: Release, name: str) -> str | None:
    """The distance that was asked for on this column, if one was."""
    asked = [model.distance for model in release.models if model.column in (None, name)]
    return next((distance for distance in asked if distance is not None), None)


def _settles(release: Release, column: CodedColumn) -> bool:
    """Whether the kind of a column follows from the cells of a text file, and no model rests on it."""
    free = column.kind == "categorical" and column.tree is None and column.name not in _looked_at(release)
    return free and release.store.cells_tell_types


def _of_rows_that_stay(column: CodedColumn, class_of_row: np.ndarray, *, settles: bool) -> CodedColumn:
    """The column with the values of published rows alone; those of a hierarchy or an order are asked for, and stay."""
    import pyarrow as pa
    import pyarrow.compute as pc

    used = np.unique(column.codes[class_of_row >= 0])
    has_null = bool(len(used)) and used[-1] == column.own_null
    if column.tree is not None or column.kind == "ordered":
        return column if has_null or column.tree is not None else replace(column, null_code=None)
    codes = used[: len(used) - has_null]
    values, place = column.values.take(pa.array(codes)), np.arange(len(used))
    again = typed(pc.cast(values, pa.string())) if settles else None
    if again is not None:
        order = pc.array_sort_indices(again)
        place[order.to_numpy()] = np.arange(len(order))
        values, column = again.take(order), replace(column, kind=natural_kind(again.type) or column.kind)
    lookup = np.zeros(column.n_codes, dtype=column.codes.dtype)
    lookup[used] = place
    return replace(column, values=values, codes=lookup[column.codes], null_code=len(codes) if has_null else None)
