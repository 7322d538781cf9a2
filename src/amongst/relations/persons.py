"""Whose row every row of many tables is, which persons look alike in all of them, and the tables of some persons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.relations.check_keys import check_keys
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Stored
from amongst.relations.verify.neutral import neutral
from amongst.relations.verify.one_column_keys import with_one_column_keys
from amongst.relations.verify.signatures import sign

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Persons:
    """Many tables, seen from the persons. Keys have one column each.

    Attributes
    ----------
    tables : dict of str to pyarrow.Table
    schema : DatabaseSchema
    of_row : dict of str to ndarray of int64
        For every table the person of every row, as the number of a row of the persons' table; -1 for nobody's.
    """

    tables: dict[str, pa.Table]
    schema: DatabaseSchema
    of_row: dict[str, np.ndarray]

    @property
    def n(self) -> int:
        return self.tables[self.schema.person].num_rows

    def of(self, chosen: np.ndarray) -> Persons:
        """The tables of some persons alone, in the order of their rows."""
        kept = np.zeros(self.n + 1, dtype=bool)  # the last is nobody
        kept[chosen] = True
        number = np.cumsum(kept) - 1
        rows = {name: np.flatnonzero(kept[own]) for name, own in self.of_row.items()}
        tables = {name: self.tables[name].take(at) for name, at in rows.items()}
        return Persons(tables, self.schema, {name: number[self.of_row[name][at]] for name, at in rows.items()})

    @cached_property
    def group(self) -> np.ndarray:
        """The group of every person: those of whom all trees are published alike, numbered from 0."""
        import duckdb

        plain = neutral(self.tables, self.schema)
        with duckdb.connect() as database:
            for name, incoming in plain.tables.items():
                database.register("incoming", incoming)
                database.execute(f'CREATE TABLE "{name}" AS SELECT * FROM incoming')
                database.unregister("incoming")
            sign(database, plain.schema)
            found: dict[str, Any] = database.execute(
                f'SELECT grp FROM "kind {plain.schema.person}" ORDER BY rid'
            ).fetchnumpy()
        return np.unique(np.asarray(found["grp"]), return_inverse=True)[1].reshape(-1)


def persons_of(tables: Mapping[str, pa.Table], schema: DatabaseSchema) -> Persons:
    """Many tables with whose every row is; raises where keys do not hold."""
    narrow, own = with_one_column_keys(schema.complete(), {name: tables[name] for name in schema})
    above = check_keys(narrow, Stored(tables=own, keys={}, kind="frames", name=""))
    of_row: dict[str, np.ndarray] = {}
    for name in narrow.in_order():
        parent = narrow[name].parent
        if parent is None:
            of_row[name] = np.arange(own[name].num_rows)
        else:
            of_row[name] = np.where(above[name] >= 0, of_row[parent][np.maximum(above[name], 0)], -1)
    return Persons(own, narrow, of_row)
