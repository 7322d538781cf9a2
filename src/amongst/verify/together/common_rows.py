"""The rows that two classes of two releases can have in common, by the columns that both publish as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from amongst.errors import BadInput

MOST_CELLS = 20_000_000
_BLOCK = 1 << 20


class Counts:
    """How often every combination of shared values occurs in every class, by class and then by combination."""

    def __init__(self, class_of_item: np.ndarray, value: np.ndarray, rows: np.ndarray, size: np.ndarray) -> None:
        self.size = size
        self.n_classes, self.n_rows = len(size), int(size.sum())
        self.n_values = int(value.max(initial=-1)) + 1
        order = np.lexsort((value, class_of_item))
        self.cls, self.value, self.count = class_of_item[order], value[order], rows[order]
        self.first = np.searchsorted(self.cls, np.arange(self.n_classes + 1))

    def keys(self, n_values: int) -> np.ndarray:
        return self.cls * n_values + self.value


def matched(
    pairs: Iterator[tuple[np.ndarray, np.ndarray]], counts: Sequence[Counts], sensitive: dict[str, np.ndarray]
) -> Iterator[list[np.ndarray]]:
    """For every pair the rows in common, and of every sensitive column the values left and their l; some at a time."""
    ours, theirs = counts
    n_values = max(ours.n_values, theirs.n_values, 1)
    key_of_entry = theirs.keys(n_values)
    n_cells = 0
    for all_a, all_b in pairs:
        width = np.diff(ours.first)[all_a]
        step = max(_BLOCK // max(int(width.max(initial=1)), 1), 1)
        for start in range(0, len(all_a), step):
            a, b = all_a[start : start + step], all_b[start : start + step]
            pair, value, common = _common(ours, theirs, key_of_entry, n_values, a, b)
            most = np.bincount(pair, weights=common, minlength=len(a)).astype(np.int64)
            told = [one for of in sensitive.values() for one in left(pair, of[value], common, len(a))]
            there = most > 0
            n_cells += int(there.sum())
            if n_cells > MOST_CELLS:
                raise BadInput(
                    "The classes of the two releases overlap in too many ways.",
                    found=f"more than {MOST_CELLS:,} pairs of classes",
                    fix="compare parts of them",
                )
            yield [a[there], b[there], most[there], *[one[there] for one in told]]


def _common(
    ours: Counts, theirs: Counts, key_of_entry: np.ndarray, n_values: int, a: np.ndarray, b: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The combinations that both classes of a pair have: the pair, the combination, how many rows of each at most."""
    width = ours.first[a + 1] - ours.first[a]
    pair = np.repeat(np.arange(len(a)), width)
    entry = np.arange(len(pair)) - np.repeat(np.cumsum(width) - width, width) + ours.first[a][pair]
    wanted = b[pair] * n_values + ours.value[entry]
    at = np.minimum(np.searchsorted(key_of_entry, wanted), max(len(key_of_entry) - 1, 0))
    both = key_of_entry[at] == wanted
    pair, entry, at = pair[both], entry[both], at[both]
    return pair, ours.value[entry], np.minimum(ours.count[entry], theirs.count[at])


def left(pair: np.ndarray, value: np.ndarray, common: np.ndarray, n_pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """How many values of a column are left for every pair, and one over the share of the most frequent."""
    n = int(value.max(initial=0)) + 1
    keys, item = np.unique(pair * n + value, return_inverse=True)
    times = np.bincount(item.reshape(-1), weights=common, minlength=len(keys))
    of_pair = keys // n
    n_left = np.bincount(of_pair, minlength=n_pairs)
    most = np.zeros(n_pairs)
    np.maximum.at(most, of_pair, times)
    whole = np.bincount(of_pair, weights=times, minlength=n_pairs)
    return n_left, np.divide(whole, most, out=np.zeros(n_pairs), where=most > 0)
