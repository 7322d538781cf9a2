"""A distribution as it may be shown: small counts merged, the rest rounded. Every chart starts from it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from amongst.report.charts.scale import day
from amongst.report.coarsen import add_up, coarsen, round_counts
from amongst.report.views import LABELLED, Distribution
from amongst.report.wording import count, tick

MOST_CATEGORIES = 10


@dataclass(frozen=True, eq=False)
class Shown:
    """Cells of at least ``threshold`` rows each, as shares of all rows.

    Attributes
    ----------
    labels : list of str, one a cell
    before, after : ndarray of float
        Shares; each sums to 1, or is empty when there is nothing that may be shown.
    edges : ndarray or None
        The n_cells + 1 edges on the number line.
    n_rare : int
        Categories that went into the last cell.
    moved : float
        The share of rows that would have to change cells to turn one into the other.
    """

    labels: list[str]
    before: np.ndarray
    after: np.ndarray
    edges: np.ndarray | None
    n_rare: int
    moved: float

    @property
    def n_cells(self) -> int:
        return len(self.labels)


def show(distribution: Distribution, threshold: int) -> Shown:
    """Merge, round and name the cells of a distribution.

    Examples
    --------
    >>> from amongst.report import Distribution
    >>> from amongst.report.shown import show
    >>> shown = show(Distribution("x", "categorical", [60, 3, 37], [50, 20, 30], labels=("a", "b", "c")), 10)
    >>> shown.labels, shown.before.tolist()
    (['a', '2 others'], [0.6, 0.4])
    """
    before = np.asarray(distribution.before, dtype=np.float64)
    after = np.asarray(distribution.after, dtype=np.float64)
    if distribution.kind not in LABELLED:
        edges = np.asarray(distribution.edges, dtype=np.float64)
        cell_of_bin = coarsen(before, threshold, ordered=True)
        edges = edges[np.append(_first_of_cell(cell_of_bin), len(before))]
        labels = _range_labels(edges, distribution.kind)
        return _shares(before, after, cell_of_bin, threshold, labels, edges)
    names = np.asarray(distribution.labels, dtype=object)
    if distribution.kind == "ordered":
        # With many values a cell is also large enough to leave few of them.
        least = threshold if len(before) <= MOST_CATEGORIES else max(threshold, before.sum() / MOST_CATEGORIES)
        cell_of_bin = coarsen(before, int(np.ceil(least)), ordered=True)
        return _shares(before, after, cell_of_bin, threshold, _run_labels(names, cell_of_bin))
    present = (before > 0) | (after > 0)
    names, before, after = names[present], before[present], after[present]
    falling = np.argsort(-before, kind="stable")
    names, before, after = names[falling], before[falling], after[falling]
    cell_of_bin = np.minimum(coarsen(before, threshold), MOST_CATEGORIES - 1)
    return _shares(before, after, cell_of_bin, threshold, _pool_labels(names, cell_of_bin))


def _shares(
    before: np.ndarray,
    after: np.ndarray,
    cell_of_bin: np.ndarray,
    threshold: int,
    labels: list[str],
    edges: np.ndarray | None = None,
) -> Shown:
    cells_before = _as_shares(round_counts(add_up(before, cell_of_bin), threshold))
    cells_after = _as_shares(round_counts(add_up(after, cell_of_bin), threshold))
    moved = float(np.abs(cells_before - cells_after).sum() / 2)
    n_rare = int((cell_of_bin == cell_of_bin.max(initial=-1)).sum()) if labels and labels[-1].endswith("others") else 0
    return Shown(labels, cells_before, cells_after, edges, n_rare, moved)


def _as_shares(counts: np.ndarray) -> np.ndarray:
    total = counts.sum()
    return counts / total if total > 0 else counts


def _first_of_cell(cell_of_bin: np.ndarray) -> np.ndarray:
    return np.unique(cell_of_bin[cell_of_bin >= 0], return_index=True)[1]


def _range_labels(edges: np.ndarray, kind: str) -> list[str]:
    word = day if kind == "date" else tick
    return [f"{word(lo)} to {word(hi)}" for lo, hi in pairwise(edges.tolist())]


def _run_labels(names: np.ndarray, cell_of_bin: np.ndarray) -> list[str]:
    first = _first_of_cell(cell_of_bin)
    ends = np.append(first, len(names)).tolist()
    return [str(names[a]) if b - a == 1 else f"{names[a]} – {names[b - 1]}" for a, b in pairwise(ends)]


def _pool_labels(names: np.ndarray, cell_of_bin: np.ndarray) -> list[str]:
    n_in_cell = np.bincount(cell_of_bin[cell_of_bin >= 0])
    first = {int(cell): b for b, cell in reversed(list(enumerate(cell_of_bin)))}
    return [str(names[first[c]]) if n == 1 else f"{count(n)} others" for c, n in enumerate(n_in_cell)]
