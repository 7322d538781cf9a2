"""C_AVG: how large the classes are, in units of the smallest that k allows."""

from __future__ import annotations

import numpy as np


def average_class(size_of_class: np.ndarray, k: int) -> float:
    """Rows per class over k; 1 is the best a k-anonymous table can have.

    Paper: LeFevre et al., *Mondrian*, section 1.2.
    """
    return float(size_of_class.sum() / max(len(size_of_class), 1) / k)
