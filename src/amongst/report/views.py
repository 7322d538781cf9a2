"""What the charts draw: counts and boxes as arrays, without a word on how they look."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LABELLED = ("ordered", "categorical")
"""Kinds whose axis counts codes; the others have a number line (dates: days since 1970-01-01)."""


@dataclass(frozen=True, eq=False)
class ClassSizes:
    """How many groups (``counts[i]``) have ``sizes[i]`` rows."""

    sizes: np.ndarray
    counts: np.ndarray

    def __post_init__(self) -> None:
        _same_length("sizes and counts", self.sizes, self.counts)


@dataclass(frozen=True, eq=False)
class Distribution:
    """One column before and after.

    Attributes
    ----------
    column : str
    kind : {"numeric", "date", "ordered", "categorical"}
    before : ndarray
        Rows of the input in every bin or category.
    after : ndarray of float
        Rows of the release expected there, when every group spreads evenly over what was published
        for it (see :mod:`amongst.report.spread`).
    edges : ndarray or None
        For numeric and date columns the n + 1 edges of the n bins. Take round numbers: the smallest
        and largest value of the data are cell values of somebody.
    labels : tuple of str or None
        For ordered and categorical columns the name of every category, in code order.
    """

    column: str
    kind: str
    before: np.ndarray
    after: np.ndarray
    edges: np.ndarray | None = None
    labels: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        _same_length("before and after", self.before, self.after)
        if self.kind in LABELLED:
            _same_length("before and labels", self.before, self.labels if self.labels is not None else ())
        elif self.edges is None or len(self.edges) != len(self.before) + 1:
            raise ValueError("a numeric or date distribution needs one edge more than it has bins")


@dataclass(frozen=True)
class Axis:
    """One axis of the partition.

    Attributes
    ----------
    name : str
    kind : {"numeric", "date", "ordered", "categorical"}
    labels : tuple of str
        For ordered and categorical columns the name of every code.
    step : float
        How wide one value is: 1 for whole numbers, so that [25-26] and [27-30] touch; 0 for others.
        Codes are always 1 wide.
    """

    name: str
    kind: str = "numeric"
    labels: tuple[str, ...] = ()
    step: float = 0.0

    @property
    def width_of_value(self) -> float:
        return 1.0 if self.kind in LABELLED else float(self.step)


@dataclass(frozen=True, eq=False)
class Heat:
    """Rows of the input on a grid: ``counts[i, j]`` between ``x_edges[i:i+2]`` and ``y_edges[j:j+2]``."""

    x_edges: np.ndarray
    y_edges: np.ndarray
    counts: np.ndarray

    def __post_init__(self) -> None:
        if np.shape(self.counts) != (len(self.x_edges) - 1, len(self.y_edges) - 1):
            raise ValueError("heat needs one edge more than it has cells, on both sides")


@dataclass(frozen=True, eq=False)
class PartitionView:
    """The published groups as boxes over two columns; both ends of a box belong to it."""

    x: Axis
    y: Axis
    x_lo: np.ndarray
    x_hi: np.ndarray
    y_lo: np.ndarray
    y_hi: np.ndarray
    size: np.ndarray
    heat: Heat | None = None

    def __post_init__(self) -> None:
        _same_length("the box bounds and sizes", self.x_lo, self.x_hi, self.y_lo, self.y_hi, self.size)


def _same_length(what: str, *arrays: object) -> None:
    lengths = {len(array) for array in arrays}  # type: ignore[arg-type]
    if len(lengths) > 1:
        raise ValueError(f"{what} must have the same length, not {sorted(lengths)}")
