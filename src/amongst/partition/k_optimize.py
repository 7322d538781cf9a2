"""K-Optimize: the best single-dimensional partitioning there is, or the best found and how good one could be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.models import Model, smallest_group
from amongst.partition.ask import most_suppressed, refuse_not_monotone
from amongst.partition.cut_costs import COSTS
from amongst.partition.cut_groups import group_by_cuts
from amongst.partition.cut_search import Budget, Problem, branch_and_bound, with_free_cuts
from amongst.partition.cut_start import first_answers
from amongst.partition.cut_table import CutTable, cut_table
from amongst.partition.feasible import refuse_small_table
from amongst.partition.partition import Partition
from amongst.partition.single_dimensional import single_dimensional

LEAST_NODES, MOST_NODES = 50, 2_000
CELLS_LOOKED_AT = 400_000_000
"""Without a limit from the user, sets of cuts are looked at until about so many cells have been."""
MOST_CANDIDATES = 10_000


def k_optimize(
    table: CodedTable,
    models: Sequence[Model],
    *,
    cost: str = "dm",
    suppression: float = 0.0,
    node_budget: int | None = None,
    time_budget: float | None = None,
    candidates: int = 100,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """The set of cuts with the least cost.

    Paper
        Bayardo, Agrawal, *Data Privacy through Optimal k-Anonymization*, ICDE 2005: set-enumeration search over
        cut points with pruning by a bound of the cost, leaving out useless values, and reordering of the tail.
        It is the "optimal single-dimensional" algorithm of the *Mondrian* paper's experiments, and the
        single-dimension ordered-set partitioning of *Incognito*, section 5.1.2.
    Guarantees
        Every group has at least k rows; every value of a column is published as the same interval wherever it
        occurs. ``facts["cost"]`` is what the result costs and ``facts["lower_bound"]`` what none costs less
        than; they are equal when the search came to its end (``facts["optimal"]``). The result is never worse
        than that of ``single_dimensional``. Without a time budget the same input gives the same result.
    Choices
        ``cost="dm"`` is the paper's: the sum of squared class sizes, a suppressed row counting all rows of the
        input. ``cost="gcp"`` is the weighted GCP, a suppressed row counting 1. The cut that splits most classes
        is decided on first; ties go to the first column and the smallest value.
    Departures
        The paper suppresses as many rows as pays; here none unless ``suppression`` allows it, so that cuts which
        would leave 1 to k-1 rows are out for good. The search begins with the best of several greedy descents.
        Of a column with more than ``candidates`` cuts only as many are looked at, spread evenly over the rows,
        and those of the greedy answer: then the facts hold among these (``facts["every_cut"]`` is False). Cuts
        that change no class are made.
    Cost
        Exponential in the worst case, so the number of sets looked at is limited: by ``node_budget``, by
        ``time_budget`` in seconds, or else to 50 to 2,000 of them, the fewer the larger the table. One look is
        linear in the distinct tuples.
    """
    refuse_not_monotone(models)
    refuse_unknown_cost(cost)
    k = smallest_group(models)
    refuse_small_table(table, k)
    most = min(most_suppressed(suppression, table.n_rows), table.n_rows - k)
    _refuse_odd(candidates, node_budget, time_budget)
    greedy = single_dimensional(table, models)
    wanted = [np.unique(greedy.lo[:, c]) for c in range(table.n_qi)]
    cuts = cut_table(table, candidates, wanted)
    budget = _budget(cuts, node_budget, time_budget, progress)
    problem = Problem(cuts, COSTS[cost](table, cuts, k), k, most, budget)
    best = first_answers(problem, _cuts_before(cuts, wanted))
    bound = branch_and_bound(problem, best)
    facts: dict[str, Any] = {
        "measure": cost,
        "cost": problem.cost.shown(best.total),
        "lower_bound": problem.cost.shown(bound),
        "optimal": bound == best.total,
        "nodes": budget.n_looked,
        "cuts": int(best.cuts.sum()),
        "candidates": cuts.n_cuts,
        "every_cut": cuts.every_cut,
    }
    return group_by_cuts(table, cuts, with_free_cuts(problem, best), k, facts)


def _cuts_before(cuts: CutTable, first_codes: list[np.ndarray]) -> np.ndarray:
    made = np.zeros(cuts.n_cuts, dtype=bool)
    for c, (column, codes) in enumerate(zip(cuts.columns, first_codes, strict=True)):
        atoms = column.atom_of_code[codes]
        made[cuts.of_column(c)][atoms[atoms > 0] - 1] = True
    return made


def _budget(
    cuts: CutTable, nodes: int | None, seconds: float | None, progress: Callable[[int, int], None] | None
) -> Budget:
    if nodes is None:
        most = CELLS_LOOKED_AT // cuts.atoms.size
        nodes = max(LEAST_NODES, min(MOST_NODES, most)) if seconds is None else np.iinfo(np.int64).max
    return Budget(nodes, seconds, progress)


def refuse_unknown_cost(cost: str) -> None:
    """Raise for a cost that has no bound."""
    if cost not in COSTS:
        raise BadOption(
            "There is no such cost to optimize.", found=f"cost = {cost!r}", fix="use one of: " + ", ".join(COSTS)
        )


def _refuse_odd(candidates: int, nodes: int | None, seconds: float | None) -> None:
    problems = []
    if not _whole(candidates) or not 1 <= candidates <= MOST_CANDIDATES:
        problems.append(f"candidates = {candidates!r}: a whole number from 1 to {MOST_CANDIDATES}")
    if nodes is not None and (not _whole(nodes) or nodes < 0):
        problems.append(f"node_budget = {nodes!r}: a whole number of at least 0")
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if seconds is not None and not (number and seconds >= 0):
        problems.append(f"time_budget = {seconds!r}: seconds, at least 0")
    if problems:
        raise BadOption("The limits of the search do not fit.", found=problems, fix="give such numbers, or leave them out")


def _whole(number: object) -> bool:
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)
