"""The lower bound: the loss that no grouping of a table can go below."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from amongst.encode import encode, tuples_of
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.errors import BadOption
from amongst.kernels import utility
from amongst.kernels.price import Price, Prices
from amongst.partition.feasible import refuse_small_table
from amongst.partition.pricing import prices_of
from amongst.read import Source, read
from amongst.schema.check import check
from amongst.schema.schema import Schema

MOST_PAIRS = 4_000_000_000
"""Pairs of a row asked for and a tuple beside it: with more, rows are sampled."""

CHEAP_PAIRS = 25_000_000
"""With so many pairs or fewer the bound takes some tenths of a second: reports tell it without being asked."""

SMALL_TABLE = 50_000
"""With more rows than this the distinct ones are not even counted to find out."""

SAMPLE_SEED = 1


@dataclass(frozen=True)
class LowerBound:
    """What no release of a table can go below in GCP.

    Attributes
    ----------
    k : int
    gcp : float
        The bound, or its estimate from a sample of the rows.
    exact : bool
    standard_error : float
        Of the estimate; 0 where the bound is exact.
    n_asked : int
        How many rows it rests on.
    """

    k: int
    gcp: float
    exact: bool
    standard_error: float
    n_asked: int

    def __float__(self) -> float:
        return self.gcp

    def words(self) -> str:
        """One sentence for a report."""
        if self.exact:
            return f"No grouping with k = {self.k} can lose less than {self.gcp:.4f} (GCP)."
        return (
            f"No grouping with k = {self.k} can lose less than about {self.gcp:.4f} (GCP, standard error "
            f"{self.standard_error:.4f}, from {self.n_asked:,} rows)."
        )


def lower_bound(
    data: Any,
    schema: Schema,
    k: int,
    *,
    most_pairs: int = MOST_PAIRS,
    progress: Callable[[int, int], None] | None = None,
) -> LowerBound:
    """The loss that no grouping can go below.

    In a group of at least k rows a row pays at least what it pays together with the farthest of them, and
    that one is at least as far as the row's (k-1)-th nearest row of the table. The mean of these prices
    over the rows is therefore a lower bound of GCP, whatever the method. It may lie well below what can be
    reached: the nearest rows of different rows need not form groups.

    Parameters
    ----------
    data : path, pandas, polars or pyarrow table
    schema : Schema
    k : int
    most_pairs : int
        All pairs of distinct tuples are compared, up to so many; above that a sample of the rows (the same
        every time) is compared with all tuples, and the bound is an estimate with a standard error.
    progress : callable, optional
        Told (done, total) now and then.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> bound = am.lower_bound(patients.table, patients.schema, 2)
    >>> release = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)])
    >>> bound.exact, bound.gcp <= release.utility.gcp
    (True, True)
    """
    if not isinstance(k, int) or isinstance(k, bool) or k < 1:
        raise BadOption("k must be a whole number of 1 or more.", found=f"k = {k!r}", fix="use a number such as 10")
    source = data if isinstance(data, Source) else read(data)
    schema = check(schema, source.table)
    coded = encode(source.table, schema)
    return bound_of(coded, k, _sets_of(coded, schema), most_pairs=most_pairs, progress=progress)


def _sets_of(coded: CodedTable, schema: Schema) -> list[bool]:
    return [schema[column.name].publish == "set" for column in coded.columns]


def bound_of(
    table: CodedTable,
    k: int,
    published_as_set: Sequence[bool],
    *,
    most_pairs: int = MOST_PAIRS,
    progress: Callable[[int, int], None] | None = None,
) -> LowerBound:
    """The bound of a coded table; a column published as a set of values is measured by their number."""
    refuse_small_table(table, k)
    plain = CodedTable(
        [dataclasses.replace(column, weight=1.0) for column in table.columns], table.n_input, table.kept_rows
    )
    prices = _pair_prices(plain, published_as_set)
    tuples = tuples_of(table)
    asked, times = _asked(tuples.count, tuples.tuple_of_row, most_pairs)
    price = utility.kth_nearest(prices, tuples.codes, tuples.count, k, asked, tick=progress)
    # positions are rounded, so that a price may be one step too high in every column that has them
    steps = sum(column.position is not None for column in prices.columns)
    cost = np.maximum(price - steps, 0) / sum(column.full for column in prices.columns)
    n_asked = int(times.sum())
    exact = n_asked == table.n_rows
    mean = float(times @ cost / n_asked)
    spread = 0.0 if exact or n_asked < 2 else float(times @ (cost - mean) ** 2 / (n_asked - 1))
    error = math.sqrt(spread / n_asked * (1 - n_asked / table.n_rows))
    share = table.n_rows / table.n_input  # rows that a null rule leaves out count 1
    return LowerBound(k, mean * share + (1 - share), exact, error * share, n_asked)


def is_cheap(table: CodedTable) -> bool:
    """Whether the bound takes no time worth speaking of."""
    return table.n_rows <= SMALL_TABLE and tuples_of(table).n_tuples ** 2 <= CHEAP_PAIRS


def _asked(count: np.ndarray, tuple_of_row: np.ndarray, most_pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """The tuples to ask for, and how many rows each stands for."""
    n_tuples = len(count)
    if n_tuples * n_tuples <= most_pairs:
        return np.arange(n_tuples, dtype=np.uint32), count.astype(np.int64)
    n_sample = min(len(tuple_of_row) - 1, max(100, most_pairs // n_tuples))
    rows = np.random.default_rng(SAMPLE_SEED).choice(len(tuple_of_row), n_sample, replace=False)
    asked, times = np.unique(tuple_of_row[rows], return_counts=True)
    return asked.astype(np.uint32), times.astype(np.int64)


def _pair_prices(table: CodedTable, published_as_set: Sequence[bool]) -> Prices:
    """What a pair costs at least. It must never be too high: what cannot be told exactly is told too low."""
    prices = prices_of(table)
    columns = [
        _beside_wildcards(column, _of_set(price) if as_set else price)
        for column, price, as_set in zip(table.columns, prices.columns, published_as_set, strict=True)
    ]
    return Prices(columns, prices.stretches)


def _of_set(price: Price) -> Price:
    """Two values published as a set: 2 of n, whichever they are. As a tree whose root has two leaves."""
    if price.n < 2:
        return price
    codes, none = np.arange(price.n, dtype=np.int32), np.zeros(price.n, dtype=np.int32)
    return Price(price.n, price.full, tree_start=np.stack([codes, none]), tree_end=np.stack([codes, none + 1]))


def _beside_wildcards(column: CodedColumn, price: Price) -> Price:
    """A code that matches anything costs nothing and widens nothing."""
    if column.wildcard < 0:
        return price
    if price.table is None:
        return Price(price.n, price.full, position=np.zeros(price.n, dtype=np.int32))
    table = price.table.copy()
    table[column.wildcard, :] = table[:, column.wildcard] = 0
    free = dataclasses.replace(price)
    object.__setattr__(free, "table", table)
    return free
