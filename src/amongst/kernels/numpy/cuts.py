"""The kernels for sets of cuts in numpy. The rules are those of cuts.h, said in arrays."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from amongst.kernels.numpy.rows import distinct

SPLIT, USEFUL, LOST, LOST_LEFT, LOST_RIGHT, LOST_FLOOR, LOST_NOW, SQUARES = range(8)
N_EFFECTS = 8
CLASSES_AT_ONCE = 4096


def merge_cells(
    atoms: np.ndarray, weight: np.ndarray, first_cut: np.ndarray, fine: np.ndarray, coarse: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, int]:
    """Tuples that the fine grid does not tell apart become one; classes with fewer than k rows are left out.

    Parameters
    ----------
    atoms : ndarray of uint16, shape (n_tuples, n_columns)
        A column's codes in order, those together that no cut can separate.
    weight : ndarray of uint32
        Rows of every tuple.
    first_cut : ndarray of int64, n_columns + 1 long
        ``first_cut[c] + a`` is the cut of column c after atom a.
    fine, coarse : ndarray of bool
        The cuts of two grids; the fine one has all of those of the coarse one.

    Returns
    -------
    atoms, weight : ndarray
        The cells of the fine grid that are left, in order of first appearance, by one of their tuples each.
    class_of_cell : ndarray of int32
        By the coarse grid.
    size_of_class : ndarray of int64
    gone : int
        Rows in the classes that are left out.
    """
    _, first, rows = distinct(_intervals(atoms, first_cut, fine), weight)
    atoms = atoms[first]
    own, _, size = distinct(_intervals(atoms, first_cut, coarse), rows)
    kept = size >= k
    number = np.where(kept, np.cumsum(kept) - 1, -1).astype(np.int32)
    class_of_cell = number[own]
    left = class_of_cell >= 0
    gone = int(size[~kept].sum(dtype=np.int64))
    return atoms[left], rows[left], class_of_cell[left], size[kept].astype(np.int64), gone


def _intervals(atoms: np.ndarray, first_cut: np.ndarray, cuts: np.ndarray) -> list[np.ndarray]:
    """The interval of every tuple in every column."""
    intervals = []
    for c in range(atoms.shape[1]):
        made = cuts[first_cut[c] : first_cut[c + 1]]
        number = np.zeros(len(made) + 1, dtype=np.int64)
        np.cumsum(made, out=number[1:])
        intervals.append(number[atoms[:, c]])
    return intervals


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
    """What every further cut would do to the classes.

    Parameters
    ----------
    n_priced : ndarray of int64
        How many atoms of a column have a price there; the last may have none.
    floor, now : ndarray of int64
        Two prices for a row of every cell.

    Returns
    -------
    effects : ndarray of int64, shape (8, n_cuts)
        How many classes the cut splits; of these, how many keep a side of k rows; rows on sides with fewer,
        which are lost; those of them that have a price in the column, left and right of the cut; the floors
        and the present prices of lost rows; by how much the sum of squared class sizes falls, lost sides
        counting nothing.
    """
    effects = np.zeros((N_EFFECTS, int(first_cut[-1])), dtype=np.int64)
    order = np.argsort(class_of_cell, kind="stable")
    ends = np.searchsorted(class_of_cell[order], np.arange(0, n_classes + CLASSES_AT_ONCE, CLASSES_AT_ONCE))
    for part, (begin, end) in enumerate(pairwise(ends)):
        cells = order[begin:end]
        own = class_of_cell[cells].astype(np.int64) - part * CLASSES_AT_ONCE
        for c in range(atoms.shape[1]):
            where = slice(int(first_cut[c]), int(first_cut[c + 1]))
            prices = [weight[cells].astype(np.int64) * price[cells] for price in (floor, now)]
            effects[:, where] += _of_column(
                atoms[cells, c],
                own,
                weight=weight[cells],
                prices=prices,
                n_atoms=where.stop - where.start + 1,
                n_priced=int(n_priced[c]),
                k=k,
            )
    return effects


def _of_column(
    atom: np.ndarray,
    own: np.ndarray,
    weight: np.ndarray,
    prices: list[np.ndarray],
    n_atoms: int,
    n_priced: int,
    k: int,
) -> np.ndarray:
    n_classes = int(own.max(initial=0)) + 1

    def upto(figure: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Sums over the atoms up to each, and after it, for every class."""
        table = np.zeros((n_classes, n_atoms), dtype=np.int64)
        np.add.at(table, (own, atom), figure.astype(np.int64))
        sums = np.cumsum(table, axis=1)
        return sums[:, :-1], sums[:, -1:] - sums[:, :-1]

    left, right = upto(weight)
    split = (left > 0) & (right > 0)
    lost = [split & (side < k) for side in (left, right)]
    kept = [np.where(side >= k, side, 0) for side in (left, right)]
    squares = (left + right) ** 2 - kept[0] ** 2 - kept[1] ** 2

    def lost_of(figure: np.ndarray) -> list[np.ndarray]:
        return [np.where(gone, side, 0).sum(axis=0) for gone, side in zip(lost, upto(figure), strict=True)]

    lost_left, lost_right = lost_of(np.where(atom < n_priced, weight, 0))
    return np.stack(
        [
            split.sum(axis=0),
            (split & ~(lost[0] & lost[1])).sum(axis=0),
            sum(lost_of(weight)),
            lost_left,
            lost_right,
            sum(lost_of(prices[0])),
            sum(lost_of(prices[1])),
            np.where(split, squares, 0).sum(axis=0),
        ]
    )
