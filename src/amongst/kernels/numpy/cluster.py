"""The clustering kernels without a compiler: the same decisions, one group at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.kernels.conditions import Conditions
from amongst.kernels.numpy.refine import Refine
from amongst.kernels.numpy.split import split
from amongst.kernels.price import Prices


def gain_split(
    prices: Prices,
    codes: Sequence[np.ndarray],
    k: int,
    conditions: Conditions | None = None,
    *,
    divides: bool = True,
) -> np.ndarray:
    """See ``cluster.gain_split``."""
    table = np.stack([column.astype(np.int64) for column in codes], axis=1)
    group = np.zeros(len(table), dtype=np.int32)
    if len(table):
        for g, rows in enumerate(split(prices, table, np.arange(len(table)), k, conditions, divides)):
            group[rows] = g
    return group


def refine(
    prices: Prices,
    codes: Sequence[np.ndarray],
    k: int,
    group_of_row: np.ndarray,
    *,
    window: int,
    passes: int,
    conditions: Conditions | None = None,
    tick: Callable[[int, int], bool] | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """See ``cluster.refine``."""
    table = np.stack([column.astype(np.int64) for column in codes], axis=1)
    search = Refine(prices, table, k, window, group_of_row, conditions)
    search.mend()
    losses = [search.loss()]
    if tick is not None and tick(0, losses[0]) is False:
        passes = 0
    for n in range(passes):
        changes = search.run_pass()
        losses.append(search.loss())
        if (tick is not None and tick(n + 1, losses[-1]) is False) or changes == 0:
            break
    return np.array(search.group_of, dtype=np.int32), np.array(losses, dtype=np.int64)


def sweep_step(
    keys: Sequence[np.ndarray],
    radix: np.ndarray,
    alive: np.ndarray,
    weight: np.ndarray,
    position: np.ndarray | None,
    width: int,
    k: int,
    next_group: int,
    group: np.ndarray,
    only_look: bool,
) -> int:
    """See ``cluster.sweep_step``."""
    members: dict[tuple[int, ...], list[int]] = {}
    columns = [key[alive].tolist() for key in keys]
    for place, key in enumerate(zip(*columns, strict=True) if columns else [()] * len(alive)):
        members.setdefault(key, []).append(place)
    closed: list[tuple[int, tuple[int, int], list[int]]] = []  # (where it closed, class and turn, tuples)
    late: list[tuple[tuple[int, int], int]] = []
    for number, places in enumerate(members.values()):
        if int(weight[alive[places]].sum()) >= k:
            _stream(
                number,
                places,
                alive=alive,
                weight=weight,
                position=position,
                width=width,
                k=k,
                closed=closed,
                late=late,
            )
    if only_look:
        return int(bool(closed))
    closed.sort(key=lambda one: one[0])  # groups are numbered in the order in which they close
    number_of = {turn: next_group + i for i, (_, turn, _) in enumerate(closed)}
    for _, turn, tuples in closed:
        group[tuples] = number_of[turn]
    for turn, one in late:
        group[one] = number_of[turn]
    return len(closed)


def _stream(
    number: int,
    places: list[int],
    alive: np.ndarray,
    weight: np.ndarray,
    position: np.ndarray | None,
    width: int,
    k: int,
    closed: list[tuple[int, tuple[int, int], list[int]]],
    late: list[tuple[tuple[int, int], int]],
) -> None:
    """One class: a window slides over its tuples and becomes a group whenever it weighs k."""
    where = [0] * len(places) if position is None else position[alive[places]].tolist()
    window: list[int] = []
    pending, turn, start = 0, -1, 0

    def leave(i: int) -> None:
        if turn >= 0 and where[i] - start <= width:
            late.append(((number, turn), int(alive[places[i]])))

    for i, place in enumerate(places):
        window.append(i)
        pending += int(weight[alive[place]])
        while position is not None and where[i] - where[window[0]] > width:
            pending -= int(weight[alive[places[window[0]]]])
            leave(window.pop(0))
        if pending >= k:
            turn, start = turn + 1, where[window[0]]
            closed.append((place, (number, turn), [int(alive[places[j]]) for j in window]))
            window, pending = [], 0
    for i in window:
        leave(i)
