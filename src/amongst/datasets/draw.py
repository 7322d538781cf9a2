"""Drawing codes at random: from weights, from weights that depend on another code, in chunks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from amongst.errors import BadOption

CHUNK = 1 << 20
"""Rows drawn at a time, so that the temporaries of ten million rows stay small."""

JUST_BELOW_ONE = 1.0 - 2.0**-40
"""Keeps code + random below code + 1, whatever the rounding, for parents up to some thousands."""


def draw(rng: np.random.Generator, weights: np.ndarray, n_rows: int) -> np.ndarray:
    """Codes drawn in proportion to their weights."""
    return np.searchsorted(_cumulative(weights), rng.random(n_rows) * JUST_BELOW_ONE, side="right")


def draw_given(rng: np.random.Generator, weights: np.ndarray, parent: np.ndarray) -> np.ndarray:
    """Codes drawn in proportion to ``weights[parent]``, row by row.

    The cumulated weights of all the parents are laid end to end, parent p on [p, p + 1), so that one
    search serves every row.
    """
    n_parents, n_codes = weights.shape
    edges = (_cumulative(weights) + np.arange(n_parents)[:, None]).ravel()
    place = rng.random(len(parent)) * JUST_BELOW_ONE + parent
    return np.searchsorted(edges, place, side="right") - parent.astype(np.int64) * n_codes


def draw_in_chunks(
    n_rows: int, seed: int, draw_rows: Callable[[np.random.Generator, int], dict[str, np.ndarray]]
) -> dict[str, np.ndarray]:
    """The columns that ``draw_rows(rng, n)`` makes, drawn chunk after chunk from one stream."""
    rng = np.random.default_rng(whole("seed", seed, least=0))
    sizes = [min(CHUNK, n_rows - start) for start in range(0, whole("n_rows", n_rows, least=0), CHUNK)]
    chunks = [draw_rows(rng, size) for size in sizes or [0]]
    return {name: np.concatenate([chunk.pop(name) for chunk in chunks]) for name in list(chunks[0])}


def zipf(n: int, exponent: float = 1.0) -> np.ndarray:
    """Zipf's weights: the i-th code is i ** exponent times as rare as the first."""
    return 1.0 / np.arange(1, n + 1) ** exponent


def smallest_code(codes: np.ndarray, n_codes: int) -> np.ndarray:
    """The codes in the smallest signed integers that hold them, which Arrow takes as dictionary indices."""
    return codes.astype(np.int8 if n_codes <= 1 << 7 else np.int16 if n_codes <= 1 << 15 else np.int32)


def whole(name: str, value: int, least: int) -> int:
    """The value, if it is a whole number of at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise BadOption(
            f"{name} must be a whole number of at least {least}.",
            found=f"{name} = {value!r}",
            fix=f"use a whole number, such as {name}={max(least, 10)}",
        )
    return int(value)


def _cumulative(weights: np.ndarray) -> np.ndarray:
    # Divided by the last sum and not by the total, so that the last edge is 1 exactly.
    sums = np.cumsum(weights, axis=-1)
    return sums / sums[..., -1:]
