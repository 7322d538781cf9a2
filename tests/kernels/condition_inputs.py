"""Random conditions on groups, for kernels that take them."""

from __future__ import annotations

import numpy as np

from amongst.kernels.conditions import (
    DISTINCT,
    ENTROPY,
    EQUAL,
    HIERARCHICAL,
    LIMITS,
    ORDERED,
    PROXIMITY,
    RECURSIVE,
    WEIGHED,
    Conditions,
    Test,
)


def random_conditions(rng: np.random.Generator, n: int, k: int) -> Conditions:
    """Conditions that the whole table holds, on one or two columns, of rows or of people."""
    unit = rng.integers(0, max(1, n // 2), n).astype(np.uint32) if rng.random() < 0.3 else None
    if unit is not None and len(np.unique(unit)) < k:
        unit = None
    tests = [_random_test(rng, n, unit, k) for _ in range(int(rng.integers(1, 3)))]
    return Conditions(k, tuple(tests), unit)


def _random_test(rng: np.random.Generator, n: int, unit: np.ndarray | None, k: int) -> Test:
    m = int(rng.integers(2, 7))
    codes = rng.choice(m, n, p=rng.dirichlet(np.ones(m) * 3)).astype(np.uint32)
    pair = None if unit is None else np.unique(unit.astype(np.int64) * m + codes, return_inverse=True)[1].reshape(-1)
    counted = codes if pair is None else codes[np.unique(pair, return_index=True)[1]]
    share = np.bincount(counted, minlength=m) / len(counted)
    kind = int(rng.choice([LIMITS, DISTINCT, ENTROPY, RECURSIVE, EQUAL, ORDERED, HIERARCHICAL, PROXIMITY, WEIGHED]))
    entropy = float(-(share[share > 0] * np.log(share[share > 0])).sum())
    middle = m // 2
    node = np.array([np.arange(m), np.where(np.arange(m) < middle, 0, middle), np.zeros(m)], dtype=np.int32)
    fields = {
        LIMITS: {"lower": np.zeros(m), "upper": np.minimum(1.0, share * 2 + 0.2)},
        DISTINCT: {"bound": 2 if (share > 0).sum() > 1 else 1},
        ENTROPY: {"bound": entropy * 0.5},
        RECURSIVE: {"bound": 1, "factor": 1.5},
        EQUAL: {"bound": 0.4, "share": share},
        ORDERED: {"bound": 0.3, "share": share},
        HIERARCHICAL: {"bound": 0.35, "share": share, "node": node},
        WEIGHED: {"bound": 0.7 * k, "lower": rng.integers(1, 4, m) / 2},
        PROXIMITY: {"bound": 1.0, "last": np.minimum(np.arange(m) + 1, m - 1).astype(np.int32)},
    }[kind]
    return Test(kind, codes, m, pair=None if pair is None else pair.astype(np.uint32), **fields)
