"""The search by pools over one table: rounds, and where they look."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from amongst.encode import CodedTable
from amongst.kernels.conditions import Conditions
from amongst.kernels.search import pool_search
from amongst.partition.partition import Partition
from amongst.partition.pays import Pays
from amongst.partition.pricing import boxed
from amongst.partition.published_price import published_prices

FIRST_LOOK, LAST_LOOK, NEXT_LOOK = 48, 768, 4
"""Prices looked up for every cell before pays are worked out for the first time, before they are given up where they
are too much work, and how many times as many before the next time: groups have changed then."""

NO_LOOK = 1 << 62

SHARE_OF_LOOK = 0.6
"""Visits of rows that pays may take, as a share of the prices looked up so far."""


class PoolRounds:
    """Rounds of pools from a grouping that holds.

    Now and then pays are worked out that no group is overpaid with (see ``Pays``): rounds then make pools around groups
    that lose much more than their rows are paid, for the others have little to gain. When that is follows from the
    prices looked up alone, so that a longer search goes on where a shorter one ended.
    """

    def __init__(
        self,
        table: CodedTable,
        conditions: Conditions,
        tell: Callable[[float], None],
        progress: Callable[[int, int], None] | None,
        *,
        first_look: int = FIRST_LOOK,
    ) -> None:
        self._table, self._conditions, self._tell, self._progress = table, conditions, tell, progress
        self._first_look = first_look
        self._prices, self._codes = published_prices(table)
        self._scale = table.n_rows * sum(price.full for price in self._prices)

    def run(
        self, start: Partition, rounds: int, *, visits: int | None = None, seconds: float | None = None
    ) -> tuple[Partition, int]:
        """A partition made cheaper, and the rounds that it took: no more than so many, nor begun after the others."""
        began, done, visited = time.monotonic(), 0, 0
        pays = Pays(self._table, self._prices, self._codes, self._conditions.k)
        cells = self._table.n_rows * self._table.n_qi
        found, look = start, self._first_look * cells
        while True:
            left = None if seconds is None else seconds - (time.monotonic() - began)
            until = look if visits is None else min(look, visits)
            group, more, prices, _ = pool_search(
                self._prices,
                self._codes,
                self._conditions.k,
                found.group_of_row,
                first=done,
                rounds=rounds - done,
                visits=until - visited,
                seconds=-1.0 if left is None else max(left, 0.0),
                conditions=self._conditions,
                pay=None if pays.fair is None else np.floor(pays.fair).astype(np.int64),
                tick=self._ticker(done),
            )
            done, visited = done + more, visited + prices
            found = boxed(self._table, group, **start.facts)
            if more == 0 or visited < look or done >= rounds or (visits is not None and visited >= visits):
                return found, done
            ended = pays.rise(found, int(SHARE_OF_LOOK * visited))
            too_much = not ended and look >= LAST_LOOK * cells
            look = NO_LOOK if too_much else max(look * NEXT_LOOK, visited + 1)

    def _ticker(self, before: int) -> Callable[[int, int], bool]:
        def tick(done: int, loss: int) -> bool:
            self._tell(loss / self._scale)
            if self._progress is not None:
                self._progress(before + done, 0)
            return True

        return tick
