"""Bottom-up: every row begins alone, and the lightest groups join the nearest."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from amongst.encode import CodedTable
from amongst.errors import BadOption
from amongst.kernels import utility
from amongst.models import Model, smallest_group
from amongst.partition.clusters.top_down import in_code_order, refuse_wrong_window
from amongst.partition.feasible import refuse_small_table
from amongst.partition.method import Method, Option
from amongst.partition.options import WINDOW
from amongst.partition.papers import UTILITY
from amongst.partition.partition import Partition
from amongst.partition.pricing import boxed, prices_of

SEARCH = ("near", "all")


def bottom_up(
    table: CodedTable,
    models: Sequence[Model],
    *,
    search: str = "near",
    window: int = 4,
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
        every column last in turn, ``window`` distinct rows to each side. The groups are of the same kind
        and keep the same guarantees; only which group counts as nearest is approximate: rows that agree in
        all columns but one are beside each other in one of the orders, rows that differ a little in every
        column may be missed.
    Cost
        ``"near"``: O(d n log n) for the orders, O(d^2 n window log k) for the joins, on the distinct tuples.
    """
    if search not in SEARCH:
        raise BadOption(
            "Bottom-up does not know this search.",
            found=f"search = {search!r}",
            fix="use one of: " + ", ".join(SEARCH),
        )
    refuse_wrong_window(window, most=64)
    k = smallest_group(models)
    refuse_small_table(table, k)
    tuples = in_code_order(table)
    group = utility.bottom_up(
        prices_of(table),
        tuples.codes,
        tuples.count,
        tuples.tuple_of_row,
        k,
        window=window if search == "near" else 0,
        tick=progress,
    )
    return boxed(table, group, tuples=tuples.n_tuples)


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
    explained={"search": Option(choices=SEARCH), "window": WINDOW},
)
