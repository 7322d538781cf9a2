"""Keys on the Hilbert curve, their order, and nearest centres in numpy: every step for all points at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

BLOCK = 1 << 12


def n_words(n_dimensions: int, bits: int) -> int:
    """How many 64-bit words a key takes."""
    return -(-n_dimensions * bits // 64)


def hilbert_keys(coordinates: Sequence[np.ndarray], bits: int) -> np.ndarray:
    """See ``one_dimensional.hilbert_keys``."""
    if not 1 <= bits <= 16:
        raise ValueError("from 1 to 16 bits")
    if any(int(own.max(initial=0)) >> bits for own in coordinates):
        raise IndexError("an index points past the end")
    x = transposed(np.array(coordinates, dtype=np.int64), bits)
    d, n = x.shape
    keys = np.zeros((n, n_words(d, bits)), dtype=np.uint64)
    at = 0
    for q in reversed(range(bits)):
        for i in range(d):
            keys[:, at // 64] |= ((x[i] >> q) & 1).astype(np.uint64) << np.uint64(63 - at % 64)
            at += 1
    return keys


def transposed(x: np.ndarray, bits: int) -> np.ndarray:
    """The key with its bits dealt out over the dimensions, by Skilling's exchanges.

    J. Skilling, *Programming the Hilbert curve*, 2004: from the highest bit down, a set bit turns the lower
    bits of the first dimension round, one that is not set exchanges them with those of its own; then a Gray
    code.
    """
    for q in range(bits - 1, 0, -1):
        below = (1 << q) - 1
        for i in range(len(x)):
            is_set = (x[i] >> q) & 1 == 1
            change = np.where(is_set, below, (x[0] ^ x[i]) & below)
            x[0] ^= change
            if i > 0:
                x[i] ^= np.where(is_set, 0, change)
            else:
                x[0] ^= np.where(is_set, 0, change)
    for i in range(1, len(x)):
        x[i] ^= x[i - 1]
    turn = np.zeros_like(x[0])
    for q in range(bits - 1, 0, -1):
        turn ^= np.where((x[-1] >> q) & 1 == 1, (1 << q) - 1, 0)
    x ^= turn
    return x


def sort_keys(keys: np.ndarray) -> np.ndarray:
    """See ``one_dimensional.sort_keys``."""
    return np.lexsort(keys.T[::-1]).astype(np.uint32)


def nearest(
    places: Sequence[np.ndarray], codes: Sequence[np.ndarray], centres: Sequence[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """See ``one_dimensional.nearest``."""
    n = len(codes[0])
    centre, square = np.empty(n, dtype=np.uint32), np.empty(n, dtype=np.uint32)
    for start in range(0, n, BLOCK):
        part = slice(start, start + BLOCK)
        total = np.zeros((len(codes[0][part]), len(centres[0])), dtype=np.int64)
        for place, own, other in zip(places, codes, centres, strict=True):
            total += (place[own[part]].astype(np.int64)[:, None] - other.astype(np.int64)[None, :]) ** 2
        centre[part] = np.argmin(total, axis=1)
        square[part] = total.min(axis=1)
    return centre, square
