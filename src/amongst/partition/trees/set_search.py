"""The search for good sets of values: merge what is too rare, then take apart what need not be together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from amongst import kernels
from amongst.partition.trees.set_ways import Move
from amongst.partition.trees.value_sets import ValueSets

NEARLY = 1e-9
"""Losses in rows that differ by less are equal."""
MOST_PAIRS = 40
"""Pairs of one column whose loss is worked out: those that help most."""
PAIRS_AT_ONCE = 1 << 21


@dataclass(frozen=True, eq=False)
class Classes:
    """The targets of every class in every column, and its rows."""

    shown: list[np.ndarray]
    rows: np.ndarray

    def n_rare(self, k: int) -> int:
        return int(self.rows[self.rows < k].sum(dtype=np.int64))

    def merged(self, c: int, before: np.ndarray, after: np.ndarray) -> Classes:
        """The classes when the targets of a column change and sets only grow."""
        new_of_old = np.zeros(int(before.max()) + 1, dtype=np.uint32)
        new_of_old[before] = after
        shown = [*self.shown[:c], new_of_old[self.shown[c]], *self.shown[c + 1 :]]
        _, first, rows = kernels.distinct(shown, self.rows)
        return Classes([own[first] for own in shown], rows)


@dataclass(frozen=True, eq=False)
class Merge:
    """The best pair of a column, and how much it helps for what it loses."""

    score: float
    target: np.ndarray


def merge_rare(state: ValueSets, tick: Callable[[int, int], None] | None = None) -> None:
    """Merge pairs of sets until every class has k rows: first the pair that helps most for what it loses.

    A class of n < k rows lacks n(k-n); a pair helps by how much the classes lack less. The best pair of every
    column is kept until its column comes first, and only then worked out again.
    """
    shown, _, rows = state.classes()
    classes = Classes(shown, rows)
    n_at_first = classes.n_rare(state.k)
    best = [_best_merge(state, classes, c) for c in range(state.n_columns)]
    fresh = set(range(state.n_columns))
    while n_rare := classes.n_rare(state.k):
        c = int(np.argmax([-1.0 if own is None else own.score for own in best]))
        chosen = best[c]
        if c not in fresh:
            best[c] = _best_merge(state, classes, c)
            fresh.add(c)
            continue
        assert chosen is not None  # with one set a column nothing would be rare
        classes = classes.merged(c, state.targets[c], chosen.target)
        state.targets[c] = chosen.target
        fresh.clear()
        if tick is not None:
            tick(n_at_first - n_rare, n_at_first)


def _best_merge(state: ValueSets, classes: Classes, c: int) -> Merge | None:
    one, other, help_ = _helping_pairs(classes, c, state.k)
    now, best = state.loss_of(c, state.targets[c]), None
    for i in np.argsort(-help_, kind="stable")[:MOST_PAIRS]:
        target = state.ways[c].merged(state.targets[c], int(one[i]), int(other[i]))
        score = float(help_[i]) / max(state.loss_of(c, target) - now, NEARLY)
        if best is None or score > best.score:
            best = Merge(score, target)
    return best


def _helping_pairs(classes: Classes, c: int, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs of targets of a column, and by how much less the classes lack when they are one.

    Only classes that agree in all other columns meet. Where none that lack anything meet, all neighbours are
    given, with no help.
    """
    others = [own for other, own in enumerate(classes.shown) if other != c]
    context = kernels.distinct(others)[0] if others else np.zeros(len(classes.rows), dtype=np.uint32)
    order = np.lexsort([classes.shown[c], context])
    targets, number = np.unique(classes.shown[c][order], return_inverse=True)
    number, rows, n = number.reshape(-1), classes.rows[order].astype(np.int64), len(targets)
    help_ = np.zeros(n * n)
    for left, right in _pairs_within(context[order]):
        both = _lack(rows[left], k) + _lack(rows[right], k) - _lack(rows[left] + rows[right], k)
        help_ += np.bincount(number[left] * n + number[right], weights=both, minlength=n * n)
    pair = np.flatnonzero(help_ > 0)
    if len(pair) == 0:
        return targets[:-1], targets[1:], np.zeros(n - 1)
    return targets[pair // n], targets[pair % n], help_[pair]


def _lack(rows: np.ndarray, k: int) -> np.ndarray:
    return rows * (k - np.minimum(rows, k))


def _pairs_within(group: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All pairs of places, the earlier first, with the same group, some at a time; groups lie side by side."""
    first = np.flatnonzero(np.diff(group.astype(np.int64), prepend=-1))
    size = np.diff(np.append(first, len(group)))
    to_come = np.repeat(first + size, size) - np.arange(len(group)) - 1
    part = np.cumsum(to_come) // PAIRS_AT_ONCE
    for places in np.split(np.arange(len(group)), np.flatnonzero(np.diff(part)) + 1):
        times = to_come[places]
        left = np.repeat(places, times)
        yield left, left + 1 + np.arange(len(left)) - np.repeat(np.cumsum(times) - times, times)


def take_apart(state: ValueSets) -> None:
    """Move values to where they lose less, while every class keeps k rows; until no move is left."""
    waiting = list(range(state.n_columns))
    while waiting:
        c = waiting.pop(0)
        if _take_column_apart(state, c):
            waiting = [*waiting, *(other for other in range(state.n_columns) if other not in waiting)]


def _take_column_apart(state: ValueSets, c: int) -> bool:
    """Make the moves of one column that gain most, one after the other; whether there was any."""
    rows, before = state.contexts(c), state.targets[c]
    moves = state.ways[c].moves(before)
    gains = np.array([_gain(state, c, move) for move in moves])
    for i in np.argsort(-gains, kind="stable")[: int((gains > NEARLY).sum())]:
        atoms, to = moves[i]
        still = (state.targets[c][atoms] == before[atoms[0]]).all() and before[atoms[0]] != to
        if still and _gain(state, c, moves[i]) > NEARLY and _keeps_k(state, c, moves[i], rows):
            state.targets[c] = _moved(state.targets[c], moves[i])
    return not np.array_equal(before, state.targets[c])


def _gain(state: ValueSets, c: int, move: Move) -> float:
    now = state.targets[c]
    return state.loss_of(c, now) - state.loss_of(c, _moved(now, move))


def _moved(target: np.ndarray, move: Move) -> np.ndarray:
    moved = target.copy()
    moved[move[0]] = move[1]
    return moved


def _keeps_k(state: ValueSets, c: int, move: Move, rows: np.ndarray) -> bool:
    """Whether the classes that lose the values, and those that get them, have k rows or none."""
    atoms, to = move
    target = state.targets[c]
    going = rows[:, atoms].sum(axis=1)
    touched = going > 0
    left = rows[:, target == target[atoms[0]]].sum(axis=1) - going
    there = rows[:, target == to].sum(axis=1) + going
    enough = ((left == 0) | (left >= state.k)) & (there >= state.k)
    return bool(enough[touched].all())
