"""Utility-based anonymization as printed, without a compiler: figures 3 and 4 of Xu et al., a group at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst.kernels.numpy.weighed import Tick, pair_prices
from amongst.kernels.price import Prices


@dataclass
class _Group:
    rows: list[int]
    lo: np.ndarray
    hi: np.ndarray
    price: int


class AsPrinted:
    """The decisions of as_printed.h."""

    def __init__(self, prices: Prices, table: np.ndarray, k: int, tick: Tick | None) -> None:
        self.prices, self.table, self.k, self.tick = prices, table, k, tick
        self.groups: list[_Group] = []

    def bottom_up(self) -> np.ndarray:
        """Figure 3."""
        self.groups = [self._measured([row]) for row in range(len(self.table))]
        while (small := self._smaller_than_k()) and len(self.groups) > 1:
            grown = set()
            for g in small:
                if not self.groups[g].rows or g in grown:
                    continue
                h = self._nearest(g)
                if h is None:
                    break
                self._merge(g, h)
                grown.add(min(g, h))
                self._tell(0)
            self._forget_empty()
            for g in range(len(self.groups)):
                if len(self.groups[g].rows) >= 2 * self.k:
                    self._split(g)
        return self._label()

    def top_down(self, rounds: int) -> np.ndarray:
        """Figure 4, and the adjustment after it."""
        stack, done = [list(range(len(self.table)))], 0
        while stack:
            rows = stack.pop()
            if len(rows) <= self.k:
                done += len(rows)
                self.groups.append(self._measured(rows))
                continue
            left, right = self._parted(rows, rounds)
            stack += [right, left]
            self._tell(done)
        while (small := self._smaller_than_k()) and len(self.groups) > 1:
            for g in small:
                if not 0 < len(self.groups[g].rows) < self.k:
                    continue
                if not self._adjust(g):
                    break
                self._tell(done)
            self._forget_empty()
        return self._label()

    def _measured(self, rows: list[int]) -> _Group:
        own = self.table[rows]
        lo, hi = own.min(axis=0), own.max(axis=0)
        return _Group(rows, lo, hi, int(self.prices.of_boxes(lo[None], hi[None])[0]))

    def _with(self, group: _Group, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        """The NCP of a group together with each of some boxes."""
        return self.prices.of_boxes(np.minimum(lo, group.lo), np.maximum(hi, group.hi))

    def _nearest(self, g: int) -> int | None:
        others = [h for h, group in enumerate(self.groups) if h != g and group.rows]
        if not others:
            return None
        lo = np.stack([self.groups[h].lo for h in others])
        hi = np.stack([self.groups[h].hi for h in others])
        return others[int(np.argmin(self._with(self.groups[g], lo, hi)))]

    def _merge(self, g: int, h: int) -> None:
        into, gone = min(g, h), max(g, h)
        self.groups[into] = self._measured(self.groups[into].rows + self.groups[gone].rows)
        self.groups[gone].rows = []

    def _seeds(self, rows: list[int], rounds: int) -> tuple[int, int]:
        u = v = rows[0]
        far = -1
        for _ in range(rounds):
            price = pair_prices(self.prices, self.table[u], self.table[rows])
            price[rows.index(u)] = -1
            at = int(np.argmax(price))
            if int(price[at]) <= far:
                break
            far, v, u = int(price[at]), u, rows[at]
        return u, v

    def _split(self, g: int) -> None:
        rows = self.groups[g].rows
        u, v = self._seeds(rows, 3)
        own = self.table[rows]
        apart = pair_prices(self.prices, self.table[u], own) - pair_prices(self.prices, self.table[v], own)
        order = [row for _, row in sorted(zip(apart.tolist(), rows, strict=True))]
        n, parts = len(rows), len(rows) // self.k
        made = [self._measured(order[part * n // parts : (part + 1) * n // parts]) for part in range(parts)]
        self.groups[g] = made[0]
        self.groups += made[1:]

    def _parted(self, rows: list[int], rounds: int) -> tuple[list[int], list[int]]:
        u, v = self._seeds(rows, rounds)
        sides = [self._measured([u]), self._measured([v])]
        for row in rows:
            if row in (u, v):
                continue
            own = self.table[[row]]
            a, b = (int(self._with(side, own, own)[0]) for side in sides)
            left = a < b or (a == b and len(sides[0].rows) <= len(sides[1].rows))
            side = sides[0 if left else 1]
            side.rows.append(row)
            side.lo, side.hi = np.minimum(side.lo, own[0]), np.maximum(side.hi, own[0])
        return sorted(sides[0].rows), sorted(sides[1].rows)

    def _adjust(self, g: int) -> bool:
        h = self._nearest(g)
        if h is None:
            return False
        own, other = self.groups[g], self.groups[h]
        n, m = len(own.rows), len(other.rows)
        both = int(self._with(own, other.lo[None], other.hi[None])[0])
        by_merging = (n + m) * both - n * own.price - m * other.price
        lenders = [i for i, group in enumerate(self.groups) if i != g and len(group.rows) > 2 * self.k - n]
        loans = [(self._lent(own, self.groups[i]), i) for i in lenders]
        best, lender = min(loans, key=lambda loan: (loan[0].price, loan[1]), default=(None, -1))
        if best is None or self.k * best.price - n * own.price >= by_merging:
            self._merge(g, h)
            return True
        taken = set(best.rows)
        self.groups[lender] = self._measured([row for row in self.groups[lender].rows if row not in taken])
        self.groups[g] = best
        return True

    def _lent(self, own: _Group, lender: _Group) -> _Group:
        group, left = own, list(lender.rows)
        while len(group.rows) < self.k:
            codes = self.table[left]
            row = left.pop(int(np.argmin(self._with(group, codes, codes))))
            group = self._measured([*group.rows, row])
        return group

    def _smaller_than_k(self) -> list[int]:
        return [g for g, group in enumerate(self.groups) if len(group.rows) < self.k]

    def _forget_empty(self) -> None:
        self.groups = [group for group in self.groups if group.rows]

    def _tell(self, done: int) -> None:
        if self.tick is not None:
            self.tick(done, len(self.table))

    def _label(self) -> np.ndarray:
        group_of_row = np.empty(len(self.table), dtype=np.int32)
        for g, group in enumerate(self.groups):
            group_of_row[group.rows] = g
        return group_of_row
