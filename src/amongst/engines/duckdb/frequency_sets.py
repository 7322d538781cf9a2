"""Frequency sets as tables of DuckDB, with the face of those in memory: the searches run on either."""

from __future__ import annotations

import math

import numpy as np

from amongst.engines.duckdb import sql
from amongst.engines.duckdb.connection import Connection
from amongst.engines.duckdb.dimensions import Dimensions
from amongst.engines.duckdb.fact import Fact
from amongst.partition.frequency_sets import level_maps
from amongst.partition.lattice import Lattice, Levels


class SqlNodeSet:
    """A frequency set that stays in the database; its table goes when nobody needs it any more."""

    def __init__(
        self, sets: SqlFrequencySets, name: str, columns: tuple[int, ...], levels: Levels, n_classes: int
    ) -> None:
        self.sets, self.name, self.columns, self.levels, self.n_classes = sets, name, columns, levels, n_classes

    def __del__(self) -> None:
        self.sets.unneeded.append(self.name)

    def rows_below(self, k: int) -> int:
        """Rows in classes of fewer than k."""
        return self.sets.ask(sql.rows_below(self.name, k))[0]

    def rows_below_by_node(self, k: int) -> list[np.ndarray]:
        """For every column, how many rows in classes of fewer than k have each node."""
        return [
            self.sets.histogram(sql.rows_below_by_node(self.name, c, k), self.sets.n_nodes[c][level])
            for c, level in zip(self.columns, self.levels, strict=True)
        ]

    def kept_classes(self, k: int) -> tuple[int, int]:
        """How many classes of at least k there are, and the sum of their squared sizes."""
        n_kept, squares = self.sets.ask(sql.kept_classes(self.name, k))
        return n_kept, squares

    def n_values(self, column: int) -> int:
        """How many nodes of a column occur."""
        return self.sets.ask(sql.n_values(self.name, column))[0]


class SqlFrequencySets:
    """The star schema: a dimension table for every column, and frequency sets by GROUP BY and by rollup.

    Attributes
    ----------
    table : Dimensions
        The columns with their distinct values only, and the number of rows that count.
    tuples : SqlNodeSet
        The frequency set of all columns at level 0: the only statement that reads all columns of all rows.
    """

    def __init__(self, connection: Connection, fact: Fact, table: Dimensions, without_null: list[str]) -> None:
        self.connection, self.table = connection, table
        self.maps = [level_maps(column) for column in table.columns]
        self.n_nodes = [[int(level.max(initial=0)) + 1 for level in maps] for maps in self.maps]
        self.n_scans = self.n_rollups = self._n_tables = 0
        self.unneeded: list[str] = []
        for c in range(table.n_qi):
            self._make_dimension(c)
        columns = tuple(range(table.n_qi))
        names = [column.name for column in table.columns]
        name = self._new_name()
        [(n_classes,)] = connection.rows(sql.base_table(name, fact.source, names, without_null, fact.weight))
        self.tuples = SqlNodeSet(self, name, columns, (0,) * len(columns), n_classes)

    def _make_dimension(self, c: int) -> None:
        import pyarrow as pa

        codes = self.table.columns[c].codes
        levels = {f"l{level}": pa.array(number[codes]) for level, number in enumerate(self.maps[c])}
        self.connection.load(f"dimension_{c}", pa.table({"value": self.table.raw[c], **levels}))

    @property
    def heights(self) -> Levels:
        return tuple(len(maps) - 1 for maps in self.maps)

    @property
    def lattice(self) -> Lattice:
        return Lattice(self.heights)

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    def scan(self, columns: tuple[int, ...], levels: Levels) -> SqlNodeSet:
        """Group the tuples of the table."""
        self.n_scans += 1
        if columns == self.tuples.columns and levels == self.tuples.levels:
            return self.tuples
        return self._rolled_up(self.tuples, columns, levels)

    def rollup(self, source: SqlNodeSet, levels: Levels) -> SqlNodeSet:
        """Add up the classes of a more specific set."""
        self.n_rollups += 1
        return self._rolled_up(source, source.columns, levels)

    def project(self, source: SqlNodeSet, columns: tuple[int, ...]) -> SqlNodeSet:
        """Leave columns out."""
        self.n_rollups += 1
        levels = tuple(source.levels[source.columns.index(c)] for c in columns)
        return self._rolled_up(source, columns, levels)

    def estimate(self, source: SqlNodeSet, columns: tuple[int, ...], levels: Levels) -> int:
        """At most how many classes a set would have."""
        most = math.prod(self.n_nodes[c][level] for c, level in zip(columns, levels, strict=True))
        return min(most, source.n_classes)

    def rows_by_code(self) -> list[np.ndarray]:
        """For every column, how many rows have each code."""
        return [
            np.bincount(column.codes, weights=rows, minlength=of_level[0])
            for column, rows, of_level in zip(self.table.columns, self.table.n_of_value, self.n_nodes, strict=True)
        ]

    def rows_below_by_code(self, found: SqlNodeSet, k: int) -> list[np.ndarray]:
        """For every column, how many rows in classes of fewer than k have each code."""
        steps = _steps(self.tuples, found.columns, found.levels)
        return [
            self.histogram(sql.rows_below_by_code(found.name, self.tuples.name, steps, c, k), self.n_nodes[c][0])
            for c in self.tuples.columns
        ]

    def _rolled_up(self, source: SqlNodeSet, columns: tuple[int, ...], levels: Levels) -> SqlNodeSet:
        name = self._new_name()
        [(n_classes,)] = self.connection.rows(sql.rolled_up(name, source.name, _steps(source, columns, levels)))
        return SqlNodeSet(self, name, columns, levels, n_classes)

    def _new_name(self) -> str:
        # Not when a set goes: that may be in the middle of another statement.
        while self.unneeded:
            self.connection.rows(f"DROP TABLE {self.unneeded.pop()}")
        self._n_tables += 1
        return f"frequency_{self._n_tables}"

    def ask(self, query: str) -> tuple[int, ...]:
        """The one row of whole numbers that a query gives."""
        [answer] = self.connection.rows(query)
        return tuple(map(int, answer))

    def histogram(self, query: str, size: int) -> np.ndarray:
        """The counts that a query gives for some of the numbers below ``size``."""
        counts = np.zeros(size)
        for number, n in self.connection.rows(query):
            counts[number] = n
        return counts


def _steps(source: SqlNodeSet, columns: tuple[int, ...], levels: Levels) -> dict[int, tuple[int, int]]:
    """The level before and after of every column that stays."""
    before = dict(zip(source.columns, source.levels, strict=True))
    return {c: (before[c], level) for c, level in zip(columns, levels, strict=True)}
