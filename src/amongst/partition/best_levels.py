"""The best full-domain generalization, for methods that promise never to lose more than it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.measure.at_levels import LevelLoss
from amongst.models import Model
from amongst.partition.ask import MOST_COLUMNS, MOST_NODES, ask
from amongst.partition.choose import choose_node
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.generalizations import Generalizations
from amongst.partition.incognito import incognito
from amongst.partition.lattice import Levels

FEW = 256
"""So few nodes are simply looked at one by one."""
NEARLY = 1e-12


@dataclass(frozen=True, eq=False)
class BestLevels:
    """A full-domain generalization.

    Attributes
    ----------
    levels : tuple of int
    number_of_code : list of ndarray
        For every column the number of the node at its level that each code belongs to.
    """

    levels: Levels
    number_of_code: list[np.ndarray]


def best_levels(table: CodedTable, models: Sequence[Model], suppression: float, below: float) -> BestLevels | None:
    """The full-domain generalization with the least weighted GCP; None where none loses less than ``below``.

    None also where the lattice is too large to be enumerated.
    """
    sets = FrequencySets(table)
    asked = ask(table, sets, models, suppression, None, enumerate_all=False)
    if asked.lattice.n_nodes > MOST_NODES or asked.lattice.n_columns > MOST_COLUMNS:
        return None
    losses = LevelLoss(sets, "gcp")
    nodes = np.argwhere(asked.lattice.everything())
    nodes = nodes[losses.bounds(nodes) < below - NEARLY]
    if len(nodes) > FEW:
        safe, _ = incognito(sets, asked)
        holding = nodes[safe[tuple(nodes.T)]]
    else:
        every = tuple(range(asked.lattice.n_columns))
        holds = [asked.holds(sets.scan(every, tuple(map(int, node)))) for node in nodes]
        holding = nodes[np.array(holds, dtype=bool)]
    if len(holding) == 0:
        return None
    names = [column.name for column in table.columns]
    found = Generalizations(holding, False, names, asked.lattice.heights, len(nodes), asked, sets)
    levels = choose_node(found, "gcp")
    return BestLevels(levels, [maps[level] for maps, level in zip(sets.maps, levels, strict=True)])
