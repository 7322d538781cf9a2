"""What an intruder can tell rows apart by: the published tree around a row, and the code it has or hangs on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from amongst.kernels.relations import Grouped
from amongst.relations.content_order import content_numbers, pair_numbers
from amongst.relations.forest import Forest


@dataclass(frozen=True, eq=False)
class Places:
    """For every table a number for each of its rows, -1 for rows that are not published.

    Attributes
    ----------
    kind : list of ndarray
        Equal for rows whose groups are one and whose trees look alike; of a row outside trees that of the paired row
        that it hangs on.
    code : list of ndarray
        The published code of the row, or of the row that it hangs on; -1 for none.
    person, item : ndarray
        Who has which code.
    """

    kind: list[np.ndarray]
    code: list[np.ndarray]
    person: np.ndarray
    item: np.ndarray


def places(forest: Forest, made: Grouped) -> Places:
    """The same as a reader of the published tables would number them, group by group."""
    kind = kinds(forest, made, lambda t, rows: _ranges(forest, made, t, rows))
    code = [np.full(table.n_rows, -1, dtype=np.int64) for table in forest.tables]
    people, items, n_items = [], [], 0
    for t, name in enumerate(forest.names):
        relation = forest.schema[name]
        if relation.in_trees:
            continue
        rows = np.flatnonzero(made.node_of_row[t] >= 0)
        above = forest.parent_rows(t)[rows]
        kind[t][rows] = kind[forest.tables[t].parent][above]
        code[t][rows] = code[forest.tables[t].parent][above]
        if relation.known != "codes":
            continue
        own = pair_numbers(kind[t][rows], code[t][rows] + 1)
        for c in range(len(forest.columns[t])):
            for part in (made.lo[t], made.hi[t]):
                own = pair_numbers(own, part[rows, c].astype(np.int64))
        code[t][rows] = own + n_items
        n_items += int(own.max(initial=-1)) + 1
        people.append(forest.person_of[t][rows])
        items.append(code[t][rows])
    empty = np.zeros(0, dtype=np.int64)
    person = np.concatenate(people) if people else empty
    return Places(kind, code, person, np.concatenate(items) if items else empty)


def _ranges(forest: Forest, made: Grouped, t: int, rows: np.ndarray) -> list[np.ndarray]:
    columns = range(len(forest.columns[t]))
    return [part[t][rows, c].astype(np.int64) for c in columns for part in (made.lo, made.hi)]


def kinds(forest: Forest, made: Grouped, said: Callable[[int, np.ndarray], Sequence[np.ndarray]]) -> list[np.ndarray]:
    """Rows in trees by what is ``said`` above, at and below them, each group for itself."""
    kind = [np.full(table.n_rows, -1, dtype=np.int64) for table in forest.tables]
    inside = [t for t, name in enumerate(forest.names) if forest.schema[name].in_trees]
    at = {t: i for i, t in enumerate(inside)}
    kept = [np.flatnonzero(made.node_of_row[t] >= 0) for t in inside]
    up: list[np.ndarray | None] = []
    ranks = []
    for i, t in enumerate(inside):
        parent = forest.tables[t].parent
        rows = None if parent < 0 else forest.parent_rows(t)[kept[i]]
        up.append(None if rows is None else np.searchsorted(kept[at[parent]], rows))
        ranks.append([np.zeros(len(kept[i]), dtype=np.int64), *said(t, kept[i])])
    parents = [-1 if forest.tables[t].parent < 0 else at[forest.tables[t].parent] for t in inside]
    signed = content_numbers(parents, up, ranks)
    for i, t in enumerate(inside):
        if up[i] is None:
            above = made.group_of_person[kept[i]].astype(np.int64)
        else:
            above = kind[forest.tables[t].parent][forest.parent_rows(t)[kept[i]]]
        kind[t][kept[i]] = pair_numbers(above, signed[i])
    return kind
