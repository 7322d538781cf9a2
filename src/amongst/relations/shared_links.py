"""References besides those to parents, as far as they do not tell persons of a group apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst.kernels.relations import Grouped
from amongst.relations.forest import Forest
from amongst.relations.known_places import kinds


def shared_links(
    forest: Forest, grouped: Grouped, name: str, column: str, input_rows: np.ndarray, without: np.ndarray
) -> np.ndarray:
    """For every row of a table the row (both of the forest) that a reference still leads to, -1 for none.

    A reference stays where all persons of the group have it: from the rows of one node to the rows of one node, of
    their own person each. One that leads to another person's row, to a row that is left out, or for some of the group
    to another place than for the others, goes for all of them. Of tables that are not both in trees it stays where
    nothing is known of one of them; else it would say which of the known codes belong together. The groups ``without``
    have none between tables in trees.
    """
    t = forest.names.index(name)
    u = forest.names.index(next(k.table for k in forest.schema[name].links if k.columns == (column,)))
    place = np.full(forest.n_input[u] + 1, -1, dtype=np.int64)  # the last one is what -1 means
    place[forest.row_of[u]] = np.arange(len(forest.row_of[u]))
    target = place[input_rows[forest.row_of[t]]]
    there = np.maximum(target, 0)
    own, node = forest.person_of[t], grouped.node_of_row[t]
    if forest.tables[u].n_rows == 0:
        return np.full(len(target), -1, dtype=np.int64)
    same = (target >= 0) & (forest.person_of[u][there] == own)
    own_table, other = forest.schema[name], forest.schema[forest.names[u]]
    if not (own_table.in_trees and other.in_trees):
        free = u == 0 or "nothing" in (own_table.known, other.known)
        kept_both = same & (node >= 0) & (grouped.node_of_row[u][there] >= 0)
        return np.where(kept_both & free, target, -1)
    to = np.where(same, grouped.node_of_row[u][there], -1).astype(np.int64)
    kept = np.flatnonzero(node >= 0)
    pair = grouped.group_of_person[own[kept]].astype(np.int64) << 32 | node[kept]
    _, number = np.unique(pair, return_inverse=True)
    number = number.reshape(-1)
    least = np.full(int(number.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    most = np.full(len(least), -1, dtype=np.int64)
    np.minimum.at(least, number, to[kept])
    np.maximum.at(most, number, to[kept])
    alike = (least == most) & (least >= 0)
    shared = np.full(len(target), -1, dtype=np.int64)
    stays = kept[alike[number] & ~without[grouped.group_of_person[own[kept]]]]
    shared[stays] = target[stays]
    return shared


def groups_with_alike_rows(
    forest: Forest, grouped: Grouped, said: Callable[[int, np.ndarray], Sequence[np.ndarray]]
) -> np.ndarray:
    """For every group whether a person of it has rows of one table that look alike, and references would tell apart.

    Sensitive values are spread among rows that look alike. Who knows which of them is referred to looks at fewer.
    """
    kind = kinds(forest, grouped, said)
    found = np.zeros(int(grouped.group_of_person.max(initial=-1)) + 1, dtype=bool)
    for t, name in enumerate(forest.names):
        rows = np.flatnonzero(grouped.node_of_row[t] >= 0)
        if not forest.schema[name].in_trees or not len(rows):
            continue
        person = forest.person_of[t][rows]
        order = np.lexsort((kind[t][rows], person))
        who, what = person[order], kind[t][rows][order]
        twice = (np.diff(who) == 0) & (np.diff(what) == 0)
        found[grouped.group_of_person[who[1:][twice]]] = True
    return found
