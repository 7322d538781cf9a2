"""The Chow-Liu tree against a search over all trees."""

import itertools

import numpy as np
import pytest

from amongst.datasets.chow_liu import draw_tree, fit_tree


def information(a, b):
    """Mutual information, pair of values by pair of values."""
    total = 0.0
    for x, y in itertools.product(set(a), set(b)):
        both = np.mean((a == x) & (b == y))
        if both:
            total += both * np.log(both / (np.mean(a == x) * np.mean(b == y)))
    return total


def best_tree(codes):
    """The most informative of all the trees over the columns, by trying them."""
    columns = range(len(codes))
    pairs = list(itertools.combinations(columns, 2))
    trees = [tree for tree in itertools.combinations(pairs, len(codes) - 1) if is_connected(tree, len(codes))]
    return max(sum(information(codes[a], codes[b]) for a, b in tree) for tree in trees)


def is_connected(tree, n_columns):
    reached = {0}
    for _ in tree:
        reached |= {column for pair in tree if set(pair) & reached for column in pair}
    return len(reached) == n_columns


@pytest.mark.parametrize("seed", range(5))
def test_the_tree_is_the_most_informative_one(seed):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 3, size=300)
    codes = [
        first,
        (first + rng.integers(0, 2, 300)) % 3,
        rng.integers(0, 4, 300),
        (first * rng.integers(0, 2, 300)),
    ]
    branches = fit_tree(codes, [3, 3, 4, 3], smoothing=0.0)
    chosen = sum(information(codes[branch.column], codes[branch.parent]) for branch in branches[1:])
    assert chosen == pytest.approx(best_tree(codes))


def test_a_parent_is_drawn_before_its_children():
    rng = np.random.default_rng(0)
    codes = [rng.integers(0, 3, size=200) for _ in range(6)]
    branches = fit_tree(codes, [3] * 6, smoothing=0.1)
    seen = {0}
    for branch in branches[1:]:
        assert branch.parent in seen
        seen.add(branch.column)
    assert seen == set(range(6))


def test_without_smoothing_only_pairs_that_were_seen_are_drawn():
    codes = [np.array([0, 0, 1, 1, 2]), np.array([1, 1, 0, 0, 2])]
    drawn = draw_tree(np.random.default_rng(0), fit_tree(codes, [3, 3], smoothing=0.0), 5000)
    assert set(zip(*map(np.ndarray.tolist, drawn), strict=True)) == {(0, 1), (1, 0), (2, 2)}
    assert np.bincount(drawn[0]) / 5000 == pytest.approx([0.4, 0.4, 0.2], abs=0.03)


def test_smoothing_lets_the_share_it_says_ignore_the_parent():
    codes = [np.array([0, 1]), np.array([0, 1])]
    first, second = draw_tree(np.random.default_rng(0), fit_tree(codes, [2, 2], smoothing=0.2), 40_000)
    assert np.mean(first != second) == pytest.approx(0.1, abs=0.01)
