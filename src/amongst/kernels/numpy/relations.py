"""The kernels for many tables without a compiler: the same decisions, one tree at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.kernels.numpy.bitmaps import BitmapSpace
from amongst.kernels.numpy.diversity import diverse
from amongst.kernels.numpy.pairing import TreeSpace

if TYPE_CHECKING:
    from amongst.kernels.relations import Grouped, Rules, TableRows, Tick

BETWEEN_TICKS = 64
SEED_ROUNDS = 2


class Clusters:
    """Groups of at least k by putting one after the other into the closest open cluster."""

    def __init__(self, space: Any, rules: Rules) -> None:
        self.space, self.rules = space, rules
        self.open: list[Any] = []
        self.closed: list[Any] = []
        self.left: list[Any] = []
        # As algorithm 2 prints it, a cluster is full with more than k; one more opens while there are at most limit.
        self.full, self.limit = rules.k + rules.printed, rules.limit + rules.printed

    def add(self, one: Any) -> None:
        best, least = -1, 0.0
        for i, cluster in enumerate(self.open):
            distance = self.space.placing_distance(cluster, one)
            if best < 0 or distance < least:
                best, least = i, distance
        if best < 0 or (least > self.rules.threshold and len(self.open) < self.limit):
            self.open.append(one)
            best = len(self.open) - 1
        else:
            self.open[best] = self.space.merge(self.open[best], one)
        self._close_if_full(best)

    def finish(self) -> None:
        while self.open:
            if self._close_if_full(0):
                continue
            if len(self.open) == 1:
                self.left.append(self.open.pop())
                break
            self._merge_closest(self.open, len(self.open))

    def mend(self, holds: Callable[[Any], bool]) -> None:
        bad: list[Any] = []
        good: list[Any] = []
        for one in self.closed:
            (good if holds(one) else bad).append(one)
        self.closed = good
        if not self.rules.merge:
            self.left += bad
            return
        while len(bad) > 1:
            self._merge_closest(bad, len(bad) if self.rules.printed else min(len(bad), self.rules.limit + 1))
            merged = bad.pop(0)
            (self.closed if holds(merged) else bad).append(merged)  # the others first: or one would grow and grow
        self.left += bad

    def join_left(self, holds: Callable[[Any], bool]) -> None:
        if not self.rules.join or not self.closed:
            return
        still = []
        for one in self.left:
            best = self._closest(self.closed, range(len(self.closed)), one)
            merged = self.space.merge(self.closed[best], one)
            if holds(merged):
                self.closed[best] = merged
            else:
                still.append(one)
        self.left = still

    def _close_if_full(self, i: int) -> bool:
        if len(self.open[i].members) < self.full:
            return False
        self.closed.append(self.open.pop(i))
        return True

    def _closest(self, among: list[Any], places: Sequence[int], one: Any) -> int:
        distances = [self.space.distance(among[j], one) for j in places]
        return places[int(np.argmin(distances))]

    def _merge_closest(self, among: list[Any], end: int) -> None:
        j = self._closest(among, range(1, end), among[0])
        among[0] = self.space.merge(among[0], among[j])
        among.pop(j)


def cluster_trees(
    tables: Sequence[TableRows],
    spreads: np.ndarray,
    rules: Rules,
    given: np.ndarray | None,
    made: Grouped,
    tick: Tick | None,
) -> None:
    """See ``relations.cluster_trees``."""
    space = TreeSpace(tables, spreads, rules)
    clusters = Clusters(space, rules)
    n = tables[0].n_rows
    place: dict[int, int] = {}  # of every given group

    def holds(one: Any) -> bool:
        return len(one.members) >= rules.k and diverse(tables, space.without_stars(one), spreads)

    def add(person: int) -> None:
        if given is None:
            clusters.add(space.make(person))
            return
        g = int(given[person])
        if g >= 0 and g not in place:
            place[g] = len(clusters.closed)
            clusters.closed.append(space.make(person))
        elif g >= 0:
            clusters.closed[place[g]] = space.merge(clusters.closed[place[g]], space.make(person))

    _in_steps(n, tick, add)
    clusters.finish()
    if len(spreads) or given is not None:
        clusters.mend(holds)
    clusters.join_left(holds)
    for number, entity in enumerate(clusters.closed):
        _write(space.without_stars(entity), number, made)


def split_trees(
    tables: Sequence[TableRows], spreads: np.ndarray, rules: Rules, group: np.ndarray, tick: Tick | None
) -> None:
    """See ``relations.split_trees``."""
    space = TreeSpace(tables, np.zeros((0, 6)), rules)
    waiting, done, n_groups = [list(range(len(group)))] if len(group) else [], 0, 0
    while waiting:
        persons = waiting.pop()
        near, far = _halves(space, persons, rules.k) if len(persons) >= 2 * rules.k else (persons, [])
        if not far or not all(diverse(tables, _together(space, half), spreads) for half in (near, far)):
            group[persons] = n_groups
            n_groups += 1
            done += len(persons)
            continue
        waiting += [far, near]
        if tick is not None and len(persons) >= BETWEEN_TICKS:
            tick(done, len(group))


def _halves(space: TreeSpace, persons: list[int], k: int) -> tuple[list[int], list[int]]:
    u = v = space.make(persons[0])
    for _ in range(SEED_ROUNDS):
        distances = [space.distance(u, space.make(person)) for person in persons]
        u, v = space.make(persons[int(np.argmax(distances))]), u
    balance = []
    for person in persons:
        one = space.make(person)
        balance.append(space.distance(u, one) - space.distance(v, one))
    order = np.argsort(balance, kind="stable")
    closer = sum(one < 0 for one in balance)
    border = min(max(closer, k), len(persons) - k)
    in_order = [persons[i] for i in order]
    return in_order[:border], in_order[border:]


def _together(space: TreeSpace, persons: list[int]) -> Any:
    together = space.make(persons[0])
    for person in persons[1:]:
        together = space.merge(together, space.make(person))
    return together


def cluster_bits(
    bits: np.ndarray, rules: Rules, n_columns: int, complete: bool, group: np.ndarray, tick: Tick | None
) -> None:
    """See ``relations.cluster_bits``."""
    space = BitmapSpace(bits, n_columns, complete)
    clusters = Clusters(space, rules)
    _in_steps(len(bits), tick, lambda person: clusters.add(space.make(person)))
    clusters.finish()
    clusters.join_left(lambda one: True)
    for number, entity in enumerate(clusters.closed):
        group[entity.members] = number


def _in_steps(n: int, tick: Tick | None, step: Callable[[int], None]) -> None:
    for done in range(n):
        step(done)
        if tick is not None and ((done + 1) % BETWEEN_TICKS == 0 or done + 1 == n):
            tick(done + 1, n)


def _write(entity: Any, number: int, made: Grouped) -> None:
    made.group_of_person[entity.members] = number
    for t, nodes in enumerate(entity.nodes):
        for rows in nodes.rows:
            made.node_of_row[t][rows] = np.arange(len(rows))
            made.lo[t][rows] = nodes.lo
            made.hi[t][rows] = nodes.hi
