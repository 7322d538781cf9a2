"""Persons as trees in flat arrays: every table's rows in the order of their parents, values as codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.brief import Brief
from amongst.encode.coded import CodedColumn
from amongst.encode.encode import encode_column
from amongst.errors import Infeasible
from amongst.kernels.cell_price import FULL, CellPrice
from amongst.kernels.relations import TableRows
from amongst.recode.bounds import bounds
from amongst.relations.content_order import column_ranks, content_numbers, value_ranks
from amongst.relations.relation import DatabaseSchema, Key
from amongst.schema.column import Column

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.relations.stored import Stored


BEING_THERE = CellPrice(
    1, FULL, position=np.zeros(1, np.int32), label_lo=np.zeros(1, np.int32), label_hi=np.zeros(1, np.int32)
)
"""The one cell of a row without quasi-identifiers: nothing to generalize, all of it lost with the row."""


@dataclass(frozen=True, eq=False)
class Forest(Brief):
    """A database as the search knows it.

    Attributes
    ----------
    schema : DatabaseSchema
        Checked.
    names : list of str
        The tables, each after the one it refers to.
    tables : list of TableRows
        For the kernels.
    columns : list of list of CodedColumn
        The quasi-identifiers of every table.
    row_of : list of ndarray of int64
        The input row of every row here.
    person_of : list of ndarray of int64
        The person (a row of the first table) of every row.
    n_input : list of int
        How many rows every input table had.
    """

    schema: DatabaseSchema
    names: list[str]
    tables: list[TableRows]
    columns: list[list[CodedColumn]]
    row_of: list[np.ndarray]
    person_of: list[np.ndarray]
    n_input: list[int]

    @property
    def n_persons(self) -> int:
        return self.tables[0].n_rows

    def parent_rows(self, t: int) -> np.ndarray:
        """The row of the parent table that every row of a table belongs to."""
        first = self.tables[t].first
        assert first is not None
        return np.repeat(np.arange(len(first) - 1), np.diff(first))

    def of_persons(self, kept: np.ndarray) -> Forest:
        """These persons alone, with all that hangs on them, as if the others had never been there."""
        stays = [kept[person] for person in self.person_of]
        number = np.cumsum(kept) - 1
        tables = []
        for own, table in zip(stays, self.tables, strict=True):
            first = None
            if table.first is not None:
                n_children = np.diff(np.append(0, np.cumsum(own))[table.first])[stays[table.parent]]
                first = np.append(0, np.cumsum(n_children)).astype(np.int64)
            tables.append(replace(table, first=first, codes=table.codes[own], sensitive=table.sensitive[own]))
        return replace(
            self,
            tables=tables,
            columns=[
                [replace(one, codes=one.codes[own]) for one in columns]
                for own, columns in zip(stays, self.columns, strict=True)
            ],
            row_of=[rows[own] for own, rows in zip(stays, self.row_of, strict=True)],
            person_of=[number[person[own]] for own, person in zip(stays, self.person_of, strict=True)],
            n_input=[int(own.sum()) for own in stays],
        )


def build_forest(schema: DatabaseSchema, stored: Stored, parent_row_of: dict[str, np.ndarray], seed: int = 0) -> Forest:
    """Codes in the order in which the search sees them: by quasi-identifiers, equal ones at random, persons shuffled.

    Which of equal rows comes first decides which of them is left out, so sensitive and kept values have no say in
    it; nor has the order of the input where tables have keys, and so it cannot be read off a release.
    """
    names = schema.in_order()
    parents = [-1 if schema[name].parent is None else names.index(schema[name].parent or "") for name in names]
    kept = _kept_rows(schema, stored, names, parents, parent_row_of)
    if len(kept[0]) == 0:
        raise Infeasible(
            "Every person has a missing quasi-identifier, and the null rule suppresses them all.",
            found=f"{stored.tables[names[0]].num_rows} persons",
            fix='choose "own value" for the columns with many nulls',
        )
    up = [
        None if parent < 0 else _renumbered(parent_row_of[name][kept[t]], kept[parent])
        for t, (name, parent) in enumerate(zip(names, parents, strict=True))
    ]
    order = _order(schema, stored, names=names, parents=parents, up=up, kept=kept, seed=seed)
    place = [np.empty(len(one), dtype=np.int64) for one in order]
    for own, one in zip(place, order, strict=True):
        own[one] = np.arange(len(one))
    heaviest = max(column.weight for name in names for column in schema[name].schema.values() if column.role == "quasi")
    tables, columns, row_of = [], [], []
    person_of: list[np.ndarray] = []
    for t, name in enumerate(names):
        rows, first = kept[t][order[t]], None
        if t:
            parent_of = place[parents[t]][up[t][order[t]]]  # type: ignore[index]
            first = np.searchsorted(parent_of, np.arange(len(order[parents[t]]) + 1)).astype(np.int64)
            person_of.append(person_of[parents[t]][parent_of])
        else:
            person_of.append(np.arange(len(rows)))
        coded = [
            encode_column(stored.tables[name].column(c), c, schema[name].schema[c], rows)
            for c in schema[name].schema.quasi
        ]
        sensitive = [value_ranks(stored.tables[name].column(c).take(rows)) for c in schema[name].schema.sensitive]
        prices = [cell_price(one, schema[name].schema[one.name], one.weight / heaviest) for one in coded]
        codes = [one.codes for one in coded]
        if not coded:
            prices, codes = [BEING_THERE], [np.zeros(len(rows), dtype=np.int32)]
        tables.append(TableRows(parents[t], first, _matrix(codes, len(rows)), prices, _matrix(sensitive, len(rows))))
        columns.append(coded)
        row_of.append(rows)
    n_input = [stored.tables[name].num_rows for name in names]
    return Forest(
        schema=schema, names=names, tables=tables, columns=columns, row_of=row_of, person_of=person_of, n_input=n_input
    )


def _kept_rows(
    schema: DatabaseSchema, stored: Stored, names: list[str], parents: list[int], parent_row_of: dict[str, np.ndarray]
) -> list[np.ndarray]:
    """The rows that no null rule suppresses; what hangs on a suppressed row goes with it."""
    alive: list[np.ndarray] = []
    for t, name in enumerate(names):
        table, own = stored.tables[name], np.ones(stored.tables[name].num_rows, dtype=bool)
        for column in schema[name].schema.quasi:
            if schema[name].schema[column].nulls == "suppress" and table.num_rows:
                own &= table.column(column).is_valid().to_numpy()
        if t:
            own &= alive[parents[t]][parent_row_of[name]]
        alive.append(own)
    return [np.flatnonzero(own) for own in alive]


def _renumbered(rows: np.ndarray, kept: np.ndarray) -> np.ndarray:
    return np.searchsorted(kept, rows)


def _order(
    schema: DatabaseSchema,
    stored: Stored,
    names: list[str],
    parents: list[int],
    up: Sequence[np.ndarray | None],
    kept: list[np.ndarray],
    seed: int,
) -> list[np.ndarray]:
    """Persons shuffled, other rows by their parents and then by quasi-identifiers; equal ones as drawn."""
    ranks: list[list[np.ndarray]] = []
    for t, name in enumerate(names):
        table = stored.tables[name]
        own = [column_ranks(table.column(column).take(kept[t])) for column in schema[name].schema.quasi]
        ranks.append([np.zeros(len(kept[t]), dtype=np.int64), *own])
    numbers = content_numbers(parents, up, ranks)
    drawn = [_drawn(stored, name, schema[name].key, kept[t], seed, t) for t, name in enumerate(names)]
    persons = np.lexsort((drawn[0], numbers[0]))
    order = [persons[np.random.default_rng(seed).permutation(len(persons))]]
    for t in range(1, len(names)):
        before = order[parents[t]]
        place = np.empty(len(before), dtype=np.int64)
        place[before] = np.arange(len(before))
        order.append(np.lexsort((drawn[t], numbers[t], place[up[t]])))
    return order


def _drawn(stored: Stored, name: str, key: Key | None, kept: np.ndarray, seed: int, t: int) -> np.ndarray:
    """A number drawn for every kept row: by its key, so that the order of the rows has no say, else by its place.

    What a row holds has no say either: of equal rows some are left out, and those must not be the ones with large
    values. Nor have the keys of rows that a null rule took out.
    """
    drawn = np.random.default_rng([seed, t, 2]).permutation(len(kept))
    if not isinstance(key, str):
        return drawn
    order = np.argsort(column_ranks(stored.cells_in(name, key, kept)), kind="stable")
    by_key = np.empty(len(kept), dtype=np.int64)
    by_key[order] = drawn
    return by_key


def _matrix(columns: Sequence[np.ndarray], n_rows: int) -> np.ndarray:
    if not columns:
        return np.zeros((n_rows, 0), dtype=np.int32)
    return np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.int32)


def cell_price(column: CodedColumn, rule: Column, share: float) -> CellPrice:
    """The loss metric of a column; ``share`` is its weight over the largest."""
    full = max(1, round(share * FULL))
    n = max(column.n_codes, 1)
    if rule.publish == "ancestor" and column.tree is not None:
        start = np.ascontiguousarray(column.tree.start, dtype=np.int32)
        end = np.ascontiguousarray(column.tree.end, dtype=np.int32)
        if start.size:
            return CellPrice(n, full, tree_start=start, tree_end=end)
    where = _positions(column)
    position = np.zeros(n, dtype=np.int32)
    if column.span > 0:
        shares = np.clip((where - column.lowest) / column.span, 0, 1)
        position[: len(where)] = np.rint(shares * full)
    if column.own_null >= 0:
        position[column.own_null] = full
    label_lo, label_hi = _labels(column, rule, n)
    return CellPrice(n, full, position=position, own_null=column.own_null, label_lo=label_lo, label_hi=label_hi)


def _positions(column: CodedColumn) -> np.ndarray:
    return np.zeros(column.n_values) if column.position is None else column.position


def _labels(column: CodedColumn, rule: Column, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers for what is published as the lower and upper end of a range; on a grid several codes share one."""
    if rule.grid is None or column.n_values == 0:
        return np.arange(n, dtype=np.int32), np.arange(n, dtype=np.int32)
    codes = np.arange(n)
    return tuple(column_ranks(_chunked(ends)).astype(np.int32) for ends in bounds(column, codes, codes, rule.grid))  # type: ignore[return-value]


def _chunked(array: Any) -> pa.ChunkedArray:
    import pyarrow as pa

    return pa.chunked_array([array])
