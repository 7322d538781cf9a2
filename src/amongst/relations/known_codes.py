"""What is published of tables of which only some codes are known: exact, as a node of a hierarchy, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.kernels.relations import Grouped
from amongst.relations.content_order import pair_numbers
from amongst.relations.forest import Forest
from amongst.relations.shared_codes import shared_codes

STEP = 3
"""Numbers without a hierarchy are published in ranges of 2^3, 2^6, ... values."""


@dataclass(frozen=True, eq=False)
class Codes:
    """The rows of all tables whose codes may be known, one after the other.

    Attributes
    ----------
    table, row, person : ndarray
        Where each row lies, and whose it is.
    item : ndarray, shape (n_levels, n_rows)
        A number for what the row publishes at each level: its quasi-identifiers, with those of the rows that it hangs
        on as far as these are known too.
    lo, hi : list of list of ndarray
        For every table of the forest and every level the codes that are published.
    """

    table: np.ndarray
    row: np.ndarray
    person: np.ndarray
    item: np.ndarray
    lo: dict[int, list[np.ndarray]]
    hi: dict[int, list[np.ndarray]]


def read_codes(forest: Forest, grouped: Grouped) -> Codes:
    """Codes of a forest whose trees are grouped already."""
    tables = [t for t, name in enumerate(forest.names) if forest.schema[name].known == "codes"]
    n_levels = max([_n_levels(column) for t in tables for column in forest.columns[t]], default=1)
    lo: dict[int, list[np.ndarray]] = {}
    hi: dict[int, list[np.ndarray]] = {}
    numbers: dict[int, np.ndarray] = {}
    for t in tables:
        ends = [[_node(column, forest.tables[t].codes[:, c], level) for c, column in enumerate(forest.columns[t])]
                for level in range(n_levels)]  # fmt: skip
        n_rows, n_columns = forest.tables[t].n_rows, len(forest.columns[t])
        shape = (n_rows, n_columns)
        lo[t] = [np.stack([a for a, _ in one], axis=1) if one else np.zeros(shape, np.int32) for one in ends]
        hi[t] = [np.stack([b for _, b in one], axis=1) if one else np.zeros(shape, np.int32) for one in ends]
        whole = np.tile(_above(forest, grouped, t, numbers), n_levels)
        for c in range(n_columns):
            for part in (lo[t], hi[t]):
                whole = pair_numbers(whole, np.concatenate([one[:, c] for one in part]).astype(np.int64))
        numbers[t] = whole.reshape(n_levels, n_rows)
    first, items = 0, []
    for t in tables:
        items.append(numbers[t] + first)
        first += int(numbers[t].max(initial=-1)) + 1
    sizes = [forest.tables[t].n_rows for t in tables]
    empty = np.zeros(0, dtype=np.int64)
    return Codes(
        table=np.repeat(np.array(tables, dtype=np.int64), sizes),
        row=np.concatenate([np.arange(size) for size in sizes]) if tables else empty,
        person=np.concatenate([forest.person_of[t] for t in tables]) if tables else empty,
        item=np.concatenate(items, axis=1) if tables else np.zeros((1, 0), dtype=np.int64),
        lo=lo,
        hi=hi,
    )


def _above(forest: Forest, grouped: Grouped, t: int, numbers: dict[int, np.ndarray]) -> np.ndarray:
    """What a row hangs on, as far as it is known: the node of a paired row, the exact code of one that is not."""
    at, rows = t, np.arange(forest.tables[t].n_rows)
    while (up := forest.tables[at].parent) > 0:
        rows, at = forest.parent_rows(at)[rows], up
        if forest.schema[forest.names[at]].in_trees:
            return grouped.node_of_row[at][rows].astype(np.int64) + 1
        if at in numbers:
            return pair_numbers(np.full(len(rows), at), numbers[at][0][rows]) + 1
    return np.zeros(len(rows), dtype=np.int64)


def _n_levels(column: CodedColumn) -> int:
    if column.tree is not None:
        return max(column.tree.n_levels, 2)
    return max(2, 1 + -(-max(column.n_codes - 1, 1).bit_length() // STEP))


def _node(column: CodedColumn, codes: np.ndarray, level: int) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last code below what is published at a level; the last level is everything."""
    if level == 0 or column.n_codes == 0:
        return codes, codes
    if level >= _n_levels(column) - 1:
        return np.zeros_like(codes), np.full_like(codes, column.n_codes - 1)
    missing = codes == column.own_null if column.own_null >= 0 else np.zeros(len(codes), dtype=bool)
    inner = np.minimum(codes, max(column.n_values - 1, 0))
    if column.tree is not None:
        lo, hi = column.tree.start[level][inner], column.tree.end[level][inner]
    else:
        lo = inner >> (STEP * level) << (STEP * level)
        hi = np.minimum(lo + (1 << (STEP * level)) - 1, column.n_values - 1)
    return np.where(missing, codes, lo).astype(np.int32), np.where(missing, codes, hi).astype(np.int32)


def place_codes(forest: Forest, grouped: Grouped, k: int, m: int) -> Grouped:
    """The grouping with what becomes of every row of tables that are not in trees.

    A row is published exact where that leaves every few codes to k persons of the group or to none; else, and only
    where nothing that is published finer suffers, as the node of a hierarchy next above; else not at all. What hangs on
    a row that is gone goes with it. Sensitive and kept values have no say. Where some
    persons alone are looked at, codes of others are gone.
    """
    codes = read_codes(forest, grouped)
    level = np.full(len(codes.row), -1, dtype=np.int64)
    group = grouped.group_of_person[codes.person]
    for rows in _by_group(group if grouped.looked_at is None else np.where(grouped.looked_at[codes.person], group, -1)):
        level[rows] = _levels(codes.person[rows], codes.item[:, rows], k, m)
    made = replace(
        grouped,
        lo=[one.copy() for one in grouped.lo],
        hi=[one.copy() for one in grouped.hi],
        node_of_row=[one.copy() for one in grouped.node_of_row],
    )
    while True:
        gone = _keep(forest, made, codes, level)
        again = np.flatnonzero(gone & (level >= 0))
        level[again] = -1
        for rows in _by_group(np.where(level >= 0, group, -1)):
            has, people, items = _cells(codes.person[rows], codes.item[level[rows], rows])
            stays = shared_codes(has, np.zeros_like(has), k, m)
            level[rows[~stays[people, items]]] = -1
            again = np.append(again, rows[~stays[people, items]])
        if not len(again):
            return made


def _by_group(group_of_row: np.ndarray) -> list[np.ndarray]:
    """The rows of every group, those of nobody aside."""
    order = np.argsort(group_of_row, kind="stable")
    inside = order[np.searchsorted(group_of_row[order], 0) :]
    cuts = np.flatnonzero(np.diff(group_of_row[inside])) + 1
    return np.split(inside, cuts) if len(inside) else []


def _cells(person: np.ndarray, item: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Who has what, as a matrix, with the place of every row in it."""
    n_people, people = _dense(person)
    n_items, items = _dense(item)
    has = np.zeros((n_people, n_items), dtype=bool)
    has[people, items] = True
    return has, people, items


def _dense(numbers: np.ndarray) -> tuple[int, np.ndarray]:
    distinct, place = np.unique(numbers, return_inverse=True)
    return len(distinct), place.reshape(-1)


def _levels(person: np.ndarray, item: np.ndarray, k: int, m: int) -> np.ndarray:
    """The level at which each row of one group is published, the finest that can be; -1 for none."""
    level = np.full(len(person), -1, dtype=np.int64)
    for at in range(len(item)):
        now = np.where(level >= 0, item[level, np.arange(len(person))], item[at])
        has, people, items = _cells(person, now)
        fixed = np.zeros_like(has)
        fixed[people[level >= 0], items[level >= 0]] = True
        stays = shared_codes(has, fixed, k, m)
        level[(level < 0) & stays[people, items]] = at
        if (level >= 0).all():
            break
    return level


def _keep(forest: Forest, made: Grouped, codes: Codes, level: np.ndarray) -> np.ndarray:
    """Write what is published of rows that are not in trees; which coded rows hang on something that is gone."""
    alive: list[np.ndarray] = []
    lost = np.zeros(len(level), dtype=bool)
    for t, name in enumerate(forest.names):
        relation = forest.schema[name]
        if relation.in_trees:
            alive.append(made.node_of_row[t] >= 0)
            continue
        own = alive[forest.tables[t].parent][forest.parent_rows(t)]
        if relation.known == "codes":
            here = codes.table == t
            lost[here] = ~own[codes.row[here]]
            own = own.copy()
            own[codes.row[here]] &= level[here] >= 0
            for at, (lo, hi) in enumerate(zip(codes.lo[t], codes.hi[t], strict=True)):
                rows = codes.row[here][level[here] == at]
                n_columns = lo.shape[1]
                made.lo[t][rows, :n_columns], made.hi[t][rows, :n_columns] = lo[rows], hi[rows]
        elif relation.known == "presence":
            own = own & _shared_presence(forest, made, t, own)
        made.node_of_row[t][:] = np.where(own, 0, -1)
        alive.append(own)
    return lost


def _shared_presence(forest: Forest, made: Grouped, t: int, alive: np.ndarray) -> np.ndarray:
    """Whether all persons of the row's group have rows here."""
    has = np.zeros(forest.n_persons, dtype=bool)
    has[forest.person_of[t][alive]] = True
    groups = made.group_of_person
    kept = groups >= 0
    lacking = np.zeros(int(groups.max(initial=-1)) + 2, dtype=bool)
    lacking[groups[kept & ~has]] = True
    return ~lacking[groups[forest.person_of[t]]]
