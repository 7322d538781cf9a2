"""Every column before and after: quasi-identifiers as one expects them from the release, sensitive ones as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.app.figures.plain import plain, rounded, short
from amongst.encode.coded import CodedColumn
from amongst.encode.encode import numbers
from amongst.encode.sensitive import encode_sensitive
from amongst.recode.bounds import per_day
from amongst.recode.labels import text_of
from amongst.release.story import round_edges
from amongst.report.charts.distribution import distribution_chart
from amongst.report.shown import show
from amongst.report.views import Distribution

if TYPE_CHECKING:
    from amongst.release.release import Release
    from amongst.report.story import Story

MISSING = "missing"
MOST_COLUMNS = 60
"""Of more columns the first are sent."""
NAME = 40


def distribution_figures(release: Release, story: Story) -> list[dict[str, Any]]:
    """The cells of every column as shares; cells of fewer rows than the threshold are put together."""
    quasi = [(one, "quasi") for one in story.distributions]
    names = [one.column for one in story.sensitive]
    sensitive = [(sensitive_distribution(release, name), "sensitive") for name in names]
    all_of_them = [*quasi, *sensitive][:MOST_COLUMNS]
    return [_cells(one, role, story.threshold, f"column-{i}") for i, (one, role) in enumerate(all_of_them)]


def sensitive_distribution(release: Release, name: str) -> Distribution:
    """The rows of every value in the input, and in the release: its values are published as they are."""
    coded = release.coded
    column = coded.sensitive.get(name) or encode_sensitive(release.source.table, release.schema, name, coded.kept_rows)
    kept, weights = release.partition.group_of_row >= 0, coded.weights
    before = np.bincount(column.codes, weights=weights, minlength=column.n_codes)
    after = np.bincount(column.codes[kept], weights=weights[kept], minlength=column.n_codes)
    if column.kind in ("numeric", "date") and column.own_null < 0 and np.isfinite(2 * column.span):
        return _on_a_line(column, before, after)
    labels = [*text_of(column.values).to_pylist(), *([MISSING] if column.own_null >= 0 else [])]
    kind = "ordered" if column.kind == "ordered" else "categorical"
    return Distribution(name, kind, before, after, labels=tuple(labels))


def _on_a_line(column: CodedColumn, before: np.ndarray, after: np.ndarray) -> Distribution:
    unit = per_day(column.values.type)  # times are counted in days
    edges = round_edges(column.lowest / unit, (column.lowest + column.span) / unit)
    at = numbers(column.values) / unit
    bins = [np.histogram(at, bins=edges, weights=rows[: column.n_values])[0] for rows in (before, after)]
    return Distribution(column.name, column.kind, bins[0], bins[1], edges=edges)


def _cells(one: Distribution, role: str, threshold: int, key: str) -> dict[str, Any]:
    shown = show(one, threshold)
    edges = None if shown.edges is None else rounded(shown.edges, 12)
    return plain(
        {
            "column": short(one.column),
            "role": role,
            "kind": one.kind,
            "labels": [short(label, NAME) for label in shown.labels],
            "before": shown.before,
            "after": shown.after,
            "edges": edges,
            "moved": shown.moved,
            "drawing": distribution_chart(one.column, one.kind, shown, key),
        }
    )
