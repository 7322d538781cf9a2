"""The frequency set: distinct tuples of codes with their counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from amongst import kernels
from amongst.brief import Brief

if TYPE_CHECKING:
    from amongst.encode.coded import CodedTable

SAMPLE = 1 << 16
FEW_DUPLICATES = 0.9


@dataclass(frozen=True, eq=False)
class FrequencySet(Brief):
    """Distinct tuples in order of first appearance.

    Attributes
    ----------
    codes : list of ndarray
        One a column, one code a tuple.
    count : ndarray of uint32
    tuple_of_row : ndarray of uint32
    """

    codes: list[np.ndarray]
    count: np.ndarray
    tuple_of_row: np.ndarray

    @property
    def n_tuples(self) -> int:
        return len(self.count)

    def in_order(self) -> FrequencySet:
        """The same with the tuples sorted by their codes: for choices in which the order of the rows has no say."""
        by_codes = np.lexsort(self.codes[::-1])
        number = np.empty(self.n_tuples, dtype=np.uint32)
        number[by_codes] = np.arange(self.n_tuples, dtype=np.uint32)
        codes = [column[by_codes] for column in self.codes]
        return FrequencySet(codes, self.count[by_codes], kernels.look_up(self.tuple_of_row, number))


def frequency_set(codes: Sequence[np.ndarray], weight: np.ndarray | None = None) -> FrequencySet:
    """Count the distinct tuples of some columns of codes (Incognito, section 1.1).

    With ``weight`` every row stands for so many.
    """
    tuple_of_row, first_row, count = kernels.distinct(codes, weight)
    return FrequencySet([kernels.gather(column, first_row) for column in codes], count, tuple_of_row)


def tuples_of(table: CodedTable) -> FrequencySet:
    """The distinct tuples of quasi-identifiers, and how many rows each has."""
    return frequency_set(table.codes, table.count)


def mostly_distinct(codes: Sequence[np.ndarray]) -> bool:
    """Whether a sample of the rows shows so few duplicates that counting them would cost more than it saves."""
    n = len(codes[0])
    step = max(1, n // SAMPLE)
    sample = [np.ascontiguousarray(column[::step][:SAMPLE]) for column in codes]
    return len(kernels.distinct(sample)[1]) > FEW_DUPLICATES * len(sample[0])
