"""Rows of which no two share a tuple: the worst case for whatever counts tuples. Made for benchmarks."""

from __future__ import annotations

import numpy as np

from amongst.datasets.adult import adult_schema
from amongst.datasets.adult_like import COLUMNS, ages, draw_people, values_of_column
from amongst.datasets.dataset import About, Dataset, dictionary_column
from amongst.datasets.draw import draw_given, draw_in_chunks, smallest_code, zipf
from amongst.schema import Column, Hierarchy, Schema

ABOUT = About(
    title="Wide Adult-like rows: zip codes and incomes, every tuple distinct",
    source="drawn by amongst from a Chow-Liu tree fitted to Adult (doi:10.24432/C5XW20)",
    licence="made-up people; the frequencies are Adult's, CC BY 4.0",
)

N_AREAS = 300
ZIPS_OF_AREA = 100
N_INCOMES = 100_000
KEPT = tuple(name for name in COLUMNS if name not in ("native-country", "occupation"))
"""The columns that stay as they are in the Adult-like table; zip and income stand for the other two."""


def wide(n_rows: int = 1_000_000, seed: int = 0) -> Dataset:
    """The Adult-like table with a zip code for the country and an income for the occupation.

    30,000 zip codes and incomes from 0 to 99,999 make every tuple of quasi-identifiers distinct.
    Incomes rise with the salary class, schooling and age; zip codes gather in areas that differ by race.

    Parameters
    ----------
    n_rows : int
    seed : int
        The same seed gives the same table.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.wide(n_rows=1000).schema.quasi
    ['age', 'sex', 'race', 'marital-status', 'education', 'zip', 'workclass', 'income']
    """
    import pyarrow as pa

    columns = draw_in_chunks(n_rows, seed, _draw_people)
    make_distinct(columns, np.random.default_rng([seed, 1]))
    values = values_of_column()
    arrays = {name: dictionary_column(values[name], columns[name]) for name in KEPT[1:]}
    arrays["age"] = ages(columns["age"])
    arrays["zip"] = dictionary_column(zip_codes(), columns["zip"])
    arrays["income"] = columns["income"]
    schema = wide_schema()
    return Dataset("wide", pa.table({name: arrays[name] for name in schema}), schema, ABOUT)


def wide_schema() -> Schema:
    """Adult's, with zip and income in the places of country and occupation."""
    income = Column(role="quasi", kind="numeric", hierarchy=Hierarchy.intervals([1_000, 5_000, 25_000]))
    replaced = {
        "native-country": ("zip", Column(role="quasi", kind="categorical", hierarchy=Hierarchy.digits(5))),
        "occupation": ("income", income),
    }
    schema = adult_schema()
    return Schema(dict(replaced.get(name, (name, schema[name])) for name in COLUMNS))


def zip_codes() -> list[str]:
    """30,000 codes of five digits: every hundred of 300 areas spread over the thousand there could be."""
    return [f"{10 + 3 * area:03d}{place:02d}" for area in range(N_AREAS) for place in range(ZIPS_OF_AREA)]


def make_distinct(columns: dict[str, np.ndarray], rng: np.random.Generator) -> None:
    """Give rows that repeat another row's tuple a new income, until there are none."""
    quasi = [name for name in columns if name != "salary-class"]
    repeats = _repeats([columns[name] for name in quasi])
    while len(repeats):
        columns["income"][repeats] = rng.integers(0, N_INCOMES, size=len(repeats), dtype=np.int32)
        repeats = _repeats([columns[name] for name in quasi])


def _draw_people(rng: np.random.Generator, n_rows: int) -> dict[str, np.ndarray]:
    people = draw_people(rng, n_rows)
    kept = {name: people[name] for name in KEPT}
    return {**kept, "zip": _draw_zip(rng, people["race"]), "income": _draw_income(rng, people)}


def _draw_zip(rng: np.random.Generator, race: np.ndarray) -> np.ndarray:
    n_races = len(values_of_column()["race"])
    # Each race starts Zipf's order of areas at another place; half of it is common to all.
    own = np.array([np.roll(zipf(N_AREAS, 0.7), shift * N_AREAS // n_races) for shift in range(n_races)])
    area = draw_given(rng, own + own.mean(axis=0), race)
    return smallest_code(area * ZIPS_OF_AREA + rng.integers(0, ZIPS_OF_AREA, size=len(race)), N_AREAS * ZIPS_OF_AREA)


def _draw_income(rng: np.random.Generator, people: dict[str, np.ndarray]) -> np.ndarray:
    values = values_of_column()
    rich = np.array([value == ">50K" for value in values["salary-class"]])[people["salary-class"]]
    schooling = np.array([_schooling(value) for value in values["education"]])[people["education"]]
    age = ages(people["age"])
    place = 1.1 * rich + 0.3 * schooling - 0.0005 * (age - 50) ** 2 - 1.0
    place += rng.normal(0.0, 0.9, size=len(rich))
    # The logistic curve folds the line into the open interval, with a long tail to the right.
    return np.minimum(N_INCOMES / (1 + np.exp(-place)), N_INCOMES - 1).astype(np.int32)


def _schooling(education: str) -> int:
    if education in ("Bachelors", "Masters", "Prof-school", "Doctorate"):
        return 2
    return 1 if education in ("HS-grad", "Some-college", "Assoc-voc", "Assoc-acdm") else 0


def _repeats(columns: list[np.ndarray]) -> np.ndarray:
    """The rows whose tuple an earlier row has."""
    key = np.zeros(len(columns[0]), dtype=np.uint64)
    for column in columns:
        radix = np.uint64(int(column.max(initial=0)) + 1)
        key = key * radix + column.astype(np.uint64)
    order = np.argsort(key, kind="stable")
    again = key[order[1:]] == key[order[:-1]]
    return np.sort(order[1:][again])
