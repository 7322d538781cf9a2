"""Tuples in an order of one's own, and the best groups of neighbours in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from amongst.encode import CodedTable, FrequencySet, frequency_set
from amongst.errors import BadOption
from amongst.kernels.one_dimensional import sort_keys
from amongst.models import Model, smallest_group
from amongst.partition.feasible import refuse_small_table
from amongst.partition.line.curve import curve_keys, places_of_codes
from amongst.partition.line.diverse_runs import diverse_runs, diversity_asked
from amongst.partition.line.one_dimensional import best_runs
from amongst.partition.method import Method, Option
from amongst.partition.papers import ONE_DIMENSIONAL
from amongst.partition.partition import Partition
from amongst.partition.pricing import prices_of

Order = Sequence[str] | str | Callable[[dict[str, np.ndarray]], Any]
"""Columns to sort by, or a function that gives every distinct row a number."""


def own_order(
    table: CodedTable,
    models: Sequence[Model],
    *,
    order: Order = (),
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Groups of neighbours in an order of one's own, the best there are.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007: the optimal
        division of section 3; any mapping to one dimension can be used with it, as the end of section 6 says.
    Guarantees
        As ``hilbert``: every group has k to 2k-1 rows, and no other division of this order loses less. The order of
        the input has no say: rows with the same quasi-identifiers are neighbours, and the order is of what they hold.
    Choices
        ``order`` names columns, the one that decides first first; a minus before a name turns it around. Numbers and
        dates are in their order, categories in that of their tree. In Python it may be a function: it gets the places
        of all columns of the distinct rows (the numbers themselves, the place of a category in its tree, nan for a
        null) by their names, and gives a number for each. Rows that it does not tell apart are in the order of the
        Hilbert curve, and so are all without an order.
    Departures
        None: the paper leaves the order open.
    Cost
        As ``hilbert``, and the function's own.
    """
    k = smallest_group(models)
    refuse_small_table(table, k)
    diversity = diversity_asked(table, models)
    tuples = frequency_set(table.codes)
    prices = prices_of(table)
    by_curve = sort_keys(curve_keys(tuples, places_of_codes(table, tuples, prices)))
    rank = np.empty(len(by_curve), dtype=np.int64)
    rank[by_curve] = np.arange(len(by_curve))
    keys = [_of_function(order, table, tuples)] if callable(order) else _of_columns(order, table, tuples)
    tuple_at = np.lexsort([rank, *reversed(keys)]).astype(np.uint32)
    if diversity is not None:
        return diverse_runs(tuples, tuple_at, diversity, prices=prices, progress=progress)
    return best_runs(table, tuples, tuple_at, k, prices=prices, progress=progress)


def _of_columns(order: Sequence[str] | str, table: CodedTable, tuples: FrequencySet) -> list[np.ndarray]:
    """The codes of the columns, turned around where a minus says so."""
    names = [column.name for column in table.columns]
    wanted = [order] if isinstance(order, str) else list(order)
    turned = [name not in names and str(name).startswith("-") for name in wanted]
    plain = [str(name)[1:] if back else name for name, back in zip(wanted, turned, strict=True)]
    unknown = [str(name) for name in plain if name not in names]
    if unknown or len(set(plain)) < len(plain):
        raise BadOption(
            "Rows are ordered by quasi-identifiers, each named once.",
            found="not among them: " + ", ".join(unknown) if unknown else "a column twice",
            fix="use some of: " + ", ".join(names),
        )
    codes = [tuples.codes[names.index(name)].astype(np.int64) for name in plain]
    return [-own if back else own for own, back in zip(codes, turned, strict=True)]


def _of_function(order: Callable[[dict[str, np.ndarray]], Any], table: CodedTable, tuples: FrequencySet) -> np.ndarray:
    """The number that a function gives every distinct row."""
    places = {}
    for column, codes in zip(table.columns, tuples.codes, strict=True):
        own = np.arange(column.n_values, dtype=np.float64) if column.position is None else column.position
        at = np.append(np.asarray(own, dtype=np.float64), np.nan)  # a null is behind all values
        places[column.name] = at[np.minimum(codes.astype(np.int64), column.n_values)]
    try:
        found = np.asarray(order(places), dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise BadOption(
            "An order of one's own must give a number for every row.",
            found=f"{type(error).__name__} while it was worked out",
            fix="return an array of numbers, as long as the arrays it gets",
        ) from None
    if found.shape != (tuples.n_tuples,) or np.isnan(found).any():
        raise BadOption(
            "An order of one's own must give a number for every row.",
            found=f"an array of shape {found.shape}, or numbers that are none; {tuples.n_tuples:,} distinct rows",
            fix="return an array of numbers, as long as the arrays it gets; nulls come as nan",
        )
    return found


METHOD = Method(
    name="own-order",
    family="line",
    place=60,
    group=own_order,
    takes="models",
    recoding="local",
    tight=True,
    words="Rows in an order of your own, divided into the best groups of neighbours.",
    paper=f"{ONE_DIMENSIONAL}, sections 3 and 6",
    any_width=True,
    explained={"order": Option(words="columns to sort by")},
)
