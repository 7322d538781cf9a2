"""Which groups hold their conditions: compiled, or in numpy where there is no compiler."""

from __future__ import annotations

import numpy as np

from amongst import kernels
from amongst.kernels.conditions import Conditions
from amongst.kernels.loader import compiled
from amongst.kernels.numpy import conditions as reference_conditions

_conditions = compiled("_conditions")


def holds_by_class(
    conditions: Conditions, class_of_item: np.ndarray, n_classes: int, weight: np.ndarray | None = None
) -> np.ndarray:
    """Whether the items of every class may be a group; items of class -1 are left out.

    Parameters
    ----------
    weight : ndarray of uint32, or None
        How many rows each item stands for; None where items are rows.
    """
    row_at, first = kernels.order_by_class(class_of_item, n_classes)
    if _conditions is None or not conditions.compiled:
        return reference_conditions.holds_by_class(conditions, row_at, first, weight)
    holds = np.zeros(n_classes, dtype=np.uint8)
    own = None if weight is None else np.ascontiguousarray(weight, dtype=np.uint32)
    _conditions.holds_by_class(
        conditions.arrays, len(class_of_item), np.ascontiguousarray(row_at, dtype=np.uint32), first, own, holds
    )
    return holds.astype(bool)
