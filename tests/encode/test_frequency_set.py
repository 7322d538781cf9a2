"""The frequency set is GROUP BY: counted here with a Counter."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from amongst.encode import frequency_set, mostly_distinct


@given(st.integers(0, 2**32 - 1))
def test_counts_of_tuples(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, n_columns = int(rng.integers(1, 300)), int(rng.integers(1, 5))
    dtypes = [np.uint8, np.uint16, np.uint32]
    codes = [rng.integers(0, rng.integers(1, 200), n).astype(dtypes[int(rng.integers(3))]) for _ in range(n_columns)]
    rows = list(zip(*(column.tolist() for column in codes), strict=True))
    found = frequency_set(codes)
    tuples = list(zip(*(column.tolist() for column in found.codes), strict=True))
    assert tuples == list(dict.fromkeys(rows))
    assert dict(zip(tuples, found.count.tolist(), strict=True)) == Counter(rows)
    assert [tuples[t] for t in found.tuple_of_row.tolist()] == rows
    assert found.n_tuples == len(tuples)


def test_a_sample_tells_whether_counting_pays() -> None:
    same, different = np.zeros(200_000, dtype=np.uint8), np.arange(200_000, dtype=np.uint32)
    assert not mostly_distinct([same])
    assert mostly_distinct([different, same])
    assert mostly_distinct([different[::-1]])
    assert mostly_distinct([np.array([3], dtype=np.uint8)])
