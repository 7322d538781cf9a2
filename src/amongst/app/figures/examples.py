"""Questions to begin with, made from the names and kinds of the columns."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.query.in_sql import quoted
from amongst.recode.labels import text_of
from amongst.sql_text import text

if TYPE_CHECKING:
    from amongst.release.release import Release

MOST_LINES = 30


def example_questions(release: Release) -> list[str]:
    """A few questions in SQL that the release can answer; values in them are common ones.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures import example_questions
    >>> adult = am.datasets.load("adult", part="train")
    >>> release = am.anonymize(adult.table, adult.schema, [am.KAnonymity(10)])
    >>> example_questions(release)[0]
    'SELECT COUNT(*) WHERE age BETWEEN 20 AND 50'
    """
    # What cannot be printed cannot be typed either.
    columns = [column for column in release.coded.columns if column.name.isprintable()]
    lines = [column for column in columns if column.kind == "numeric" and column.n_values]
    named = [one for one in columns if one.kind in ("categorical", "ordered") and _common(release, one)]
    found = []
    if lines:
        lo, hi = _middle(release, lines[0])
        found.append(f"SELECT COUNT(*) WHERE {quoted(lines[0].name)} BETWEEN {lo} AND {hi}")
    if named:
        value = text(_common(release, named[0]))
        found.append(f"SELECT COUNT(*) WHERE {quoted(named[0].name)} = {value}")
    if lines and named:
        lo, _ = _middle(release, lines[0])
        value = text(_common(release, named[-1]))
        found.append(f"SELECT COUNT(*) WHERE {quoted(lines[0].name)} >= {lo} AND {quoted(named[-1].name)} = {value}")
    grouped = [one for one in named if one.n_values <= MOST_LINES]
    if grouped:
        average = f", AVG({quoted(lines[0].name)})" if lines else ""
        by = quoted(max(grouped, key=lambda one: one.n_values).name)
        found.append(f"SELECT {by}, COUNT(*){average} GROUP BY {by}")
    sensitive = [
        quoted(name)
        for name in release.schema.sensitive
        if release.schema[name].kind == "categorical" and name.isprintable()
    ]
    if sensitive:
        found.append(f"SELECT {sensitive[0]}, COUNT(*) GROUP BY {sensitive[0]}")
    return found


def _middle(release: Release, column: CodedColumn) -> tuple[str, str]:
    """A range around the middle half of the rows, with ends so round that they are nobody's values."""
    assert column.position is not None
    below = np.cumsum(release.counts_of_values(column))
    low, high = (float(column.position[np.searchsorted(below, below[-1] * share)]) for share in (0.25, 0.75))
    step = 10.0 ** math.ceil(math.log10(max((high - low) / 2, abs(high) * 1e-9, 1e-9)))
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    return f"{first:.15g}", f"{max(last, first + step):.15g}"


def _common(release: Release, column: CodedColumn) -> str:
    """The most frequent value, where that many rows have it that it may be named; else nothing."""
    counts = release.counts_of_values(column)
    if not len(counts) or counts.max() < release.threshold:
        return ""
    value = str(text_of(column.values)[int(np.argmax(counts))].as_py())
    return value if value.isprintable() else ""
