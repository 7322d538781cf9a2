"""A target as a guide for every method: columns count by what they tell about it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable

LEAST = 0.02
"""A column that tells nothing weighs this share of the heaviest."""


def weighed_by_target(table: CodedTable) -> CodedTable:
    """The same codes, with every column's weight times the information that its values give on the target.

    Guarantees
        None on privacy: weights steer a search, and what it finds is held to the models as ever.
    Choices
        Mutual information in bits, less what chance alone would give a column with so many values (Miller's
        correction), as a share of the largest; a column below a fiftieth of that keeps a fiftieth.
    """
    told = np.array([_information(column, table.target) for column in table.columns])
    most = told.max()
    if most <= 0:
        return table
    share = np.maximum(told / most, LEAST)
    columns = [replace(one, weight=one.weight * float(own)) for one, own in zip(table.columns, share, strict=True)]
    return replace(table, columns=columns)


def _information(column: CodedColumn, target: CodedColumn | None) -> float:
    assert target is not None
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
