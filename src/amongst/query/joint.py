"""The joint distribution of some columns: of the original by counting, of a release by the estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from amongst.query.count_many import CAN, MUST, ColumnParts, sum_block
from amongst.query.open_release import OpenRelease
from amongst.query.value_shares import ValueShares

BLOCK = 1 << 22
HALF_A_ROW = 0.5
"""What a cell that occurs is taken for where a release makes one expect nothing in it, so that its log is finite."""


@dataclass(frozen=True, eq=False)
class Joint:
    """The cells that occur in the original.

    Attributes
    ----------
    codes : list of ndarray
        The number of the value of every cell, one array a column.
    before, after : ndarray of float64
        The share of the rows in every cell.
    """

    codes: list[np.ndarray]
    before: np.ndarray
    after: np.ndarray


def joint(
    original: OpenRelease, release: OpenRelease, shares: Mapping[str, ValueShares], names: Sequence[str]
) -> Joint:
    """Both distributions over the cells that occur in the original.

    Rows that were suppressed are spread evenly over all cells that the values of the columns make: nothing is known
    of them, and no cell may be impossible.
    """
    codes, count = _cells(original, shares, names)
    rows = release.rows(names)
    n_published = len(rows.size) - bool(release.n_suppressed)
    size = np.where(np.arange(len(rows.size)) < n_published, rows.size, 0).astype(np.float64)
    parts = {name: _parts(shares[name], code) for name, code in zip(names, codes, strict=True)}
    step = max(1, BLOCK // max(len(size), 1))
    after = np.concatenate(
        [sum_block(parts, rows, size, slice(i, min(i + step, len(count))))[0] for i in range(0, len(count), step)]
    )
    n_rows = size.sum() + (release.n_suppressed or 0)
    n_cells = float(np.prod([len(shares[name].values) for name in names]))
    after = (after + (release.n_suppressed or 0) / n_cells) / n_rows
    after[after == 0] = HALF_A_ROW / n_rows
    return Joint(codes, count / count.sum(), after)


def _cells(
    original: OpenRelease, shares: Mapping[str, ValueShares], names: Sequence[str]
) -> tuple[list[np.ndarray], np.ndarray]:
    rows = original.rows(names)
    return [shares[name].number_of_label[rows.label_of_row[name]] for name in names], rows.size.astype(np.float64)


def _parts(shares: ValueShares, code: np.ndarray) -> ColumnParts:
    return ColumnParts(code, shares.share, np.where(shares.share > 0, CAN | MUST, 0).astype(np.uint8))


def table_of(
    original: OpenRelease, release: OpenRelease, first: ValueShares, second: ValueShares
) -> tuple[np.ndarray, np.ndarray]:
    """The two-way tables of two columns, before and after, over all pairs of values."""
    codes, count = _cells(original, {first.name: first, second.name: second}, [first.name, second.name])
    shape = (len(first.values), len(second.values))
    before = np.zeros(shape)
    np.add.at(before, (codes[0], codes[1]), count)
    rows = release.rows([first.name, second.name])
    n_published = len(rows.size) - bool(release.n_suppressed)
    labels = np.zeros((first.share.shape[1], second.share.shape[1]))
    at = (rows.label_of_row[first.name][:n_published], rows.label_of_row[second.name][:n_published])
    np.add.at(labels, at, rows.size[:n_published])
    after = first.share @ labels @ second.share.T
    return before / before.sum(), after / max(after.sum(), 1e-300)
