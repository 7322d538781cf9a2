"""Orders as at Lands End: the large table of the Incognito paper, made up."""

from __future__ import annotations

from typing import Any

import numpy as np

from amongst.datasets import lands_end_goods as shop
from amongst.datasets.dataset import About, Dataset, dictionary_column
from amongst.datasets.draw import draw, draw_given, draw_in_chunks, smallest_code
from amongst.schema import Column, Hierarchy, Schema

ABOUT = About(
    title="Lands-End-like orders: zip code, date, style, price and more",
    source="drawn by amongst; distinct values and heights of LeFevre et al., Incognito, SIGMOD 2005, figure 9",
    licence="made-up orders; free to use",
)

N_ROWS = 4_591_581
ENOUGH = 200_000
"""From so many rows on, every value occurs."""

N_VALUES = {
    "zipcode": shop.N_ZIPS,
    "order-date": shop.N_DAYS,
    "gender": len(shop.GENDERS),
    "style": shop.N_STYLES,
    "price": shop.N_PRICES,
    "quantity": 1,
    "cost": shop.N_COSTS,
    "shipment": len(shop.SHIPMENTS),
}


def lands_end(n_rows: int = N_ROWS, seed: int = 0) -> Dataset:
    """Orders of clothes, with the columns, distinct values and hierarchy heights of the Incognito paper's figure 9.

    A few styles and zip codes have most of the orders. Styles have their season, their wearers, a price that
    is lowered now and then, and costs that change once a year. From 200,000 rows on every value occurs.

    Parameters
    ----------
    n_rows : int
    seed : int
        The same seed gives the same table.

    Examples
    --------
    >>> import amongst as am
    >>> orders = am.datasets.lands_end(n_rows=1000)
    >>> orders.schema.quasi
    ['zipcode', 'order-date', 'gender', 'style', 'price', 'quantity', 'cost', 'shipment']
    """
    import pyarrow as pa

    codes = draw_in_chunks(n_rows, seed, _draw_orders)
    if n_rows >= ENOUGH:
        _use_every_value(codes, np.random.default_rng([seed, 1]))
    values: dict[str, Any] = {
        "zipcode": shop.zip_codes(),
        "order-date": shop.days(),
        "gender": shop.GENDERS,
        "style": [f"style-{number:04d}" for number in range(shop.N_STYLES)],
        "shipment": shop.SHIPMENTS,
    }
    arrays = {name: dictionary_column(own, codes[name]) for name, own in values.items()}
    arrays["order-date"] = arrays["order-date"].dictionary_decode()
    arrays["price"] = shop.prices().astype(np.int16)[codes["price"]]
    arrays["quantity"] = np.ones(n_rows, dtype=np.int8)
    arrays["cost"] = shop.costs().astype(np.int16)[codes["cost"]]
    schema = lands_end_schema()
    return Dataset("lands-end", pa.table({name: arrays[name] for name in schema}), schema, ABOUT)


def lands_end_schema() -> Schema:
    """All eight columns are quasi-identifiers, in the paper's order; rounding a digit is masking it."""
    flat, four_digits = Hierarchy.flat(), Hierarchy.digits(4)
    return Schema(
        {
            "zipcode": Column(role="quasi", kind="categorical", hierarchy=Hierarchy.digits(5)),
            "order-date": Column(role="quasi", kind="date", hierarchy=Hierarchy.dates("month", "quarter")),
            "gender": Column(role="quasi", kind="categorical", hierarchy=flat),
            "style": Column(role="quasi", kind="categorical", hierarchy=flat),
            "price": Column(role="quasi", kind="numeric", hierarchy=four_digits),
            "quantity": Column(role="quasi", kind="numeric", hierarchy=flat),
            "cost": Column(role="quasi", kind="numeric", hierarchy=four_digits),
            "shipment": Column(role="quasi", kind="categorical", hierarchy=flat),
        }
    )


def _draw_orders(rng: np.random.Generator, n_rows: int) -> dict[str, np.ndarray]:
    goods = shop.goods()
    style = draw(rng, goods.popularity, n_rows)
    day = draw_given(rng, shop.share_of_day(), goods.season[style])
    gender = (rng.random(n_rows) >= goods.women[style]).astype(np.int8)
    # A quarter is sold below the list price, by up to a third of the way down the list.
    lowered = np.where(rng.random(n_rows) < 0.25, rng.integers(1, 4, n_rows), 0)
    price = goods.price[style] - goods.price[style] * lowered // 10
    # The second half of the year brings new costs; a few orders are still filled from old stock.
    renewed = (day >= shop.N_DAYS // 2) & (rng.random(n_rows) < 0.9)
    cost = np.minimum(goods.cost[style] + 7 * renewed, shop.N_COSTS - 1)
    hurried = 0.08 + 0.15 * (day > shop.N_DAYS - 30) + 0.1 * (price > shop.N_PRICES * 0.8)
    drawn = {
        "zipcode": draw(rng, shop.share_of_zip(), n_rows),
        "order-date": day,
        "gender": gender,
        "style": style,
        "price": price,
        "cost": cost,
        "shipment": (rng.random(n_rows) < hurried).astype(np.int8),
    }
    return {name: smallest_code(own, N_VALUES[name]) for name, own in drawn.items()}


def _use_every_value(codes: dict[str, np.ndarray], rng: np.random.Generator) -> None:
    """Give the values that were not drawn to some rows, so that the table has as many as the paper's."""
    for name, own in codes.items():
        present, first = np.unique(own, return_index=True)
        missing = np.setdiff1d(np.arange(N_VALUES[name]), present)
        spare = np.setdiff1d(rng.choice(len(own), min(len(own), 4 * N_VALUES[name]), replace=False), first)
        own[spare[: len(missing)]] = missing
