"""The class of every row, where classes are boxes of codes."""

from __future__ import annotations

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.kernels.price import Prices
from amongst.partition.partition import Partition

BLOCK = 1 << 20
"""So many pairs of a row and a box are looked at together."""


def find_class(table: CodedTable, lo: np.ndarray, hi: np.ndarray, prices: Prices) -> Partition:
    """Put every row into a box that covers it, or widen the one that has to be widened least; boxes without rows go.

    Between boxes that lie apart a row goes to the side that is nearer, so that the way down is as short as the one
    that a cut tree would give. Boxes that overlap are looked at one by one.
    """
    # equal rows go the same way: each is looked at once
    kind_of_row, first, _ = kernels.distinct([np.ascontiguousarray(column.codes) for column in table.columns])
    told = [column.codes[first].astype(np.int64) for column in table.columns]
    codes = [_tame(own, column) for own, column in zip(told, table.columns, strict=True)]
    box_of_row = np.zeros(len(first), dtype=np.int64)
    stack = [(np.arange(len(lo)), np.arange(len(first)))]
    while stack:
        boxes, rows = stack.pop()
        if len(rows) == 0:
            continue
        if len(boxes) == 1:
            box_of_row[rows] = boxes[0]
            continue
        cut = _clean_cut(lo[boxes], hi[boxes])
        if cut is None:
            by_price = boxes[np.argsort(prices.of_boxes(lo[boxes], hi[boxes]), kind="stable")]
            place = _covering(codes, rows, lo[by_price], hi[by_price])
            outside = np.flatnonzero(place < 0)
            if len(outside):
                place[outside] = _cheapest(codes, rows[outside], lo[by_price], hi[by_price], prices)
            box_of_row[rows] = by_price[place]
            continue
        c, last_left = cut
        below = hi[boxes, c] <= last_left
        gap = int(lo[boxes[~below], c].min()) + int(hi[boxes[below], c].max())
        left = codes[c][rows] <= gap // 2
        stack += [(boxes[below], rows[left]), (boxes[~below], rows[~left])]
    return _tight(table, told, kind_of_row, box_of_row, lo, hi)


def _tame(codes: np.ndarray, column: CodedColumn) -> np.ndarray:
    """A code that matches anything goes where most rows go."""
    wildcard = column.wildcard
    if wildcard < 0 or (column.codes == wildcard).all():
        return codes
    usual = int(np.median(column.codes[column.codes != wildcard]))
    return np.where(codes == wildcard, usual, codes)


def _clean_cut(lo: np.ndarray, hi: np.ndarray) -> tuple[int, int] | None:
    """A column and the last code of the left side, where no box is on both sides: as even as can be."""
    best: tuple[int, int, int] | None = None
    n = len(lo)
    for c in range(lo.shape[1]):
        order = np.argsort(lo[:, c], kind="stable")
        reach = np.maximum.accumulate(hi[order, c])
        places = np.flatnonzero(lo[order[1:], c] > reach[:-1]) + 1
        if len(places):
            at = int(places[np.argmin(np.abs(places - n / 2))])
            worse = abs(2 * at - n)
            if best is None or worse < best[0]:
                best = worse, c, int(reach[at - 1])
    return None if best is None else best[1:]


def _covering(codes: list[np.ndarray], rows: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    """The first box that covers every row, -1 where none does: for every code a bit for each box that has it."""
    n_words = (len(lo) + 63) // 64
    bits_of_code, code_of_row = [], []
    for c, column in enumerate(codes):
        own = column[rows]
        there = np.zeros(int(own.max(initial=0)) + 1, dtype=bool)
        there[own] = True
        used, own = np.flatnonzero(there), (np.cumsum(there) - 1)[own]
        covers = np.zeros((len(used), n_words * 64), dtype=bool)
        for start in range(0, len(used), max(BLOCK // len(lo), 1)):
            some = used[start : start + max(BLOCK // len(lo), 1), None]
            covers[start : start + len(some), : len(lo)] = (lo[None, :, c] <= some) & (some <= hi[None, :, c])
        bits_of_code.append(np.packbits(covers, axis=1, bitorder="little").view("<u8"))
        code_of_row.append(own)
    found = np.empty(len(rows), dtype=np.int64)
    step = max(BLOCK // n_words, 1)
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        fits = bits_of_code[0][code_of_row[0][part]]
        for bits, own in zip(bits_of_code[1:], code_of_row[1:], strict=True):
            fits &= bits[own[part]]
        word = np.argmax(fits != 0, axis=1)
        first = fits[np.arange(len(fits)), word]
        lowest = first & (~first + np.uint64(1))
        place = word * 64 + np.log2(np.maximum(lowest, 1).astype(np.float64)).astype(np.int64)
        found[part] = np.where(first == 0, -1, place)
    return found


def _cheapest(codes: list[np.ndarray], rows: np.ndarray, lo: np.ndarray, hi: np.ndarray, prices: Prices) -> np.ndarray:
    """The box of every row that has to be widened least; of several the first."""
    found = np.empty(len(rows), dtype=np.int64)
    own = prices.of_boxes(lo, hi)
    step = max(BLOCK // len(lo), 1)
    for start in range(0, len(rows), step):
        some = rows[start : start + step]
        wide = np.zeros((len(some), len(lo)), dtype=np.int64)
        for c, price in enumerate(prices.columns):  # what a code costs in a box is looked up once
            used, code_of_row = np.unique(codes[c][some], return_inverse=True)
            ends = np.minimum(lo[None, :, c], used[:, None]), np.maximum(hi[None, :, c], used[:, None])
            cost = price.of(*(end.reshape(-1) for end in ends)).reshape(len(used), len(lo))
            wide += cost[code_of_row.reshape(-1)]
        found[start : start + step] = np.argmin(wide - own[None], axis=1)
    return found


def _tight(
    table: CodedTable,
    told: list[np.ndarray],
    kind_of_row: np.ndarray,
    box_of_kind: np.ndarray,
    lo: np.ndarray,
    hi: np.ndarray,
) -> Partition:
    """The boxes that have rows, wide enough for them."""
    used, group = np.unique(box_of_kind, return_inverse=True)
    low, high = lo[used].copy(), hi[used].copy()
    group = group.reshape(-1)
    for c, column in enumerate(table.columns):
        codes, own = told[c], group
        if column.wildcard >= 0:
            known = codes != column.wildcard
            codes, own = codes[known], own[known]
        np.minimum.at(low[:, c], own, codes)
        np.maximum.at(high[:, c], own, codes)
    return Partition(kernels.gather(group.astype(np.int32), kind_of_row), low.astype(np.uint32), high.astype(np.uint32))
