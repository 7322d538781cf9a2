"""The compiled kernels behind numpy signatures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.kernels.axis import Axis
from amongst.kernels.conditions import Conditions
from amongst.kernels.loader import compiled
from amongst.kernels.numpy import frequency as reference_frequency
from amongst.kernels.numpy import rows as reference
from amongst.kernels.numpy.frequency import FieldStep

_compiled = compiled("_compiled")

NAME = "compiled"
MOST_RECORD_BYTES = 256
KEY_WORDS = (1, 2, 4, 8)


def distinct(
    columns: Sequence[np.ndarray], weight: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """See ``numpy.rows.distinct``."""
    if not _fits(columns):
        return reference.distinct(columns, weight)
    tuple_of_row = np.empty(len(columns[0]), dtype=np.uint32)
    own = None if weight is None else np.ascontiguousarray(weight, dtype=np.uint32)
    first_row, count = _compiled.distinct(tuple(map(np.ascontiguousarray, columns)), own, tuple_of_row)
    return tuple_of_row, np.frombuffer(first_row, dtype=np.uint32), np.frombuffer(count, dtype=np.uint32)


def mondrian(
    columns: Sequence[np.ndarray],
    weight: np.ndarray | None,
    axes: Sequence[Axis],
    k: int,
    *,
    cuts: int,
    relaxed: bool,
    conditions: Conditions | None = None,
    tick: Callable[[int, int], None] | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """See ``numpy.rows.mondrian``."""
    if not _fits(columns) or not (conditions is None or conditions.compiled):
        return reference.mondrian(
            columns, weight, axes, k, cuts=cuts, relaxed=relaxed, conditions=conditions, tick=tick
        )
    group = np.empty(len(columns[0]), dtype=np.int32)
    numbers = np.array(
        [[axis.n_codes, axis.n_levels, axis.weight, axis.own_null, axis.wildcard] for axis in axes], dtype=np.int64
    )
    lo, hi, n_alone = _compiled.mondrian(
        tuple(map(np.ascontiguousarray, columns)),
        None if weight is None else np.ascontiguousarray(weight, dtype=np.uint32),
        tuple(axis.position for axis in axes),
        tuple(axis.tree_start for axis in axes),
        tuple(axis.tree_end for axis in axes),
        numbers,
        k,
        cuts,
        relaxed,
        None if conditions is None else conditions.arrays,
        group,
        tick,
    )
    shape = (-1, len(columns))
    box = [np.frombuffer(end, dtype=np.uint32).reshape(shape) for end in (lo, hi)]
    return group, *box, n_alone


def order_by_class(class_of_row: np.ndarray, n_classes: int) -> tuple[np.ndarray, np.ndarray]:
    """See ``numpy.rows.order_by_class``."""
    class_of_row = np.ascontiguousarray(class_of_row, dtype=np.int32)
    first_of_class = np.empty(n_classes + 1, dtype=np.int64)
    row_at = np.empty(len(class_of_row), dtype=np.uint32)
    _compiled.order_by_class(class_of_row, row_at, first_of_class)
    return row_at[: first_of_class[-1]], first_of_class


def sort_within(row_at: np.ndarray, first_of_class: np.ndarray, keys: Sequence[np.ndarray]) -> np.ndarray:
    """See ``numpy.rows.sort_within``."""
    if not all(_taken(key, "u", 8) for key in keys):
        return reference.sort_within(row_at, first_of_class, keys)
    row_at = np.array(row_at, dtype=np.uint32)
    first_of_class = np.ascontiguousarray(first_of_class, dtype=np.int64)
    _compiled.sort_within(row_at, first_of_class, tuple(map(np.ascontiguousarray, keys)))
    return row_at


def gather(values: np.ndarray, row_at: np.ndarray) -> np.ndarray:
    """See ``numpy.rows.gather``."""
    if not _taken(values, "iufb", 8) or not _taken(row_at, "iu", 4):
        return reference.gather(values, row_at)
    out = np.empty(len(row_at), dtype=values.dtype)
    _compiled.gather(np.ascontiguousarray(values), np.ascontiguousarray(row_at, dtype=np.uint32), out)
    return out


def look_up(index: np.ndarray, table: np.ndarray) -> np.ndarray:
    """See ``numpy.rows.look_up``."""
    if not _taken(index, "iu", 4) or not _taken(table, "iufb", 4):
        return reference.look_up(index, table)
    out = np.empty(len(index), dtype=table.dtype)
    _compiled.look_up(np.ascontiguousarray(index), np.ascontiguousarray(table), out)
    return out


def repeat(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """See ``numpy.rows.repeat``."""
    if not _taken(values, "iufb", 8) or not _taken(times, "iu", 8):
        return reference.repeat(values, times)
    out = np.empty(max(int(times.sum()), 0), dtype=values.dtype)
    _compiled.repeat(np.ascontiguousarray(values), np.ascontiguousarray(times, dtype=np.int64), out)
    return out


def count_pairs(class_of_row: np.ndarray, key_of_row: np.ndarray, n_classes: int, n_keys: int) -> np.ndarray:
    """See ``numpy.rows.count_pairs``."""
    if not _taken(key_of_row, "iu", 4):
        return reference.count_pairs(class_of_row, key_of_row, n_classes, n_keys)
    count = np.zeros((n_classes, n_keys), dtype=np.uint32)
    classes = np.ascontiguousarray(class_of_row, dtype=np.int32)
    _compiled.count_pairs(classes, np.ascontiguousarray(key_of_row), n_keys, count)
    return count


def roll_up(
    keys: np.ndarray,
    weight: np.ndarray,
    keep: np.ndarray,
    steps: Sequence[FieldStep],
    most: int = -1,
    members: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """See ``numpy.frequency.roll_up``."""
    if len(keep) not in KEY_WORDS:
        return reference_frequency.roll_up(keys, weight, keep, steps, most, members)
    class_of_key = np.empty(len(weight), dtype=np.uint32) if members else None
    fields = np.array([step[:3] for step in steps], dtype=np.int64)
    new_keys, count = _compiled.roll_up(
        keys, weight, keep, fields, tuple([step[3] for step in steps]), most, class_of_key
    )
    return (
        np.frombuffer(new_keys, dtype=np.uint64).reshape(-1, len(keep)),
        np.frombuffer(count, dtype=np.uint32),
        class_of_key,
    )


def rows_below(count: np.ndarray, k: int) -> int:
    """See ``numpy.frequency.rows_below``."""
    return int(_compiled.rows_below(count, k))


def _taken(array: np.ndarray, kinds: str, largest: int) -> bool:
    """Whether the compiled kernel takes such items; numpy does the rest."""
    dtype = array.dtype
    return array.ndim == 1 and dtype.kind in kinds and dtype.itemsize <= largest and dtype.isnative


def _fits(columns: Sequence[np.ndarray]) -> bool:
    """Whether the rows fit into records of codes."""
    return 4 * len(columns) <= MOST_RECORD_BYTES and all(_taken(column, "iu", 4) for column in columns)
