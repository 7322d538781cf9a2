"""What the conditions on one column can tell apart, and where the published labels lie among it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Cells:
    """The values of a column divided by which conditions hold for them.

    Attributes
    ----------
    truth : ndarray of bool, shape (n_cells, n_conditions)
        Which conditions hold in a cell.
    share : ndarray of float64, shape (n_cells, n_labels)
        How much of a label lies in a cell, by the estimate; sums to 1 over the cells.
    can : ndarray of bool, shape (n_cells, n_labels)
        Whether a value behind the label can lie in the cell at all. A label lies in a cell for sure where it
        can lie in no other.
    null : ndarray of bool, one a cell
        The cell of missing values.
    lo, hi, mean : ndarray of float64, shape (n_cells, n_labels)
        The ends of what a label and a cell have in common, and its mean by the estimate. Not a number where
        there is nothing, or for columns that are not numbers.
    """

    truth: np.ndarray
    share: np.ndarray
    can: np.ndarray
    null: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    mean: np.ndarray


def merge_truths(truth_of_part: np.ndarray, null_truth: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Parts of a column with the same truths become one cell; missing values are a cell of their own, the last.

    Parameters
    ----------
    truth_of_part : ndarray of bool, shape (n_parts, n_conditions)
    null_truth : ndarray of bool, one a condition

    Returns
    -------
    truth, cell_of_part, null
    """
    if len(null_truth):
        truth, cell_of_part = np.unique(truth_of_part, axis=0, return_inverse=True)
    else:  # nothing to tell parts apart by
        truth, cell_of_part = np.zeros((1, 0), dtype=bool), np.zeros(len(truth_of_part), dtype=np.int64)
    truth = np.concatenate([truth, null_truth[None, :]])
    null = np.zeros(len(truth), dtype=bool)
    null[-1] = True
    return truth, cell_of_part.reshape(-1), null
