"""Classes of rows that a view on the anonymized tables could not tell apart, and how sensitive values lie in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from amongst.kernels.cell_price import CellPrice
from amongst.kernels.relations import Grouped
from amongst.relations.content_order import content_numbers, pair_numbers
from amongst.relations.diversity import Diversity
from amongst.relations.forest import Forest


def bound_to_classes(forest: Forest, grouped: Grouped, asked: Sequence[Diversity]) -> Grouped:
    """The same groups with cells as they were and classes for nodes, without the groups that are not diverse so.

    Of a class only how many rows have a value is published, not whose they are, so persons are bounded by rows.
    """
    classes = classes_of_rows(forest, grouped)
    fails = np.zeros(len(grouped.group_of_person), dtype=bool)  # persons
    for t, name in enumerate(forest.names):
        for c, column in enumerate(forest.schema[name].schema.sensitive):
            for model in asked:
                if model.concerns(name, column):
                    kept = np.flatnonzero(classes[t] >= 0)
                    person, value = forest.person_of[t][kept], forest.tables[t].sensitive[kept, c]
                    short = _too_little(classes[t][kept], person, value, model)
                    fails[person[short]] = True
    groups = np.unique(grouped.group_of_person[fails])
    gone = np.isin(grouped.group_of_person, groups[groups >= 0])
    return Grouped(
        np.where(gone, np.int32(-1), grouped.group_of_person),
        [table.codes for table in forest.tables],
        [table.codes for table in forest.tables],
        [np.where(gone[forest.person_of[t]], np.int32(-1), own) for t, own in enumerate(classes)],
    )


def classes_of_rows(forest: Forest, grouped: Grouped) -> list[np.ndarray]:
    """For every table the class of every row, -1 for one that is left out.

    Rows are of one class where their persons are of one group, and they, what they hang on and what hangs on them would
    be published alike.
    """
    kept = [np.flatnonzero(node >= 0) for node in grouped.node_of_row]
    parents = [table.parent for table in forest.tables]
    up = [None if p < 0 else np.searchsorted(kept[p], forest.parent_rows(t)[kept[t]]) for t, p in enumerate(parents)]
    ranks = []
    for t, table in enumerate(forest.tables):
        own = [np.zeros(len(kept[t]), dtype=np.int64)]
        for c, price in enumerate(table.prices):
            own.append(_labels(price, grouped.lo[t][kept[t], c], grouped.hi[t][kept[t], c]))
        ranks.append(own)
    numbers = content_numbers(parents, up, ranks)
    found: list[np.ndarray] = []
    for t, parent in enumerate(parents):
        above = grouped.group_of_person[kept[0]].astype(np.int64) if parent < 0 else found[parent][up[t]]
        found.append(pair_numbers(above, numbers[t]))
    classes = []
    for t, table in enumerate(forest.tables):
        of_row = np.full(table.n_rows, -1, dtype=np.int32)
        of_row[kept[t]] = found[t]
        classes.append(of_row)
    return classes


def _labels(price: CellPrice, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    """A number for what a range of codes would publish."""
    if price.position is not None:
        assert price.label_lo is not None
        assert price.label_hi is not None
        nothing = (hi == price.own_null) & (lo != hi)
        first, last = price.label_lo[lo].astype(np.int64), price.label_hi[hi].astype(np.int64)
        return np.where(nothing, 0, (first << 31 | last) + 1)
    assert price.tree_start is not None
    assert price.tree_end is not None
    level = np.argmax(price.tree_start[:, lo] == price.tree_start[:, hi], axis=0)
    return price.tree_start[level, lo].astype(np.int64) << 31 | price.tree_end[level, lo]


def _too_little(class_of_row: np.ndarray, person: np.ndarray, value: np.ndarray, model: Diversity) -> np.ndarray:
    """Which rows are of a class that is not diverse enough, as the published counts tell it."""
    if not len(class_of_row):
        return np.zeros(0, dtype=bool)
    n = int(class_of_row.max()) + 1
    pair, times = np.unique(class_of_row.astype(np.int64) << 32 | value, return_counts=True)
    own = pair >> 32
    total = np.bincount(own, weights=times, minlength=n)
    most = np.zeros(n)
    np.maximum.at(most, own, times)
    if model.sense == "frequency":
        people = np.bincount(np.unique(class_of_row.astype(np.int64) << 32 | person) >> 32, minlength=n)
        whole = total if model.count == "rows" else np.minimum(total, people)
        short = most * model.l > whole
    elif model.sense == "distinct":
        short = np.bincount(own, minlength=n) < model.l
    elif model.sense == "entropy":
        share = times / total[own]
        entropy = np.bincount(own, weights=-share * np.log(share), minlength=n)
        short = entropy < np.log(model.l) - 1e-12
    else:
        order = np.lexsort((-times, own))
        place = np.arange(len(own)) - np.searchsorted(own[order], own[order]) + 1
        tail = np.bincount(own[order], weights=times[order] * (place >= model.l), minlength=n)
        short = model.c * tail <= most
    return short[class_of_row]
