"""The best full-domain generalization, for methods that promise never to lose more than it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.measure.at_levels import LevelLoss
from amongst.models import Model
from amongst.partition.ask import ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.full_domain_optimum import best_first, can_hold
from amongst.partition.lattice import Levels

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
    if not can_hold(asked.lattice):
        return None
    levels, _ = best_first(sets, asked, LevelLoss(sets, "gcp"), below=below - NEARLY)
    if levels is None:
        return None
    return BestLevels(levels, [maps[level] for maps, level in zip(sets.maps, levels, strict=True)])
