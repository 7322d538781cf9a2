"""The border of the lattice: where what holds ends."""

from __future__ import annotations

from functools import reduce

import numpy as np

from amongst.partition.lattice import minimal


def maximal(nodes: np.ndarray) -> np.ndarray:
    """The nodes of a downward-closed set that no other node of it generalizes.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.partition.full_domain.border import maximal
    >>> maximal(np.array([[True, True], [True, False]])).tolist()
    [[False, True], [True, False]]
    """
    turned = (slice(None, None, -1),) * nodes.ndim
    return minimal(nodes[turned])[turned]


def border(safe: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The minimal nodes that hold, and the maximal ones that do not.

    Together they say everything: a node holds when it generalizes one of the first, and fails when one of the
    second generalizes it.
    """
    return minimal(safe), maximal(~safe)


def by_height(nodes: np.ndarray) -> np.ndarray:
    """How many nodes of a set there are at every height of the lattice."""
    heights = reduce(np.add.outer, [np.arange(size, dtype=np.int32) for size in nodes.shape])
    return np.bincount(heights[nodes], minlength=sum(nodes.shape) - nodes.ndim + 1)
