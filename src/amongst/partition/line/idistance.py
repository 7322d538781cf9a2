"""iDistance: tuples by their nearest centre and distance from it, and the best groups of neighbours."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from amongst import kernels
from amongst.choices import OURS
from amongst.encode import CodedTable, FrequencySet, frequency_set
from amongst.errors import BadOption
from amongst.kernels.one_dimensional import hilbert_keys, nearest, sort_keys
from amongst.models import Model, smallest_group
from amongst.partition.feasible import refuse_small_table
from amongst.partition.line.curve import BITS, curve_keys, places_as_printed, places_of_codes
from amongst.partition.line.diverse_runs import diverse_runs, diversity_asked
from amongst.partition.line.one_dimensional import best_runs
from amongst.partition.method import Method
from amongst.partition.papers import ONE_DIMENSIONAL
from amongst.partition.partition import Partition
from amongst.partition.pricing import prices_of
from amongst.partition.rules import as_printed

CENTRES = 512
"""As in section 5 of the paper."""

LEAST_DRAWN = 20
"""Tuples a centre in the sample."""

MOST_DRAWN = 1 << 18
"""Tuples in the sample, however large the table is: 512 a centre say where its middle is."""

MOVES = 5
RING = 1 << (BITS - 1)

BLOCK = 1 << 18
"""Tuples between two chances to hear Ctrl-C."""


def idistance(
    table: CodedTable,
    models: Sequence[Model],
    *,
    centres: int | None = None,
    rules: str = OURS,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Groups of neighbours in the order of iDistance, the best there are.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007:
        iDist (section 5), on the optimal division of section 3.
    Guarantees
        Every group has k to 2k-1 rows. No other division of this order into groups of neighbours loses less.
        With l-diversity by frequency on one sensitive column, groups are those of
        ``diverse_runs.diverse_runs`` and hold it wherever the table does.
    Choices
        The space is that of the Hilbert curve (``curve.place_of_code``), distance in it Euclidean. A tenth
        of the distinct tuples (262,144 at most), or 20 a centre where that is more, are drawn; centres start evenly
        spaced along the curve through them (512, if ``centres`` does not say otherwise) and five times move to the
        middle of the drawn tuples that are nearest to them. They are in the order of the
        curve. Weights of columns count in the price of a group only.
    Departures
        Distance is counted in rings of half a dimension; tuples of one ring are in the order of the curve.
        By exact distance, tuples on opposite sides of a centre would be neighbours: a third more loss on
        Adult and Census for k = 10. ``rules="paper"`` takes exact distances and the places of ``hilbert`` as
        printed, samples a tenth of the distinct tuples whatever the centres are, and for l-diversity figures 8 and 9.
        As printed it loses 0.182 and not 0.106 on Adult (k = 10), 0.205 and not 0.088 on the made-up census (50,000
        people, l = 5).
    Cost
        O(centres x d) a distinct tuple for the keys; groups as in ``one_dimensional.best_runs``.
    """
    return runs_around_centres(table, models, centres, seed, progress, fast=False, printed=as_printed(rules))


def runs_around_centres(
    table: CodedTable,
    models: Sequence[Model],
    centres: int | None,
    seed: int,
    progress: Callable[[int, int], None] | None,
    *,
    fast: bool,
    printed: bool,
) -> Partition:
    k = smallest_group(models)
    n_centres = number_of_centres(CENTRES if centres is None else centres)
    refuse_small_table(table, k)
    diversity = diversity_asked(table, models)
    tuples = frequency_set(table.codes)
    prices = prices_of(table)
    places = places_as_printed(table) if printed else places_of_codes(table, tuples, prices)
    by_curve = sort_keys(curve_keys(tuples, places))
    middles = find_centres(places, tuples, by_curve, n_centres, 1 if printed else LEAST_DRAWN, seed)
    blocks = [[column[i : i + BLOCK] for column in tuples.codes] for i in range(0, tuples.n_tuples, BLOCK)]
    found = [nearest(places, block, middles) for block in blocks]
    centre, square = (np.concatenate(part) for part in zip(*found, strict=True))
    ring = ring_of(square, 1 if printed else RING)
    place = centre.astype(np.uint64) * (ring.max() + np.uint64(1)) + ring
    rank = np.empty(len(by_curve), dtype=np.uint64)
    rank[by_curve] = np.arange(len(by_curve), dtype=np.uint64)
    exact = [square.astype(np.uint64)] if printed else []
    tuple_at = sort_keys(np.column_stack([place, *exact, rank]))
    by_extent = fast or (printed and diversity is not None)
    position = place[tuple_at].astype(np.int64) if by_extent else None
    if diversity is not None:
        return diverse_runs(
            tuples, tuple_at, diversity, prices=prices, position=position, printed=printed, progress=progress
        )
    if fast:
        return best_runs(table, tuples, tuple_at, k, position=position, progress=progress)
    return best_runs(table, tuples, tuple_at, k, prices=prices, progress=progress)


def number_of_centres(asked: int) -> int:
    """How many centres there are to be; raises for none."""
    if asked < 1:
        raise BadOption("There must be a centre.", found=f"centres = {asked}", fix="use 1 or more; 512 is the paper's")
    return asked


def ring_of(square: np.ndarray, width: int = RING) -> np.ndarray:
    """In which ring around its centre every tuple lies, by the square of its distance."""
    return np.sqrt(square.astype(np.float64)).astype(np.uint64) // np.uint64(width)


def find_centres(
    places: Sequence[np.ndarray],
    tuples: FrequencySet,
    by_curve: np.ndarray,
    n_centres: int,
    least_drawn: int,
    seed: int,
) -> list[np.ndarray]:
    """Middles of clusters of a sample, in the order of the curve: a dimension each."""
    drawn = by_curve[drawn_places(tuples.n_tuples, n_centres, least_drawn, seed)]
    codes = [kernels.gather(column, drawn) for column in tuples.codes]
    return middles_of(places, codes, tuples.count[drawn], n_centres)


def drawn_places(n_tuples: int, n_centres: int, least_drawn: int, seed: int) -> np.ndarray:
    """Which tuples of the curve are in the sample: their places on it, ascending."""
    size = min(n_tuples, max(min(n_tuples // 10, MOST_DRAWN), least_drawn * n_centres))
    return np.sort(np.random.default_rng(seed).choice(n_tuples, size, replace=False))


def middles_of(
    places: Sequence[np.ndarray], codes: Sequence[np.ndarray], count: np.ndarray, n_centres: int
) -> list[np.ndarray]:
    """Middles of clusters of a sample that lies in the order of the curve, with so many rows a tuple."""
    size = len(count)
    points = [place[own] for place, own in zip(places, codes, strict=True)]
    evenly = (2 * np.arange(min(n_centres, size)) + 1) * size // (2 * min(n_centres, size))
    centres = [own[evenly] for own in points]
    for _ in range(MOVES):
        nearest_centre, _square = nearest(places, codes, centres)
        centres = _middles(points, nearest_centre, count, centres)
    order = sort_keys(hilbert_keys(centres, BITS))
    return [own[order] for own in centres]


def _middles(
    points: Sequence[np.ndarray],
    centre_of_point: np.ndarray,
    count: np.ndarray,
    centres: Sequence[np.ndarray],
) -> list[np.ndarray]:
    """The mean of the points of every centre, rounded; a centre without points stays."""
    total = np.bincount(centre_of_point, weights=count, minlength=len(centres[0])).astype(np.int64)
    middles = []
    for own, before in zip(points, centres, strict=True):
        weights = own.astype(np.int64) * count  # sums below 2^53: whole numbers still
        moved = np.bincount(centre_of_point, weights=weights, minlength=len(before)).astype(np.int64)
        middle = (2 * moved + total) // np.maximum(2 * total, 1)
        middles.append(np.where(total > 0, middle, before).astype(np.uint16))
    return middles


METHOD = Method(
    name="idistance",
    family="line",
    place=30,
    group=idistance,
    takes="models",
    recoding="local",
    tight=True,
    words="Rows in the order of their nearest centre and distance, divided into the best groups of neighbours.",
    paper=f"{ONE_DIMENSIONAL}, section 5",
    by_parts="rings",
    any_width=True,
    seconds=4.0,
)
