"""Random databases as the kernels know them: snowflakes of one to four tables, trees and ranges, nulls, no columns."""

from __future__ import annotations

import numpy as np

from amongst.kernels.cell_price import FULL, CellPrice
from amongst.kernels.relations import TableRows


def random_price(rng: np.random.Generator) -> CellPrice:
    n, full = int(rng.integers(1, 9)), int(FULL * rng.choice([1.0, 0.5, 0.37]))
    if rng.random() < 0.4:
        position = np.sort(rng.integers(0, full + 1, n)).astype(np.int32)
        labels = [np.sort(rng.integers(0, n, n)).astype(np.int32) for _ in range(2)]
        null = n - 1 if n > 1 and rng.random() < 0.3 else -1
        return CellPrice(n, full, position=position, own_null=null, label_lo=labels[0], label_hi=labels[1])
    start, end = [np.arange(n)], [np.arange(n)]
    while rng.random() < 0.6:
        firsts = np.unique(start[-1])
        kept = firsts[np.append(True, rng.random(len(firsts) - 1) < 0.5)]
        add_level(start, end, kept, n)
    add_level(start, end, np.array([0]), n)
    return CellPrice(n, full, tree_start=as_levels(start), tree_end=as_levels(end))


def add_level(start: list[np.ndarray], end: list[np.ndarray], firsts: np.ndarray, n: int) -> None:
    sizes = np.diff(np.append(firsts, n))
    start.append(np.repeat(firsts, sizes))
    end.append(np.repeat(firsts + sizes - 1, sizes))


def as_levels(levels: list[np.ndarray]) -> np.ndarray:
    return np.ascontiguousarray(np.stack(levels), dtype=np.int32)


def random_forest(rng: np.random.Generator, most_persons: int = 24) -> list[TableRows]:
    tables: list[TableRows] = []
    for t in range(int(rng.integers(1, 5))):
        parent, first, n = -1, None, int(rng.integers(1, most_persons + 1))
        if t:
            parent = int(rng.integers(0, t))
            counts = rng.integers(0, 4, tables[parent].n_rows)
            first = np.append(0, np.cumsum(counts)).astype(np.int64)
            n = int(first[-1])
        prices = [random_price(rng) for _ in range(int(rng.integers(0, 3)))]
        codes = np.stack([rng.integers(0, price.n, n) for price in prices], axis=1) if prices else np.zeros((n, 0))
        sensitive = rng.integers(0, 3, (n, int(rng.integers(0, 3))))
        arrays = [np.ascontiguousarray(one, dtype=np.int32) for one in (codes, sensitive)]
        tables.append(TableRows(parent, first, arrays[0], prices, arrays[1]))
    return tables


def random_spreads(rng: np.random.Generator, tables: list[TableRows]) -> np.ndarray:
    columns = [(t, c) for t, table in enumerate(tables) for c in range(table.sensitive.shape[1])]
    asked = [column for column in columns if rng.random() < 0.5]
    rows = [
        [*column, rng.integers(0, 4), rng.integers(1, 4), rng.choice([0.5, 1.0, 2.0]), rng.integers(0, 3)]
        for column in asked
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 6)
