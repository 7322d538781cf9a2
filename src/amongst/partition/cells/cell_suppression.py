"""Cell suppression: every cell is published as it is or as ``*``, row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from amongst.encode.coded import CodedTable
from amongst.models import Model
from amongst.partition.cells.cell_recoding import recode_cells
from amongst.partition.flat_table import flat_table
from amongst.partition.method import Method
from amongst.partition.papers import INCOGNITO
from amongst.partition.partition import Partition


def cell_suppression(
    table: CodedTable, models: Sequence[Model], *, progress: Callable[[int, int], None] | None = None
) -> Partition:
    """A cell suppression with few suppressed cells.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 5.2, after Meyerson and Williams
        (PODS 2004) and Aggarwal et al. (ICDT 2005). Meyerson and Williams cover the rows greedily by sets
        that suppress few cells; so does this, with other sets.
    Guarantees
        Every class has at least k rows, no row is suppressed, and every published cell is the original or
        ``*``. Never more suppressed cells, weighted by column, than ``attribute_suppression`` without
        suppressed rows, where that can be run. No bound against the optimum, which is NP-hard to find: the
        two papers prove O(k log k) and O(k), nothing is proved here.
    Choices
        Sets of columns are gone through from the cheapest to suppress to the dearest; at each, rows that
        still agree on the other columns with k - 1 others become groups; of sets that cost the same, the one
        that groups most rows first. What is left, and costly groups, as in ``cell_generalization``.
        Under k of every few columns values are told one by one (see ``few_columns``).
    Departures
        The sets of the papers are any k to 2k-1 rows; here they are rows that agree on a set of columns.
    Cost
        2^d passes over the remaining tuples (at most 20,000, fewer for large tables).
    """
    return recode_cells(flat_table(table), models, "flat", progress)


METHOD = Method(
    name="cell-suppression",
    family="cells",
    place=10,
    group=cell_suppression,
    takes="k",
    few_columns=True,
    recoding="global",
    words="Single cells become *, all others stay as they are.",
    paper=f"{INCOGNITO}, section 5.2",
)
