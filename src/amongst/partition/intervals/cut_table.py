"""A table as tuples of atoms, and the cuts that could be made between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.frequency import tuples_of


@dataclass(frozen=True, eq=False)
class CutColumn:
    """The atoms of one column: stretches of codes that no cut separates.

    Attributes
    ----------
    atom_of_code : ndarray of int64
    first, last : ndarray of int64
        The smallest and largest code of every atom that occurs in the table.
    n_codes : ndarray of int64
        How many codes of the atom occur.
    n_priced : int
        Atoms that can be told more or less precisely: all but that of a null that matches anything, the last.
    """

    atom_of_code: np.ndarray
    first: np.ndarray
    last: np.ndarray
    n_codes: np.ndarray
    n_priced: int

    @property
    def n_atoms(self) -> int:
        return len(self.first)


@dataclass(frozen=True, eq=False)
class CutTable:
    """What a search for cuts works on.

    Attributes
    ----------
    columns : list of CutColumn
    atoms : ndarray of uint16, shape (n_tuples, n_columns)
        The distinct tuples of atoms.
    weight : ndarray of uint32
        Rows of every tuple.
    tuple_of_row : ndarray of uint32
    first_cut : ndarray of int64
        ``first_cut[c] + a`` is the cut of column c after its atom a.
    every_cut : bool
        Whether every two neighbouring codes that occur have a cut between them.
    n_distinct, n_alone : int
        Distinct tuples of codes, and how many of them are of one row.
    """

    columns: list[CutColumn]
    atoms: np.ndarray
    weight: np.ndarray
    tuple_of_row: np.ndarray
    first_cut: np.ndarray
    every_cut: bool
    n_distinct: int
    n_alone: int

    @property
    def n_cuts(self) -> int:
        return int(self.first_cut[-1])

    @property
    def n_priced(self) -> np.ndarray:
        return np.array([column.n_priced for column in self.columns], dtype=np.int64)

    def of_column(self, c: int) -> slice:
        """The cuts of one column."""
        return slice(int(self.first_cut[c]), int(self.first_cut[c + 1]))

    def intervals(self, c: int, cuts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The first and last atom of the interval of every atom."""
        made = np.flatnonzero(cuts[self.of_column(c)])
        starts, ends = np.append(0, made + 1), np.append(made, self.columns[c].n_atoms - 1)
        size = ends - starts + 1
        return np.repeat(starts, size), np.repeat(ends, size)


def cut_table(table: CodedTable, cuts: list[np.ndarray]) -> CutTable:
    """The tuples of a table, with the codes of every column after which it may be cut; the last may not."""
    tuples = tuples_of(table)
    columns, every_cut = [], True
    for column, codes, after in zip(table.columns, tuples.codes, cuts, strict=True):
        present = np.flatnonzero(np.bincount(codes))
        columns.append(_column(column, present, after))
        every_cut &= len(after) == len(present) - 1
    atoms = [
        kernels.look_up(codes, column.atom_of_code.astype(np.uint16))
        for codes, column in zip(tuples.codes, columns, strict=True)
    ]
    number, first, weight = kernels.distinct(atoms, tuples.count)
    first_cut = np.append(0, np.cumsum([column.n_atoms - 1 for column in columns])).astype(np.int64)
    return CutTable(
        columns=columns,
        atoms=np.ascontiguousarray(np.stack([column[first] for column in atoms], axis=1)),
        weight=weight,
        tuple_of_row=kernels.gather(number, tuples.tuple_of_row),
        first_cut=first_cut,
        every_cut=every_cut,
        n_distinct=tuples.n_tuples,
        n_alone=int((tuples.count == 1).sum()),
    )


def even_cuts(column: CodedColumn, most_cuts: int, wanted: np.ndarray) -> np.ndarray:
    """Codes to cut after: all that occur but the last, or the most even ones where that would be too many.

    Then about as many rows lie between any two cuts. A null is cut off in any case, and there are cuts before
    the codes wanted, if those are not more than ``most_cuts``.
    """
    rows = np.bincount(column.codes)
    present = np.flatnonzero(rows)
    if len(present) - 1 <= most_cuts:
        return np.asarray(present[:-1])
    upto = np.cumsum(rows[present])
    shares = upto[-1] * np.arange(1, most_cuts + 1) / (most_cuts + 1)
    chosen = [present[np.searchsorted(upto, shares)]]
    if len(wanted) <= most_cuts:
        chosen.append(present[np.searchsorted(present, wanted[wanted > present[0]]) - 1])
    if present[-1] == column.null_code:
        chosen.append(present[-2:-1])
    after = np.unique(np.concatenate(chosen))
    return np.asarray(after[after < present[-1]])


def _column(column: CodedColumn, present: np.ndarray, after: np.ndarray) -> CutColumn:
    cut_after = np.zeros(int(present[-1]) + 1, dtype=np.int64)
    cut_after[after + 1] = 1
    atom_of_code = np.cumsum(cut_after)
    atom = atom_of_code[present]
    starts = np.flatnonzero(np.diff(atom, prepend=-1))
    ends = np.append(starts[1:], len(present)) - 1
    n_priced = len(starts) - (column.wildcard >= 0 and present[-1] == column.wildcard)
    return CutColumn(atom_of_code, present[starts], present[ends], ends - starts + 1, int(n_priced))
