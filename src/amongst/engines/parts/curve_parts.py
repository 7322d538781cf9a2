"""A line, the Hilbert curve or another, cut into stretches whose rows fit into memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.encode.frequency import FrequencySet
from amongst.engines.parts.code_file import CodeFile
from amongst.engines.parts.parts import MOST_PARTS
from amongst.kernels.price import Prices
from amongst.partition.line.curve import LATER, curve_keys, place_of_code

STEP = 16
"""Bits by which the curve is looked at more closely where too many rows lie."""
WORD = 64

Columns = Sequence[np.ndarray]


@dataclass(frozen=True)
class Curve:
    """Where rows lie on the curve of a table.

    Attributes
    ----------
    places : list of ndarray
        The coordinate of every code, column by column.
    """

    places: list[np.ndarray]

    def keys(self, columns: Columns) -> np.ndarray:
        """The keys of some rows; see ``partition.line.curve.curve_keys``."""
        nothing = np.empty(0, dtype=np.uint32)
        return curve_keys(FrequencySet(list(columns), nothing, nothing), self.places)

    def words(self, block: np.ndarray) -> np.ndarray:
        """The leading words of the keys of some records."""
        return np.ascontiguousarray(self.keys(columns_of(block, len(self.places)))[:, 0])

    def positions(self, words: np.ndarray, stretches: Stretches, k: int) -> np.ndarray:
        """Leading words as places on a line: so many leading bits that a sum of 2k extents has room."""
        spare = (stretches.highest - stretches.lowest).bit_length() + (2 * k).bit_length() - 61
        return ((words - np.uint64(stretches.lowest)) >> np.uint64(max(0, spare))).astype(np.int64)


def columns_of(block: np.ndarray, n_qi: int) -> list[np.ndarray]:
    """The quasi-identifiers of some records."""
    return [np.ascontiguousarray(block[f"c{c}"]) for c in range(n_qi)]


class Line(Protocol):
    """A line that rows lie on: a curve, or rings around centres."""

    def keys(self, columns: Columns) -> np.ndarray:
        """The keys of some rows, by which they are sorted."""

    def words(self, block: np.ndarray) -> np.ndarray:
        """The leading words of the keys of some records."""

    def positions(self, words: np.ndarray, stretches: Stretches, k: int) -> np.ndarray:
        """Leading words as places whose distance is the extent of a group."""


def curve_of(table: CodedTable, counts: Sequence[np.ndarray], prices: Prices) -> Curve:
    """The curve that ``partition.line.curve.places_of_codes`` makes of the whole table."""
    later = LATER if any(column.position is None for column in table.columns) else 0
    columns = zip(table.columns, prices.columns, counts, strict=False)
    return Curve([place_of_code(column, price, count[: price.n], later) for column, price, count in columns])


@dataclass(frozen=True)
class Stretches:
    """Parts of the curve that follow each other.

    Attributes
    ----------
    first : ndarray of uint64
        The leading word with which every part begins.
    lowest, highest : int
        The leading words of the first and the last row.
    """

    first: np.ndarray
    lowest: int
    highest: int

    def part_of(self, words: np.ndarray) -> np.ndarray:
        """The part of every leading word."""
        return np.searchsorted(self.first, words, side="right") - 1


def cut_curve(codes: CodeFile, curve: Line, most_rows: int) -> Stretches:
    """Cut the curve so that no part has more than ``most_rows`` rows, if leading words can tell so many apart.

    The rows are counted by the leading bits of their keys; where too many share these, by more bits, in another pass.
    """
    most_rows = max(most_rows, -(-2 * codes.n_rows // MOST_PARTS))
    known: dict[int, int] = {}  # where a cell of the curve begins -> its rows; small cells only
    wide, bits, ends = [0], 0, (0, 0)
    while wide and bits < WORD:
        counts = {first: np.zeros(1 << STEP, dtype=np.int64) for first in wide}
        ends = _count(codes, curve.words, counts, bits, ends if bits else None)
        bits += STEP
        wide = []
        for first, count in counts.items():
            for place in np.flatnonzero(count):
                begin = first | int(place) << (WORD - bits)
                if int(count[place]) > most_rows and bits < WORD:
                    wide.append(begin)
                else:
                    known[begin] = int(count[place])
    return Stretches(_merged(known, most_rows), *ends)


def _count(
    codes: CodeFile,
    words_of: Callable[[np.ndarray], np.ndarray],
    counts: dict[int, np.ndarray],
    bits: int,
    ends: tuple[int, int] | None,
) -> tuple[int, int]:
    """One pass: the rows of some cells by their next bits; and the ends of all words, where they are not known yet."""
    cells = np.array(sorted(counts), dtype=np.uint64)
    lowest, highest = ends or (1 << WORD, 0)
    for block in codes.blocks():
        words = words_of(block)
        if ends is None:
            lowest, highest = min(lowest, int(words.min())), max(highest, int(words.max()))
        begin = words >> np.uint64(WORD - bits) << np.uint64(WORD - bits) if bits else np.zeros_like(words)
        step = (words >> np.uint64(WORD - bits - STEP) & np.uint64((1 << STEP) - 1)).astype(np.int64)
        place = np.minimum(np.searchsorted(cells, begin), len(cells) - 1)
        for at in np.unique(place):
            own = (place == at) & (begin == cells[at])
            counts[int(cells[at])] += np.bincount(step[own], minlength=1 << STEP)
    return lowest, highest


def _merged(rows_of_cell: dict[int, int], most_rows: int) -> np.ndarray:
    """Neighbouring cells together, as long as they fit: where each of the parts begins."""
    first, held = [0], 0
    for begin in sorted(rows_of_cell):
        if held and held + rows_of_cell[begin] > most_rows:
            first.append(begin)
            held = 0
        held += rows_of_cell[begin]
    return np.array(first, dtype=np.uint64)
