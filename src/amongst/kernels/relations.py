"""The kernels for many tables: compiled where they can be, else in Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from amongst.kernels.cell_price import CellPrice
from amongst.kernels.loader import compiled
from amongst.kernels.numpy import relations as reference

_relations = compiled("_relations")

Tick = Callable[[int, int], object]

SENSES = ("frequency", "distinct", "entropy", "recursive")
COUNTS = ("both", "rows", "persons")


@dataclass(frozen=True, eq=False)
class TableRows:
    """One table of a database as the kernels know it.

    Attributes
    ----------
    parent : int
        The table it refers to, which comes before it; -1 for the table of the persons, which is the first.
    first : ndarray of int64, or None
        Where the children of every row of the parent begin, and one more: rows lie in the order of their parents.
    codes : ndarray of int32, shape (n_rows, n_qi)
    prices : list of CellPrice, one a column of ``codes``
    sensitive : ndarray of int32, shape (n_rows, n_sensitive)
    """

    parent: int
    first: np.ndarray | None
    codes: np.ndarray
    prices: list[CellPrice]
    sensitive: np.ndarray

    @property
    def n_rows(self) -> int:
        return len(self.codes)

    @property
    def arrays(self) -> tuple[Any, ...]:
        columns = tuple(price.arrays for price in self.prices)
        return (self.parent, self.first, self.codes, self.sensitive, self.sensitive.shape[1], columns, self.n_rows)


@dataclass(frozen=True)
class Rules:
    """How trees are compared, grouped and kept diverse; see ``relations.methods.miracle``."""

    k: int
    limit: int = 150
    threshold: float = 0.0
    join: bool = False
    upper_only: bool = False
    optimal: bool = False
    increase: bool = False
    merge: bool = True
    penalty: float = 0.0
    levels: bool = False
    printed: bool = False


@dataclass(frozen=True, eq=False)
class Grouped:
    """Who shares a group, and what becomes of every row.

    Attributes
    ----------
    group_of_person : ndarray of int32
        -1 where a person is suppressed.
    lo, hi : list of ndarray of int32, shape (n_rows, n_qi), one a table
        The codes that are published for a row.
    node_of_row : list of ndarray of int32, one a table
        Rows of a group with the same node were paired; -1 where a row is suppressed.
    withheld : list of ndarray of bool, shape (n_rows, n_sensitive), one a table, or None
        Sensitive cells that are published as missing.
    counted : int
        How many persons have frequent codes is told in steps of twice so many; 0 where it is not.
    looked_at : ndarray of bool, or None
        The persons whose codes were shared, where that was tried for some alone.
    """

    group_of_person: np.ndarray
    lo: list[np.ndarray]
    hi: list[np.ndarray]
    node_of_row: list[np.ndarray]
    withheld: list[np.ndarray] | None = None
    counted: int = 0
    looked_at: np.ndarray | None = None


def cluster_trees(
    tables: Sequence[TableRows],
    spreads: np.ndarray,
    rules: Rules,
    *,
    given: np.ndarray | None = None,
    tick: Tick | None = None,
) -> Grouped:
    """Groups of at least k persons whose trees are made alike (MultiRelational k-Anonymity, algorithms 2 and 6).

    Parameters
    ----------
    spreads : ndarray of float64, shape (n, 6)
        What is asked of sensitive columns: table, column, number of the sense, l, c, number of what is counted.
    given : ndarray of int32, optional
        Groups that another method has found, -1 for nobody; those that do not hold what is asked are merged.
    """
    made = Grouped(
        np.full(tables[0].n_rows, -1, dtype=np.int32),
        [table.codes.copy() for table in tables],
        [table.codes.copy() for table in tables],
        [np.full(table.n_rows, -1, dtype=np.int32) for table in tables],
    )
    spreads = np.ascontiguousarray(spreads, dtype=np.float64).reshape(-1, 6)
    if _relations is None:
        reference.cluster_trees(tables, spreads, rules, given, made, tick)
        return made
    _relations.cluster_trees(
        tuple(table.arrays for table in tables),
        spreads,
        None if given is None else np.ascontiguousarray(given, dtype=np.int32),
        rules.k,
        rules.limit,
        float(rules.threshold),
        rules.join,
        rules.upper_only,
        rules.optimal,
        rules.increase,
        rules.levels,
        rules.printed,
        int(rules.merge),
        float(rules.penalty),
        made.group_of_person,
        tuple(made.lo),
        tuple(made.hi),
        tuple(made.node_of_row),
        tick,
    )
    return made


def split_trees(
    tables: Sequence[TableRows], rules: Rules, *, spreads: np.ndarray | None = None, tick: Tick | None = None
) -> np.ndarray:
    """Groups of k to 2k - 1 persons, by halving around two that are far apart: the group of every person.

    Fewer than k persons are one group. With ``spreads`` (see ``cluster_trees``) persons are halved only where both
    halves hold what is asked, so that groups may be larger.
    """
    group = np.zeros(tables[0].n_rows, dtype=np.int32)
    spreads = np.ascontiguousarray(() if spreads is None else spreads, dtype=np.float64).reshape(-1, 6)
    if _relations is None:
        reference.split_trees(tables, spreads, rules, group, tick)
        return group
    arrays = tuple(table.arrays for table in tables)
    how = (rules.upper_only, rules.optimal, rules.increase, rules.levels)
    _relations.split_trees(arrays, spreads, rules.k, *how, group, tick)
    return group


def cluster_bits(
    bits: np.ndarray, rules: Rules, *, n_columns: int, complete: bool, tick: Tick | None = None
) -> np.ndarray:
    """Groups of at least k rows of bits (section 3.3): the group of every row, -1 for what is suppressed.

    ``bits`` is of uint64, shape (n_persons, n_words).
    """
    group = np.full(len(bits), -1, dtype=np.int32)
    if _relations is None:
        reference.cluster_bits(bits, rules, n_columns, complete, group, tick)
        return group
    bits = np.ascontiguousarray(bits, dtype=np.uint64)
    of = (rules.k, rules.limit, float(rules.threshold), rules.join, rules.printed)
    _relations.cluster_bits(bits, bits.shape[1], n_columns, complete, *of, group, tick)
    return group
