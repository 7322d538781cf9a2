"""An intruder who compares every person with every published record, one by one, by a reading of labels of its own."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa

import amongst as am
from published_cells import holds


class NaiveIntruder:
    """Looks for people of a table in the rows of a release."""

    def __init__(self, published: pa.Table, schema: am.Schema, original: pa.Table) -> None:
        self.rows, self.schema = published.to_pylist(), schema
        self.cells = {name: original.column(name).to_pylist() for name in schema.quasi}

    def candidates(self, person: dict[str, Any]) -> list[dict[str, Any]]:
        return [row for row in self.rows if all(self._fits(row, name, person[name]) for name in self.schema.quasi)]

    def _fits(self, row: dict[str, Any], name: str, cell: Any) -> bool:
        rule = self.schema[name]
        if row.get(name, "") is None and rule.nulls == "match anything":
            return True
        return holds(row, name, rule, cell, self.cells[name])

    def values(self, person: dict[str, Any], column: str) -> Counter[Any]:
        return Counter(row[column] for row in self.candidates(person))
