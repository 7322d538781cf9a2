"""Splitting by information: compiled where it can be, else in numpy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.kernels.conditions import Conditions
from amongst.kernels.loader import compiled
from amongst.kernels.numpy import target as reference
from amongst.kernels.price import Prices

_target = compiled("_target")

MOST_COLUMNS = 64
FIXED_POINT = 1 << 20


def target_split(
    prices: Prices,
    codes: Sequence[np.ndarray],
    classes: np.ndarray,
    n_classes: int,
    k: int,
    conditions: Conditions | None = None,
) -> np.ndarray:
    """Groups of rows by top-down splitting: of all cuts of a group the one that tells most about the classes.

    Parameters
    ----------
    classes : ndarray of int, one a row
        From 0 to ``n_classes - 1``.

    Returns
    -------
    group_of_row : ndarray of int32
    """
    logs = n_log_n(len(classes))
    asked = None if conditions is None or conditions.only_size else conditions
    if _target is None or len(codes) > MOST_COLUMNS or not (asked is None or asked.compiled):
        return reference.target_split(prices, codes, classes, logs, k, asked)
    group = np.zeros(len(classes), dtype=np.int32)
    _target.target_split(
        tuple(np.ascontiguousarray(column, dtype=np.uint32) for column in codes),
        *prices.arrays[:5],
        np.ascontiguousarray(classes, dtype=np.uint32),
        n_classes,
        logs,
        k,
        None if asked is None else asked.arrays,
        group,
    )
    return group


def deviance_split(
    prices: Prices, codes: Sequence[np.ndarray], scores: np.ndarray, k: int, conditions: Conditions | None = None
) -> np.ndarray:
    """The same for a target of numbers: of all cuts of a group the one after which they deviate least from means.

    Parameters
    ----------
    scores : ndarray of int64, one a row
        Below 2**15 in size.
    """
    asked = None if conditions is None or conditions.only_size else conditions
    return reference.deviance_split(prices, codes, scores, k, asked)


def n_log_n(n: int) -> np.ndarray:
    """``i log2 i`` for i = 0 .. n in whole numbers: sums of them are the same on every machine."""
    i = np.arange(n + 1, dtype=np.float64)
    return np.rint(i * np.log2(np.maximum(i, 1)) * FIXED_POINT).astype(np.int64)
