"""iDistance: tuples in the order of their nearest centre and their distance from it, and the best groups of neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst import kernels
from amongst.encode import CodedTable, FrequencySet, frequency_set
from amongst.errors import BadOption
from amongst.kernels.one_dimensional import nearest, sort_keys
from amongst.kernels.price import Prices
from amongst.models import Model, smallest_group
from amongst.partition.curve import curve_keys
from amongst.partition.feasible import refuse_small_table
from amongst.partition.one_dimensional import best_runs
from amongst.partition.partition import Partition
from amongst.partition.pricing import prices_of

CENTRES = 512


def idistance(
    table: CodedTable,
    models: Sequence[Model],
    *,
    centres: int = CENTRES,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Groups of neighbours in the order of iDistance, the best there are.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007: iDist
        (section 5), on the optimal division of section 3.
    Guarantees
        Every group has k to 2k-1 rows. No other division of this order into groups of neighbours loses less.
    Choices
        The centres are a sample of the distinct tuples, in the order of their Hilbert keys. Tuples that are equally
        far from their centre, and there are many, are in the order of their Hilbert keys.
    Departures
        Distance is what a group of the two would cost (the weighted NCP of the pair), not Euclidean: it knows the
        hierarchies, and it is a whole number, the same everywhere. Centres are drawn, not found by clustering a
        sample.
    Cost
        O(centres x d) a distinct tuple for the keys; groups as in ``one_dimensional.best_runs``.
    """
    return _around_centres(table, models, centres, seed, progress, fast=False)


def idistance_fast(
    table: CodedTable,
    models: Sequence[Model],
    *,
    centres: int = CENTRES,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """As ``idistance``, but a group is priced by how far its ends are apart in the order.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007: iDistFast
        (section 5.1).
    Guarantees
        Every group has k to 2k-1 rows.
    Choices
        As ``idistance``. A centre begins where the farthest tuple of any centre before it could be.
    Departures
        As ``idistance``.
    Cost
        As ``idistance``, without the d in the price of a group.
    """
    return _around_centres(table, models, centres, seed, progress, fast=True)


def _around_centres(
    table: CodedTable,
    models: Sequence[Model],
    n_centres: int,
    seed: int,
    progress: Callable[[int, int], None] | None,
    *,
    fast: bool,
) -> Partition:
    k = smallest_group(models)
    if n_centres < 1:
        raise BadOption("There must be a centre.", found=f"centres = {n_centres}", fix="use 1 or more; 512 is the paper's")
    refuse_small_table(table, k)
    tuples = frequency_set(table.codes)
    prices = prices_of(table)
    curve = curve_keys(table.columns, tuples.codes)
    by_curve = sort_keys(curve)
    centre, distance = nearest(prices, tuples.codes, _draw_centres(tuples, by_curve, n_centres, seed))
    place = centre.astype(np.uint64) * np.uint64(int(distance.max()) + 1) + distance
    rank = np.empty(len(by_curve), dtype=np.uint64)
    rank[by_curve] = np.arange(len(by_curve), dtype=np.uint64)
    tuple_at = sort_keys(np.column_stack([place, rank]))
    if fast:
        return best_runs(table, tuples, tuple_at, k, position=place[tuple_at].astype(np.int64), progress=progress)
    return best_runs(table, tuples, tuple_at, k, prices=prices, progress=progress)


def _draw_centres(tuples: FrequencySet, by_curve: np.ndarray, n_centres: int, seed: int) -> list[np.ndarray]:
    """Some tuples, in the order of the curve."""
    rng = np.random.default_rng(seed)
    n = min(n_centres, tuples.n_tuples)
    drawn = by_curve[np.sort(rng.choice(tuples.n_tuples, n, replace=False))]
    return [kernels.gather(column, drawn) for column in tuples.codes]
