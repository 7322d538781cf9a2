"""Rows that look like Adult's, any number of them, many with the same tuple. Made for benchmarks."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from amongst.datasets.adult import adult, adult_schema
from amongst.datasets.chow_liu import Branch, draw_tree, fit_tree
from amongst.datasets.dataset import About, Dataset, dictionary_column
from amongst.datasets.draw import draw_in_chunks, smallest_code
from amongst.schema import Schema

ABOUT = About(
    title="Adult-like rows, any number of them",
    source="drawn by amongst from a Chow-Liu tree fitted to Adult (doi:10.24432/C5XW20)",
    licence="made-up people; the frequencies are Adult's, CC BY 4.0",
)

COLUMNS = (
    "age",
    "sex",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)

SMOOTHING = 0.05
"""Chosen for the growth of distinct tuples: 240,000 in a million rows, a million in ten million."""


def adult_like(n_rows: int = 1_000_000, seed: int = 0) -> Dataset:
    """Adult's quasi-identifiers and salary class, drawn from a model of Adult.

    Every column depends on one other as it does in Adult; the alphabets are Adult's. About half the
    tuples of 64,000 rows are distinct, a quarter of a million's, a tenth of ten million's.

    Parameters
    ----------
    n_rows : int
    seed : int
        The same seed gives the same table.

    Examples
    --------
    >>> import amongst as am
    >>> am.datasets.adult_like(n_rows=1000).table.num_rows
    1000
    """
    import pyarrow as pa

    columns = draw_in_chunks(n_rows, seed, draw_people)
    values = values_of_column()
    arrays = {name: dictionary_column(values[name], columns[name]) for name in COLUMNS[1:]}
    table = pa.table({"age": ages(columns["age"]), **arrays})
    schema = adult_schema()
    return Dataset("adult-like", table, Schema({name: schema[name] for name in COLUMNS}), ABOUT)


def draw_people(rng: np.random.Generator, n_rows: int) -> dict[str, np.ndarray]:
    """The codes of all the columns."""
    values = values_of_column()
    codes = draw_tree(rng, _fitted()[1], n_rows)
    return {name: smallest_code(column, len(values[name])) for name, column in zip(COLUMNS, codes, strict=True)}


def values_of_column() -> dict[str, list[Any]]:
    """The value of every code of every column."""
    return _fitted()[0]


def ages(codes: np.ndarray) -> np.ndarray:
    return np.array(values_of_column()["age"], dtype=np.int32)[codes]


@cache
def _fitted() -> tuple[dict[str, list[Any]], list[Branch]]:
    # One pass over the bundled table, then kept: some ten milliseconds against seconds of drawing.
    table = adult().table
    encoded = [table[name].combine_chunks().dictionary_encode() for name in COLUMNS]
    values = [column.dictionary.to_pylist() for column in encoded]
    codes = [column.indices.to_numpy() for column in encoded]
    branches = fit_tree(codes, [len(column) for column in values], SMOOTHING)
    return dict(zip(COLUMNS, values, strict=True)), branches
