"""Which rows a formula selects, when all that is known of a row is a box: for sure, maybe, and how likely.

Within a box the values of the columns are taken as spread evenly and independently of each other (LeFevre, DeWitt,
Ramakrishnan, *Mondrian*, ICDE 2006, section 5; Ghinita et al., VLDB 2007, section 6.3). That is the estimate. What is
certain needs no such assumption: a box matches for sure when every point of it does, and can match when some
point does. A box is a product of sets, so both are decided exactly, column by column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from amongst.errors import BadQuestion
from amongst.query.cells import Cells
from amongst.query.question import (
    EVERYTHING,
    NOTHING,
    All,
    Condition,
    Formula,
    columns_of,
    conditions_of,
    decided,
)
from amongst.query.read_column import Asked

MOST_CASES = 5_000
"""How many combinations of cells are looked at, before a formula is called too tangled."""


@dataclass(frozen=True, eq=False)
class Matched:
    """How the rows match.

    Attributes
    ----------
    share : ndarray of float64
        How likely each row matches, by the estimate.
    can, must : ndarray of bool
        Whether it can, and whether it does for sure.
    """

    share: np.ndarray
    can: np.ndarray
    must: np.ndarray


@dataclass(frozen=True, eq=False)
class Divided:
    """One column divided by the conditions of a formula, over the rows.

    Attributes
    ----------
    conditions : list of Condition
        In the order of ``cells.truth``.
    label_of_row : ndarray of int64
    """

    conditions: list[Condition]
    cells: Cells
    label_of_row: np.ndarray

    def truth(self, cell: int) -> Mapping[Condition, bool]:
        return dict(zip(self.conditions, self.cells.truth[cell].tolist(), strict=True))


class Matching:
    """The rows under the conditions of one formula."""

    def __init__(
        self, formula: Formula, columns: Mapping[str, Asked], label_of_row: Mapping[str, np.ndarray], n_rows: int
    ) -> None:
        self.n_rows = n_rows
        self.divided: dict[str, Divided] = {}
        self._n_cases = 0
        for name in columns:
            conditions = list(dict.fromkeys(one for one in conditions_of(formula) if one.column == name))
            self.divided[name] = Divided(conditions, columns[name].cells(conditions), label_of_row[name])

    def of(self, formula: Formula) -> Matched:
        """How the rows match a formula made of these conditions."""
        if formula in (EVERYTHING, NOTHING):
            holds = formula == EVERYTHING
            sure = np.full(self.n_rows, holds)
            return Matched(sure.astype(np.float64), sure, sure)
        names = columns_of(formula)
        if len(names) == 1:
            return self._of_one(formula, next(iter(names)))
        assert not isinstance(formula, Condition)
        parts = apart(formula.parts)
        if len(parts) == 1:
            return self._case_by_case(formula, _most_shared(formula.parts))
        joined = [self.of(part[0] if len(part) == 1 else type(formula)(tuple(part))) for part in parts]
        return _all_of(joined) if isinstance(formula, All) else _any_of(joined)

    def in_cell(self, formula: Formula, name: str, cell: int) -> Matched:
        """How the rows match if their value of a column lies in a cell; whether it does is not asked here."""
        self._count_case()
        truth = self.divided[name].truth(cell)
        return self.of(decided(formula, name, truth.__getitem__))

    def _of_one(self, formula: Formula, name: str) -> Matched:
        column = self.divided[name]
        found = _of_labels(formula, name, column)
        return Matched(*(one[column.label_of_row] for one in (found.share, found.can, found.must)))

    def _case_by_case(self, formula: Formula, name: str) -> Matched:
        column = self.divided[name]
        share, can = np.zeros(self.n_rows), np.zeros(self.n_rows, dtype=bool)
        must = np.ones(self.n_rows, dtype=bool)
        for cell in range(len(column.cells.truth)):
            found = self.in_cell(formula, name, cell)
            here = column.cells.can[cell][column.label_of_row]
            share += column.cells.share[cell][column.label_of_row] * found.share
            can |= here & found.can
            must &= ~here | found.must
        return Matched(share, can, must & can)

    def _count_case(self) -> None:
        self._n_cases += 1
        if self._n_cases > MOST_CASES:
            raise BadQuestion(
                "The conditions are too tangled to be decided.",
                found=f"more than {MOST_CASES:,} cases of columns that stand on both sides of AND and OR",
                fix="use IN and BETWEEN, or ask several smaller questions",
            )


def match_labels(column: Asked, formula: Formula) -> Matched:
    """How the labels of a column match a formula on it alone."""
    conditions = list(dict.fromkeys(conditions_of(formula)))
    return _of_labels(formula, column.name, Divided(conditions, column.cells(conditions), np.zeros(0, dtype=np.int64)))


def _of_labels(formula: Formula, name: str, column: Divided) -> Matched:
    cells = column.cells
    if isinstance(formula, Condition):
        holds = cells.truth[:, column.conditions.index(formula)]
    else:
        cases = range(len(cells.truth))
        holds = np.array([decided(formula, name, column.truth(cell).__getitem__) == EVERYTHING for cell in cases])
    share = np.minimum(cells.share[holds].sum(axis=0), 1.0)
    can = cells.can[holds].any(axis=0)
    return Matched(share, can, can & ~cells.can[~holds].any(axis=0))


def apart(parts: Sequence[Formula]) -> list[list[Formula]]:
    """The parts, together where they speak of a column in common."""
    found: list[tuple[set[str], list[Formula]]] = []
    for part in parts:
        names = set(columns_of(part))
        near = [one for one in found if one[0] & names]
        found = [one for one in found if not one[0] & names]
        found.append((names.union(*(one[0] for one in near)), [*(p for one in near for p in one[1]), part]))
    return [part for _, part in found]


def _most_shared(parts: Sequence[Formula]) -> str:
    names = [name for part in parts for name in sorted(columns_of(part))]
    return max(dict.fromkeys(names), key=names.count)


def _all_of(parts: Sequence[Matched]) -> Matched:
    share = np.prod([part.share for part in parts], axis=0)
    can = np.logical_and.reduce([part.can for part in parts])
    return Matched(share, can, np.logical_and.reduce([part.must for part in parts]))


def _any_of(parts: Sequence[Matched]) -> Matched:
    share = 1 - np.prod([1 - part.share for part in parts], axis=0)
    can = np.logical_or.reduce([part.can for part in parts])
    # A box is a product: where no part holds all over it, there is a point at which none holds.
    return Matched(share, can, np.logical_or.reduce([part.must for part in parts]))
