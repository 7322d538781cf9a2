"""Hilbert: tuples in the order of the Hilbert curve, and the best groups of neighbours on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from amongst.choices import OURS
from amongst.encode import CodedTable, frequency_set
from amongst.kernels.one_dimensional import sort_keys
from amongst.models import Model, smallest_group
from amongst.partition.feasible import refuse_small_table
from amongst.partition.line.curve import curve_keys, leading_places, places_as_printed, places_of_codes
from amongst.partition.line.diverse_runs import diverse_runs, diversity_asked
from amongst.partition.line.one_dimensional import best_runs
from amongst.partition.method import Method
from amongst.partition.papers import ONE_DIMENSIONAL
from amongst.partition.partition import Partition
from amongst.partition.pricing import prices_of
from amongst.partition.rules import as_printed


def hilbert(
    table: CodedTable,
    models: Sequence[Model],
    *,
    rules: str = OURS,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Groups of neighbours on the Hilbert curve, the best there are.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007:
        Hilb (section 5), on the optimal division of section 3.
    Guarantees
        Every group has k to 2k-1 rows. No other division of this order into groups of neighbours loses less.
        With l-diversity by frequency on one sensitive column, groups are those of
        ``diverse_runs.diverse_runs`` and hold it wherever the table does.
    Choices
        12 bits a dimension, dimensions in the schema's order. Coordinates are said at
        ``curve.place_of_code``: numbers by their position, categories so that cells of the curve are nodes
        of the tree, numbers parting three bits later than categories. A null that matches anything is
        placed and priced like a value of its own. The weights of columns count in the price of a group, as
        in the paper's equation 1, and not in the curve.
    Departures
        The paper numbers categories by the in-order of the tree. Here siblings are in the order of their
        counts, and a node never shares a cell with half of its neighbour: far less loss where trees are
        broad and values skewed. For l-diversity see ``diverse_runs``. ``rules="paper"`` departs in none of
        this: places by in-order, each dimension's values spread over its 12 bits, figures 8 and 9 as printed.
        As printed it loses 0.135 and not 0.087 on Adult (k = 10), 0.20 and not 0.083 on the made-up census
        (50,000 people, l = 5).
    Cost
        Keys and order on the distinct tuples, O(t log t); groups as in ``one_dimensional.best_runs``.
    """
    return runs_on_the_curve(table, models, progress, fast=False, printed=as_printed(rules))


def runs_on_the_curve(
    table: CodedTable,
    models: Sequence[Model],
    progress: Callable[[int, int], None] | None,
    *,
    fast: bool,
    printed: bool,
) -> Partition:
    k = smallest_group(models)
    refuse_small_table(table, k)
    diversity = diversity_asked(table, models)
    tuples = frequency_set(table.codes)
    prices = prices_of(table)
    keys = curve_keys(tuples, places_as_printed(table) if printed else places_of_codes(table, tuples, prices))
    tuple_at = sort_keys(keys)
    by_extent = fast or (printed and diversity is not None)
    position = leading_places(keys[tuple_at, 0], k) if by_extent else None
    if diversity is not None:
        return diverse_runs(
            tuples, tuple_at, diversity, prices=prices, position=position, printed=printed, progress=progress
        )
    if fast:
        return best_runs(table, tuples, tuple_at, k, position=position, progress=progress)
    return best_runs(table, tuples, tuple_at, k, prices=prices, progress=progress)


METHOD = Method(
    name="hilbert",
    family="line",
    place=10,
    group=hilbert,
    takes="models",
    recoding="local",
    tight=True,
    words="Rows in the order of the Hilbert curve, divided into the best groups of neighbours.",
    paper=f"{ONE_DIMENSIONAL}, section 5",
    by_parts="runs",
    any_width=True,
    usual=True,
    seconds=2.8,
)
