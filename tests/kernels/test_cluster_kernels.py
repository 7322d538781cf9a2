"""The compiled clustering kernels take the same decisions as the ones without a compiler."""

from __future__ import annotations

import numpy as np
import pytest

from amongst.kernels import cluster
from amongst.kernels.numpy import cluster as reference
from amongst.kernels.price import FULL, Price, Prices

compiled_only = pytest.mark.skipif(cluster._cluster is None, reason="there is no compiled kernel to compare")


def random_tree(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Levels that merge neighbours until one node is left."""
    levels, own = [np.arange(n)], np.arange(n)
    while len(np.unique(own)) > 1:
        nodes = np.unique(own)
        begins = rng.random(len(nodes)) < (0.5 if len(levels) < 5 else 0.0)
        begins[0] = True
        own = np.maximum.accumulate(np.where(begins, nodes, 0))[np.searchsorted(nodes, own)]
        levels.append(own)
    start = np.array(levels, dtype=np.int32)
    end = np.empty_like(start)
    for level in range(len(start)):
        for first in np.unique(start[level]):
            end[level][start[level] == first] = np.flatnonzero(start[level] == first).max()
    return start, end


def random_problem(rng: np.random.Generator) -> tuple[Prices, list[np.ndarray], int]:
    k = int(rng.integers(1, 5))
    n, d = max(int(rng.integers(1, 40)), k), int(rng.integers(1, 5))
    prices, stretches, codes = [], [], []
    for c in range(d):
        n_codes = int(rng.choice([1, 2, 3, 8, 20, 600]))
        if rng.random() < 0.5:
            own_null = n_codes - 1 if n_codes > 1 and rng.random() < 0.3 else -1
            position = np.sort(rng.integers(0, FULL, n_codes)).astype(np.int32)
            prices.append(Price(n_codes, FULL, position=position, own_null=own_null))
        else:
            start, end = random_tree(rng, n_codes)
            prices.append(Price(n_codes, FULL // int(rng.integers(1, 3)), tree_start=start, tree_end=end))
            nodes = sorted(set(zip(start.ravel().tolist(), end.ravel().tolist(), strict=True)))
            stretches += [(c, first, last) for first, last in nodes if last - first + 1 < n_codes]
        codes.append(rng.integers(0, n_codes, n).astype(np.uint32))
    return Prices(prices, np.array(stretches, dtype=np.int32).reshape(-1, 3)), codes, k


@compiled_only
@pytest.mark.parametrize("seed", range(60))
def test_split_and_refine_are_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    prices, codes, k = random_problem(rng)
    split = cluster.gain_split(prices, codes, k)
    assert np.array_equal(split, reference.gain_split(prices, codes, k))
    n = len(codes[0])
    start = split if seed % 2 else (np.arange(n) % max(1, n // k)).astype(np.int32)
    ours, losses = cluster.refine(prices, codes, k, start, window=2, passes=3)
    theirs, other_losses = reference.refine(prices, codes, k, start, window=2, passes=3)
    assert np.array_equal(ours, theirs)
    assert np.array_equal(losses, other_losses)


@compiled_only
@pytest.mark.parametrize("seed", range(60))
def test_a_step_of_the_sweep_is_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 60)), int(rng.integers(1, 9))
    keys = [rng.integers(0, 3, n).astype(kind) for kind in (np.uint8, np.uint16)]
    weight = rng.integers(1, 4, n).astype(np.uint32)
    position = np.sort(rng.integers(0, 20, n)).astype(np.int32)
    alive = np.flatnonzero(rng.random(n) < 0.8).astype(np.uint32)
    for where, width in ((None, 0), (position, 0), (position, 5), (position, 30)):
        for radix in (np.array([3, 3]), np.array([2**40, 2**40])):  # exact keys, hashed keys
            ours, theirs = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
            n_ours = cluster.sweep_step(keys, radix, alive, weight, where, width, k, 5, ours)
            n_theirs = reference.sweep_step(keys, radix, alive, weight, where, width, k, 5, theirs, False)
            assert n_ours == n_theirs
            assert np.array_equal(ours, theirs)
            looked = cluster.sweep_step(keys, radix, alive, weight, where, width, k, 5, ours, only_look=True)
            n_again = reference.sweep_step(keys, radix, alive, weight, where, width, k, 5, theirs.copy(), True)
            assert looked == n_again == (n_ours > 0)


@pytest.mark.parametrize("seed", range(40))
def test_refining_only_lowers_the_loss_and_keeps_k(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    prices, codes, k = random_problem(rng)
    n = len(codes[0])
    start = rng.permutation(np.arange(n) % max(1, n // k)).astype(np.int32)
    group, losses = cluster.refine(prices, codes, k, start, window=3, passes=5)
    sizes = np.bincount(group)
    assert (np.diff(losses) <= 0).all()
    assert sizes[sizes > 0].min() >= k
    table = np.stack(codes, axis=1).astype(np.int64)
    total = 0
    for g in np.flatnonzero(sizes):
        own = table[group == g]
        total += len(own) * int(prices.of_boxes(own.min(axis=0)[None, :], own.max(axis=0)[None, :])[0])
    assert total == losses[-1]


def test_a_stop_from_the_tick_is_heard() -> None:
    rng = np.random.default_rng(3)
    codes = [rng.integers(0, 50, 400).astype(np.uint32) for _ in range(3)]
    prices = Prices([Price(50, FULL, position=np.arange(50, dtype=np.int32) * 100)] * 3, np.zeros((0, 3), np.int32))
    start = (np.arange(400) // 10).astype(np.int32)
    for n_heard in (1, 2):
        heard: list[tuple[int, int]] = []

        def stop(done: int, loss: int, heard: list = heard, n_heard: int = n_heard) -> bool:
            heard.append((done, loss))
            return len(heard) < n_heard

        group, losses = cluster.refine(prices, codes, 10, start, window=2, passes=9, tick=stop)
        assert len(heard) == n_heard
        assert heard == list(enumerate(losses.tolist()))
        sizes = np.bincount(group)
        assert sizes[sizes > 0].min() >= 10

    def broken(done: int, loss: int) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cluster.refine(prices, codes, 10, start, window=2, passes=9, tick=broken)
