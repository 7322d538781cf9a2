"""Cell generalization: every cell is replaced by itself or one of its ancestors, row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from amongst.encode.coded import CodedTable
from amongst.models import Model
from amongst.partition.cell_recoding import recode_cells
from amongst.partition.partition import Partition


def cell_generalization(
    table: CodedTable, models: Sequence[Model], *, progress: Callable[[int, int], None] | None = None
) -> Partition:
    """A cell generalization of low loss.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 5.2, after Sweeney (2002). The search
        here is our own; the cover is the greedy one of Meyerson and Williams (PODS 2004) with full-domain
        classes for sets and loss for the number of suppressed cells.
    Guarantees
        Every class has at least k rows, no row is suppressed, and every published cell is an ancestor of the
        original or the original. Weighted GCP is never above that of the best full-domain generalization
        without suppressed rows, where the lattice has at most 16.8 million nodes. No bound against the
        optimum, which is NP-hard.
    Choices
        All full-domain generalizations are gone through from the least loss to the most (20,000 of them,
        evenly spread, where there are more); at each, classes that still have k rows become groups. The fewer
        than k rows left at the end go where they add least. Then the groups with the largest loss a row are
        divided among the others where that loses less. Groups publish the lowest common ancestors of their
        rows; nulls that match anything widen nothing. Rows with the same quasi-identifiers stay together.
    Departures
        None from the model. Rows that are equal could be divided over groups; here they are not.
    Cost
        One pass over the remaining tuples for each generalization.
    """
    return recode_cells(table, models, "hierarchy", progress)
