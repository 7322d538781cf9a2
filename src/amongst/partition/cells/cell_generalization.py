"""Cell generalization: every cell is replaced by itself or one of its ancestors, row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from amongst.encode.coded import CodedTable
from amongst.models import Model
from amongst.partition.cells.cell_recoding import recode_cells
from amongst.partition.method import Method
from amongst.partition.papers import INCOGNITO
from amongst.partition.partition import Partition


def cell_generalization(
    table: CodedTable, models: Sequence[Model], *, progress: Callable[[int, int], None] | None = None
) -> Partition:
    """A cell generalization of low loss.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 5.2, after Sweeney (2002). The search
        here is our own: a greedy cover, cheap sets first, as in ``cell_suppression``.
    Guarantees
        Every class has at least k rows, no row is suppressed, and every published cell is an ancestor of the
        original or the original. Weighted GCP is never above that of the best full-domain generalization
        without suppressed rows, where the lattice is small enough for ``incognito``. No bound against the
        optimum, which is NP-hard to find.
    Choices
        All full-domain generalizations are gone through from the least loss to the most (2,000 to 20,000 of
        them, evenly spread, where there are more); at each, classes that still have k rows become groups. The
        fewer than k rows left at the end go where they add least. Then the groups with the largest loss a row
        are divided among the others where that loses less. Groups publish the lowest common ancestors of
        their rows; nulls that match anything widen nothing. Rows with the same quasi-identifiers stay
        together. Under k of every few columns cells are told one by one (see ``few_columns``).
    Departures
        The model allows rows that are equal to be divided over groups; here they are not, so the result is
        also an unrestricted multi-dimension recoding (section 5.1.3).
    Cost
        One pass over the remaining tuples for each generalization.
    """
    return recode_cells(table, models, "hierarchy", progress)


METHOD = Method(
    name="cell-generalization",
    family="cells",
    place=20,
    group=cell_generalization,
    takes="k",
    few_columns=True,
    recoding="global",
    tight=True,
    words="Single cells are replaced by ancestors in their hierarchies, no more than their group needs.",
    paper=f"{INCOGNITO}, section 5.2",
)
