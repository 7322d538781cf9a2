"""How much of every published label each value of the original has, by the estimate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst.query.line_many import match_ranges
from amongst.query.matching import match_labels
from amongst.query.nulls import Nulls
from amongst.query.open_release import OpenRelease
from amongst.query.question import Condition, Literal
from amongst.query.read_line import LineColumn
from amongst.query.read_names import NameColumn


@dataclass(frozen=True, eq=False)
class ValueShares:
    """The values of one column, in the original and in a release.

    Attributes
    ----------
    values : list
        The values that occur in the original; None, for missing ones, is the last if there is one.
    place : ndarray of float64, or None
        Where they lie on the line; None for names.
    number_of_label : ndarray of int64
        The value of every label of the original.
    share : ndarray of float64, shape (n_values, n_labels)
        Of the labels of the release.
    """

    name: str
    values: list[Literal | None]
    place: np.ndarray | None
    number_of_label: np.ndarray
    share: np.ndarray


def value_shares(original: OpenRelease, release: OpenRelease, name: str) -> ValueShares:
    """The values of a column that both have."""
    after = release.column(name)
    values, place, number_of_label = _values(original, name)
    if isinstance(after, LineColumn) and place is not None:
        share = _on_line(after, place)
    else:
        found = [match_labels(after, _is(name, value)) for value in values]
        share = np.array([one.share for one in found]).reshape(len(values), after.n_labels)
        if isinstance(after, NameColumn) and not after.complete:
            # Where no hierarchy lists the values, those of the original share a label evenly.
            share = _evenly(np.array([one.can for one in found]).reshape(share.shape), values, after.nulls)
    return ValueShares(name, values, place, number_of_label, share.reshape(len(values), after.n_labels))


def _values(original: OpenRelease, name: str) -> tuple[list[Literal | None], np.ndarray | None, np.ndarray]:
    """The values of the rows in order, missing ones last, with their places; and the number of every label's value."""
    column = original.column(name)
    used = np.unique(original.rows([name]).label_of_row[name])
    number_of_label = np.zeros(column.n_labels, dtype=np.int64)
    if isinstance(column, LineColumn):
        place_of_label = np.full(column.n_labels, np.nan)
        place_of_label[column.labels.owner[:-1]] = column.labels.lo[:-1]
        place, number = np.unique(place_of_label[used], return_inverse=True)
        number_of_label[used] = number.reshape(-1)
        return [None if np.isnan(one) else column.said(one) for one in place.tolist()], place, number_of_label
    assert isinstance(column, NameColumn)
    texts = [column.texts[label] for label in used.tolist()]
    known = {text: column.code_of_leaf[text] for text in texts if text is not None}
    values: list[Literal | None] = sorted(known, key=known.__getitem__)
    values += [None] if None in texts else []
    number_of_value = {value: i for i, value in enumerate(values)}
    number_of_label[used] = [number_of_value[text] for text in texts]
    return values, None, number_of_label


def _on_line(after: LineColumn, place: np.ndarray) -> np.ndarray:
    """Whole numbers as counted. Of decimals those that occur share an interval evenly, for a point has no length; so do
    all values in a label without ends."""
    labels = after.labels
    missing = np.isnan(place)
    at = np.where(missing, 0.0, place)
    share, can, _ = match_ranges(labels, at, at)
    endless = np.zeros(labels.n_labels, dtype=bool)
    endless[labels.owner[np.isinf(labels.lo) | np.isinf(labels.hi)]] = True
    even = _evenly(can, [None if gone else 0 for gone in missing.tolist()], labels.nulls)
    share = np.where(endless | (not labels.counts), even, share)
    share[missing] = labels.nulls.share
    return share


def _evenly(can: np.ndarray, values: list[Literal | None], nulls: Nulls) -> np.ndarray:
    missing = np.array([value is None for value in values], dtype=bool)
    inside = can & ~missing[:, None]
    share = inside / np.maximum(inside.sum(axis=0), 1) * (1 - nulls.share)
    share[missing] = nulls.share
    return share


def _is(name: str, value: Literal | None) -> Condition:
    return Condition(name, "null") if value is None else Condition(name, "in", (value,))
