"""The answer of a full-domain search: all generalizations that hold, not one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from amongst.brief import Brief
from amongst.partition.ask import Ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.lattice import Levels, as_tuples, minimal


@dataclass(frozen=True, eq=False)
class Generalizations(Brief):
    """Generalizations that satisfy the models.

    Attributes
    ----------
    nodes : ndarray of int, shape (n, n_columns)
        The level of every column, in order.
    complete : bool
        Whether these are all there are. Samarati's search and Datafly stop at the first.
    columns : list of str
    heights : tuple of int
        The highest level of every column that was looked at.
    n_searched : int
        Nodes whose frequency set was looked at.
    n_scans, n_rollups : int
        How the frequency sets came about: by counting the table's tuples, or by adding up another set.
    facts : dict
        What else the search has to tell, such as whether its answer is proved.

    Examples
    --------
    >>> import amongst as am
    >>> patients = am.datasets.load("patients")
    >>> found = am.generalizations(patients.table, patients.schema, [am.KAnonymity(2)])
    >>> found.complete, len(found) > 0
    (True, True)
    """

    nodes: np.ndarray
    complete: bool
    columns: list[str]
    heights: Levels
    n_searched: int
    ask: Ask = field(repr=False)
    sets: FrequencySets = field(repr=False)
    facts: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def n_scans(self) -> int:
        return self.sets.n_scans

    @property
    def n_rollups(self) -> int:
        return self.sets.n_rollups

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Any:
        return (tuple(map(int, node)) for node in self.nodes)

    def __contains__(self, node: Any) -> bool:
        return tuple(node) in set(self)

    def safe(self) -> np.ndarray:
        """The nodes as a boolean array of the lattice's shape."""
        grid = self.ask.lattice.nothing()
        grid[tuple(self.nodes.T)] = True
        return grid

    def minimal(self) -> list[Levels]:
        """Those that generalize no other one that holds."""
        if not self.complete:  # one node, or nodes of one height
            return list(self)
        return as_tuples(minimal(self.safe()))
