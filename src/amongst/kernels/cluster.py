"""The clustering kernels: compiled where they can be, else in numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.kernels.conditions import Conditions
from amongst.kernels.loader import compiled
from amongst.kernels.numpy import cluster as reference
from amongst.kernels.price import Prices

_cluster = compiled("_cluster")

MOST_COLUMNS = 2048


def gain_split(
    prices: Prices,
    codes: Sequence[np.ndarray],
    k: int,
    conditions: Conditions | None = None,
    *,
    divides: bool = True,
) -> np.ndarray:
    """Groups of rows by top-down splitting: of all cuts of a group the one that lowers the loss most.

    With conditions, the cut with the largest fall whose sides hold them, of the 32 with the largest. Where
    none does, with ``divides`` the rows of every sensitive value are halved, and equal rows may be parted.

    Returns
    -------
    group_of_row : ndarray of int32
    """
    if _cluster is None or len(codes) > MOST_COLUMNS or not _compiled(conditions):
        return reference.gain_split(prices, codes, k, conditions, divides=divides)
    group = np.zeros(len(codes[0]), dtype=np.int32)
    _cluster.gain_split(_as_uint32(codes), *prices.arrays, k, _arrays(conditions), group, divides)
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
    """Moves, swaps, dissolving and splitting, pass by pass, each change only when the loss falls.

    Parameters
    ----------
    group_of_row : ndarray of int32
        Every group must have at least k rows.
    window : int
        How many neighbours on each side, in each of the d sorted orders, are candidates.
    conditions : Conditions, optional
        What every group must hold besides. Groups that do not are first joined with others until they do.
    tick : callable, optional
        Told (passes done, loss) at first, after every pass, and within a pass that takes long; False stops.

    Returns
    -------
    group_of_row : ndarray of int32
        Group numbers may have gaps.
    losses : ndarray of int64
        Before, and after every pass, in price units.
    """
    if _cluster is None or len(codes) > MOST_COLUMNS or not _compiled(conditions):
        return reference.refine(
            prices, codes, k, group_of_row, window=window, passes=passes, conditions=conditions, tick=tick
        )
    group = np.array(group_of_row, dtype=np.int32)
    losses = _cluster.refine(_as_uint32(codes), *prices.arrays, k, window, passes, _arrays(conditions), group, tick)
    return group, np.frombuffer(losses, dtype=np.int64)


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
    *,
    only_look: bool = False,
) -> int:
    """Tuples that are equal in all keys, lie within ``width`` of each other and weigh k become groups.

    ``radix`` has one more than the largest key of every column.
    ``alive`` lists tuples without a group in the order of ``position``; ``group`` is written in place.

    Returns
    -------
    n_new : int
        How many groups were made; with ``only_look`` 1 if any could be.
    """
    step = reference.sweep_step if _cluster is None else _cluster.sweep_step
    return int(step(tuple(keys), radix, alive, weight, position, width, k, next_group, group, only_look))


def _compiled(conditions: Conditions | None) -> bool:
    return conditions is None or conditions.compiled


def _arrays(conditions: Conditions | None) -> object:
    return None if conditions is None or conditions.only_size else conditions.arrays


def _as_uint32(codes: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    return tuple(np.ascontiguousarray(column, dtype=np.uint32) for column in codes)
