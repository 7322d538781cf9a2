"""The compiled kernel for k on every few columns against numpy and against lists."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from amongst.kernels.few_columns import put_back
from amongst.kernels.numpy import few_columns as reference

compiled = pytest.importorskip("amongst.kernels.cpp._few_columns", reason="no compiled kernels here")


def case(rng: np.random.Generator):
    d, n = int(rng.integers(1, 6)), int(rng.integers(1, 60))
    labels = rng.integers(0, rng.integers(1, 4, d)[:, None], (d, n)).astype(np.uint32)
    rows = rng.integers(1, 4, n).astype(np.uint32)
    column = int(rng.integers(0, d))
    members = np.flatnonzero(labels[column] == labels[column, 0])
    inside = (rng.random(len(members)) < rng.random()).astype(np.uint8)
    return labels, rows, members, inside, {"column": column, "k": int(rng.integers(1, 6)), "m": int(rng.integers(1, 5))}


def holds(labels: np.ndarray, rows: np.ndarray, members: np.ndarray, asked: dict) -> bool:
    """Whether the members are in classes of k rows before."""
    others = [c for c in range(len(labels)) if c != asked["column"]]
    for chosen in combinations(others, min(asked["m"] - 1, len(others))):
        sizes: Counter = Counter()
        for place in members.tolist():
            sizes[tuple(labels[c, place] for c in chosen)] += int(rows[place])
        if min(sizes.values()) < asked["k"]:
            return False
    return True


@pytest.mark.parametrize("seed", range(3))
def test_both_put_back_the_same_and_what_is_left_holds_on_every_choice(seed: int) -> None:
    rng = np.random.default_rng(seed)
    some = 0
    for _ in range(120):
        labels, rows, members, inside, asked = case(rng)
        if not holds(labels, rows, members, asked):
            continue
        kept = put_back(labels, rows, members, inside, **asked)
        assert (kept == reference.put_back(labels, rows, members, inside, **asked)).all()
        assert not (kept & ~inside).any()
        kept, inside = kept.astype(bool), inside.astype(bool)
        some += bool(kept.any() and (kept != inside).any())
        others = [c for c in range(len(labels)) if c != asked["column"]]
        for chosen in combinations(others, min(asked["m"] - 1, len(others))):
            sizes: dict[bool, Counter] = {True: Counter(), False: Counter()}
            for place, told in zip(members.tolist(), kept.tolist(), strict=True):
                sizes[told][tuple(labels[c, place] for c in chosen)] += int(rows[place])
            told = sizes[True]
            assert all(size >= asked["k"] for size in told.values())
            assert all(sizes[False].get(one, asked["k"]) >= asked["k"] for one in told)
    assert some > 5, "members were put back, and some were left"


def test_many_labels_are_numbered_anew() -> None:
    rng = np.random.default_rng(7)
    labels = np.stack([np.zeros(900, np.uint32), *(rng.integers(0, 400, (3, 900)) // 100 * 7919).astype(np.uint32)])
    rows, members, inside = np.ones(900, np.uint32), np.arange(900), rng.random(900) < 0.6
    asked = {"column": 0, "k": 4, "m": 4}
    kept = put_back(labels, rows, members, inside.astype(np.uint8), **asked)
    assert 0 < kept.sum() < inside.sum()
    assert (kept == reference.put_back(labels, rows, members, inside, **asked)).all()


@pytest.mark.parametrize(
    "wrong", [{"column": 9}, {"k": 0}, {"m": 0}, {"members": np.array([99])}, {"inside": np.ones(2, bool)}]
)
def test_a_wrong_argument_is_an_error(wrong: dict) -> None:
    given = {"labels": np.zeros((2, 3), np.uint32), "rows": np.ones(3, np.uint32), "members": np.arange(3)}
    given |= {"inside": np.ones(3, bool), "column": 0, "k": 2, "m": 2} | wrong
    with pytest.raises((ValueError, IndexError)):
        put_back(**given)
