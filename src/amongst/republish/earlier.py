"""What is kept of a release, and who of a month was in it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Published:
    """What is kept of a release: published counts, and digests under the key. No cell, no name.

    Attributes
    ----------
    classes : ndarray of int64
        The boxes that it published.
    counts : ndarray of int64, shape (classes, values)
        Their people by value.
    rows, sizes : ndarray of int64
        Where somebody has several rows: the rows of every class by value, and its people by how many rows they have;
        else empty.
    digest, content : ndarray of uint64, one a person, sorted by digest
        Who it is, and who with which values.
    leaf, n_rows : ndarray of int32
        In which leaf of the tree, with how many rows.
    """

    classes: np.ndarray
    counts: np.ndarray
    rows: np.ndarray
    sizes: np.ndarray
    digest: np.ndarray
    content: np.ndarray
    leaf: np.ndarray
    n_rows: np.ndarray

    @property
    def most_rows(self) -> int:
        return int(self.sizes.shape[1])


@dataclass(frozen=True, eq=False)
class Met:
    """Who of this month is in an earlier release too.

    Attributes
    ----------
    person, place : ndarray of int64
        The place now, and then.
    leaf, n_rows : ndarray of int64
        Then.
    lowest : ndarray of int64
        The lowest node that holds both leaves.
    same : ndarray of bool
        With the same values.
    """

    person: np.ndarray
    place: np.ndarray
    leaf: np.ndarray
    n_rows: np.ndarray
    lowest: np.ndarray
    same: np.ndarray
