"""Published rows as numbers that a model can learn from, and plain rows in the same columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amongst.query.matching import match_labels
from amongst.query.open_release import OpenRelease
from amongst.query.question import Condition, Literal
from amongst.query.read_column import Asked
from amongst.query.read_line import LineColumn

MOST_NAMES = 200
"""Of a column with more names the most frequent have a feature each."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Distinct rows to learn from, or to predict.

    Attributes
    ----------
    features : ndarray of float64, shape (n, n_features)
    classes : ndarray of int64
    weight : ndarray of int64
        How many rows are equal to each.
    """

    features: np.ndarray
    classes: np.ndarray
    weight: np.ndarray


@dataclass(frozen=True, eq=False)
class Encoding:
    """How columns become features: a place on the line for numbers and dates, a share for every name.

    A range is the middle of it; a set of names, or an ancestor of many, is divided evenly among them. So a plain value
    is a place, or a 1 among 0s, in the same features.

    Attributes
    ----------
    names : list of str
        The columns to learn from.
    target : str
    values : dict of str to list
        The names that have a feature; the classes of the target.
    scale : dict of str to (float, float)
        The smallest value of a column on a line, and the width from there to the largest.
    """

    names: list[str]
    target: str
    values: dict[str, list[Literal]]
    scale: dict[str, tuple[float, float]]

    @classmethod
    def of(cls, original: OpenRelease, names: Sequence[str], target: str) -> Encoding:
        """As the values of an original table suggest."""
        original.prepare([*names, target])
        values: dict[str, list[Literal]] = {target: list(original.column(target).values() or [])}
        scale = {}
        for name in names:
            column = original.column(name)
            if isinstance(column, LineColumn):
                ends = column.labels.lo[np.isfinite(column.labels.lo)]
                scale[name] = (float(ends.min()), float(np.ptp(ends)) or 1.0) if len(ends) else (0.0, 1.0)
            else:
                values[name] = _most_frequent(original, name)
        return cls(list(names), target, values, scale)

    def examples(self, opened: OpenRelease) -> Examples:
        """The rows of a table; those that were suppressed are not among them."""
        rows = opened.rows([*self.names, self.target])
        n = len(rows.size) - bool(opened.n_suppressed)
        parts = [self._features(opened.column(name))[rows.label_of_row[name][:n]] for name in self.names]
        told = shares(opened.column(self.target), self.values[self.target])
        of_label = np.where(told.max(axis=1, initial=0.0) > 0.5, told.argmax(axis=1), told.shape[1])
        return Examples(np.hstack(parts), of_label[rows.label_of_row[self.target][:n]], rows.size[:n])

    def _features(self, column: Asked) -> np.ndarray:
        """The features of every label."""
        if column.name not in self.scale:
            return shares(column, self.values[column.name])
        assert isinstance(column, LineColumn)
        labels, (lowest, width) = column.labels, self.scale[column.name]
        lo, hi, _ = labels.expected()
        place = np.clip(((lo / 2 + hi / 2) - lowest) / width, -1.0, 2.0)
        middle = np.bincount(labels.owner, labels.weight * place, labels.n_labels)
        missing = labels.nulls.share
        return np.column_stack([np.where(missing >= 1, 0.5, middle), missing])


def shares(column: Asked, values: Sequence[Literal]) -> np.ndarray:
    """How much of every label is each of these values, shape (n_labels, n_values)."""
    found = [match_labels(column, Condition(column.name, "in", (value,))).share for value in values]
    return np.array(found, dtype=np.float64).reshape(len(values), column.n_labels).T


def _most_frequent(original: OpenRelease, name: str) -> list[Literal]:
    column = original.column(name)
    values = list(column.values() or [])
    if len(values) <= MOST_NAMES:
        return values
    rows = original.rows([name])
    texts = column.texts  # type: ignore[attr-defined]
    size = {texts[label]: n for label, n in zip(rows.label_of_row[name].tolist(), rows.size.tolist(), strict=True)}
    return sorted(values, key=lambda value: -size.get(value, 0))[:MOST_NAMES]
