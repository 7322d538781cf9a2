"""The kernel for k on every few columns: compiled where it can be, else in numpy."""

from __future__ import annotations

import numpy as np

from amongst.kernels.loader import compiled
from amongst.kernels.numpy import few_columns as reference

_few_columns = compiled("_few_columns")


def put_back(
    labels: np.ndarray, rows: np.ndarray, members: np.ndarray, inside: np.ndarray, *, column: int, k: int, m: int
) -> np.ndarray:
    """See ``numpy.few_columns.put_back``."""
    if _few_columns is None:
        return reference.put_back(labels, rows, members, inside, column=column, k=k, m=m)
    kept = inside.astype(np.uint8)
    _few_columns.put_back(labels, rows, members, column, k, m, kept)
    return kept
