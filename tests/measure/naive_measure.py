"""The measures once more, from the original table and the published one alone, a cell at a time.

Published rows are followed to their originals by a kept column that differs in every row.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import amongst as am
from flow_tables import LINK, Made
from published_cells import members

DAY = dt.timedelta(days=1)


class Naive:
    """The measures of one release."""

    def __init__(self, made: Made, release: am.Release) -> None:
        self.made, self.schema, self.k = made, release.schema, made.k
        self.out = {row[LINK]: row for row in release.table.to_pylist()}
        self.n_input = made.table.num_rows
        complete = [row for row in made.table.to_pylist() if not self._left_out(row)]
        self.cells = {name: [row[name] for row in complete] for name in self.schema.quasi}
        self.classes = Counter(tuple(str(row[name]) for name in self._shown()) for row in self.out.values())

    def _left_out(self, row: dict[str, Any]) -> bool:
        return any(row[name] is None and self.schema[name].nulls == "suppress" for name in self.schema.quasi)

    def _shown(self) -> list[str]:
        kept = [name for name in self.schema if self.schema[name].role != "quasi"]
        return [name for name in next(iter(self.out.values())) if name not in kept]

    def c_dm(self) -> int:
        gone = self.n_input - len(self.out)
        return sum(size * size for size in self.classes.values()) + gone * self.n_input

    def c_avg(self) -> float:
        return float(Fraction(len(self.out), len(self.classes)) / self.k)

    def uniques_before(self) -> int:
        rows = Counter(zip(*self.cells.values(), strict=True))
        return sum(1 for size in rows.values() if size == 1)

    def uniques_after(self) -> int:
        return sum(1 for size in self.classes.values() if size == 1)

    def ncp(self, name: str) -> float:
        return self._mean(name, self._penalty)

    def lm(self) -> float:
        return sum(self._mean(name, self._loss) for name in self.schema.quasi) / len(self.schema.quasi)

    def _mean(self, name: str, of: Any) -> float:
        gone = self.n_input - len(self.out)
        labels = Counter(row[name] for row in self.out.values())
        return float((sum(n * of(name, label) for label, n in labels.items()) + gone) / self.n_input)

    def _penalty(self, name: str, label: Any) -> Any:
        """NCP of one published label."""
        if label is None or self._is_value(name, label):
            return 0
        if label == "*":
            return 1
        column, values = self.schema[name], self._values(name)
        if column.publish == "set":
            return Fraction(len(members(label)), len(values))
        if column.publish == "ancestor" and column.kind == "categorical":
            return Fraction(self._below(name, label), len(self._tree(name).leaves) + (None in values))
        first, last = self._ends(name, label)
        width = self._width(name)
        return min(1, (last - first) / width) if width else 0

    def _loss(self, name: str, label: Any) -> Any:
        """LM: as NCP, but a category counts the others it could be."""
        penalty, column = self._penalty(name, label), self.schema[name]
        if column.publish == "set":
            n = len(self._values(name))
        elif column.publish == "ancestor" and column.kind == "categorical":
            n = len(self._tree(name).leaves) + (None in self._values(name))
        else:
            return penalty
        return max(penalty * n - 1, 0) / max(n - 1, 1)

    @cache  # noqa: B019
    def _values(self, name: str) -> set[Any]:
        """All that the column can say: its values, those of its order or tree, and a null of its own."""
        column, found = self.schema[name], set(self.cells[name])
        if column.nulls != "own value":
            found.discard(None)
        if column.order is not None:
            found |= set(column.order)
        if column.hierarchy is not None and column.kind == "categorical":
            found |= set(self._tree(name).leaves)
        return found

    def _is_value(self, name: str, label: str) -> bool:
        column = self.schema[name]
        if column.grid is not None:
            return False
        return label in {_text(value) for value in self._values(name) if value is not None}

    @cache  # noqa: B019
    def _tree(self, name: str) -> Any:
        column = self.schema[name]
        assert column.hierarchy is not None
        known = column.order or sorted({cell for cell in self.cells[name] if cell is not None})
        return column.hierarchy.tree(list(known), column.kind)

    def _below(self, name: str, label: str) -> int:
        tree = self._tree(name)
        return sum(any(tree.label(v, leaf) == label for v in range(tree.n_levels)) for leaf in range(tree.n_leaves))

    def _ends(self, name: str, label: str) -> tuple[Any, Any]:
        """The places of the first and the last value that the label stands for."""
        column = self.schema[name]
        if column.publish == "ancestor":
            tree = self._tree(name)
            inside = [
                value for leaf, value in enumerate(tree.leaves)
                if any(tree.label(v, leaf) == label for v in range(tree.n_levels))
            ]  # fmt: skip
            places = [self._place(name, value) for value in inside]
            return min(places), max(places)
        if not label.startswith("["):
            value = self._place(name, _read(label, self._a_value(name)))
            return value, value
        inner = label[1:-1]
        for at, sign in enumerate(inner):
            ends = [_unquoted(inner[:at].rstrip()), _unquoted(inner[at + 1 :].lstrip())]
            if sign == "-" and all(self._reads(name, end) for end in ends):
                first, last = (self._place(name, _read(end, self._a_value(name))) for end in ends)
                return first, last
        raise AssertionError(label)

    def _reads(self, name: str, end: str) -> bool:
        if self.schema[name].order is not None:
            return end in self.schema[name].order
        try:
            _read(end, self._a_value(name))
        except ValueError:
            return False
        return True

    def _a_value(self, name: str) -> Any:
        return next(cell for cell in self.cells[name] if cell is not None)

    def _place(self, name: str, value: Any) -> Any:
        column = self.schema[name]
        if column.order is not None:
            return Fraction(column.order.index(value))
        if isinstance(value, dt.datetime):
            return Fraction((value - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1))
        return Fraction(value.toordinal()) if isinstance(value, dt.date) else Fraction(value)

    def _width(self, name: str) -> Any:
        places = [self._place(name, cell) for cell in self.cells[name] if cell is not None]
        return max(places) - min(places)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value + 0.0) if isinstance(value, float) else str(value)


def _read(end: str, like: Any) -> Any:
    if isinstance(like, dt.date):
        return type(like).fromisoformat(end)
    return end if isinstance(like, str) else type(like)(end)


def _unquoted(end: str) -> str:
    """An end of a range that has a dash of its own is published in quotes."""
    return end[1:-1].replace('""', '"') if len(end) > 1 and end[0] == end[-1] == '"' else end
