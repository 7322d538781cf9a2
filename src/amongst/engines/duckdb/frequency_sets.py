"""Frequency sets as tables of DuckDB, with the face of those in memory: the searches run on either."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.engines.duckdb import sql
from amongst.engines.duckdb.connect import keep
from amongst.errors import BadOption
from amongst.kernels.conditions import Conditions
from amongst.models import Model
from amongst.partition.frequency_sets import level_maps
from amongst.partition.lattice import Lattice, Levels


class SqlNodeSet:
    """A frequency set that stays in the database; its table goes when nobody needs it any more."""

    def __init__(self, sets: SqlFrequencySets, name: str, columns: tuple[int, ...], levels: Levels) -> None:
        self.sets, self.name, self.columns, self.levels = sets, name, columns, levels

    def __del__(self) -> None:
        self.sets.drop(self.name)

    @property
    def n_classes(self) -> int:
        return self.sets.ask(sql.n_classes(self.name))

    def fewer_rows_fail(self, k: int, most: int) -> bool:
        return self.rows_below(k) <= most

    def rows_below(self, k: int) -> int:
        """Rows in classes of fewer than k."""
        return self.sets.ask(sql.rows_below(self.name, k))

    def n_values(self, column: int) -> int:
        """How many nodes of a column occur."""
        return self.sets.ask(sql.n_values(self.name, column))

    @property
    def count(self) -> np.ndarray:
        """The rows of every class: for a set with few of them."""
        return self.fetched[1]

    @cached_property
    def fetched(self) -> tuple[list[np.ndarray], np.ndarray]:
        """The nodes and the rows of every class, fetched: for a set with few of them."""
        table = self.sets.connection.sql(f"SELECT * FROM {self.name}").to_arrow_table()
        codes = [table.column(f"c{c}").to_numpy().astype(np.int64) for c in self.columns]
        return codes, table.column("n").to_numpy().astype(np.int64)

    def rows_below_by_node(self, k: int) -> list[np.ndarray]:
        """For every column, how many rows in classes of fewer than k have each node."""
        return [self.sets.histogram(self.name, c, f"n < {int(k)}") for c in self.columns]

    def kept_classes(self, k: int) -> tuple[int, int]:
        """How many classes of at least k there are, and the sum of their squared sizes."""
        query = f"SELECT count(*), coalesce(sum(n * n), 0) FROM {self.name} WHERE n >= {int(k)}"
        [(n_kept, squares)] = self.sets.connection.execute(query).fetchall()
        return int(n_kept), int(squares)


class SqlFrequencySets:
    """The star schema: a dimension table for every column, and frequency sets by GROUP BY and by rollup.

    Attributes
    ----------
    table : CodedTable
        The columns with their distinct values only, and the number of rows that count.
    tuples : SqlNodeSet
        The frequency set of all columns at level 0: the only statement that reads the rows.
    """

    def __init__(
        self, connection: Any, source: str, table: CodedTable, values: list[Any], without_null: list[str]
    ) -> None:
        self.connection, self.table = connection, table
        self.maps = [level_maps(column) for column in table.columns]
        self.n_nodes = [[int(level.max(initial=0)) + 1 for level in maps] for maps in self.maps]
        self.values = values
        self.n_scans = self.n_rollups = self._n_tables = 0
        for c, of_rank in enumerate(values):
            self._make_dimension(c, of_rank)
        columns = [column.name for column in table.columns]
        name = self._new_name()
        connection.execute(sql.base_table(name, source, columns, without_null))
        self.tuples = SqlNodeSet(self, name, tuple(range(len(columns))), (0,) * len(columns))

    def _make_dimension(self, c: int, values: Any) -> None:
        import pyarrow as pa

        codes = self.table.columns[c].codes
        levels = {f"l{level}": pa.array(number[codes]) for level, number in enumerate(self.maps[c])}
        keep(self.connection, f"dimension_{c}", pa.table({"value": values, **levels}))

    beyond_k = None

    def hold_beyond_k(self, conditions: Conditions, models: Sequence[Model]) -> None:
        raise BadOption(
            "In SQL only k-anonymity is searched for.",
            found="asked: " + ", ".join(model.name for model in models),
            fix='use engine="memory" for the other models',
        )

    @property
    def heights(self) -> Levels:
        return tuple(len(maps) - 1 for maps in self.maps)

    @property
    def lattice(self) -> Lattice:
        return Lattice(self.heights)

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    def histogram(self, name: str, column: int, where: str = "true") -> np.ndarray:
        """How many rows of a set have each node of a column."""
        query = f"SELECT c{column} AS code, sum(n) AS n FROM {name} WHERE {where} GROUP BY 1"
        found = self.connection.sql(query).to_arrow_table()
        codes, rows = found.column("code").to_numpy(), found.column("n").cast("double").to_numpy()
        return np.bincount(codes, weights=rows)

    def n_alone(self) -> int:
        """Rows that no other equals in all columns."""
        return self.ask(f"SELECT count(*) FROM {self.tuples.name} WHERE n = 1")

    def rows_by_code(self) -> list[np.ndarray]:
        """For every column, how many rows have each code."""
        return self._by_code(self.tuples.name)

    def rows_below_by_code(self, found: SqlNodeSet, k: int) -> list[np.ndarray]:
        """For every column, how many rows in classes of fewer than k have each code."""
        name = self._new_name()
        levels = dict(zip(found.columns, found.levels, strict=True))
        self.connection.execute(sql.members_below(name, self.tuples.name, found.name, levels, k))
        rows = self._by_code(name)
        self.drop(name)
        return rows

    def _by_code(self, name: str) -> list[np.ndarray]:
        found = [self.histogram(name, c) for c in self.tuples.columns]
        return [np.append(own, np.zeros(len(maps[0]) - len(own))) for own, maps in zip(found, self.maps, strict=True)]

    def scan(self, columns: tuple[int, ...], levels: Levels) -> SqlNodeSet:
        """Group the tuples of the table."""
        self.n_scans += 1
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

    def derive(self, source: SqlNodeSet, columns: tuple[int, ...], levels: Levels) -> SqlNodeSet:
        """Leave columns out and add up the classes at once."""
        self.n_rollups += 1
        return self._rolled_up(source, columns, levels)

    def estimate(self, source: SqlNodeSet, columns: tuple[int, ...], levels: Levels) -> int:
        """At most how many classes a set would have."""
        most = 1
        for c, level in zip(columns, levels, strict=True):
            most *= self.n_nodes[c][level]
        return min(most, source.n_classes)

    def _rolled_up(self, source: SqlNodeSet, columns: tuple[int, ...], levels: Levels) -> SqlNodeSet:
        before = dict(zip(source.columns, source.levels, strict=True))
        steps = {c: (before[c], level) for c, level in zip(columns, levels, strict=True)}
        name = self._new_name()
        self.connection.execute(sql.rolled_up(name, source.name, steps))
        return SqlNodeSet(self, name, columns, levels)

    def _new_name(self) -> str:
        self._n_tables += 1
        return f"frequency_{self._n_tables}"

    def ask(self, query: str) -> int:
        [(answer,)] = self.connection.execute(query).fetchall()
        return int(answer)

    def drop(self, name: str) -> None:
        with contextlib.suppress(Exception):  # the connection may be closed already
            self.connection.execute(f"DROP TABLE IF EXISTS {name}")
