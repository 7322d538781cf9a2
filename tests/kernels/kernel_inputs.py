"""Random inputs for the kernels: columns of codes, axes with positions or trees, weights, k."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from amongst.kernels.axis import FIXED_POINT, Axis

SMALL = (1, 2, 3, 8, 20)
LARGE = (3, 300, 40_000)
"""More codes than a byte holds, and more than the two-byte lane of the compiled kernel takes."""


@dataclass(frozen=True)
class Inputs:
    columns: list[np.ndarray]
    weight: np.ndarray | None
    axes: list[Axis]
    k: int


def random_inputs(rng: np.random.Generator, most_columns: int = 4, most_rows: int = 60) -> Inputs:
    """Columns of all kinds; weights only on distinct tuples, as a frequency set has them."""
    n_rows, n_columns = int(rng.integers(1, most_rows)), int(rng.integers(1, most_columns + 1))
    sizes = LARGE if rng.random() < 0.3 else SMALL
    axes = [random_axis(rng, int(rng.choice(sizes))) for _ in range(n_columns)]
    columns = [random_codes(rng, axis, n_rows) for axis in axes]
    weight = None
    if rng.random() < 0.5:
        first = np.unique(np.stack(columns), axis=1, return_index=True)[1]
        columns = [column[np.sort(first)] for column in columns]
        weight = rng.integers(1, 4, len(first)).astype(np.uint32)
    return Inputs(columns, weight, axes, int(rng.integers(1, 7)))


def random_axis(rng: np.random.Generator, n_values: int) -> Axis:
    """By position or by tree; with a null that is a value, one that matches anything, or none."""
    weight, null = int(rng.integers(1, 1 << 20)), rng.choice(["none", "own", "wild"], p=[0.6, 0.2, 0.2])
    wildcard = n_values if null == "wild" else -1
    own_null = n_values if null == "own" else -1
    if n_values > 1000 or rng.random() < 0.5:
        position = np.sort(rng.integers(0, FIXED_POINT, n_values)).astype(np.int64)
        if null == "own":
            position = np.append(position, FIXED_POINT)
        return Axis(len(position), position, weight=weight, own_null=own_null, wildcard=wildcard)
    start, end = random_tree(rng, n_values)
    if null == "own":
        start, end = with_one_more_leaf(start, end)
    return Axis(start.shape[1], None, start, end, weight, own_null, wildcard)


def random_tree(rng: np.random.Generator, n_leaves: int) -> tuple[np.ndarray, np.ndarray]:
    """Level by level some neighbours merge, until one node is left; at least a level of leaves and a root."""
    levels = [np.arange(n_leaves)]
    while len(levels) < 2 or levels[-1].any():
        nodes = np.unique(levels[-1])
        stays = rng.random(len(nodes)) < (0.5 if len(levels) < 4 else 0.0)
        stays[0] = True
        head = np.maximum.accumulate(np.where(stays, nodes, 0))
        levels.append(head[np.searchsorted(nodes, levels[-1])])
    start = np.array(levels, dtype=np.int32)
    end = np.stack([np.searchsorted(level, level, side="right") - 1 for level in start]).astype(np.int32)
    return start, end


def with_one_more_leaf(start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A leaf that hangs from a new root, beside everything else."""
    n_levels, n = start.shape
    more = np.full((n_levels, 1), n, dtype=np.int32)
    root = np.zeros((1, n + 1), dtype=np.int32)
    return (
        np.ascontiguousarray(np.concatenate([np.concatenate([start, more], axis=1), root])),
        np.ascontiguousarray(np.concatenate([np.concatenate([end, more], axis=1), root + n])),
    )


def random_codes(rng: np.random.Generator, axis: Axis, n_rows: int) -> np.ndarray:
    """Codes of every value and null; sometimes skewed. As narrow as may be, or wider."""
    n_codes = axis.n_codes + (axis.wildcard >= 0)
    if rng.random() < 0.3:
        codes = np.minimum(rng.geometric(0.4, n_rows) - 1, n_codes - 1)
    else:
        codes = rng.integers(0, n_codes, n_rows)
    fitting = [dtype for dtype in (np.uint8, np.uint16, np.uint32) if n_codes - 1 <= np.iinfo(dtype).max]
    return codes.astype(fitting[int(rng.integers(0, len(fitting)))])
