"""Figures 3 and 4 of Xu et al. in lists and loops; ``rules="paper"`` must give the same groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from small_tables import small_table

from amongst.encode import CodedTable
from amongst.kernels import utility
from amongst.kernels.numpy.as_printed import AsPrinted
from amongst.models import KAnonymity
from amongst.partition import METHODS
from amongst.partition.clusters.bottom_up import usual_window
from amongst.partition.pricing import prices_of

Rows = list[int]


@dataclass
class Figure:
    """Rows by number, with the NCP of any of them together."""

    n: int
    k: int
    ncp: Callable[[Rows], int]

    def seeds(self, rows: Rows, rounds: int) -> tuple[int, int]:
        u, v, far = rows[0], rows[0], -1
        for _ in range(rounds):
            found = max((row for row in rows if row != u), key=lambda row: (self.ncp([u, row]), -rows.index(row)))
            if self.ncp([u, found]) <= far:
                break
            far, u, v = self.ncp([u, found]), found, u
        return u, v

    def bottom_up(self) -> list[Rows]:
        groups = [[row] for row in range(self.n)]
        while any(len(group) < self.k for group in groups):
            slots: list[Rows | None] = list(groups)
            grown: set[int] = set()
            for g in [g for g, group in enumerate(groups) if len(group) < self.k]:
                own = slots[g]
                if own is None or g in grown:
                    continue
                h = min(
                    (i for i, other in enumerate(slots) if other is not None and i != g),
                    key=lambda i: (self.ncp(own + (slots[i] or [])), i),
                )
                slots[min(g, h)], slots[max(g, h)] = (slots[min(g, h)] or []) + (slots[max(g, h)] or []), None
                grown.add(min(g, h))
            groups = [group for group in slots if group is not None]
            groups = [part for group in groups for part in self._first_part(group)] + [
                part for group in groups for part in self._other_parts(group)
            ]
        return groups

    def _parts(self, group: Rows) -> list[Rows]:
        if len(group) < 2 * self.k:
            return [group]
        u, v = self.seeds(group, 3)
        order = sorted(group, key=lambda row: (self._apart(u, row) - self._apart(v, row), row))
        n, parts = len(group), len(group) // self.k
        return [order[i * n // parts : (i + 1) * n // parts] for i in range(parts)]

    def _first_part(self, group: Rows) -> list[Rows]:
        return self._parts(group)[:1]

    def _other_parts(self, group: Rows) -> list[Rows]:
        return self._parts(group)[1:]

    def _apart(self, a: int, b: int) -> int:
        return self.ncp([a, b])

    def top_down(self, rounds: int) -> list[Rows]:
        groups = self._partition(list(range(self.n)), rounds)
        while any(len(group) < self.k for group in groups):
            for g in [g for g, group in enumerate(groups) if len(group) < self.k]:
                if 0 < len(groups[g]) < self.k:
                    self._adjust(groups, g)
            groups = [group for group in groups if group]
        return groups

    def _partition(self, rows: Rows, rounds: int) -> list[Rows]:
        if len(rows) <= self.k:
            return [rows]
        u, v = self.seeds(rows, rounds)
        left, right = [u], [v]
        for w in rows:
            if w in (u, v):
                continue
            a, b = self.ncp([*left, w]), self.ncp([*right, w])
            (left if a < b or (a == b and len(left) <= len(right)) else right).append(w)
        return self._partition(sorted(left), rounds) + self._partition(sorted(right), rounds)

    def _adjust(self, groups: list[Rows], g: int) -> None:
        own = groups[g]
        others = [i for i, group in enumerate(groups) if group and i != g]
        h = min(others, key=lambda i: (self.ncp(own + groups[i]), i))
        before = len(own) * self.ncp(own)
        merging = len(own + groups[h]) * self.ncp(own + groups[h]) - before - len(groups[h]) * self.ncp(groups[h])
        loans = {i: self._loan(own, groups[i]) for i in others if len(groups[i]) > 2 * self.k - len(own)}
        lender = min(loans, key=lambda i: (self.ncp(own + loans[i]), i), default=None)
        if lender is not None and self.k * self.ncp(own + loans[lender]) - before < merging:
            groups[g] = own + loans[lender]
            groups[lender] = [row for row in groups[lender] if row not in loans[lender]]
        else:
            groups[min(g, h)], groups[max(g, h)] = groups[min(g, h)] + groups[max(g, h)], []

    def _loan(self, own: Rows, lender: Rows) -> Rows:
        loan: Rows = []
        while len(own) + len(loan) < self.k:
            rest = [row for row in lender if row not in loan]
            loan.append(min(rest, key=lambda row: (self.ncp([*own, *loan, row]), rest.index(row))))
        return loan


def figure_of(table: CodedTable, order: np.ndarray, k: int) -> Figure:
    codes = [column.codes[order].tolist() for column in table.columns]
    prices = prices_of(table).columns

    def ncp(rows: Rows) -> int:
        ends = [(min(own[row] for row in rows), max(own[row] for row in rows)) for own in codes]
        return sum(int(price.of(np.array(lo), np.array(hi))) for price, (lo, hi) in zip(prices, ends, strict=True))

    return Figure(table.n_rows, k, ncp)


def as_sets(groups: list[Rows]) -> set[frozenset[int]]:
    return {frozenset(group) for group in groups}


@pytest.mark.parametrize("rounds", [0, 3], ids=["figure 3", "figure 4"])
@pytest.mark.parametrize("kernel", ["compiled", "python"])
def test_groups_are_those_of_the_figures(kernel: str, rounds: int) -> None:
    rng = np.random.default_rng(3)
    for _ in range(45):
        table, _plain = small_table(rng, nulls=("none", "own value"))
        k = int(rng.choice([2, 3, 4]))
        if table.n_rows < k:
            continue
        order = rng.permutation(table.n_rows)
        codes = [column.codes[order] for column in table.columns]
        if kernel == "compiled":
            found = utility.as_printed(prices_of(table), codes, k, rounds=rounds)
        else:
            method = AsPrinted(prices_of(table), np.stack(codes, axis=1).astype(np.int64), k, None)
            found = method.top_down(rounds) if rounds else method.bottom_up()
        figure = figure_of(table, order, k)
        expected = figure.top_down(rounds) if rounds else figure.bottom_up()
        assert as_sets([np.flatnonzero(found == g).tolist() for g in range(found.max() + 1)]) == as_sets(expected)


@pytest.mark.parametrize("name", ["bottom-up", "top-down"])
def test_rules_of_the_paper_keep_k_whatever_the_order_of_the_input(name: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(10):
        table, _plain = small_table(rng)
        if table.n_rows < 3:
            continue
        found = METHODS[name].run(table, [KAnonymity(3)], rules="paper")
        assert found.size_of_group.min() >= 3
        if name == "bottom-up":
            assert found.size_of_group.max() < 6  # "each group has up to (2k - 1) tuples"


def test_the_window_is_as_large_as_memory_allows() -> None:
    assert usual_window(30_162, 8) == 64
    assert usual_window(10**6, 9) == 4
    assert 4 < usual_window(200_000, 7) < 64
