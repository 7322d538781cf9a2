"""The table that was written, as the verifier sees it: counted in the server, column by column as it asks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from amongst.engines.counted import PERSON
from amongst.engines.postgresql.connection import Connection, plain_columns
from amongst.engines.postgresql.failures import told
from amongst.engines.postgresql.names import TableName
from amongst.engines.postgresql.pieces import changed
from amongst.engines.postgresql.types import StoredColumn, refuse_unknown_types
from amongst.sql_text import quoted

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.published.source import Source

FIRST_LOOK = 10_000
SEEDS = (0, 1)


class WrittenTable:
    """A published table in the database; what it says is read from the table itself, not from what made it.

    With ``few`` there are few different rows: they are counted and fetched once, whatever is asked of them.
    """

    def __init__(self, connection: Connection, table: TableName, *, few: bool) -> None:
        self.connection, self.few = connection, few
        with told("read", str(table)):
            connection.share_work()
            self.number, self.table = connection.look_up(table)
            self.columns = connection.columns(self.number)
        refuse_unknown_types(self.columns)

    def source(self) -> Source:
        """What ``verify`` takes."""
        import pyarrow as pa

        from amongst.published.source import Source

        schema = pa.schema([(column.name, column.arrow()) for column in self.columns])
        return Source(str(self.table), schema, self.batches, counted=self.counted, n_distinct=self.n_distinct)

    def counted(self, names: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, np.ndarray]]:
        """Different rows of some columns, and how many rows each stands for."""
        if self.few:
            cells, n, _ = self._grouped
            own = [self.columns[self._place[name]] for name in names]
            yield from _batches(own, [cells[self._place[name]] for name in names], n)
            return
        asked = [self.columns[self._place[name]] for name in names]
        cells_sql = ", ".join(f"{column.read()} AS c{i}" for i, column in enumerate(asked))
        with told("read", str(self.table)):
            table = self.connection.fetch(
                f"SELECT {cells_sql}, count(*) AS n FROM {self.table.sql} GROUP BY {_numbers(len(asked))}"
            )
        yield from _batches(asked, plain_columns(table.drop_columns(["n"]), asked), table.column("n"))

    @cached_property
    def _grouped(self) -> tuple[list[pa.ChunkedArray], pa.ChunkedArray, list[pa.ChunkedArray]]:
        """All columns of the different rows, how many rows each stands for, and their hashes."""
        cells = ", ".join(f"{column.read()} AS g{i}" for i, column in enumerate(self.columns))
        rows = f"SELECT {cells}, count(*) AS n FROM {self.table.sql} GROUP BY {_numbers(len(self.columns))}"
        row = ", ".join(f"x.g{i}" for i in range(len(self.columns)))
        hashes = ", ".join(f"hash_record_extended(ROW({row}), {seed}) AS h{seed}" for seed in SEEDS)
        with told("read", str(self.table)):
            table = self.connection.fetch(f"SELECT x.*, {hashes} FROM ({rows}) x")
        names = [f"g{i}" for i in range(len(self.columns))]
        return plain_columns(table.select(names), self.columns), table.column("n"), table.columns[-len(SEEDS) :]

    def batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows themselves, in the order of all their cells: the verifier asks for them only where counts will not
        do, and whose each is follows their place in that order, since rows that tie in it are alike."""
        asked = [self.columns[self._place[name]] for name in names]
        cells = ", ".join(f"{column.read()} AS c{i}" for i, column in enumerate(asked))
        with told("read", str(self.table)):
            table = self.connection.fetch(
                f"SELECT {cells}, 1::int8 AS n FROM {self.table.sql} t ORDER BY {self._in_order}"
            )
        plain = plain_columns(table.drop_columns(["n"]), asked)
        yield from (batch for batch, _ in _batches(asked, plain, table.column("n")))

    def persons(self, whose: str) -> np.ndarray:
        """The person of every row in the order of ``batches``, from a table of the same rows that has them."""
        cells = ", ".join(column.read() for column in self.columns)
        other = f"SELECT {cells} FROM {self.table.sql} EXCEPT ALL SELECT {cells} FROM {whose}"
        sizes = f"(SELECT count(*) FROM {self.table.sql}) = (SELECT count(*) FROM {whose})"
        with told("read", str(self.table)):
            [(same,)] = self.connection.rows(f"SELECT {sizes} AND NOT EXISTS ({other})")
            if not same:
                raise changed("rows that were published are not those of which the people are known")
            found = self.connection.fetch(f"SELECT {quoted(PERSON)} FROM {whose} t ORDER BY {self._in_order}")
        return found.column(0).to_numpy().astype(np.int64)

    @cached_property
    def _in_order(self) -> str:
        """By all cells as they are read, and of the two zeros of floats the negative one first."""
        zeros = [f"{column.negative_zero()} DESC" for column in self.columns if column.is_float]
        return ", ".join([*(column.in_order(column.read("t")) for column in self.columns), *zeros])

    def n_distinct(self, name: str) -> int:
        """How many different values there are; for a column whose first rows repeat some, how many among these."""
        cell = self.columns[self._place[name]].read()
        with told("read", str(self.table)):
            first = f"(SELECT {cell} AS c FROM {self.table.sql} LIMIT {FIRST_LOOK})"
            [(n, values)] = self.connection.rows(f"SELECT count(*), count(DISTINCT x.c) FROM {first} x")
            if values < n or n < FIRST_LOOK:
                return int(values)
            return int(self.connection.rows(f"SELECT count(DISTINCT {cell}) FROM {self.table.sql}")[0][0])

    def digest(self) -> str:
        """A digest of the published rows, whatever their order: see ``docs/postgresql.md``."""
        facts = [[column.name for column in self.columns], *map(str, self._sums())]
        return hashlib.sha256(json.dumps(facts, ensure_ascii=False).encode()).hexdigest()

    def comment(self) -> str:
        """What the table says of itself: of a release the digest of its manifest."""
        with told("read", str(self.table)):
            [(comment,)] = self.connection.rows("SELECT obj_description($1::oid, 'pg_class')", self.number)
        return str(comment or "")

    def _sums(self) -> list[int]:
        """How many rows there are, and the sums of their hashes."""
        if self.few:
            _, n, hashes = self._grouped
            times = n.to_numpy().astype(np.int64)
            return [int(times.sum()), *(_weighted_sum(times, one.to_numpy()) for one in hashes)]
        row = ", ".join(column.read() for column in self.columns)
        sums = (f"coalesce(sum(hash_record_extended(ROW({row}), {seed})::numeric), 0)::text" for seed in SEEDS)
        with told("read", str(self.table)):
            [found] = self.connection.rows(f"SELECT count(*)::text, {', '.join(sums)} FROM {self.table.sql}")
        return [int(one) for one in found]

    @cached_property
    def _place(self) -> dict[str, int]:
        return {column.name: i for i, column in enumerate(self.columns)}


def _weighted_sum(times: np.ndarray, hashes: np.ndarray) -> int:
    """The sum of some 64-bit numbers, each so many times, exactly: 16 bits at a time, so that nothing runs over."""
    bits = hashes.astype(np.int64).view(np.uint64)
    parts = (int(times @ (bits >> np.uint64(at) & np.uint64(0xFFFF)).astype(np.int64)) << at for at in (0, 16, 32, 48))
    return sum(parts) - (int(times[hashes < 0].sum()) << 64)


def _batches(
    columns: Sequence[StoredColumn], cells: Sequence[pa.ChunkedArray], n: pa.ChunkedArray
) -> Iterator[tuple[pa.RecordBatch, np.ndarray]]:
    import pyarrow as pa

    rows = pa.Table.from_arrays([*cells, n], names=[*(f"c{i}" for i in range(len(cells))), "n"]).combine_chunks()
    for batch in rows.to_batches():
        own = pa.RecordBatch.from_arrays(batch.columns[:-1], names=[column.name for column in columns])
        yield own, batch.column("n").to_numpy(zero_copy_only=False).astype(np.int64)


def _numbers(n: int) -> str:
    return ", ".join(str(i + 1) for i in range(n))
