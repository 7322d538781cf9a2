"""How many people of a population every class fits, whatever labels overlap.

Columns are taken one after the other: the pairs of a start of a published row and a start of a person that fit so far
are carried on to the next column, some at a time, so that nothing is compared that did not fit before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from amongst.errors import BadInput
from amongst.published.contained import contained
from amongst.published.layout import Leaf
from amongst.published.open_published import open_published
from amongst.published.tally import Tally, tally
from amongst.verify.evidence import Evidence

_MOST_PAIRS = 1 << 22


@dataclass(frozen=True, eq=False)
class Fitting:
    """What the published classes say about a population.

    Attributes
    ----------
    people : ndarray of int64, one a class
        How many people it fits.
    n_people : int
    n_outside : int
        How many people no class fits.
    """

    people: np.ndarray
    n_people: int
    n_outside: int


def fit(evidence: Evidence, population: Any) -> Fitting:
    """Count the people of a population whom every class fits. A person counts for every class that fits."""
    layout, rows = evidence.layout, evidence.classes.tally
    readings = [reading for reading in evidence.readings if reading.key.form != "statistic"]
    everybody = _read(population, list(dict.fromkeys(reading.key.quasi for reading in readings)))
    tables = []
    for reading in readings:
        person = everybody.columns[Leaf(reading.key.quasi)]
        label_of_row, fits = contained(reading, layout.schema[reading.key.quasi], person)
        tables.append((label_of_row, person.codes, fits))
    tables.sort(key=lambda one: one[2].mean() if one[2].size else 1.0)  # those that rule out most come first
    people, covered = _join(tables, len(rows.size), everybody.size)
    return Fitting(people, everybody.n_rows, int(everybody.size[~covered].sum()))


def _read(population: Any, names: Sequence[str]) -> Tally:
    source = open_published(population)
    gone = [name for name in names if name not in source.names]
    if gone:
        raise BadInput(
            "The population table cannot be compared with the release.",
            found="it has no column " + ", ".join(f"'{name}'" for name in gone),
            fix="give it every quasi-identifier under the same name",
        )
    return tally(source, [Leaf(name) for name in names])


def _join(
    tables: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], n_classes: int, size: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The people of every class, and which distinct people are in any."""
    people, covered = np.zeros(n_classes, dtype=np.int64), np.zeros(len(size), dtype=bool)
    for ours, theirs in fitting_pairs(tables, n_classes, len(size)):
        people += np.bincount(ours, weights=size[theirs], minlength=n_classes).astype(np.int64)
        covered[theirs] = True
    return people, covered


def fitting_pairs(
    tables: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]], n_ours: int, n_theirs: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All pairs of a row of ours and one of theirs that fit in every column, some at a time.

    A column is the code of every row of ours, that of every row of theirs, and which codes fit which.
    """
    starts = _Starts([labels for labels, _, _ in tables], n_ours)
    others = _Starts([codes for _, codes, _ in tables], n_theirs)
    root = np.zeros(1 if n_ours and n_theirs else 0, dtype=np.int64)
    waiting = [(0, root, root)] if len(root) else []
    while waiting:
        depth, ours, theirs = waiting.pop()
        if depth == len(tables):
            yield starts.row[ours], others.row[theirs]
            continue
        n_pairs = starts.n_next(depth, ours) * others.n_next(depth, theirs)
        half = len(ours) // 2
        if n_pairs.sum() > _MOST_PAIRS and half:
            waiting += [(depth, ours[:half], theirs[:half]), (depth, ours[half:], theirs[half:])]
            continue
        pair = np.repeat(np.arange(len(ours)), n_pairs)
        within = np.arange(len(pair)) - np.repeat(np.cumsum(n_pairs) - n_pairs, n_pairs)
        n_theirs_next = others.n_next(depth, theirs)[pair]
        mine = starts.first[depth][ours[pair]] + within // n_theirs_next
        other = others.first[depth][theirs[pair]] + within % n_theirs_next
        fits = tables[depth][2][starts.code[depth][mine], others.code[depth][other]]
        waiting.append((depth + 1, mine[fits], other[fits]))


class _Starts:
    """Rows by their first columns: a tree whose nodes of one depth are numbered in order.

    ``first[d][i]`` is the first of the nodes below node i of depth d, ``first[d][i + 1]`` the one after the last;
    ``code[d][j]`` what node j of depth d + 1 has in column d; ``row`` the row of every deepest node.
    """

    def __init__(self, columns: Sequence[np.ndarray], n_rows: int) -> None:
        order = np.lexsort(list(reversed(columns))) if columns else np.arange(n_rows)
        self.first: list[np.ndarray] = []
        self.code: list[np.ndarray] = []
        above = np.zeros(n_rows, dtype=bool)
        above[:1] = True
        for column in columns:
            in_order = column[order]
            new = above.copy()
            new[1:] |= in_order[1:] != in_order[:-1]
            number = np.cumsum(new) - 1
            self.first.append(np.append(number[above], new.sum()))
            self.code.append(in_order[new])
            above = new
        self.row = order[above]

    def n_next(self, depth: int, nodes: np.ndarray) -> np.ndarray:
        return self.first[depth][nodes + 1] - self.first[depth][nodes]
