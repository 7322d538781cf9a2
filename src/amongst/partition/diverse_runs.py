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
from amongst.models import AlphaK, KAnonymity, LDiversity, Model, smallest_group
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
    others = [model for model in models if not isinstance(model, KAnonymity)]
    if table.unit is not None or not others or not all(map(_is_frequency, others)):
        return None
    names = {name for model in others for name in columns_of(model, table)}
    if len(names) != 1:
        return None
    feasible_conditions(table, models)
    column = table.sensitive[names.pop()]
    l = max(_least_parts(model) for model in others)  # noqa: E741
    if l == 1 or np.bincount(column.codes).max() * l > table.n_rows:
        return None  # nothing asked; or l lies between two numbers, and groups must have a value twice
    return Diversity(l, smallest_group(models), column.codes, column.n_codes)


def _is_frequency(model: Model) -> bool:
    return isinstance(model, AlphaK) or (isinstance(model, LDiversity) and model.kind == "frequency")


def _least_parts(model: Model) -> int:
    """The whole l that is at least what is asked."""
    assert isinstance(model, AlphaK | LDiversity)
    return ceil((1 / model.alpha if isinstance(model, AlphaK) else model.l) - 1e-9)


def diverse_runs(
    table: CodedTable,
    tuples: FrequencySet,
    tuple_at: np.ndarray,
    asked: Diversity,
    *,
    prices: Prices,
    position: np.ndarray | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """TODO"""
    rank = np.empty(len(tuple_at), dtype=np.int32)
    rank[tuple_at] = np.arange(len(tuple_at), dtype=np.int32)
    by_value, _ = kernels.order_by_class(asked.codes.astype(np.int32), asked.n_values)
    rank_of_row = kernels.gather(kernels.look_up(tuples.tuple_of_row, rank), by_value)
    by_rank, first_row = kernels.order_by_class(rank_of_row, len(rank))
    row_at = kernels.gather(by_value, by_rank)
    place, first = kernels.order_by_class(kernels.gather(asked.codes, row_at).astype(np.int32), asked.n_values)
    line = DiverseLine(
        [kernels.gather(column, tuple_at) for column in tuples.codes],
        kernels.repeat(np.arange(len(rank), dtype=np.uint32), np.diff(first_row)),
        place,
        first,
        prices,
        position,
    )
    group_at, lo, hi = runs_of_line(line, asked.l, progress)
    if asked.k > asked.l:
        group_at, lo, hi = _joined(group_at, lo, hi, prices, asked.k)
    group = np.empty(len(group_at), dtype=np.int32)
    group[row_at] = group_at
    return Partition(group, lo, hi, facts={"tuples": tuples.n_tuples})


def _joined(
    group_at: np.ndarray, lo: np.ndarray, hi: np.ndarray, prices: Prices, k: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Groups that follow each other joined: what holds for the parts holds for the whole."""
    run = join_runs(lo, hi, np.bincount(group_at, minlength=len(lo)), prices, k)
    begins = np.flatnonzero(np.diff(run, prepend=-1))
    return kernels.look_up(group_at, run), np.minimum.reduceat(lo, begins), np.maximum.reduceat(hi, begins)
