"""A target as a guide for every method: columns count by what they tell about it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.target import has_classes, scores_of

LEAST = 0.02
"""A column that tells nothing weighs this share of the heaviest."""


def weighed_by_target(table: CodedTable) -> CodedTable:
    """The same codes, with every column's weight times the information that its values give on the target.

    Guarantees
        None on privacy: weights steer a search, and what it finds is held to the models as ever.
    Choices
        Mutual information in bits, less what chance alone would give a column with so many values (Miller's
        correction), as a share of the largest; a column below a fiftieth of that keeps a fiftieth. Of a target of
        numbers the share of their variance that lies between values of the column, less what chance would give.
    """
    assert table.target is not None
    if has_classes(table.target):
        told = np.array([_information(column, table.target) for column in table.columns])
    else:
        told = np.array([_explained(column, scores_of(table.target)) for column in table.columns])
    most = told.max()
    if most <= 0:
        return table
    share = np.maximum(told / most, LEAST)
    columns = [replace(one, weight=one.weight * float(own)) for one, own in zip(table.columns, share, strict=True)]
    return replace(table, columns=columns)


def _explained(column: CodedColumn, scores: np.ndarray) -> float:
    """The share of the variance of numbers that lies between the values of a column."""
    n, size = len(scores), np.bincount(column.codes)
    away = scores - scores.mean()
    between = np.square(np.bincount(column.codes, away))[size > 0] / size[size > 0]
    by_chance = (np.count_nonzero(size) - 1) / max(n - 1, 1)
    return float(between.sum() / max(np.square(away).sum(), 1e-300) - by_chance)


def _information(column: CodedColumn, target: CodedColumn) -> float:
    n_classes = target.n_codes
    pair = column.codes.astype(np.int64) * n_classes + target.codes
    cells = np.unique(pair, return_counts=True)[1]
    of_value, of_class = np.bincount(column.codes), np.bincount(target.codes, minlength=n_classes)
    n = len(pair)
    by_chance = (np.count_nonzero(of_value) - 1) * (np.count_nonzero(of_class) - 1) / (2 * n * np.log(2))
    return _entropy(of_value, n) + _entropy(of_class, n) - _entropy(cells, n) - by_chance


def _entropy(count: np.ndarray, n: int) -> float:
    share = count[count > 0] / n
    return float(-(share * np.log2(share)).sum())
