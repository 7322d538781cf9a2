"""The table that was written, as the verifier sees it: counted in the server, column by column as it asks."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from amongst.engines.postgresql import sql
from amongst.engines.postgresql.connection import Connection, plain_columns
from amongst.engines.postgresql.failures import told
from amongst.engines.postgresql.names import TableName
from amongst.engines.postgresql.types import StoredColumn, refuse_unknown_types

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.verify.source import Source

FIRST_LOOK = 10_000


class WrittenTable:
    """A published table in the database; what it says is read from the table itself, not from what made it.

    With ``few`` its distinct rows are counted once and kept in the server, since there are few of them.
    """

    def __init__(self, connection: Connection, table: TableName, *, few: bool) -> None:
        self.connection, self.few = connection, few
        with told("read", str(table)):
            number, self.table = connection.look_up(table)
            self.columns = connection.columns(number)
            refuse_unknown_types(self.columns)
            if few:
                connection.execute(f"DROP TABLE IF EXISTS {sql.SEEN}")
                connection.execute(sql.seen(self.table, self.columns))

    def source(self) -> Source:
        """What ``verify`` takes."""
        import pyarrow as pa

        from amongst.verify.source import Source

        schema = pa.schema([(column.name, column.arrow()) for column in self.columns])
        return Source(str(self.table), schema, self.batches, counted=self.counted, n_distinct=self.n_distinct)

    def counted(self, names: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, np.ndarray]]:
        """The distinct rows of some columns, and how many rows are equal to each."""
        asked = self._named(names)
        cells = ", ".join(f"{cell} AS c{i}" for i, (cell, _) in enumerate(asked))
        places = ", ".join(str(i + 1) for i in range(len(asked)))
        n = "sum(n)::int8" if self.few else "count(*)"
        with told("read", str(self.table)):
            query = f"SELECT {cells}, {n} AS n FROM {self._rows} GROUP BY {places}"
            yield from self._batches(self.connection.fetch(query), [column for _, column in asked])

    def batches(self, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows themselves; the verifier asks for them only where counting will not do."""
        asked = self._named(names, rows=True)
        cells = ", ".join(f"{cell} AS c{i}" for i, (cell, _) in enumerate(asked))
        with told("read", str(self.table)):
            table = self.connection.fetch(f"SELECT {cells}, 1::int8 AS n FROM {self.table.sql}")
        yield from (batch for batch, _ in self._batches(table, [column for _, column in asked]))

    def n_distinct(self, name: str) -> int:
        """How many different values there are; for a column whose first rows repeat some, how many among these."""
        [(cell, _)] = self._named([name], rows=True)
        with told("read", str(self.table)):
            first = f"(SELECT {cell} AS c FROM {self.table.sql} LIMIT {FIRST_LOOK})"
            [(n, values)] = self.connection.rows(f"SELECT count(*), count(DISTINCT x.c) FROM {first} x")
            if values < n or n < FIRST_LOOK:
                return int(values)
            return int(self.connection.rows(f"SELECT count(DISTINCT {cell}) FROM {self.table.sql}")[0][0])

    def digest(self) -> str:
        """A digest of the published rows, whatever their order: see ``docs/postgresql.md``."""
        cells = ", ".join(cell for cell, _ in self._named([column.name for column in self.columns]))
        n = "n" if self.few else "1 AS n"
        hashed = f"SELECT {n}, md5(ROW({cells})::text) AS h FROM {self._rows}"
        halves = (f"sum(x.n * ('x' || {part}(x.h, 16))::bit(64)::int8::numeric)::text" for part in ("left", "right"))
        with told("read", str(self.table)):
            found = self.connection.rows(f"SELECT coalesce(sum(x.n), 0)::text, {', '.join(halves)} FROM ({hashed}) x")
        facts = json.dumps([[column.name for column in self.columns], *found[0]], ensure_ascii=False)
        return hashlib.sha256(facts.encode()).hexdigest()

    @property
    def _rows(self) -> str:
        return sql.SEEN if self.few else self.table.sql

    def _named(self, names: Sequence[str], *, rows: bool = False) -> list[tuple[str, StoredColumn]]:
        """SQL and column of every name, in the table or in the counts of it."""
        place = {column.name: i for i, column in enumerate(self.columns)}
        own = [(place[name], self.columns[place[name]]) for name in names]
        return [(f"g{i}" if self.few and not rows else column.read(), column) for i, column in own]

    def _batches(
        self, table: pa.Table, columns: Sequence[StoredColumn]
    ) -> Iterator[tuple[pa.RecordBatch, np.ndarray]]:
        import pyarrow as pa

        plain = pa.table([*plain_columns(table.drop_columns(["n"]), columns), table.column("n")], [*table.column_names])
        for batch in plain.combine_chunks().to_batches():
            cells = pa.RecordBatch.from_arrays(batch.columns[:-1], names=[column.name for column in columns])
            yield cells, batch.column("n").to_numpy(zero_copy_only=False).astype(np.int64)
