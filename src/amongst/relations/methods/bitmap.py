"""Bitmap anonymization: one row of bits a person, the baseline of the paper's experiments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from amongst.choices import OURS
from amongst.errors import BadOption
from amongst.kernels.relations import Grouped, cluster_bits
from amongst.partition.method import Method
from amongst.partition.papers import MANY_TABLES
from amongst.relations.content_order import pair_numbers
from amongst.relations.diversity import database_models
from amongst.relations.forest import Forest
from amongst.relations.grouping import explained, refuse_empty, refuse_infeasible, rules_from

MOST_BYTES = 1 << 31


def bitmap(
    forest: Forest,
    models: Sequence[Any],
    *,
    complete: bool = False,
    threshold: float = 0.0,
    cluster_limit: int = 150,
    leftovers: str = "suppress",
    rules: str = OURS,
    progress: Callable[[int, int], object] | None = None,
) -> Grouped:
    """A bit for everything that somebody has: a course, a book for a course. What not all of a group have is gone.

    Paper
        Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, section 3.3; the baseline of section 6.
    Guarantees
        As ``miracle``: rows are published only where all of the group have the like.
    Choices
        Incomplete data: not having something tells nothing, and costs nothing. ``complete=True``: it tells as much as
        having it. Somebody who has a thing twice has a bit for the second time as well.
    Departures
        The clusters are those of ``miracle`` over rows of bits; with ``rules="paper"`` those of algorithm 2 as printed,
        full with more than k persons: on 1,000 made-up students with k = 10 LM is 0.703 so and 0.685 as ours, DM 15,886
        and 14,094. Published are tables, not bits.
    """
    k, asked = database_models(models)
    if asked:
        raise BadOption("Bitmaps know no diversity.", found="a model of diversity", fix="use miracle or d-miracle")
    if not isinstance(complete, bool):
        raise BadOption("complete is true or false.", found=f"complete = {complete!r}", fix="use true or false")
    refuse_infeasible(forest, k, asked)
    plain: dict[str, Any] = {"pairing": "greedy", "distance": "pair", "diversity": "merge", "penalty": 0.0}
    plain |= {"upper_only": False, "rules": rules}
    followed = rules_from(k, threshold=threshold, cluster_limit=cluster_limit, leftovers=leftovers, **plain)
    items = items_of_rows(forest)
    bits, n_bits = bits_of_persons(forest, items)
    groups = cluster_bits(bits, followed, n_columns=n_bits, complete=complete, tick=progress)
    return refuse_empty(keep_common(forest, items, groups))


def items_of_rows(forest: Forest) -> list[np.ndarray]:
    """A number for every row of every table: what it is, below what, and for the how manyth time."""
    items: list[np.ndarray] = []
    for t, table in enumerate(forest.tables):
        item = np.zeros(table.n_rows, dtype=np.int64)
        if t == 0:
            items.append(item)
            continue
        item = items[table.parent][forest.parent_rows(t)]
        for c in range(table.codes.shape[1]):
            item = pair_numbers(item, table.codes[:, c].astype(np.int64))
        items.append(pair_numbers(item, _times(forest.person_of[t], item)))
    return items


def _times(person: np.ndarray, item: np.ndarray) -> np.ndarray:
    """0 for a person's first row of an item, 1 for the second, and so on."""
    order = np.lexsort((item, person))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (person[order][1:] != person[order][:-1]) | (item[order][1:] != item[order][:-1])
    starts = np.flatnonzero(new)
    place = np.arange(len(order)) - starts[np.cumsum(new) - 1] if len(order) else np.zeros(0, dtype=np.int64)
    times = np.empty(len(order), dtype=np.int64)
    times[order] = place
    return times


def bits_of_persons(forest: Forest, items: list[np.ndarray]) -> tuple[np.ndarray, int]:
    """A row of bits for every person, and how many bits there are: the person's own values, then the items."""
    persons, numbers, n_bits = [], [], 0
    for c, price in enumerate(forest.tables[0].prices):
        persons.append(np.arange(forest.n_persons))
        numbers.append(forest.tables[0].codes[:, c].astype(np.int64) + n_bits)
        n_bits += price.n
    for t in range(1, len(items)):
        persons.append(forest.person_of[t])
        numbers.append(items[t] + n_bits)
        n_bits += int(items[t].max(initial=-1)) + 1
    n_words = (n_bits + 63) // 64
    if n_words * forest.n_persons * 8 > MOST_BYTES:
        raise BadOption(
            "The bitmap would be too large.",
            found=f"{forest.n_persons:,} persons and {n_bits:,} bits for each",
            fix="use miracle or miracle-x, which need no bitmap",
        )
    bits = np.zeros((forest.n_persons, n_words), dtype=np.uint64)
    for person, number in zip(persons, numbers, strict=True):
        np.bitwise_or.at(bits, (person, number // 64), np.uint64(1) << (number % 64).astype(np.uint64))
    return bits, n_bits


def keep_common(forest: Forest, items: list[np.ndarray], groups: np.ndarray) -> Grouped:
    """Rows that everybody in the group has the like of; persons' own values where all agree."""
    made = Grouped(
        groups,
        [table.codes.copy() for table in forest.tables],
        [table.codes.copy() for table in forest.tables],
        [np.full(table.n_rows, -1, dtype=np.int32) for table in forest.tables],
    )
    kept = groups >= 0
    made.node_of_row[0][kept] = 0
    sizes = np.bincount(groups[kept])
    for c, price in enumerate(forest.tables[0].prices):
        lowest, highest = np.full(len(sizes), price.n), np.full(len(sizes), -1)
        codes = forest.tables[0].codes[kept, c]
        np.minimum.at(lowest, groups[kept], codes)
        np.maximum.at(highest, groups[kept], codes)
        differ = kept & (lowest != highest)[np.maximum(groups, 0)]
        made.lo[0][differ, c], made.hi[0][differ, c] = 0, price.n - 1
    for t in range(1, len(items)):
        group = groups[forest.person_of[t]]
        rows = np.flatnonzero(group >= 0)
        pair = group[rows].astype(np.int64) * (int(items[t].max(initial=0)) + 1) + items[t][rows]
        _, inverse, count = np.unique(pair, return_inverse=True, return_counts=True)
        common = count[inverse.reshape(-1)] == sizes[group[rows]]
        made.node_of_row[t][rows[common]] = items[t][rows[common]]
    return made


METHOD = Method(
    name="bitmap",
    family="database",
    place=40,
    group=bitmap,
    takes="models itself",
    recoding="none",
    words="A bit for everything somebody has; what not all of a group have is gone.",
    paper=MANY_TABLES,
    publishes="many tables",
    explained=explained(bitmap),
)
