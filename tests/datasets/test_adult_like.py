"""The Adult-like table and the wide one."""

from collections import Counter
from importlib import import_module

import numpy as np
import pyarrow as pa
import pytest

from amongst import datasets
from amongst.datasets.wide import make_distinct


@pytest.fixture(scope="module")
def adult():
    return datasets.load("adult")


@pytest.fixture(scope="module")
def like():
    return datasets.adult_like(n_rows=1 << 16, seed=1)


@pytest.fixture(scope="module")
def wide():
    return datasets.wide(n_rows=1 << 16, seed=1)


def n_tuples(dataset):
    return dataset.table.group_by(dataset.schema.quasi).aggregate([]).num_rows


def test_it_has_adults_columns_and_alphabets(like, adult):
    assert like.schema.published == adult.schema.published == like.table.column_names
    assert like.schema.quasi == adult.schema.quasi
    for name in like.table.column_names:
        assert set(like.table[name].unique().to_pylist()) <= set(adult.table[name].unique().to_pylist())


def test_it_has_adults_frequencies(like, adult):
    for name in like.table.column_names:
        ours, theirs = (
            {row["values"]: row["counts"] / table.num_rows for row in table[name].value_counts().to_pylist()}
            for table in (like.table, adult.table)
        )
        assert all(abs(ours.get(value, 0) - share) < 0.01 for value, share in theirs.items()), name


@pytest.mark.parametrize(
    ("a", "b"), [("sex", "marital-status"), ("marital-status", "salary-class"), ("education", "occupation")]
)
def test_its_columns_hang_together_as_adults(like, adult, a, b):
    ours, theirs = (shares_of_pairs(table, a, b) for table in (like.table, adult.table))
    distance = sum(abs(ours.get(pair, 0) - theirs.get(pair, 0)) for pair in {*ours, *theirs}) / 2
    assert distance < 0.04  # independent columns would be at 0.19 and more


def shares_of_pairs(table, a, b):
    pairs = zip(*(table[name].cast("string").to_pylist() for name in (a, b)), strict=True)
    return {pair: count / table.num_rows for pair, count in Counter(pairs).items()}


def test_about_half_of_64k_tuples_are_distinct(like):
    assert 0.5 < n_tuples(like) / like.table.num_rows < 0.6


def test_text_is_stored_as_small_codes(like):
    assert like.table["occupation"].type == pa.dictionary(pa.int8(), pa.string())
    assert like.table.nbytes < 16 * like.table.num_rows


@pytest.mark.parametrize("make", [datasets.adult_like, datasets.wide])
def test_the_seed_decides(make):
    assert make(3000, seed=1).table.equals(make(3000, seed=1).table)
    assert not make(3000, seed=1).table.equals(make(3000, seed=2).table)


@pytest.mark.parametrize("make", [datasets.adult_like, datasets.wide])
@pytest.mark.parametrize("n_rows", [0, 1])
def test_tiny_sizes(make, n_rows):
    assert make(n_rows).table.num_rows == n_rows


def test_every_wide_tuple_is_distinct(wide):
    assert n_tuples(wide) == wide.table.num_rows


def test_wide_has_many_zip_codes_and_incomes(wide):
    zips = wide.table["zip"].combine_chunks()
    assert len(zips.dictionary) == len(set(zips.dictionary.to_pylist())) == 30_000
    assert all(len(code) == 5 and code.isdigit() for code in zips.dictionary.to_pylist())
    assert len(zips.unique()) > 20_000
    incomes = wide.table["income"].to_numpy()
    assert incomes.min() >= 0
    assert incomes.max() < 100_000
    assert len(np.unique(incomes)) > 30_000


def test_wide_incomes_rise_with_the_salary_class(wide):
    income, rich = wide.table["income"].to_numpy(), wide.table["salary-class"].to_numpy() == ">50K"
    assert income[rich].mean() > 1.3 * income[~rich].mean()
    assert np.median(income) < income.mean()


def test_rows_that_repeat_a_tuple_get_another_income_and_the_first_keeps_its():
    zips = np.zeros(500, dtype=np.int16)
    income = np.repeat(np.arange(5), 100).astype(np.int32)
    columns = {"zip": zips.copy(), "income": income.copy(), "salary-class": np.arange(500) % 2}
    make_distinct(columns, np.random.default_rng(0))
    assert len(set(columns["income"].tolist())) == 500
    assert columns["income"][::100].tolist() == [0, 1, 2, 3, 4]
    assert np.array_equal(columns["zip"], zips)


def test_wide_tuples_stay_distinct_where_zips_and_incomes_are_few(monkeypatch):
    module = import_module("amongst.datasets.wide")
    monkeypatch.setattr(module, "N_INCOMES", 5)
    monkeypatch.setattr(module, "N_AREAS", 3)
    made = datasets.wide(n_rows=20_000)
    assert made.table["income"].to_numpy().max() < 5
    assert n_tuples(made) == 20_000
