"""Questions to begin with, made from the names and kinds of the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.release.story import round_edges

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
    'SELECT COUNT(*) WHERE age BETWEEN 30 AND 40'
    """
    # What cannot be printed cannot be typed either.
    columns = [column for column in release.coded.columns if column.name.isprintable()]
    lines = [column for column in columns if column.kind == "numeric"]
    named = [one for one in columns if one.kind in ("categorical", "ordered") and _common(one, release.threshold)]
    found = []
    if lines:
        lo, hi = _middle(lines[0])
        found.append(f"SELECT COUNT(*) WHERE {quoted(lines[0].name)} BETWEEN {lo} AND {hi}")
    if named:
        value = literal(_common(named[0], release.threshold))
        found.append(f"SELECT COUNT(*) WHERE {quoted(named[0].name)} = {value}")
    if lines and named:
        lo, _ = _middle(lines[0])
        value = literal(_common(named[-1], release.threshold))
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


def quoted(name: str) -> str:
    """The name of a column as SQL writes it."""
    plain = name.isidentifier() and name.isascii()
    return name if plain else '"' + name.replace('"', '""') + '"'


def literal(value: str) -> str:
    """Text as SQL writes it."""
    return "'" + value.replace("'", "''") + "'"


def _middle(column: CodedColumn) -> tuple[str, str]:
    """A round range around the middle of the rows."""
    edges = round_edges(column.lowest, column.lowest + column.span)
    counts = np.bincount(column.codes, minlength=column.n_values)[: column.n_values]
    assert column.position is not None
    middle = column.position[np.searchsorted(np.cumsum(counts), counts.sum() / 2)]
    at = int(np.clip(np.searchsorted(edges, middle, side="right") - 1, 0, len(edges) - 2))
    first, last = edges[max(at - 1, 0)], edges[min(at + 1, len(edges) - 1)]
    return f"{first:g}", f"{last:g}"


def _common(column: CodedColumn, threshold: int) -> str:
    """The most frequent value, where that many rows have it that it may be named; else nothing."""
    from amongst.recode.labels import text_of

    counts = np.bincount(column.codes, minlength=column.n_values)[: column.n_values]
    if not len(counts) or counts.max() < threshold:
        return ""
    value = str(text_of(column.values)[int(np.argmax(counts))].as_py())
    return value if value.isprintable() else ""
