"""The search for the best set of cuts: a set-enumeration tree, walked depth first, pruned by cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from amongst.kernels import cuts as kernels
from amongst.kernels.cuts import LOST, LOST_FLOOR, SPLIT
from amongst.partition.intervals.cut_costs import Cells, Cost
from amongst.partition.intervals.cut_table import CutTable


@dataclass
class Budget:
    """How long to search: until so many sets have been looked at, or so many seconds have passed."""

    nodes: int
    seconds: float | None = None
    progress: Callable[[int, int], None] | None = None
    n_looked: int = 0
    spent: int = 0
    began: float = field(default_factory=time.monotonic)

    def count(self) -> None:
        self.n_looked += 1
        if self.progress is not None and self.n_looked % 64 == 0:
            self.progress(min(self.n_looked, self.nodes), self.nodes)

    def again(self) -> None:
        """As much again, from now on."""
        self.spent += self.n_looked
        self.n_looked, self.began = 0, time.monotonic()

    def over(self, share: float = 1.0) -> bool:
        if self.n_looked >= share * self.nodes:
            return True
        return self.seconds is not None and time.monotonic() - self.began >= share * self.seconds


@dataclass
class Best:
    """The best set of cuts so far, and what it costs."""

    cuts: np.ndarray
    total: int

    def offer(self, cuts: np.ndarray, total: int) -> None:
        if total < self.total:
            self.cuts, self.total = cuts.copy(), int(total)


@dataclass(frozen=True, eq=False)
class Problem:
    """What is searched, and what for."""

    table: CutTable
    cost: Cost
    k: int
    most_suppressed: int
    budget: Budget

    def all_cells(self) -> Cells:
        """The table as it is, with no cut made."""
        table = self.table
        whole = np.zeros(len(table.weight), dtype=np.int32)
        return Cells(table.atoms, table.weight, whole, np.array([table.weight.sum(dtype=np.int64)]), 0)


@dataclass(frozen=True, eq=False)
class Look:
    """A node of the tree: the cuts made (head), those that may follow (tail), and what they cost.

    Attributes
    ----------
    total : int
        What the head costs.
    bound : int
        What the head with any cuts of the tail costs at least.
    effects : ndarray
        See ``kernels.cut_effects``.
    totals, bounds : ndarray of int64
        The same with one more cut in the head, for every cut.
    """

    head: np.ndarray
    tail: np.ndarray
    cells: Cells
    total: int
    bound: int
    effects: np.ndarray
    totals: np.ndarray
    bounds: np.ndarray


def look_at(problem: Problem, cells: Cells, head: np.ndarray, tail: np.ndarray, best: Best) -> Look:
    """Count the classes of a set of cuts, and what each further cut would do; the best so far is kept."""
    problem.budget.count()
    table, cost, fine = problem.table, problem.cost, head | tail
    atoms, weight, own, size, gone = kernels.merge_cells(
        cells.atoms, cells.weight, table.first_cut, fine | cost.apart, head, problem.k
    )
    cells = Cells(atoms, weight, own, size, cells.gone + gone)
    now, floor = cost.now(cells, head), cost.floor(cells, head, fine)
    counted = (cells.atoms, cells.weight, cells.class_of_cell, len(cells.size_of_class))
    effects = kernels.cut_effects(*counted, table.first_cut, table.n_priced, problem.k, floor, now)
    total = cost.total(cells, now)
    bound = int(cells.weight.astype(np.int64) @ floor) + cells.gone * cost.of_lost_row
    totals = cost.totals(cells, head, total, effects)
    bounds = bound + effects[LOST] * cost.of_lost_row - effects[LOST_FLOOR]
    look = Look(
        head=head, tail=tail, cells=cells, total=total, bound=bound, effects=effects, totals=totals, bounds=bounds
    )
    _offer(problem, look, best)
    return look


def allowed(problem: Problem, look: Look) -> np.ndarray:
    """Cuts of the tail that do not suppress more rows than may be; nor does any set that has another cut."""
    return look.tail & (look.cells.gone + look.effects[LOST] <= problem.most_suppressed)


def _offer(problem: Problem, look: Look, best: Best) -> None:
    """The head itself, the head with the best one more cut, and with all cuts of the tail."""
    if look.cells.gone > problem.most_suppressed:
        return
    best.offer(look.head, look.total)
    possible = np.flatnonzero(allowed(problem, look))
    if len(possible):
        cut = possible[np.argmin(look.totals[possible])]
        if look.totals[cut] < best.total:
            best.offer(with_cut(look.head, cut), look.totals[cut])
    if (problem.cost.apart & ~look.head & ~look.tail).any():
        return
    small = look.cells.weight < problem.k
    gone = look.cells.gone + int(look.cells.weight[small].sum(dtype=np.int64))
    if gone <= problem.most_suppressed and look.bound < best.total:
        fine = look.head | look.tail
        atoms, weight = look.cells.atoms[~small], look.cells.weight[~small]
        cells = Cells(atoms, weight, np.arange(len(weight)), weight.astype(np.int64), gone)
        best.offer(fine, problem.cost.total(cells, problem.cost.now(cells, fine)))


@dataclass(frozen=True, eq=False)
class Open:
    """A part of the tree that is not looked at yet: all sets with the head and any of the tail."""

    cells: Cells
    head: np.ndarray
    tail: np.ndarray
    bound: int


def branch_and_bound(problem: Problem, best: Best) -> int:
    """Walk through all sets of cuts, but for those that cannot be better; gives a cost that none goes below.

    Every step decides on one cut of the tail: first all sets that have it, then all that do not. So every
    set is met once. The cut that splits most classes comes first.
    """
    no_cut = np.zeros(problem.table.n_cuts, dtype=bool)
    stack = [Open(problem.all_cells(), no_cut, ~no_cut, 0)]
    while stack and not problem.budget.over():
        node = stack.pop()
        if node.bound >= best.total:
            continue
        look = _pruned(problem, node, best)
        if look is None:
            continue
        tail = np.flatnonzero(look.tail)
        cut = tail[np.argmax(look.effects[SPLIT][tail])]
        rest = look.tail.copy()
        rest[cut] = False
        stack.append(Open(look.cells, look.head, rest, look.bound))
        stack.append(Open(look.cells, with_cut(look.head, cut), rest, int(look.bounds[cut])))
    return min([best.total, *(node.bound for node in stack)])


def _pruned(problem: Problem, node: Open, best: Best) -> Look | None:
    """The node with a tail that cannot be made smaller, or None when nothing below it can be better."""
    cells, head, tail = node.cells, node.head, node.tail
    while True:
        look = look_at(problem, cells, head, tail, best)
        if look.bound >= best.total or look.cells.gone > problem.most_suppressed:
            return None
        keep = allowed(problem, look) & (look.bounds < best.total)
        free = keep & (look.effects[SPLIT] == 0)  # changes no class, here and below: it can only tell more
        keep &= ~free & ~problem.cost.useless(look.effects)
        changed = tail & ~keep & (True if problem.cost.free_cuts_pay else look.effects[SPLIT] > 0)
        if not changed.any():
            return replace(look, tail=keep) if keep.any() else None
        cells, head, tail = look.cells, head | free, keep


def with_free_cuts(problem: Problem, best: Best) -> Best:
    """The best cuts, and all that change no class: those tell more, and never cost more."""
    look = look_at(problem, problem.all_cells(), best.cuts, ~best.cuts, best)
    made = best.cuts | (look.effects[SPLIT] == 0)
    return Best(made, look_at(problem, problem.all_cells(), made, np.zeros_like(made), best).total)


def with_cut(cuts: np.ndarray, cut: int | np.integer) -> np.ndarray:
    more = cuts.copy()
    more[cut] = True
    return more
