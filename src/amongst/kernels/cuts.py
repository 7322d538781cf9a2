"""The kernels for sets of cuts: compiled where they can be, else in numpy."""

from __future__ import annotations

import numpy as np

from amongst.kernels.loader import compiled
from amongst.kernels.numpy import cuts as reference
from amongst.kernels.numpy.cuts import (
    LOST,
    LOST_FLOOR,
    LOST_LEFT,
    LOST_NOW,
    LOST_RIGHT,
    N_EFFECTS,
    SPLIT,
    SQUARES,
    USEFUL,
)

__all__ = [
    "LOST",
    "LOST_FLOOR",
    "LOST_LEFT",
    "LOST_NOW",
    "LOST_RIGHT",
    "SPLIT",
    "SQUARES",
    "USEFUL",
    "cut_effects",
    "merge_cells",
]

_cuts = compiled("_cuts")


def merge_cells(
    atoms: np.ndarray, weight: np.ndarray, first_cut: np.ndarray, fine: np.ndarray, coarse: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
    """See ``numpy.cuts.merge_cells``."""
    if _cuts is None:
        return reference.merge_cells(atoms, weight, first_cut, fine, coarse, k)
    n = len(weight)
    to_atoms, to_weight = np.empty_like(atoms), np.empty_like(weight)
    class_of_cell, size_of_class = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64)
    n_cells, n_classes, gone = _cuts.merge_cells(
        atoms, weight, first_cut, fine, coarse, k, to_atoms, to_weight, class_of_cell, size_of_class
    )
    return to_atoms[:n_cells], to_weight[:n_cells], class_of_cell[:n_cells], size_of_class[:n_classes], gone


def cut_effects(
    atoms: np.ndarray,
    weight: np.ndarray,
    class_of_cell: np.ndarray,
    n_classes: int,
    first_cut: np.ndarray,
    n_priced: np.ndarray,
    k: int,
    floor: np.ndarray,
    now: np.ndarray,
) -> np.ndarray:
    """See ``numpy.cuts.cut_effects``."""
    if _cuts is None:
        return reference.cut_effects(
            atoms,
            weight,
            class_of_cell=class_of_cell,
            n_classes=n_classes,
            first_cut=first_cut,
            n_priced=n_priced,
            k=k,
            floor=floor,
            now=now,
        )
    effects = np.empty((N_EFFECTS, int(first_cut[-1])), dtype=np.int64)
    _cuts.cut_effects(atoms, weight, class_of_cell, n_classes, first_cut, n_priced, k, floor, now, effects)
    return effects
