"""What every label of a column says about missing values."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Nulls:
    """Whether the value behind a label is missing.

    Attributes
    ----------
    can : ndarray of bool, one a label
        It may be missing.
    sure : ndarray of bool, one a label
        It is missing.
    share : ndarray of float64, one a label
        How many of the values are missing, by the estimate.
    """

    can: np.ndarray
    sure: np.ndarray
    share: np.ndarray


def nulls_of(sure: np.ndarray, maybe: np.ndarray, size: np.ndarray) -> Nulls:
    """The nulls of labels that are null for sure, or may be.

    Where they may be, as many are expected as among the rows of which it is known. ``size`` counts the rows of
    every label.
    """
    known = int(size[~maybe].sum())
    expected = float(size[sure].sum() / known) if known else 0.0
    share = np.where(sure, 1.0, np.where(maybe, expected, 0.0))
    return Nulls(sure | maybe, sure, share)
