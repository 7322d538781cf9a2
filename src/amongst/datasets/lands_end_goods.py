"""The made-up shop behind the Lands-End-like table: what it sells, at what prices, on which days, to where.

The numbers of values are those of the Incognito paper's figure 9; everything else is invented.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from functools import cache

import numpy as np

from amongst.datasets.draw import zipf

N_ZIPS, N_DAYS, N_STYLES, N_PRICES, N_COSTS = 31_953, 320, 1_509, 346, 1_412
GENDERS = ("Female", "Male")
SHIPMENTS = ("standard", "express")
SEASONS = ("winter", "spring", "summer", "any")

FOREVER = 2005
"""Seeds what does not change from table to table: the shop, not its customers."""


@dataclass(frozen=True, eq=False)
class Goods:
    """What is known of every style.

    Attributes
    ----------
    popularity : ndarray of float64
    season : ndarray of int64
        When it is ordered most, as a place in ``SEASONS``.
    women : ndarray of float64
        The share of its orders that women make.
    price, cost : ndarray of int64
        Its list price and what it costs the shop, as places in ``prices()`` and ``costs()``.
    """

    popularity: np.ndarray
    season: np.ndarray
    women: np.ndarray
    price: np.ndarray
    cost: np.ndarray


@cache
def goods() -> Goods:
    """The styles: few sell well, most have their season and their wearers, dearer ones cost more to make."""
    rng = np.random.default_rng(FOREVER)
    season = rng.choice(len(SEASONS), N_STYLES, p=[0.3, 0.2, 0.25, 0.25])
    women = rng.choice([0.96, 0.6, 0.06], N_STYLES, p=[0.5, 0.2, 0.3])
    wanted = rng.lognormal(3.3, 0.6, N_STYLES) * np.where(season == 0, 1.5, 1.0)
    by_price = np.argsort(np.argsort(wanted, kind="stable"), kind="stable")
    # Styles of similar price have similar costs, but the dearer one may be the cheaper to make.
    by_cost = np.argsort(np.argsort(by_price + rng.normal(0, 60, N_STYLES), kind="stable"), kind="stable")
    price = by_price * N_PRICES // N_STYLES
    cost = by_cost * N_COSTS // N_STYLES
    return Goods(rng.permutation(zipf(N_STYLES, 0.8)), season, women, price, cost)


def prices() -> np.ndarray:
    """Prices in cents, ascending: round ones, ones just below the dollar, and quarters for what is cheap."""
    round_ones, below, quarters = np.arange(250, 10_000, 50), np.arange(295, 10_000, 100), np.arange(225, 5_500, 100)
    return np.sort(np.concatenate([round_ones, below, quarters]))[:N_PRICES]


@cache
def costs() -> np.ndarray:
    """Costs in cents, ascending: any amount from one dollar to sixty, the small ones closer together."""
    share = np.arange(N_COSTS) / (N_COSTS - 1)
    return (100 + np.arange(N_COSTS) + np.rint((5_999 - 100 - (N_COSTS - 1)) * share**2)).astype(np.int64)


@cache
def days() -> list[dt.date]:
    """The days of a leap year on which orders are taken: no Sundays but the six before Christmas."""
    year = [dt.date(2004, 1, 1) + dt.timedelta(n) for n in range(366)]
    before_christmas = [day for day in year if day.weekday() == 6 and day < dt.date(2004, 12, 25)][-6:]
    return [day for day in year if day.weekday() != 6 or day in before_christmas]


@cache
def share_of_day() -> np.ndarray:
    """For every season of a style, how the orders spread over the days: around its month, and before Christmas."""
    month = np.array([day.month + (day.day - 1) / 31 for day in days()])
    monday = np.array([1.4 if day.weekday() == 0 else 1.0 for day in days()])
    gifts = 1.5 * np.exp(-(((month - 12.3) / 0.7) ** 2))
    around = [np.exp(-(((month - peak + 6) % 12 - 6) ** 2) / 4) for peak in (11.5, 3.5, 6.0)]
    return np.array([monday * (0.3 + own + gifts) for own in (*around, np.full(len(month), 0.5))])


@cache
def zip_codes() -> list[str]:
    """Codes of five digits, more or fewer to an area (the first three digits), none in some areas."""
    rng = np.random.default_rng(FOREVER + 1)
    areas = np.sort(rng.choice(np.arange(10, 999), 900, replace=False))
    wanted = rng.gamma(2.0, 18.0, len(areas))
    codes = (areas[:, None] * 100 + np.arange(1, 100)).ravel()
    # The codes with the luckiest numbers exist: an area's numbers are as lucky as it wants codes.
    luck = rng.random(len(codes)) / np.repeat(wanted, 99)
    return [f"{code:05d}" for code in np.sort(codes[np.argsort(luck, kind="stable")[:N_ZIPS]])]


@cache
def share_of_zip() -> np.ndarray:
    """How much is ordered from every zip code: areas differ, and so do the codes of one area."""
    rng = np.random.default_rng(FOREVER + 2)
    area = np.array([int(code[:3]) for code in zip_codes()])
    return rng.lognormal(0.0, 0.9, 1000)[area] * rng.lognormal(0.0, 1.1, len(area))
