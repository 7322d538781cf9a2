"""From the answer of a full-domain search to what a drawing of its lattice shows."""

from __future__ import annotations

import numpy as np

from amongst.measure.at_levels import LevelLoss
from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.border import border, by_height
from amongst.partition.full_domain.bottom_up_search import bottom_up_search
from amongst.partition.full_domain.generalizations import Generalizations
from amongst.partition.lattice import Levels
from amongst.report.lattice_view import LatticeView
from amongst.schema.level_words import level_words
from amongst.schema.schema import Schema

MOST_WHOLE = 400
"""A lattice with more nodes is not drawn node by node."""
MOST_WIDE = 90
"""Nor is one where a height with what fails and a height with what holds have more together."""
MOST_BORDER = 120
"""Of more minimal nodes those with the least loss are drawn."""


def view_lattice(found: Generalizations, schema: Schema, chosen: Levels | None = None) -> LatticeView:
    """All nodes of a small lattice, or the border of a large one, each counted.

    ``found`` must be complete: what it does not hold must be known to fail.
    """
    safe = found.safe()
    lowest, highest = border(safe)
    held, failed = by_height(safe), by_height(~safe)
    whole = safe.size <= MOST_WHOLE and held.max() + failed.max() <= MOST_WIDE
    nodes = np.argwhere(np.ones_like(safe)) if whole else _border(found, lowest, highest, chosen)
    place = tuple(nodes.T)
    is_chosen = (nodes == np.array(chosen)).all(axis=1) if chosen is not None else np.zeros(len(nodes), bool)
    suppressed, gcp = _count(found, nodes, safe[place])
    return LatticeView(
        columns=tuple(found.columns),
        level_words=tuple(_words(found, schema)),
        k=found.ask.k,
        n_rows=found.sets.n_rows,
        most_suppressed=found.ask.allowed,
        safe_by_height=held,
        unsafe_by_height=failed,
        n_minimal=int(lowest.sum()),
        levels=nodes,
        safe=safe[place],
        minimal=lowest[place],
        chosen=int(np.argmax(is_chosen)) if is_chosen.any() else -1,
        suppressed=suppressed,
        gcp=gcp,
    )


def decide_all(sets: FrequencySets, asked: Ask) -> Generalizations:
    """Every node of a small lattice that holds, however it was searched before."""
    safe, n_searched = bottom_up_search(sets, asked)
    names = [column.name for column in sets.table.columns]
    return Generalizations(
        nodes=np.argwhere(safe),
        complete=True,
        columns=names,
        heights=asked.lattice.heights,
        n_searched=n_searched,
        ask=asked,
        sets=sets,
    )


def _border(found: Generalizations, lowest: np.ndarray, highest: np.ndarray, chosen: Levels | None) -> np.ndarray:
    """The minimal nodes with the least loss, the failing ones right below them, and the chosen one."""
    inside = np.argwhere(lowest)
    by_loss = np.argsort(LevelLoss(found.sets, "gcp").bounds(inside), kind="stable")
    inside = inside[by_loss[:MOST_BORDER]]
    steps = np.eye(lowest.ndim, dtype=np.int64)
    below = np.concatenate([inside[inside[:, c] > 0] - step for c, step in enumerate(steps)])
    outside = below[highest[tuple(below.T)]]
    others = np.zeros((0, lowest.ndim), dtype=np.int64) if chosen is None else np.array([chosen])
    return np.unique(np.concatenate([inside, outside, others]), axis=0)


def _count(found: Generalizations, nodes: np.ndarray, safe: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows in classes of fewer than k, and GCP, of every node."""
    losses = LevelLoss(found.sets, "gcp")
    suppressed, gcp = np.zeros(len(nodes), dtype=np.int64), losses.bounds(nodes)
    columns, k = tuple(range(nodes.shape[1])), found.ask.k
    for i, node in enumerate(nodes.tolist()):
        if safe[i] and found.ask.most_suppressed == 0:
            continue
        counted = found.sets.scan(columns, tuple(node))
        suppressed[i] = counted.rows_below(k)
        if safe[i]:
            gcp[i] = losses.of(counted, k)
    return suppressed, gcp


def _words(found: Generalizations, schema: Schema) -> list[tuple[str, ...]]:
    words = []
    for column, maps in zip(found.sets.table.columns, found.sets.maps, strict=True):
        n_nodes = [int(level.max(initial=0)) + 1 for level in maps]
        apart = column.tree is not None and column.null_code is not None
        words.append(tuple(level_words(schema[column.name].hierarchy, n_nodes, null_apart=apart)))
    return words
