"""Counted rows as rows again, for methods that may divide the rows of a tuple; codes only."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from amongst.encode.coded import CodedColumn, CodedTable


def expanded(table: CodedTable) -> CodedTable:
    """Every coded row as often as it was counted, one beside the other."""
    assert table.count is not None
    times = table.count

    def often(column: CodedColumn) -> CodedColumn:
        return replace(column, codes=np.repeat(column.codes, times))

    n_rows = table.n_rows
    kept = None if n_rows == table.n_input else np.arange(n_rows)
    return replace(
        table,
        columns=[often(column) for column in table.columns],
        kept_rows=kept,
        sensitive={name: often(column) for name, column in table.sensitive.items()},
        target=None if table.target is None else often(table.target),
        unit=None if table.unit is None else np.repeat(table.unit, times),
        count=None,
    )


@dataclass(frozen=True, eq=False)
class Pieces:
    """The rows of counted rows, divided over classes.

    Attributes
    ----------
    coded : ndarray of int64
        The counted row that a piece is of; pieces of one follow each other.
    class_of_piece : ndarray of int32
    first, last : ndarray of int64
        Which of its rows, from 0, both included.
    divided : bool
        Whether the rows of any counted row are in more than one class, or in part suppressed.
    """

    coded: np.ndarray
    class_of_piece: np.ndarray
    first: np.ndarray
    last: np.ndarray
    divided: bool


def whole_pieces(class_of_coded: np.ndarray, count: np.ndarray) -> Pieces:
    """Every counted row in one class, or suppressed."""
    coded = np.flatnonzero(class_of_coded >= 0)
    return Pieces(
        coded, class_of_coded[coded].astype(np.int32), np.zeros(len(coded), np.int64), count[coded] - 1, False
    )


def pieces(class_of_row: np.ndarray, count: np.ndarray) -> Pieces:
    """From the class of every row, in the order of ``expanded``; suppressed rows of a tuple come last."""
    coded = np.repeat(np.arange(len(count)), count)
    place = np.where(class_of_row >= 0, class_of_row, np.iinfo(np.int32).max).astype(np.int64)
    order = np.lexsort([place, coded])
    coded, place = coded[order], place[order]
    starts = np.flatnonzero((np.diff(coded, prepend=-1) != 0) | (np.diff(place, prepend=-1) != 0))
    size = np.diff(np.append(starts, len(coded)))
    coded, place = coded[starts], place[starts]
    divided = len(coded) > len(np.unique(coded))
    begin = np.concatenate([[0], np.cumsum(count)[:-1]]).astype(np.int64)
    first = starts - begin[coded]
    kept = place < np.iinfo(np.int32).max
    return Pieces(coded[kept], place[kept].astype(np.int32), first[kept], (first + size - 1)[kept], divided)
