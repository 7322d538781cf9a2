"""CM: how many rows are not of the most frequent class among the rows that look like them."""

from __future__ import annotations

import numpy as np


def classification_metric(
    class_of_row: np.ndarray, n_classes: int, target_of_row: np.ndarray, n_targets: int, n_input: int
) -> float:
    """The share of rows that pay: suppressed, or with another target than most rows of their class.

    Paper: the classification metric of Iyengar (KDD 2002). 0 is best; what is left when all rows look alike is the
    share of rows that are not of the most frequent target.

    Parameters
    ----------
    class_of_row : ndarray of int, one a coded row
        Rows that publish the same quasi-identifiers; -1 where a row is suppressed.
    target_of_row : ndarray of int, one a coded row
    n_input : int
        Rows of the input, with those that a null rule left out.
    """
    kept = class_of_row >= 0
    pair = class_of_row[kept].astype(np.int64) * n_targets + target_of_row[kept]
    cells, count = np.unique(pair, return_counts=True)
    most = np.zeros(n_classes, dtype=np.int64)
    np.maximum.at(most, cells // n_targets, count)
    return float(1 - most.sum() / n_input) if n_input else 0.0
