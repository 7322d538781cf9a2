"""l-diversity in one dimension: neighbours on a line with different sensitive values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from amongst import kernels
from amongst.encode import CodedTable, FrequencySet
from amongst.kernels.diverse import DiverseLine, join_runs
from amongst.kernels.diverse import diverse_runs as runs_of_line
from amongst.kernels.price import Prices
from amongst.models import Model, smallest_group
from amongst.partition.conditions import columns_of
from amongst.partition.feasible import feasible_conditions
from amongst.partition.partition import Partition


@dataclass(frozen=True, eq=False)
class Diversity:
    """Groups of at least k rows in which no value has more than 1 in l."""

    l: int  # noqa: E741
    k: int
    codes: np.ndarray
    n_values: int


def diversity_asked(table: CodedTable, models: Sequence[Model]) -> Diversity | None:
    """What is asked where it is no more than k and the frequency of the values of one column, else None.

    Raises Infeasible where a value has more rows than any grouping can hide.
    """
    others = [model for model in models if model.counts != "rows"]
    shares = [model.largest_share for model in others if model.largest_share is not None]
    if table.unit is not None or not others or len(shares) < len(others):
        return None
    names = {name for model in others for name in columns_of(model, table)}
    if len(names) != 1:
        return None
    column = table.sensitive[names.pop()]
    l = ceil(1 / min(shares) - 1e-9)  # noqa: E741
    if l == 1:
        return None
    if np.bincount(column.codes).max() * l > table.n_rows or any(own.wildcard >= 0 for own in table.columns):
        feasible_conditions(table, models)  # raises, or l lies between two numbers: a group must have a value twice
        return None
    return Diversity(l, smallest_group(models), column.codes, column.n_codes)


def diverse_runs(
    tuples: FrequencySet,
    tuple_at: np.ndarray,
    asked: Diversity,
    *,
    prices: Prices,
    position: np.ndarray | None = None,
    printed: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Groups of at least l rows with different sensitive values, near to each other on a line.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007:
        the heuristic of section 4.2 (figure 8), with the optimization of figure 9.
    Guarantees
        Wherever no value has more than 1/l of the table there is a solution, and this finds one. No group has
        a value twice, so every group holds l-diversity; where k is above l, groups that follow each other are
        joined until they have k rows, in the way that loses least, and no value has more than 1/l of them.
    Choices
        The next row of every value is on the frontier, and its l lowest rows make a group, as long as what is
        left stays eligible. With figure 9, the lowest row left joins the group, again and again: with
        ``position`` as in the paper, where it lies nearer to the first row of the group than to the last of
        those it would be grouped with; without it, where that lowers the NCP a row of the group and the l rows
        after it. Rows of one tuple are in the order of how many of their value are left in it, the most first,
        then of their value: one value alone is left over less often.
    Departures
        Where no number of lowest rows will do, the paper goes back to the l most frequent values. Here the group
        gets the values that must be in it, those with as many rows as there can still be groups, and then
        the lowest rows: on Census-like data with l = 11 this loses 0.25 and not 0.42. The greedy step stops at
        the number of rows beyond which it cannot succeed, fewer than 2l. Figure 9 is tried again after it
        succeeded. With ``printed`` none of this: the fall-back of figure 8, figure 9 once a group and by
        ``position``, rows of one tuple in the order of their values.
    Cost
        O(l + log m) a row for m values, after the line was sorted; O(m) memory beside the line and the groups.

    Parameters
    ----------
    tuple_at : ndarray of uint32
        The tuples in their order on the line.
    position : ndarray of int64, or None
        The place of every tuple on the line, in the order of ``tuple_at``, where extents are compared.
    """
    row_at, tuple_of_place = line_up(tuples, tuple_at, asked, printed)
    place, first = kernels.order_by_class(kernels.gather(asked.codes, row_at).astype(np.int32), asked.n_values)
    line = DiverseLine(
        codes=[kernels.gather(column, tuple_at) for column in tuples.codes],
        tuple_at=tuple_of_place,
        place=place,
        first=first,
        prices=prices,
        position=position,
        as_printed=printed,
    )
    group_at, lo, hi = runs_of_line(line, asked.l, progress)
    if asked.k > asked.l:
        group_at, lo, hi = joined(group_at, lo, hi, prices, asked.k)
    group = np.empty(len(group_at), dtype=np.int32)
    group[row_at] = group_at
    return Partition(group, lo, hi, facts={"tuples": tuples.n_tuples})


def joined(
    group_at: np.ndarray, lo: np.ndarray, hi: np.ndarray, prices: Prices, k: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Groups that follow each other joined: what holds for the parts holds for the whole."""
    run = join_runs(lo, hi, np.bincount(group_at, minlength=len(lo)), prices, k)
    begins = np.flatnonzero(np.diff(run, prepend=-1))
    return kernels.look_up(group_at, run), np.minimum.reduceat(lo, begins), np.maximum.reduceat(hi, begins)


def line_up(
    tuples: FrequencySet, tuple_at: np.ndarray, asked: Diversity, by_value_only: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The row at every place of the line, and the tuple there, counted along the line."""
    place_of_tuple = np.empty(len(tuple_at), dtype=np.int32)
    place_of_tuple[tuple_at] = np.arange(len(tuple_at), dtype=np.int32)
    place_of_row = kernels.look_up(tuples.tuple_of_row, place_of_tuple)
    by_value, _ = kernels.order_by_class(asked.codes.astype(np.int32), asked.n_values)
    row_at, at_place = _sorted_by(place_of_row, by_value, len(tuple_at))
    if by_value_only:
        return row_at, at_place
    left = _left_in_run(at_place, kernels.gather(asked.codes, row_at))
    by_left, _ = kernels.order_by_class(left.max() - left, int(left.max()))
    return _sorted_by(place_of_row, kernels.gather(row_at, by_left), len(tuple_at))


def _sorted_by(place_of_row: np.ndarray, row_at: np.ndarray, n_places: int) -> tuple[np.ndarray, np.ndarray]:
    """Rows sorted by the place of their tuple, of one tuple in the order they have; and these places."""
    order, first = kernels.order_by_class(kernels.gather(place_of_row, row_at), n_places)
    return kernels.gather(row_at, order), kernels.repeat(np.arange(n_places, dtype=np.uint32), np.diff(first))


def _left_in_run(tuple_at: np.ndarray, value_at: np.ndarray) -> np.ndarray:
    """How many rows with the same tuple and value come from here on, this one included."""
    n = len(tuple_at)
    is_last = np.ones(n, dtype=bool)
    is_last[:-1] = (tuple_at[1:] != tuple_at[:-1]) | (value_at[1:] != value_at[:-1])
    ends = np.flatnonzero(is_last).astype(np.int32) + np.int32(1)
    return kernels.repeat(ends, np.diff(ends, prepend=0)) - np.arange(n, dtype=np.int32)
