"""Bottom-up: every row begins alone, and the lightest groups join the nearest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from amongst.choices import OURS
from amongst.encode import CodedTable
from amongst.errors import refuse_unknown_word
from amongst.kernels import utility
from amongst.models import Model, smallest_group
from amongst.partition.clusters.as_printed import rows_as_printed
from amongst.partition.clusters.top_down import in_code_order, refuse_wrong_window
from amongst.partition.feasible import refuse_small_table
from amongst.partition.method import Method, Option
from amongst.partition.papers import UTILITY
from amongst.partition.partition import Partition
from amongst.partition.pricing import boxed, prices_of
from amongst.partition.rules import as_printed

SEARCH = ("near", "all")
LEAST_WINDOW, MOST_WINDOW = 4, 64
MOST_NEIGHBOURS = 1 << 26
"""How many neighbours are known in all, if the window is not told: 256 MB of them."""


def bottom_up(
    table: CodedTable,
    models: Sequence[Model],
    *,
    search: str = "near",
    window: int | None = None,
    rules: str = OURS,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """Local recoding from below, by the weighted NCP: small groups join the nearest until all have k rows.

    Paper
        Xu, Wang, Pei, Wang, Shi, Fu, *Utility-Based Anonymization Using Local Recoding*, KDD 2006, section
        4.1 (figure 3), with the weighted hierarchical NCP of section 3.
    Guarantees
        Every group has at least k and at most 2k-1 rows. Rows with the same quasi-identifiers may be in
        different groups.
    Choices
        Equal rows begin in one group, since nothing is nearer than a distance of 0. The lightest groups go
        first, those of one size in the order of their codes. A group joins the one where the loss (rows
        x NCP) grows least, ties to the first in that order. A group that reaches 2k is cut in two at once,
        between two rows far apart, where that costs least.
    Departures
        The paper looks through all groups for the nearest (``search="all"``, O(n^2)). With ``"near"`` a
        group looks at the groups of the rows beside its own when the table is sorted by all columns, with
        every column last in turn, ``window`` distinct rows to each side: 64, and fewer, down to 4, where that
        would be more than 2^26 neighbours in all (from 58,000 distinct rows of 9 columns on). On Adult with
        k = 10 that loses 0.0754, looking at all groups 0.0748, a window of 4 0.0918. The groups are of the same kind
        and keep the same guarantees; only which group counts as nearest is approximate: rows that agree in
        all columns but one are beside each other in one of the orders, rows that differ a little in every
        column may be missed. The paper merges where the group of both costs a row least, round by round, and
        splits at the end of a round: ``rules="paper"`` (see ``as_printed``), which looks at no other option.
    Cost
        ``"near"``: O(d n log n) for the orders, O(d^2 n window log k) for the joins, on the distinct tuples.
    """
    refuse_unknown_word("Bottom-up does not know this search.", "search", search, SEARCH)
    if window is not None:
        refuse_wrong_window(window, most=MOST_WINDOW)
    k = smallest_group(models)
    refuse_small_table(table, k)
    if as_printed(rules):
        return rows_as_printed(table, k, rounds=0, seed=None, progress=progress)
    tuples = in_code_order(table)
    group = utility.bottom_up(
        prices_of(table),
        tuples.codes,
        tuples.count,
        tuples.tuple_of_row,
        k,
        window=(window or usual_window(tuples.n_tuples, table.n_qi)) if search == "near" else 0,
        tick=progress,
    )
    return boxed(table, group, tuples=tuples.n_tuples)


def usual_window(n_tuples: int, n_columns: int) -> int:
    """How many neighbours each side has, in each order, where nobody tells."""
    return max(LEAST_WINDOW, min(MOST_WINDOW, MOST_NEIGHBOURS // (2 * n_columns * n_tuples)))


METHOD = Method(
    name="bottom-up",
    family="clusters",
    place=40,
    group=bottom_up,
    takes="models",
    recoding="local",
    tight=True,
    words="Every row begins alone, and the smallest groups join the nearest. No group reaches 2k.",
    paper=f"{UTILITY}, section 4.1",
    any_width=True,
    seconds=16.0,
    explained={"search": Option(choices=SEARCH)},
)
