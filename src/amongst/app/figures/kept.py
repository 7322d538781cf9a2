"""How much of what an analyst looks for is left: how columns go together, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.app.figures.disclosed import sensitive_codes

if TYPE_CHECKING:
    from amongst.app.figures.disclosed import Known
    from amongst.encode.coded import CodedColumn
    from amongst.release.release import Release

MOST_COLUMNS = 40
"""Quasi-identifiers that are looked at; more would make a slider wait."""
MOST_ROWS = 20_000
"""Rows, evenly over the table, that are looked at."""
LEAST = 0.02
"""Correlations that are together below this, on average, tell nothing that could be kept."""


def kept_share(release: Release, known: Known | None = None) -> float | None:
    """Of the correlations between columns, the share that a reader of the release still finds; None without any.

    A number is its value, a name whether it is the most frequent one of its column. What was published for a group
    stands for the mean of the values that it covers, by how often they occur. Sensitive columns are as they were.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.figures.kept import kept_share
    >>> patients = am.datasets.load("patients")
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)])
    >>> 0 <= kept_share(release) <= 1
    True
    """
    coded, group = release.coded, release.partition.group_of_row
    if release.is_pair or coded.count is not None:
        return None
    published = np.flatnonzero(group >= 0)
    if len(published) > MOST_ROWS:
        published = published[np.linspace(0, len(published) - 1, MOST_ROWS).astype(np.int64)]
    before, after = [], []
    for c, column in enumerate(coded.columns[:MOST_COLUMNS]):
        told, of_group = _values(column, release.partition.lo[:, c], release.partition.hi[:, c])
        before.append(told[column.codes[published]])
        after.append(of_group[group[published]])
    n_quasi = len(before)
    for column in list(sensitive_codes(release, known).values())[:MOST_COLUMNS]:
        told = _numbers(column)[column.codes[published]]
        before.append(told)
        after.append(told)
    if len(before) < 2 or len(published) < 2:
        return None
    was, now = _correlations(before)[:n_quasi], _correlations(after)[:n_quasi]
    pairs = np.triu_indices(n_quasi, 1, len(before))
    whole = float(np.abs(was[pairs]).sum())
    if whole < LEAST * len(pairs[0]):
        return None
    return float(np.clip(1 - np.abs(was[pairs] - now[pairs]).sum() / whole, 0, 1))


def _numbers(column: CodedColumn) -> np.ndarray:
    """A number for every code."""
    count = np.bincount(column.codes, minlength=column.n_values + 1)
    if column.position is not None and column.kind != "categorical":
        told = np.append(np.asarray(column.position, dtype=np.float64), np.nan)[: len(count)]
        known = np.isfinite(told)
        told[~known] = np.average(told[known], weights=count[known]) if count[known].sum() else 0.0
        return told
    return (np.arange(len(count)) == int(np.argmax(count))).astype(np.float64)


def _values(column: CodedColumn, lo: np.ndarray, hi: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A number for every code, and for every group the mean over the codes that it covers."""
    told = _numbers(column)
    count = np.bincount(column.codes, minlength=len(told)).astype(np.float64)
    n, sums = np.append(0.0, np.cumsum(count)), np.append(0.0, np.cumsum(count * told))
    first, last = lo.astype(np.int64), hi.astype(np.int64) + 1
    return told, (sums[last] - sums[first]) / np.maximum(n[last] - n[first], 1.0)


def _correlations(columns: list[np.ndarray]) -> np.ndarray:
    table = np.vstack(columns)
    table -= table.mean(axis=1, keepdims=True)
    width = np.sqrt((table * table).sum(axis=1))
    table /= np.where(width > 0, width, 1.0)[:, None]
    return np.asarray(table @ table.T)
