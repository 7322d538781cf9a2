"""The earth mover's distance of every class to the whole table: equal, ordered and hierarchical.

Li, Li, Venkatasubramanian, *t-Closeness*, ICDE 2007, section 4. Every function looks only at the entries of a
class: the values that it has not are counted by what the table has of them.
"""

from __future__ import annotations

import numpy as np

from amongst.verify.histogram import Histogram


def equal(histogram: Histogram) -> np.ndarray:
    """Half the sum of all differences between shares."""
    share = histogram.share[histogram.value_of_entry]
    # A value that a class has not adds its share in the table: all shares, less those of the values it has.
    return (1 + histogram.sum(np.abs(histogram.own - share) - share)) / 2


def ordered(histogram: Histogram) -> np.ndarray:
    """The mean difference of the cumulated shares: from one value to the next it is 1 / (m - 1)."""
    m = histogram.values.n_values
    if m < 2:
        return np.zeros(histogram.n_classes)
    below = np.cumsum(histogram.share)
    upto = np.cumsum(histogram.own)
    upto -= (upto - histogram.own)[histogram.first][histogram.class_of_entry]
    # The sum of a class stands still from one of its values up to the next; before the first one it is 0.
    start = histogram.value_of_entry
    end = np.append(start[1:], m)
    last = np.append(histogram.first[1:], len(start)) - 1
    end[last] = m
    apart = histogram.sum(_stretch(below, start, end, upto))
    heads = start[histogram.first]
    apart += _stretch(below, np.zeros_like(heads), heads, np.zeros(len(heads)))
    return apart / (m - 1)


def _stretch(below: np.ndarray, start: np.ndarray, end: np.ndarray, level: np.ndarray) -> np.ndarray:
    """The sum of |level - below| over the values from start to before end; below never falls."""
    summed = np.concatenate([[0.0], np.cumsum(below)])
    turn = np.clip(np.searchsorted(below, level, side="right"), start, end)
    left = level * (turn - start) - (summed[turn] - summed[start])
    right = (summed[end] - summed[turn]) - level * (end - turn)
    return left + right


def hierarchical(histogram: Histogram) -> np.ndarray:
    """What must leave the children of a node for each other moves over its height, as a part of the tree's.

    A missing value hangs from the root, beside everything else.
    """
    tree, m = histogram.values.tree, histogram.values.n_values
    assert tree is not None
    node_of_value = tree.start.astype(np.int64)
    if histogram.values.has_null:
        apart = np.full((tree.n_levels, 1), m - 1, dtype=np.int64)
        apart[-1] = 0
        node_of_value = np.concatenate([node_of_value, apart], axis=1)
    cost = np.zeros(histogram.n_classes)
    in_class, node, mass = histogram.class_of_entry, histogram.value_of_entry, histogram.own
    share = histogram.share
    for level in range(1, tree.n_levels):
        up = node_of_value[level]  # a node is called after its first leaf, so it is found by its child's name
        extra = mass - share[node]
        above = np.bincount(
            up[_names(node_of_value[level - 1])], weights=share[_names(node_of_value[level - 1])], minlength=m
        )
        key, place = np.unique(in_class * m + up[node], return_inverse=True)
        place = place.reshape(-1)
        gains = np.bincount(place, weights=np.maximum(extra, 0), minlength=len(key))
        # Children without a row of the class lack all that the table has of them.
        lacks = np.maximum(-extra, 0) - share[node]
        losses = above[key % m] + np.bincount(place, weights=lacks, minlength=len(key))
        moved = level / tree.height * np.minimum(gains, np.maximum(losses, 0))
        cost += np.bincount(key // m, weights=moved, minlength=histogram.n_classes)
        mass = np.bincount(place, weights=mass, minlength=len(key))
        in_class, node, share = key // m, key % m, above
    return cost


def _names(node_of_value: np.ndarray) -> np.ndarray:
    """The nodes of a level, each by the name of its first leaf."""
    return np.unique(node_of_value)
