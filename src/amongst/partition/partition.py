"""Who shares a group."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from amongst import kernels
from amongst.brief import Brief


@dataclass(frozen=True, eq=False)
class Partition(Brief):
    """The groups of a coded table.

    Attributes
    ----------
    group_of_row : ndarray of int32, one a coded row
        The group of every row; -1 for a row that the method suppresses.
    lo, hi : ndarray of uint32, shape (n_groups, n_qi)
        The smallest and largest code of every group in every column. A code that matches anything is
        left out of it; where all rows of a group match anything, both are that code.
    level_of_column : ndarray of int, or None
        For full-domain methods the hierarchy level every column is published at.
    facts : dict
        What the method wants to tell: cuts made, nodes visited, and so on.
    nodes : {"hierarchy", "regions", "flat"}, or None
        ``lo`` and ``hi`` are the ends of a node, and that node is published whatever the column's kind: of the
        column's hierarchy, the lowest with these ends, or the highest for "regions" where it knows of parts that
        nobody is in; or "flat", the value itself where they are equal, else ``*``. A column without a hierarchy is
        flat; of one in order (numbers, dates) a range may be published.
    set_of_code : list of (ndarray of int, or None), or None
        For methods that recode a column's values by sets: the number of the set that every code of the column
        belongs to, -1 for none. A group publishes the set of its ``lo`` code, whatever the column's kind. None for
        a column that is published as the schema says.
    count : ndarray of uint32, or None
        How many rows every coded row stands for; None: one each.
    """

    group_of_row: np.ndarray
    lo: np.ndarray
    hi: np.ndarray
    level_of_column: np.ndarray | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    nodes: str | None = None
    set_of_code: list[np.ndarray | None] | None = None
    count: np.ndarray | None = None

    @property
    def publishes_nodes(self) -> bool:
        """Whether nodes of the hierarchies are published, not what the schema says for each column."""
        return self.nodes is not None or self.level_of_column is not None

    def sets_of(self, c: int) -> np.ndarray | None:
        """The set of every code of a column that is published by sets, else None."""
        return None if self.set_of_code is None else self.set_of_code[c]

    @property
    def n_groups(self) -> int:
        return int(self.lo.shape[0])

    @cached_property
    def size_of_group(self) -> np.ndarray:
        if self.count is not None:
            return self.rows_in_groups(slice(None))
        no_key = np.zeros(len(self.group_of_row), dtype=np.uint8)
        return kernels.count_pairs(self.group_of_row, no_key, self.n_groups, 1)[:, 0].astype(np.int64)

    def rows_in_groups(self, coded: Any) -> np.ndarray:
        """How many rows every group has of some coded rows, given by a mask or a slice."""
        group = self.group_of_row[coded]
        weight = None if self.count is None else self.count[coded][group >= 0]
        return np.bincount(group[group >= 0], weights=weight, minlength=self.n_groups).astype(np.int64)
