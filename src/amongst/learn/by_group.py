"""The release read as a decision tree: a row gets the class that is most frequent in the groups it falls into."""

from __future__ import annotations

import numpy as np

from amongst.learn.features import Encoding, shares
from amongst.query.matching import match_labels
from amongst.query.open_release import OpenRelease
from amongst.query.question import Condition, Literal
from amongst.query.read_column import Asked
from amongst.query.read_line import LineColumn

BLOCK = 1 << 22
"""Pairs of a row and a published row that are looked at together."""


def predict_by_group(release: OpenRelease, plain: OpenRelease, encoding: Encoding, otherwise: int) -> np.ndarray:
    """The class of every distinct row of a plain table, in the order of ``Encoding.examples``.

    Groups count by their rows, and by how much of their range the row's values are: as the estimates of questions do.
    A row that falls into no group gets the class ``otherwise``.
    """
    names, target = encoding.names, encoding.target
    made, asked = release.rows([*names, target]), plain.rows([*names, target])
    n_made = len(made.size) - bool(release.n_suppressed)
    told = shares(release.column(target), encoding.values[target])[made.label_of_row[target][:n_made]]
    votes = np.column_stack([told, 1 - told.sum(axis=1)]) * made.size[:n_made, None]
    overlap = {name: _overlap(release.column(name), plain.column(name)) for name in names}
    step = max(1, BLOCK // max(n_made, 1))
    found = []
    for first in range(0, len(asked.size), step):
        block = slice(first, first + step)
        share = np.ones((len(asked.size[block]), n_made))
        for name in names:
            used, place = np.unique(asked.label_of_row[name][block], return_inverse=True)
            share *= overlap[name][used][:, made.label_of_row[name][:n_made]][place.reshape(-1)]
        won = share @ votes
        found.append(np.where(won.max(axis=1) > 0, won.argmax(axis=1), otherwise))
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


def _overlap(release: Asked, plain: Asked) -> np.ndarray:
    """How much of every published label each plain label is, shape (n_plain, n_published)."""
    found = np.zeros((plain.n_labels, release.n_labels))
    found[plain_nulls(plain)] = match_labels(release, Condition(release.name, "null")).share
    for label, value in _values(plain):
        found[label] = match_labels(release, Condition(release.name, "in", (value,))).share
    return found


def plain_nulls(plain: Asked) -> np.ndarray:
    """The labels of a plain column that stand for missing values."""
    sure: np.ndarray = plain.labels.nulls.sure if isinstance(plain, LineColumn) else plain.nulls.sure  # type: ignore[attr-defined]
    return np.flatnonzero(sure)


def _values(plain: Asked) -> list[tuple[int, Literal]]:
    """Every label with the value that it is."""
    if isinstance(plain, LineColumn):
        labels = plain.labels
        there = np.isfinite(labels.lo) & (labels.lo == labels.hi)
        return [
            (int(i), plain.said(float(place))) for i, place in zip(labels.owner[there], labels.lo[there], strict=True)
        ]
    return [(i, text) for i, text in enumerate(plain.texts) if text is not None]  # type: ignore[attr-defined]
