"""Two trees made one, without a compiler (MultiRelational k-Anonymity, algorithms 1, 3, 4 and 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from amongst.kernels.numpy.assign import assign

if TYPE_CHECKING:
    from amongst.kernels.cell_price import CellPrice
    from amongst.kernels.relations import Rules, TableRows

MOST_PAIRS, MOST_OPTIMAL = 1 << 22, 256


@dataclass
class Nodes:
    """The nodes of one table in the tree of some people; see ``entity_trees.h``."""

    lo: np.ndarray
    hi: np.ndarray
    first: np.ndarray
    rows: list[np.ndarray]
    old: np.ndarray
    lost: np.ndarray

    @property
    def n(self) -> int:
        return len(self.lo)

    @property
    def star(self) -> np.ndarray:
        """Rows without a partner: as printed they stay in the tree and say nothing."""
        return self.rows[0] < 0


@dataclass
class Entity:
    members: list[int]
    nodes: list[Nodes]
    full: int = 0


class TreeSpace:
    """Entity trees as something that can be clustered."""

    def __init__(self, tables: Sequence[TableRows], spreads: np.ndarray, rules: Rules) -> None:
        self.tables, self.spreads, self.rules = tables, spreads, rules
        self.children = [[u for u, table in enumerate(tables) if table.parent == t] for t in range(len(tables))]
        self.full = [sum(price.full for price in table.prices) for table in tables]

    def make(self, person: int) -> Entity:
        nodes: list[Nodes] = []
        begins = [person]
        for t, table in enumerate(self.tables):
            begin, end, first = person, person + 1, np.zeros(0, dtype=np.int64)
            if t:
                assert table.first is not None
                up = table.parent
                first = table.first[begins[up] : begins[up] + nodes[up].n + 1]
                begin, end = int(first[0]), int(first[-1])
                first = first - begin
                begins.append(begin)
            codes, none = table.codes[begin:end], np.zeros(0, dtype=np.int64)
            nodes.append(Nodes(codes, codes, first, [np.arange(begin, end)], none, none))
        return self._priced(Entity([person], nodes))

    def distance(self, a: Entity, b: Entity) -> float:
        return self._match(a, b)[0]

    def placing_distance(self, a: Entity, b: Entity) -> float:
        distance, pairs = self._match(a, b)
        if self.rules.penalty == 0 or not len(self.spreads):
            return distance
        return distance + self.rules.penalty * self._repeated(a, b, pairs)

    def merge(self, a: Entity, b: Entity) -> Entity:
        _, pairs = self._match(a, b)
        nodes = []
        for t, kept in enumerate(pairs):
            one, other = a.nodes[t], b.nodes[t]
            x, y, parent = kept[:, 0], kept[:, 1], kept[:, 2]
            star = (x < 0) | (y < 0)
            star |= np.append(one.star, False)[x] | np.append(other.star, False)[y]
            first = np.zeros(0, dtype=np.int64)
            if t:
                counts = np.bincount(parent, minlength=len(pairs[self.tables[t].parent]))
                first = np.append(0, np.cumsum(counts))
            whole = np.array([price.n - 1 for price in self.tables[t].prices], dtype=one.lo.dtype)
            lo, hi = np.zeros((len(kept), len(whole)), one.lo.dtype), np.tile(whole, (len(kept), 1))
            x, y, real = x[~star], y[~star], np.flatnonzero(~star)
            lo[real], hi[real] = np.minimum(one.lo[x], other.lo[y]), np.maximum(one.hi[x], other.hi[y])
            rows = [_placed(own[x], real, len(kept)) for own in one.rows]
            rows += [_placed(own[y], real, len(kept)) for own in other.rows]
            nodes.append(Nodes(lo, hi, first, rows, x, x))
        return self._priced(Entity(a.members + b.members, nodes))

    def without_stars(self, entity: Entity) -> Entity:
        """The tree without its stars, and without what hangs on them: what can be published."""
        if not self.rules.printed:
            return entity
        nodes: list[Nodes] = []
        for t, own in enumerate(entity.nodes):
            kept, first, none = ~own.star, own.first, np.zeros(0, dtype=np.int64)
            if t:
                up = entity.nodes[self.tables[t].parent]
                counts = np.add.reduceat(np.append(kept, False), first[:-1]) * (np.diff(first) > 0)
                first = np.append(0, np.cumsum(counts[~up.star]))
            nodes.append(Nodes(own.lo[kept], own.hi[kept], first, [rows[kept] for rows in own.rows], none, none))
        return Entity(entity.members, nodes)

    def _priced(self, entity: Entity) -> Entity:
        for t in range(len(self.tables) - 1, -1, -1):
            nodes = entity.nodes[t]
            old = self._prices(t, nodes.lo, nodes.hi) if self.rules.increase else np.zeros(nodes.n, dtype=np.int64)
            lost = self.full[t] - old
            for u in self.children[t]:
                sums = np.append(0, np.cumsum(entity.nodes[u].lost))
                lost = lost + sums[entity.nodes[u].first[1:]] - sums[entity.nodes[u].first[:-1]]
            nodes.old, nodes.lost = old, lost
        entity.full = sum(full * nodes.n for full, nodes in zip(self.full, entity.nodes, strict=True))
        return entity

    def _prices(self, t: int, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
        price = np.zeros(lo.shape[:-1], dtype=np.int64)
        for c, column in enumerate(self.tables[t].prices):
            price += column.of(lo[..., c], hi[..., c])
        return price

    def _own(self, t: int, a: Nodes, b: Nodes, weights: tuple[int, int]) -> np.ndarray:
        """What every pair of nodes costs by its own values."""
        lo, hi = np.minimum(a.lo[:, None], b.lo[None]), np.maximum(a.hi[:, None], b.hi[None])
        price = self._prices(t, lo, hi)
        if self.rules.printed:  # of the one tree that stands for both
            return price
        return weights[0] * (price - a.old[:, None]) + weights[1] * (price - b.old[None])

    def _match(self, a: Entity, b: Entity) -> tuple[float, list[np.ndarray]]:
        """The distance, and for every table the pairs (node of a, node of b, number of the parents' pair)."""
        weights = (len(a.members), len(b.members)) if self.rules.increase else (1, 1)
        own = [self._own(t, a.nodes[t], b.nodes[t], weights) for t in range(len(self.tables))]
        in_advance = not self.rules.upper_only and sum(grid.size for grid in own) <= MOST_PAIRS
        grids = self._with_below(a, b, own, weights) if in_advance else own
        pairs: list[list[tuple[int, int, int]]] = [[] for _ in self.tables]
        pairs[0].append((0, 0, -1))
        cost = 0
        for t in range(len(self.tables)):
            for p, (i, j, _) in enumerate(pairs[t]):
                if i < 0 or j < 0:  # what it costs was counted with the row that has no partner
                    for u in self.children[t]:
                        pairs[u] += [(*one, p) for one in _alone(a.nodes[u], b.nodes[u], i, j)]
                    continue
                cost += int(own[t][i, j])
                for u in self.children[t]:
                    found, alone = self._pair(a.nodes[u], b.nodes[u], i, j, grids[u], weights, u=u)
                    pairs[u] += [(x, y, p) for x, y in self._with_stars(a.nodes[u], b.nodes[u], i, j, found)]
                    cost += alone
        whole = b.full * len(b.members) if self.rules.increase else a.full + b.full
        if self.rules.printed:
            whole = sum(full * len(one) for full, one in zip(self.full, pairs, strict=True))
        listed = [np.array(one, dtype=np.int64).reshape(-1, 3) for one in pairs]
        return (cost / whole if whole else 0.0), listed

    def _with_below(self, a: Entity, b: Entity, own: list[np.ndarray], weights: tuple[int, int]) -> list[np.ndarray]:
        grids = [grid.copy() for grid in own]
        for t in range(len(self.tables) - 1, -1, -1):
            for u in self.children[t]:
                for i in range(a.nodes[t].n):
                    for j in range(b.nodes[t].n):
                        found, alone = self._pair(a.nodes[u], b.nodes[u], i, j, grids[u], weights, u=u)
                        grids[t][i, j] += alone + sum(int(grids[u][x, y]) for x, y in found)
        return grids

    def _pair(
        self, a: Nodes, b: Nodes, i: int, j: int, grid: np.ndarray, weights: tuple[int, int], *, u: int
    ) -> tuple[list[tuple[int, int]], int]:
        """The pairs among the children of two nodes, and what those that stay alone cost."""
        a0, a1, b0, b1 = (int(place) for place in (*a.first[i : i + 2], *b.first[j : j + 2]))
        cost, swapped = grid[a0:a1, b0:b1], a1 - a0 > b1 - b0
        lost = weights[0] * a.lost[a0:a1] if swapped else weights[1] * b.lost[b0:b1]
        cost = cost.T if swapped else cost
        n = cost.shape[1]
        if self.rules.levels and self.rules.upper_only:
            few, many = (range(b0, b1), range(a0, a1)) if swapped else (range(a0, a1), range(b0, b1))
            partner = self._by_levels(u, (b, a) if swapped else (a, b), few, many)
        elif self.rules.optimal and n <= MOST_OPTIMAL:
            partner = assign(cost - lost[None])
        else:
            partner = _first_best(cost)
        alone = int(lost.sum()) - int(lost[partner].sum())
        if swapped:
            return [(a0 + other, b0 + one) for one, other in enumerate(partner)], alone
        return [(a0 + one, b0 + other) for one, other in enumerate(partner)], alone

    def _with_stars(self, a: Nodes, b: Nodes, i: int, j: int, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """The pairs in order; as printed with the rows that have no partner."""
        if not self.rules.printed:
            return sorted(found)
        lone_a = set(range(*a.first[i : i + 2].tolist())) - {x for x, _ in found}
        lone_b = set(range(*b.first[j : j + 2].tolist())) - {y for _, y in found}
        return sorted(found + [(x, -1) for x in lone_a]) + [(-1, y) for y in sorted(lone_b)]

    def _by_levels(self, t: int, nodes: tuple[Nodes, Nodes], few: range, many: range) -> list[int]:
        """Rows with the same values first, then with the same values one level up (end of section 4.3)."""
        prices = self.tables[t].prices
        heights = [1 if price.tree_start is None else len(price.tree_start) - 1 for price in prices]
        partner: dict[int, int] = {}
        for level in range(max([1, *heights]) + 1):
            free: dict[object, list[int]] = {}
            for y in many:
                if y not in partner.values():
                    free.setdefault(_key_at_level(prices, nodes[1], y, level), []).append(y)
            for x in few:
                like = free.get(_key_at_level(prices, nodes[0], x, level), []) if x not in partner else []
                if like:
                    partner[x] = like.pop(0)
        return [partner[x] - many.start for x in few]

    def _repeated(self, a: Entity, b: Entity, pairs: list[np.ndarray]) -> float:
        """The share of the sensitive values of b that a has already, in the nodes they would share."""
        same = every = 0
        for table, column in self.spreads[:, :2].astype(int).tolist():
            values = self.tables[table].sensitive[:, column]
            for x, y, _ in pairs[table].tolist():
                if x < 0 or y < 0 or a.nodes[table].star[x] or b.nodes[table].star[y]:
                    continue
                mine = values[b.nodes[table].rows[0][y]]
                same += any(values[own[x]] == mine for own in a.nodes[table].rows)
                every += 1
        return same / every if every else 0.0


def _first_best(cost: np.ndarray) -> list[int]:
    """For each in turn the cheapest partner that is still free."""
    free, partner = list(range(cost.shape[1])), []
    for row in cost:
        best = free[int(np.argmin(row[free]))]
        free.remove(best)
        partner.append(best)
    return partner


def _alone(a: Nodes, b: Nodes, i: int, j: int) -> list[tuple[int, int]]:
    """The children of a row that has no partner: they have none either."""
    if j < 0:
        return [(x, -1) for x in range(*a.first[i : i + 2].tolist())]
    return [(-1, y) for y in range(*b.first[j : j + 2].tolist())]


def _placed(rows: np.ndarray, places: np.ndarray, n: int) -> np.ndarray:
    """Rows at their places among n, -1 elsewhere."""
    found = np.full(n, -1, dtype=np.int64)
    found[places] = rows
    return found


def _key_at_level(prices: Sequence[CellPrice], nodes: Nodes, i: int, level: int) -> tuple[tuple[int, int], ...]:
    """What a row says with every column taken up to a level; a range has none: what it says, or nothing."""
    key = []
    for price, lo, hi in zip(prices, nodes.lo[i].tolist(), nodes.hi[i].tolist(), strict=True):
        if price.tree_start is None or price.tree_end is None:
            key.append((-1, -1) if level else (lo, hi))
            continue
        own = int(np.argmax(price.tree_start[:, lo] == price.tree_start[:, hi]))
        at = min(max(level, own), len(price.tree_start) - 1)
        key.append((int(price.tree_start[at, lo]), int(price.tree_end[at, lo])))
    return tuple(key)
