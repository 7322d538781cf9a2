"""The synthetic tables of the Mondrian paper."""

import math

import numpy as np
import pytest

from amongst import datasets
from amongst.datasets.discrete import normal_weights
from amongst.errors import BadOption


def columns_of(dataset):
    return [column.to_numpy() for column in dataset.table.columns]


@pytest.mark.parametrize("make", [datasets.uniform, datasets.skewed])
def test_the_size_is_what_was_asked(make):
    made = make(n_rows=3000, n_columns=3, cardinality=12, seed=5)
    assert made.table.column_names == made.schema.quasi == ["x1", "x2", "x3"]
    assert made.table.num_rows == 3000
    assert all(set(column) <= set(range(12)) for column in columns_of(made))


@pytest.mark.parametrize("make", [datasets.uniform, datasets.skewed])
def test_the_seed_decides(make):
    assert make(n_rows=500, seed=4).table.equals(make(n_rows=500, seed=4).table)
    assert not make(n_rows=500, seed=4).table.equals(make(n_rows=500, seed=5).table)


@pytest.mark.parametrize("make", [datasets.uniform, datasets.skewed])
def test_columns_are_independent(make):
    x, y = columns_of(make(n_rows=40_000, n_columns=2))
    assert abs(np.corrcoef(x, y)[0, 1]) < 0.02
    assert not np.array_equal(x, y)


def test_uniform_is_flat():
    for column in columns_of(datasets.uniform(n_rows=80_000, n_columns=2, cardinality=8)):
        assert np.bincount(column) / 80_000 == pytest.approx(np.full(8, 1 / 8), abs=0.006)


def test_uniform_hierarchies_are_binary_trees():
    made = datasets.uniform(n_rows=1000, n_columns=1, cardinality=8)
    assert made.schema["x1"].hierarchy.tree(list(range(8)), "numeric").height == 3


def test_skewed_has_the_mean_and_the_deviation_asked_for():
    (x,) = columns_of(datasets.skewed(n_rows=50_000, n_columns=1, cardinality=50, mean=25, sigma=0.1))
    assert x.mean() == pytest.approx(25, abs=0.1)
    assert x.std() == pytest.approx(0.1 * 50, rel=0.02)


def test_the_mean_may_lie_off_the_middle():
    (x,) = columns_of(datasets.skewed(n_rows=20_000, n_columns=1, cardinality=50, mean=5, sigma=0.02))
    assert x.mean() == pytest.approx(5, abs=0.05)


def test_a_small_sigma_is_a_high_skew():
    tops = [np.bincount(columns_of(datasets.skewed(n_columns=1, sigma=sigma))[0]).max() for sigma in (0.05, 0.2, 5)]
    assert tops[0] > tops[1] > tops[2]
    assert tops[0] > 0.45 * 10_000
    assert tops[2] < 0.15 * 10_000


def test_the_weights_are_those_of_drawing_again_what_falls_outside():
    rng = np.random.default_rng(0)
    drawn = np.rint(rng.normal(3.5, 0.3 * 8, size=400_000))
    kept = drawn[(drawn >= 0) & (drawn <= 7)].astype(int)
    weights = normal_weights(8, 3.5, 0.3)
    assert weights / weights.sum() == pytest.approx(np.bincount(kept) / len(kept), abs=0.004)
    assert weights == pytest.approx(weights[::-1])


@pytest.mark.parametrize("sigma", [1e-9, 1e9])
def test_extreme_deviations_still_draw(sigma):
    (x,) = columns_of(datasets.skewed(n_rows=4000, n_columns=1, sigma=sigma))
    assert len(set(x)) == (2 if sigma < 1 else 8)


def test_one_value_is_a_cardinality():
    assert columns_of(datasets.skewed(n_rows=3, n_columns=1, cardinality=1))[0].tolist() == [0, 0, 0]


@pytest.mark.parametrize("options", [{"mean": 8}, {"mean": -1}, {"mean": math.nan}, {"sigma": 0}, {"sigma": math.inf}])
def test_a_mean_outside_or_a_sigma_that_is_none_is_an_error(options):
    with pytest.raises(BadOption, match=next(iter(options))):
        datasets.skewed(**options)


@pytest.mark.parametrize("options", [{"n_columns": 0}, {"cardinality": 0}, {"n_rows": -1}, {"seed": -1}])
def test_sizes_that_are_none_are_errors(options):
    with pytest.raises(BadOption, match=next(iter(options))):
        datasets.uniform(**options)
