"""The Lands-End-like table: values and heights of the Incognito paper's figure 9."""

import numpy as np
import pytest

from amongst import datasets
from amongst.datasets import lands_end_goods as shop
from amongst.datasets.lands_end import ENOUGH, N_ROWS, N_VALUES

FIGURE_9 = {  # distinct values, height
    "zipcode": (31_953, 5),
    "order-date": (320, 3),
    "gender": (2, 1),
    "style": (1_509, 1),
    "price": (346, 4),
    "quantity": (1, 1),
    "cost": (1_412, 4),
    "shipment": (2, 1),
}


@pytest.fixture(scope="module")
def orders():
    return datasets.lands_end(n_rows=ENOUGH, seed=3)


@pytest.mark.known_answer(
    "incognito",
    "figure 9",
    what="Lands End: distinct values and height of every column, on the table made after it",
    answer="zipcode 31,953 and 5, order date 320 and 3, gender 2 and 1, style 1,509 and 1, "
    "price 346 and 4, quantity 1 and 1, cost 1,412 and 4, shipment 2 and 1",
)
def test_figure_9_distinct_values_and_heights(orders):
    assert orders.schema.quasi == list(FIGURE_9)
    assert {name: n_values for name, (n_values, _) in FIGURE_9.items()} == N_VALUES
    for name, (n_values, height) in FIGURE_9.items():
        values = orders.table[name].unique().to_pylist()
        assert len(values) == n_values, name
        assert orders.schema[name].hierarchy.tree(values, orders.schema[name].kind).height == height, name


def test_it_has_the_papers_number_of_rows():
    assert N_ROWS == 4_591_581
    assert datasets.describe()[-1]["rows"] == N_ROWS


def test_the_seed_decides(orders):
    again = datasets.lands_end(n_rows=ENOUGH, seed=3)
    assert again.table.equals(orders.table)
    other = datasets.lands_end(n_rows=1_000, seed=4).table
    assert not other.equals(datasets.lands_end(n_rows=1_000, seed=3).table)


@pytest.mark.parametrize("n_rows", [0, 1, 50])
def test_small_tables_too(n_rows):
    small = datasets.lands_end(n_rows=n_rows)
    assert small.table.num_rows == n_rows
    assert small.table.column_names == list(FIGURE_9)


def test_some_values_are_far_more_frequent_than_others(orders):
    for name in ("zipcode", "style", "order-date"):
        count = np.sort(orders.table[name].value_counts().field("counts").to_numpy())[::-1]
        assert count[: len(count) // 10].sum() > 2 * count.sum() / 10, name


def test_dearer_goods_cost_more(orders):
    price, cost = orders.table["price"].to_numpy(), orders.table["cost"].to_numpy()
    assert np.corrcoef(price, cost)[0, 1] > 0.7
    assert (price > cost).mean() > 0.95


def test_styles_have_their_season_and_wearers(orders):
    frame = orders.table.select(["style", "gender", "order-date"]).to_pandas()
    often = frame["style"].value_counts().index[:200]
    share = (
        frame[frame["style"].isin(often)]
        .groupby("style", observed=True)["gender"]
        .apply(lambda own: (own == "Female").mean())
    )
    assert share.min() < 0.15
    assert share.max() > 0.9
    month = frame["order-date"].map(lambda day: day.month)
    assert month[frame["style"].isin(often)].groupby(frame["style"], observed=True).mean().std() > 0.5


def test_prices_and_costs_have_four_digits():
    for cents in (shop.prices(), shop.costs()):
        assert cents.min() >= 100
        assert cents.max() <= 9_999
        assert (np.diff(cents) > 0).all()


def test_no_orders_on_sundays_but_before_christmas():
    sundays = [day for day in shop.days() if day.weekday() == 6]
    assert len(sundays) == 6
    assert all(day.month in (11, 12) for day in sundays)
