"""Refining without a compiler; the rules are those of refine.h."""

from __future__ import annotations

import numpy as np

from amongst.kernels.conditions import Conditions
from amongst.kernels.numpy.conditions import hold
from amongst.kernels.numpy.split import price_of, split
from amongst.kernels.price import Prices

PARTNERS = 64
"""So many of the cheapest groups to join are asked whether they make a group hold."""
LOOKED_AT = 1024
"""Of a large group about so many rows look for partners, which are fewer then."""
FEW, PLACES = 64, 4
"""Rows of a group so small may be scattered, each to one of so many of the cheapest groups."""


class Refine:
    """A grouping that is made better pass by pass."""

    def __init__(
        self,
        prices: Prices,
        table: np.ndarray,
        k: int,
        window: int,
        group_of_row: np.ndarray,
        conditions: Conditions | None = None,
    ) -> None:
        self.prices, self.table, self.k = prices, table, k
        self.conditions = None if conditions is None or conditions.only_size else conditions
        self.group_of = [int(g) for g in group_of_row]
        self.groups: list[list[int]] = [[] for _ in range(max(self.group_of, default=-1) + 1)]
        for row, g in enumerate(self.group_of):
            self.groups[g].append(row)
        self.near = self._neighbours(window)

    def _neighbours(self, window: int) -> list[list[int]]:
        n, d = self.table.shape
        near: list[list[int]] = [[] for _ in range(n)]
        for turn in range(d):
            columns = [self.table[:, (turn + q) % d] for q in range(d, 0, -1)]
            order = np.lexsort(columns).tolist()
            for i, row in enumerate(order):
                for w in range(1, window + 1):
                    near[row].append(order[i - w] if i >= w else row)
                    near[row].append(order[i + w] if i + w < n else row)
        return near

    def price(self, rows: list[int]) -> int:
        return price_of(self.prices, self.table, np.array(rows)) if rows else 0

    def loss_of(self, rows: list[int]) -> int:
        return self.price(rows) * len(rows)

    def loss(self) -> int:
        return sum(self.loss_of(rows) for rows in self.groups)

    def may_hold(self, rows: list[int]) -> bool:
        return self.conditions is None or hold(self.conditions, np.array(rows))

    def mend(self) -> None:
        """Join groups that do not hold the conditions with those near them until all hold, or one is left."""
        if self.conditions is None:
            return
        self.good = [bool(rows) and self.may_hold(rows) for rows in self.groups]
        failing = [g for g, rows in enumerate(self.groups) if rows and not self.good[g]]
        for g in sorted(failing, key=lambda g: len(self.groups[g])):
            while self.groups[g]:
                self.good[g] = self.may_hold(self.groups[g])
                if self.good[g]:
                    break
                other, makes_it_hold = self._partner(g)
                if other == g:
                    return
                if not makes_it_hold and len(self.groups[g]) <= FEW and self._scatter(g):
                    continue
                for row in self.groups[other]:
                    self._put_in(g, row)
                self.groups[other] = []
                self.good[other] = False

    def _partner(self, g: int) -> tuple[int, bool]:
        rows = self.groups[g]
        asked = rows[:: 1 + len(rows) // LOOKED_AT]
        close = list(dict.fromkeys(self.group_of[near] for row in asked for near in self.near[row]))
        close = [other for other in close if other != g]
        if not close:
            close = [other for other, rows in enumerate(self.groups) if rows and other != g]
        cheapest = sorted((self._cost_of_joining(g, other), other) for other in close)
        for _, other in cheapest[: min(PARTNERS, 1 + PARTNERS * LOOKED_AT // len(rows))]:
            if self.may_hold([*rows, *self.groups[other]]):
                return other, True
        return (cheapest[0][1] if cheapest else g), False

    def _scatter(self, g: int) -> bool:
        left = []
        for row in list(self.groups[g]):
            costs = sorted((self._added(other, row), other) for other in self._close_to(row, g) if self.good[other])
            places = [other for _, other in costs[:PLACES] if self.may_hold([*self.groups[other], row])]
            if places:
                self._put_in(places[0], row)
            else:
                left.append(row)
        self.groups[g] = left
        return not left

    def _cost_of_joining(self, g: int, other: int) -> int:
        one, more = self.groups[g], self.groups[other]
        return self.loss_of([*one, *more]) - self.loss_of(one) - self.loss_of(more)

    def run_pass(self) -> int:
        n = 0
        for row in range(len(self.group_of)):
            moved = self._move(row) if len(self.groups[self.group_of[row]]) > self.k else 0
            if not moved and (self.conditions is not None or len(self.groups[self.group_of[row]]) <= self.k):
                moved = self._swap(row)
            n += moved
        for g in range(len(self.groups)):
            n += self._dissolve(g)
        for g in range(len(self.groups)):
            n += self._split(g)
        return n

    def _close_to(self, row: int, own: int) -> list[int]:
        seen = dict.fromkeys(self.group_of[other] for other in self.near[row])
        seen.pop(own, None)
        return list(seen)

    def _added(self, g: int, row: int) -> int:
        return self.loss_of([*self.groups[g], row]) - self.loss_of(self.groups[g])

    def _take_out(self, g: int, row: int) -> None:
        rows = self.groups[g]
        rows[rows.index(row)] = rows[-1]
        rows.pop()

    def _put_in(self, g: int, row: int) -> None:
        self.groups[g].append(row)
        self.group_of[row] = g

    def _move(self, row: int) -> int:
        own = self.group_of[row]
        if self.price(self.groups[own]) == 0:
            return 0
        rest = [r for r in self.groups[own] if r != row]
        if not self.may_hold(rest):
            return 0
        best, to = self.loss_of(self.groups[own]) - self.loss_of(rest), own
        for g in self._close_to(row, own):
            more = self._added(g, row)
            if more < best and self.may_hold([*self.groups[g], row]):
                best, to = more, g
        if to == own:
            return 0
        self._take_out(own, row)
        self._put_in(to, row)
        return 1

    def _swap(self, row: int) -> int:
        own = self.group_of[row]
        mine = self.groups[own]
        rest = [r for r in mine if r != row]
        if len(mine) < 2 or self.price(mine) == 0 or self.price(rest) == self.price(mine):
            return 0
        fits = sorted(self._close_to(row, own), key=lambda g: self._added(g, row))[:2]
        best, to, back = 0, own, row
        for g in fits:
            before = self.loss_of(mine) + self.loss_of(self.groups[g])
            for theirs in self.groups[g]:
                after = self.loss_of([*rest, theirs])
                if after - before >= best:
                    continue
                other = [row if r == theirs else r for r in self.groups[g]]
                after += self.loss_of(other)
                if after - before < best and self.may_hold([*rest, theirs]) and self.may_hold(other):
                    best, to, back = after - before, g, theirs
        if to == own:
            return 0
        self._take_out(own, row)
        self._take_out(to, back)
        self._put_in(own, back)
        self._put_in(to, row)
        return 1

    def _dissolve(self, g: int) -> int:
        rows = list(self.groups[g])
        if not rows or self.price(rows) == 0:
            return 0
        to, total, limit = [], 0, 2 * self.loss_of(rows)
        for row in rows:
            close = self._close_to(row, g)
            costs = [self._added(other, row) for other in close]
            if not close:
                return 0
            place = close[int(np.argmin(costs))]
            total += min(costs)
            if total >= limit:
                return 0
            to.append(place)
        touched = sorted(set(to))
        before = [list(self.groups[other]) for other in touched]
        loss = self.loss_of(rows) + sum(map(self.loss_of, before))
        for row, place in zip(rows, to, strict=True):
            self._put_in(place, row)
        lower = sum(self.loss_of(self.groups[other]) for other in touched) < loss
        if lower and all(self.may_hold(self.groups[other]) for other in touched):
            self.groups[g] = []
            return 1
        for other, old in zip(touched, before, strict=True):
            self.groups[other] = old
        for row in rows:
            self.group_of[row] = g
        return 0

    def _split(self, g: int) -> int:
        rows = self.groups[g]
        if len(rows) < 2 * self.k or self.price(rows) == 0:
            return 0
        parts = list(split(self.prices, self.table, np.array(sorted(rows)), self.k, self.conditions))
        if len(parts) < 2:
            return 0
        for i, part in enumerate(parts):
            place = g if i == 0 else len(self.groups)
            if i > 0:
                self.groups.append([])
            self.groups[place] = part.tolist()
            for row in self.groups[place]:
                self.group_of[row] = place
        return 1
