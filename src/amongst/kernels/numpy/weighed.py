"""Groups of weighed tuples without a compiler; the rules are those of weighed_groups.h."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from amongst.kernels.price import Prices

Tick = Callable[[int, int], None]
TICK_EVERY = 256


@dataclass
class Piece:
    tuple: int
    weight: int
    group: int


@dataclass
class Group:
    pieces: list[int] = field(default_factory=list)
    lo: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    hi: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    price: int = 0
    weight: int = 0


def pair_prices(prices: Prices, seed: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """What every row costs together with the seed."""
    return prices.of_boxes(np.minimum(rows, seed), np.maximum(rows, seed))


class WeighedGroups:
    """Groups that grow until each weighs k."""

    def __init__(
        self, prices: Prices, table: np.ndarray, count: np.ndarray, group_of_tuple: np.ndarray, k: int
    ) -> None:
        self.prices, self.table, self.k = prices, table, k
        self.pieces = [Piece(t, int(count[t]), int(g)) for t, g in enumerate(group_of_tuple)]
        self.of_tuple = [[t] for t in range(len(table))]  # the pieces of every tuple, as rows are dealt out to them
        self.groups = [Group() for _ in range(int(group_of_tuple.max()) + 1)]
        for t, g in enumerate(group_of_tuple):
            self.groups[g].pieces.append(t)
        self.order = list(range(len(self.groups)))
        for group in self.groups:
            self._measure(group)
        for g in range(len(self.groups)):
            self._divide(g)

    def raise_all(self, close: Callable[[int], Iterable[int]], borrows: bool, tick: Tick | None) -> None:
        """Merge and borrow until every group weighs k, the lightest first."""
        waiting: list[list[int]] = [[] for _ in range(max(self.k, 1))]
        for g, group in enumerate(self.groups):
            if group.weight < self.k:
                waiting[group.weight].append(g)
        total, done = sum(len(one) for one in waiting), 0
        for s in range(1, self.k):
            for g in sorted(waiting[s]):
                if self.groups[g].weight != s:
                    continue
                grown = self._grow(g, close, borrows)
                if grown is None:
                    return
                if self.groups[grown].weight < self.k:
                    waiting[self.groups[grown].weight].append(grown)
                done += 1
                if tick is not None and done % TICK_EVERY == 0:
                    tick(min(done, total), total)

    def beside(self, g: int, window: int) -> list[int]:
        at = self.order.index(g)
        return self.order[max(0, at - window) : at] + self.order[at + 1 : at + 1 + window]

    def near(self, g: int, near: np.ndarray) -> list[int]:
        tuples = {int(t) for p in self.groups[g].pieces for t in near[self.pieces[p].tuple]}
        return sorted({self.pieces[p].group for t in tuples for p in self.of_tuple[t]} - {g})

    def all(self, g: int) -> list[int]:
        return [h for h, other in enumerate(self.groups) if h != g and other.weight > 0]

    def label(self, tuple_of_row: np.ndarray) -> np.ndarray:
        """The group of every row."""
        parts = [max(1, group.weight // self.k) for group in self.groups]
        first, dealt = (
            np.cumsum([0] + [n if g.weight else 0 for n, g in zip(parts, self.groups, strict=True)]),
            [0] * len(parts),
        )
        turns = [[p for p in pieces for _ in range(self.pieces[p].weight)] for pieces in self.of_tuple]
        group_of_row = np.zeros(len(tuple_of_row), dtype=np.int32)
        at = [0] * len(turns)
        for r, t in enumerate(tuple_of_row.tolist()):
            g = self.pieces[turns[t][at[t]]].group
            at[t] += 1
            group_of_row[r] = first[g] + dealt[g] * parts[g] // self.groups[g].weight
            dealt[g] += 1
        return group_of_row

    def _codes(self, pieces: list[int]) -> np.ndarray:
        return self.table[[self.pieces[p].tuple for p in pieces]]

    def _price(self, lo: np.ndarray, hi: np.ndarray) -> int:
        return int(self.prices.of_boxes(lo[None, :], hi[None, :])[0])

    def _measure(self, group: Group) -> None:
        rows = self._codes(group.pieces)
        group.lo, group.hi = rows.min(axis=0), rows.max(axis=0)
        group.weight = sum(self.pieces[p].weight for p in group.pieces)
        group.price = self._price(group.lo, group.hi)

    def _added(self, g: Group, h: Group) -> int:
        price, both = self._price(np.minimum(g.lo, h.lo), np.maximum(g.hi, h.hi)), g.weight + h.weight
        if both < 2 * self.k:
            return price * both - h.price * h.weight
        return price * self.k - h.price * (self.k - g.weight)

    def _grow(self, g: int, close: Callable[[int], Iterable[int]], borrows: bool) -> int | None:
        own, need = self.groups[g], self.k - self.groups[g].weight
        found = [(self._added(own, self.groups[h]), h) for h in (list(close(g)) or self.all(g))]
        if not found:
            return None
        lenders = [one for one in found if borrows and self.groups[one[1]].weight >= self.k + need]
        least, nearest = min(found)
        if lenders and self._borrow(g, min(lenders)[1], need, least):
            return g
        self._merge(g, nearest)
        self._divide(nearest)
        return nearest

    def _merge(self, g: int, into: int) -> None:
        for p in self.groups[g].pieces:
            self.pieces[p].group = into
        self.groups[into].pieces += self.groups[g].pieces
        self.groups[g] = Group()
        self.order.remove(g)
        self._measure(self.groups[into])

    def _borrow(self, g: int, lender: int, need: int, least: int) -> bool:
        own, theirs = self.groups[g], self.groups[lender]
        lo, hi, rest, loans, left = own.lo, own.hi, list(theirs.pieces), [], need
        while left:
            rows = self._codes(rest)
            costs = self.prices.of_boxes(np.minimum(rows, lo), np.maximum(rows, hi)).tolist()
            piece = min(zip(costs, rest, strict=True))[1]
            lent = min(left, self.pieces[piece].weight)
            loans.append((piece, lent))
            code = self.table[self.pieces[piece].tuple]
            lo, hi, left = np.minimum(lo, code), np.maximum(hi, code), left - lent
            if lent == self.pieces[piece].weight:
                at = rest.index(piece)
                rest[at] = rest[-1]
                rest.pop()
        kept = self._codes(rest)
        more = self._price(lo, hi) * self.k - theirs.price * theirs.weight
        if more + self._price(kept.min(axis=0), kept.max(axis=0)) * (theirs.weight - need) >= least:
            return False
        theirs.pieces = rest
        for piece, lent in loans:
            moved = self._cut(piece, lent) if lent < self.pieces[piece].weight else piece
            self.pieces[moved].group = g
            own.pieces.append(moved)
        self._measure(own)
        self._measure(theirs)
        return True

    def _cut(self, piece: int, weight: int) -> int:
        old, made = self.pieces[piece], len(self.pieces)
        self.pieces.append(Piece(old.tuple, weight, old.group))
        old.weight -= weight
        siblings = self.of_tuple[old.tuple]
        siblings.insert(siblings.index(piece) + 1, made)
        return made

    def _divide(self, start: int) -> None:
        stack = [start]
        while stack:
            g = stack.pop()
            if self.groups[g].weight >= 2 * self.k and self.groups[g].price > 0:
                stack += [self._halve(g), g]

    def _halve(self, g: int) -> int:
        pieces = self._between_seeds(self.groups[g].pieces)
        rows, weight = self._codes(pieces), self.groups[g].weight
        upto, cuts = 0, []
        for i, p in enumerate(pieces):
            end = upto + self.pieces[p].weight
            for turn, w in enumerate((self.k, weight - self.k, end)):
                if upto < w <= end and self.k <= w <= weight - self.k:
                    left, right = rows[: i + 1], rows[i + 1 if w == end else i :]
                    prices = [self._price(part.min(axis=0), part.max(axis=0)) for part in (left, right)]
                    cuts.append((prices[0] * w + prices[1] * (weight - w), i, turn, w - upto))
            upto = end
        _, last, _, left_weight = min(cuts)
        made, rest = len(self.groups), self.pieces[pieces[last]].weight - left_weight
        new = Group()
        self.groups.append(new)
        self.order.insert(self.order.index(g) + 1, made)
        new.pieces = ([self._cut(pieces[last], rest)] if rest else []) + pieces[last + 1 :]
        self.groups[g].pieces = pieces[: last + 1]
        for p in new.pieces:
            self.pieces[p].group = made
        self._measure(self.groups[g])
        self._measure(new)
        return made

    def _between_seeds(self, pieces: list[int]) -> list[int]:
        rows = self._codes(pieces)
        u, v, far = 0, 0, -1
        for _ in range(3):
            distance = pair_prices(self.prices, rows[u], rows)
            found = int(np.argmax(distance))
            if distance[found] <= far:
                break
            far, v, u = int(distance[found]), u, found
        difference = pair_prices(self.prices, rows[u], rows) - pair_prices(self.prices, rows[v], rows)
        return [p for _, p in sorted(zip(difference.tolist(), pieces, strict=True))]
