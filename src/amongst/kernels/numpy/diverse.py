"""The 1-D l-diversity heuristic in plain Python; the compiled kernel gives the same groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from amongst.kernels.price import Prices

if TYPE_CHECKING:
    from amongst.kernels.diverse import DiverseLine

TICK = 1 << 14
"""Rows between two looks at the clock."""


def diverse_runs(
    line: DiverseLine,
    l: int,  # noqa: E741
    tick: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """See ``diverse.diverse_runs``."""
    _check(line, l)
    n, heuristic, told = len(line.tuple_at), _Heuristic(line, l), 0
    groups: list[list[int]] = []
    while heuristic.n_left > 0:
        groups.append(heuristic.next_group())
        done = n - heuristic.n_left
        if tick is not None and (done - told >= TICK or done == n):
            told = done
            tick(done, n)
    return _results(line, groups)


def join_runs(lo: np.ndarray, hi: np.ndarray, size: np.ndarray, prices: Prices, k: int) -> np.ndarray:
    """See ``diverse.join_runs``."""
    n = len(size)
    if k < 1 or (n and size.sum(dtype=np.int64) < k):
        raise ValueError("there must be k rows")
    best: list[int | None] = [0]
    begin_of_last = [0]
    for end in range(1, n + 1):
        first = _first_worth_a_look(size, end, k)
        low, high = (edge[first:end][::-1].astype(np.int64) for edge in (lo, hi))
        price = prices.of_boxes(np.minimum.accumulate(low), np.maximum.accumulate(high))
        rows = np.cumsum(size[first:end][::-1], dtype=np.int64)
        ways = [
            (before + int(rows[end - j - 1]) * int(price[end - j - 1]), end - j)
            for j in range(first, end)
            if (before := best[j]) is not None and rows[end - j - 1] >= k
        ]
        loss, length = min(ways, default=(None, end))
        best.append(loss)
        begin_of_last.append(end - length)
    return _runs(begin_of_last)


def _first_worth_a_look(size: np.ndarray, end: int, k: int) -> int:
    """Where the longest run begins that cannot be cut into two of k rows, the last of them as short as can be."""
    first, rows, enough = end, 0, 0
    while first > 0:
        rows += int(size[first - 1])
        enough = rows if enough == 0 and rows >= k else enough
        if enough and rows - enough >= k:
            break
        first -= 1
    return first


def _runs(begin_of_last: list[int]) -> np.ndarray:
    begins, end = [], len(begin_of_last) - 1
    is_begin = np.zeros(end, dtype=np.int32)
    while end > 0:
        end = begin_of_last[end]
        begins.append(end)
    is_begin[begins] = 1
    return np.cumsum(is_begin, dtype=np.int32) - np.int32(1)


def _check(line: DiverseLine, l: int) -> None:  # noqa: E741
    n, count = len(line.tuple_at), np.diff(line.first)
    if l < 1:
        raise ValueError("l must be 1 or more")
    if (count < 0).any() or count.sum() != n or not np.array_equal(np.sort(line.place), np.arange(n)):
        raise ValueError("every place must belong to one value, in ascending order")
    if n and count.max() * l > n:
        raise ValueError("a value has more than 1/l of the rows")


def _results(line: DiverseLine, groups: list[list[int]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    sizes = np.array([len(group) for group in groups], dtype=np.int64)
    place = np.array([place for group in groups for place in group], dtype=np.int64)
    group_at = np.empty(len(place), dtype=np.int32)
    group_at[place] = np.repeat(np.arange(len(groups), dtype=np.int32), sizes)
    begin = np.cumsum(sizes) - sizes
    rows = _rows(line)[place]
    if not len(groups):
        return group_at, rows.astype(np.uint32), rows.astype(np.uint32)
    lo, hi = np.minimum.reduceat(rows, begin), np.maximum.reduceat(rows, begin)
    return group_at, lo.astype(np.uint32), hi.astype(np.uint32)


def _rows(line: DiverseLine) -> np.ndarray:
    """The codes of every place."""
    return np.stack([np.asarray(column, dtype=np.int64) for column in line.codes], axis=1)[line.tuple_at]


class _Heuristic:
    """Figure 8 of the paper and the optimization of figure 9, a group at a time."""

    def __init__(self, line: DiverseLine, l: int) -> None:  # noqa: E741
        self.l = l
        self.line = line
        self.n_left = len(line.tuple_at)
        count = np.diff(line.first)
        self.places = [line.place[first : first + n].tolist() for first, n in zip(line.first, count, strict=False)]
        self.at = [0] * len(self.places)
        self.left = count.tolist()
        self.frontier = sorted((places[0], value) for value, places in enumerate(self.places) if places)
        self.rows = _rows(line)

    def next_group(self) -> list[int]:
        """The places of the next group."""
        group: list[int] = []
        step = self._lowest() or (self._most_frequent() if self.line.as_printed else self._musts_and_lowest())
        leftmost = min(step)[0]
        for row in step:
            self._take(row, group)
        values = {value for _, value in step}
        while self._one_more_fits(group, leftmost, values):
            values.add(self.frontier[0][1])
            self._take(self.frontier[0], group)
            if self.line.as_printed:
                break
        return group

    def _musts(self) -> set[int]:
        """Values of which as many rows are left as all later groups can hold."""
        return {value for value, left in enumerate(self.left) if left and left == self.n_left // self.l}

    def _is_eligible(self, without: list[tuple[int, int]]) -> bool:
        gone = {value for _, value in without}
        most = max((left - (value in gone) for value, left in enumerate(self.left)), default=0)
        return most * self.l <= self.n_left - len(without)

    def _lowest(self) -> list[tuple[int, int]]:
        """The greedy step; nothing where no number of lowest rows leaves what is eligible."""
        most = min(self.l + self.n_left % self.l, len(self.frontier))  # more cannot be eligible where these are not
        for n in range(self.l, most + 1):
            if self._is_eligible(self.frontier[:n]):
                return self.frontier[:n]
        return []

    def _musts_and_lowest(self) -> list[tuple[int, int]]:
        """The fall-back step."""
        musts = self._musts()
        step = [row for row in self.frontier if row[1] in musts]
        others = [row for row in self.frontier if row[1] not in musts]
        return step + others[: max(0, self.l - len(step))]

    def _most_frequent(self) -> list[tuple[int, int]]:
        """The fall-back step as printed."""
        ranked = sorted(self.frontier, key=lambda row: (-self.left[row[1]], row[0]))
        return next(ranked[:n] for n in range(self.l, len(ranked) + 1) if self._is_eligible(ranked[:n]))

    def _one_more_fits(self, group: list[int], leftmost: int, values: set[int]) -> bool:
        if len(self.frontier) < self.l or self.frontier[0][1] in values or not self._is_eligible(self.frontier[:1]):
            return False
        near = [place for place, _ in self.frontier[: self.l + 1]]
        if self.line.position is not None:
            position = self.line.position[self.line.tuple_at[[leftmost, near[0], near[self.l - 1]]]]
            return bool(position[1] - position[0] < position[2] - position[1])
        if len(near) <= self.l:
            return False
        n, l = len(group), self.l  # noqa: E741
        before = n * self._price(group) + l * self._price(near[:-1])
        after = (n + 1) * self._price([*group, near[0]]) + l * self._price(near[1:])
        return after * (n + l) < before * (n + l + 1)

    def _price(self, places: list[int]) -> int:
        rows = self.rows[places]
        return int(self.line.prices.of_boxes(rows.min(axis=0)[None], rows.max(axis=0)[None])[0])

    def _take(self, row: tuple[int, int], group: list[int]) -> None:
        place, value = row
        group.append(place)
        self.frontier.remove(row)
        self.left[value] -= 1
        self.n_left -= 1
        self.at[value] += 1
        if self.left[value]:
            self.frontier.append((self.places[value][self.at[value]], value))
            self.frontier.sort()
