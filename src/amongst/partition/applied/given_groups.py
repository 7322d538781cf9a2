"""Groups that were found elsewhere, for rows in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.models import Model
from amongst.partition.method import Method
from amongst.partition.partition import Partition


@dataclass(frozen=True, eq=False)
class GivenGroups:
    """The group of every row, and what is told of how they were found."""

    group_of_row: np.ndarray
    words: str

    def __str__(self) -> str:
        return self.words


def given_groups(
    table: CodedTable,
    models: Sequence[Model],
    *,
    groups: GivenGroups | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Every group as wide as its rows.

    Guarantees
        None of its own: the release is verified like any other.
    """
    if groups is None or len(groups.group_of_row) != table.n_input:
        raise BadOption("Groups are needed.", found="no groups of these rows", fix="use am.Series, which finds them")
    own = groups.group_of_row.astype(np.int32)
    own = own if table.kept_rows is None else own[table.kept_rows]
    lo = np.full((int(own.max(initial=-1)) + 1, table.n_qi), np.iinfo(np.uint32).max, dtype=np.uint32)
    hi = np.zeros_like(lo)
    for c, column in enumerate(table.columns):
        np.minimum.at(lo[:, c], own, column.codes.astype(np.uint32))
        np.maximum.at(hi[:, c], own, column.codes.astype(np.uint32))
    return Partition(own, lo, hi)


METHOD = Method(
    name="given-groups",
    family="applied",
    group=given_groups,
    takes="models itself",
    recoding="local",
    keeps_all=True,
    words="Groups that were found elsewhere.",
    paper="",
    listed=False,
    seconds=1.0,
)
