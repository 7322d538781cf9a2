"""The columns of a release as a statistician sees them: for every row the values that it can have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from amongst.errors import BadOption
from amongst.published.labels import parse
from amongst.query.open_release import OpenRelease
from amongst.query.read_line import LineColumn
from amongst.query.read_names import LooseColumn, NameColumn, name_column


@dataclass(frozen=True, eq=False)
class Coarse:
    """One column: every label stands for pieces, of which one holds the value.

    Attributes
    ----------
    name : str
    names : list of str, or None
        The categories, in order; None for a column on a line.
    first, lo, hi : ndarray
        The pieces of label l are ``first[l]`` to ``first[l + 1]``; each is a closed interval, or one code.
    whole : bool
        The values are whole numbers.
    label_of_row : ndarray of int64
    tight : ndarray of bool, one a label
        Both ends of its range, or all members of its set, are the value of somebody in the class.
    """

    name: str
    names: list[str] | None
    first: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    whole: bool
    label_of_row: np.ndarray
    tight: np.ndarray

    @property
    def n_pieces(self) -> np.ndarray:
        return np.diff(self.first)

    @property
    def exact(self) -> np.ndarray:
        """Which labels stand for one value."""
        return (self.n_pieces == 1) & (self.lo[self.first[:-1]] == self.hi[self.first[:-1]])

    @property
    def uncertain(self) -> np.ndarray:
        """The rows whose value is not published as it is."""
        return np.flatnonzero(~self.exact[self.label_of_row])

    def ends_of_rows(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The least and the largest value that each of these rows can have."""
        label = self.label_of_row[rows]
        return self.lo[self.first[label]], self.hi[self.first[label + 1] - 1]

    def draw(self, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """A value for each of these rows, all that it can have being equally likely."""
        label = self.label_of_row[rows]
        piece = self.first[label] + np.floor(rng.random(len(rows)) * self.n_pieces[label]).astype(np.int64)
        lo, hi = self.lo[piece], self.hi[piece]
        if self.whole or self.names is not None:
            return lo + np.floor(rng.random(len(rows)) * (hi - lo + 1))
        return lo + rng.random(len(rows)) * (hi - lo)

    def required(self, label: int) -> np.ndarray:
        """The values that somebody in every class with this label must have."""
        a, b = self.first[label], self.first[label + 1]
        if not self.tight[label]:
            return np.zeros(0)
        return np.unique(np.concatenate([self.lo[a:b], self.hi[a:b]]))

    def as_event(self, event: str) -> Coarse:
        """Whether the value is this category: 1, or 0 for all others."""
        code = (self.names or []).index(event)
        label = np.repeat(np.arange(len(self.n_pieces)), self.n_pieces)
        # A piece of an ordered column may hold the category among others.
        no, yes = (self.lo != code) | (self.hi != code), (self.lo <= code) & (code <= self.hi)
        can = np.zeros((len(self.n_pieces), 2), dtype=bool)
        can[label[no], 0], can[label[yes], 1] = True, True
        owner, value = np.nonzero(can)
        first = np.searchsorted(owner, np.arange(len(can) + 1))
        ends = value.astype(np.float64)
        return replace(self, names=None, first=first, lo=ends, hi=ends, whole=True)

    def take(self, rows: np.ndarray) -> Coarse:
        """The same of some rows."""
        return replace(self, label_of_row=self.label_of_row[rows])


@dataclass(frozen=True, eq=False)
class CoarseTable:
    """Some columns of a release, row by row, without rows in which one of them is missing.

    Attributes
    ----------
    columns : dict of str to Coarse
    class_of_row : ndarray of int64
        Rows that look alike in all quasi-identifiers.
    n_missing : int
        Rows that were left out because a value is missing.
    unseen : dict of str to int
        How many categories of a column nobody is known to have; they are taken not to occur.
    """

    columns: dict[str, Coarse]
    class_of_row: np.ndarray
    n_missing: int
    unseen: dict[str, int]

    @property
    def n_rows(self) -> int:
        return len(self.class_of_row)

    @property
    def n_uncertain(self) -> int:
        """Rows with at least one value that is not published as it is."""
        uncertain = np.zeros(self.n_rows, dtype=bool)
        for column in self.columns.values():
            uncertain[column.uncertain] = True
        return int(uncertain.sum())


def coarse_table(opened: OpenRelease, names: Sequence[str]) -> CoarseTable:
    """What a release says of some columns, row by row."""
    if opened.grouped is not None:
        raise BadOption(
            "A regression needs one table.", found="a release of two tables", fix="use a method that generalizes"
        )
    if unknown := [name for name in names if name not in opened.columns]:
        raise BadOption(
            "The formula names columns that the release does not have.",
            found=", ".join(sorted(unknown)),
            fix=f"use columns of the release: {', '.join(opened.columns)}",
        )
    quasi = list(dict.fromkeys(key.quasi for key in opened.layout.keys))
    every = list(dict.fromkeys([*quasi, *names]))
    rows = opened.rows(every)
    n = len(rows.size) - bool(opened.n_suppressed)
    row = np.repeat(np.arange(n), rows.size[:n])
    labels = {name: rows.label_of_row[name][:n] for name in every}
    class_of = np.zeros(n, dtype=np.int64)
    for name in quasi:
        key = class_of * (int(labels[name].max(initial=0)) + 1) + labels[name]
        class_of = np.unique(key, return_inverse=True)[1].reshape(-1)
    attained = frozenset() if opened.told is None else opened.told.attained
    columns, unseen, missing = {}, {}, np.zeros(len(row), dtype=bool)
    for name in names:
        column, label = opened.column(name), labels[name][row]
        nulls = column.labels.nulls if isinstance(column, LineColumn) else getattr(column, "nulls", None)
        if nulls is not None:
            missing |= nulls.sure[label]
        columns[name], unseen[name] = _coarse(column, label, name in attained, foreign=opened.told is None)
    kept = np.flatnonzero(~missing)
    # By what they say and not as they were read, so that folder, file and memory give the same draws.
    keys = [ends for column in columns.values() for ends in column.ends_of_rows(kept)]
    kept = kept[np.lexsort((class_of[row][kept], *keys))]
    return CoarseTable(
        {name: column.take(kept) for name, column in columns.items()},
        class_of[row][kept],
        int(missing.sum()),
        {name: n for name, n in unseen.items() if n},
    )


def _coarse(column: Any, label: np.ndarray, attained: bool, *, foreign: bool) -> tuple[Coarse, int]:
    if isinstance(column, LineColumn):
        return _on_a_line(column, label, attained), 0
    if isinstance(column, LooseColumn) and foreign:  # nobody speaks of a hierarchy: names are values
        found = column.labels
        texts = ["*" if not names else names[0] if len(names) == 1 else _set_of(names) for names in found.names[:-1]]
        told = [None if sure else text for text, sure in zip(texts, found.nulls.sure.tolist(), strict=False)]
        column = name_column(column.name, told, found.nulls, None)
    if isinstance(column, NameColumn):
        return _of_names(column, label, attained)
    raise BadOption(
        f"The hierarchy of {column.name!r} is not known here.",
        found="labels that may be values or nodes",
        fix="give the schema of the release (schema=, --schema JOB.toml), or leave the column out of the formula",
    )


def _set_of(names: Sequence[str]) -> str:
    quoted = (name.replace("\\", "\\\\").replace('"', '\\"') for name in names)
    return "{" + ",".join(f'"{name}"' for name in quoted) + "}"


def _on_a_line(column: LineColumn, label: np.ndarray, attained: bool) -> Coarse:
    found = column.labels
    order = np.argsort(found.owner, kind="stable")
    first = np.searchsorted(found.owner[order], np.arange(found.n_labels + 1))
    lo, hi, _ = found.expected()
    lo, hi = lo[order], hi[order]
    if found.counts:
        lo, hi = np.ceil(lo), np.floor(hi)
    bounded = np.isfinite(found.lo) & np.isfinite(found.hi)
    tight = attained & (np.bincount(found.owner, ~bounded, found.n_labels) == 0)
    exact_pieces = np.bincount(found.owner, found.lo != found.hi, found.n_labels) == 0
    tight &= exact_pieces | (np.diff(first) == 1)
    if (np.diff(first)[label] == 0).any():  # a label that is null for sure: its rows are left out
        first, lo, hi = _with_a_piece(first, lo, hi)
    names = None
    if column.sort == "order":
        names = [str(value) for value in column.nodes.known.order or ()]
    return Coarse(
        name=column.name, names=names, first=first, lo=lo, hi=hi, whole=found.counts, label_of_row=label, tight=tight
    )


def _with_a_piece(first: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels without any piece get one, so that every label has a place."""
    width = np.diff(first)
    at = np.repeat(first[:-1], width == 0)
    filled = np.concatenate([[0], np.cumsum(np.maximum(width, 1))])
    return filled, np.insert(lo, at, 0.0), np.insert(hi, at, 0.0)


def _of_names(column: NameColumn, label: np.ndarray, attained: bool) -> tuple[Coarse, int]:
    """Categories that nobody is known to have are left out, wherever a label has others."""
    known, there, n_leaves = column.labels, np.unique(label), len(column.code_of_leaf)
    codes = [np.zeros(0, dtype=np.int64)] * known.n_labels
    for one, a, b in zip(there.tolist(), *(np.searchsorted(known.owner, there + i) for i in (0, 1)), strict=True):
        found = [np.arange(first, last + 1) for first, last in zip(known.first[a:b], known.last[a:b], strict=True)]
        distinct = np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int64)
        codes[one] = distinct[distinct < n_leaves]
    tight = np.zeros(known.n_labels, dtype=bool)
    for one in there.tolist():
        text = column.texts[one] if one < len(column.texts) else None
        tight[one] = attained and text is not None and parse(text, "categorical").kind == "set"
    seen = np.zeros(n_leaves, dtype=bool)
    for one in there.tolist():
        if len(codes[one]) == 1 or tight[one]:
            seen[codes[one]] = True
    for one in there.tolist():
        if len(codes[one]) and not seen[codes[one]].any():
            seen[codes[one]] = True
    leaves = list(column.code_of_leaf)
    order = sorted(np.flatnonzero(seen).tolist(), key=lambda code: leaves[code])
    place = np.full(n_leaves, -1)
    place[order] = np.arange(len(order))
    pieces = [np.sort(place[one][place[one] >= 0]) if len(one) else np.zeros(1, dtype=np.int64) for one in codes]
    possible = np.zeros(n_leaves, dtype=bool)
    for one in there.tolist():
        possible[codes[one]] = True
    first = np.concatenate([[0], np.cumsum([len(one) for one in pieces])])
    values = np.concatenate(pieces).astype(np.float64)
    names = [leaves[code] for code in order]
    unseen = int((possible & ~seen).sum())
    made = Coarse(
        name=column.name, names=names, first=first, lo=values, hi=values, whole=True, label_of_row=label, tight=tight
    )
    return made, unseen
