"""K-Optimize: the best single-dimensional partitioning there is, or the best found and what none can beat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any

import numpy as np

from amongst.choices import OURS
from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.models import Model, smallest_group
from amongst.partition.ask import most_suppressed, refuse_not_monotone
from amongst.partition.feasible import refuse_small_table
from amongst.partition.intervals.cut_certainty import Certainty
from amongst.partition.intervals.cut_costs import Discernibility
from amongst.partition.intervals.cut_groups import cost_of_intervals, group_by_cuts, publishing_sets
from amongst.partition.intervals.cut_search import Best, Budget, Problem, branch_and_bound, with_free_cuts
from amongst.partition.intervals.cut_start import first_answers, with_suppression
from amongst.partition.intervals.cut_table import CutTable, cut_table, even_cuts
from amongst.partition.intervals.single_dimensional import single_dimensional
from amongst.partition.method import Method, Option
from amongst.partition.partition import Partition
from amongst.partition.rules import as_printed

COSTS: dict[str, type[Discernibility] | type[Certainty]] = {"dm": Discernibility, "gcp": Certainty}
LEAST_NODES, MOST_NODES = 50, 10_000
CELLS_LOOKED_AT = 1_000_000_000
"""Without a limit from the user, sets of cuts are looked at until about so many cells have been."""
MOST_CANDIDATES = 1_000


def k_optimize(
    table: CodedTable,
    models: Sequence[Model],
    *,
    cost: str = "dm",
    suppression: float = 0.0,
    node_budget: int | None = None,
    time_budget: float | None = None,
    candidates: int = 100,
    rules: str = OURS,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """The set of cuts with the least cost.

    Paper
        Bayardo, Agrawal, *Data Privacy through Optimal k-Anonymization*, ICDE 2005: set-enumeration search
        over cut points, pruned by a bound of the cost, without useless values, with a tail that is ordered
        anew at every node. It is the optimal single-dimensional algorithm of the *Mondrian* paper's
        experiments (section 6), and the model *Incognito* calls single-dimension ordered-set partitioning
        (section 5.1.2).
    Guarantees
        Every group has at least k rows; every value of a column is published as the same interval wherever
        it occurs. ``facts["cost"]`` is what the result costs, and no set of cuts costs less than
        ``facts["lower_bound"]``; the two are equal when the search came to its end (``facts["optimal"]``), and
        else ``facts["above_least"]`` is the share by which the result may be above the least.
        The result never costs more than that of ``single_dimensional``. Without a time budget the same input
        gives the same result.
    Choices
        ``cost="dm"`` is the paper's: the sum of squared class sizes, a suppressed row counting as many as
        the input has rows. ``cost="gcp"`` is the weighted GCP, a suppressed row counting 1. The cut that
        splits most classes is decided on first; ties go to the first column and the smallest value. Of
        equally good sets the first one found is taken; then all cuts are made that change no class.
    Departures
        The paper suppresses rows whenever that pays; here none, unless ``suppression`` allows it, so that a
        cut which would leave 1 to k-1 rows is out for good. The search begins with the best of several
        descents (with 1,000 rows in two columns of 50 values and k = 10 they alone lower C_DM by 1.6 to 12 %, which
        no search of 10,000 sets does). Where rows may be suppressed, it first looks for the best without, and then
        again with as large a budget: freedom never costs more. ``rules="paper"`` suppresses whenever that pays, and
        starts from nothing. Of a column with more than ``candidates`` cuts only so many are looked at, spread evenly
        over the rows, and as many of the greedy answer: then the facts hold among these, and
        ``facts["every_cut"]`` is False.
    Cost
        Exponential in the worst case, so the number of sets looked at is limited: by ``node_budget``, by
        ``time_budget`` in seconds, or else to 50 to 10,000 of them, the fewer the larger the table. A look
        is linear in the distinct tuples.
    """
    refuse_not_monotone(models)
    _refuse_odd(cost, candidates, node_budget, time_budget)
    k = smallest_group(models)
    refuse_small_table(table, k)
    allowed = 1.0 if as_printed(rules) else suppression
    most = min(most_suppressed(allowed, table.n_rows), table.n_rows - k)
    greedy = single_dimensional(table, models)
    first_codes = [np.unique(greedy.lo[:, c]) for c in range(table.n_qi)]
    greedy = publishing_sets(table, greedy, first_codes)
    after = [even_cuts(*own) for own in zip(table.columns, repeat(candidates), first_codes, strict=False)]
    cuts = cut_table(table, after)
    problem = Problem(cuts, COSTS[cost](table, cuts, k), k, most, _budget(cuts, node_budget, time_budget, progress))
    if as_printed(rules):
        best, bound = _from_nothing(problem)
    else:
        best, bound = _searched(problem, _cuts_before(cuts, first_codes))
    best = with_free_cuts(problem, best)
    bound = min(bound, best.total)
    facts: dict[str, Any] = {
        "measure": cost,
        "cost": problem.cost.shown(best.total),
        "lower_bound": problem.cost.shown(bound),
        "optimal": bound == best.total,
        "nodes": problem.budget.spent + problem.budget.n_looked,
        "candidates": cuts.n_cuts,
        "every_cut": cuts.every_cut,
    }
    if not cuts.every_cut:
        of_greedy = cost_of_intervals(table, greedy, cost)
        if of_greedy < facts["cost"]:
            bound_too = min(facts["lower_bound"], of_greedy)
            facts |= {"cost": of_greedy, "lower_bound": bound_too, "optimal": False}
            return replace(greedy, facts=_with_gap({**greedy.facts, **facts}))
    found = group_by_cuts(table, cuts, best.cuts, k, {**facts, "cuts": int(best.cuts.sum())})
    if (found.group_of_row < 0).any():
        return replace(found, facts=_with_gap(found.facts))
    # The search adds up rounded prices; what is told is what the groups cost.
    exact = cost_of_intervals(table, found, cost)
    least = exact if facts["optimal"] else min(facts["lower_bound"], exact)
    return replace(found, facts=_with_gap({**found.facts, "cost": exact, "lower_bound": least}))


def _with_gap(facts: dict[str, Any]) -> dict[str, Any]:
    """By which share the result may cost more than the best; None where nothing is known."""
    cost, least = facts["cost"], facts["lower_bound"]
    gap = 0.0 if cost == least else cost / least - 1 if least > 0 else None
    return {**facts, "above_least": gap}


def _from_nothing(problem: Problem) -> tuple[Best, int]:
    """The search of the paper alone."""
    best = Best(np.zeros(problem.table.n_cuts, dtype=bool), np.iinfo(np.int64).max)
    return best, branch_and_bound(problem, best)


def _searched(problem: Problem, greedy: np.ndarray) -> tuple[Best, int]:
    """First as if no row could be suppressed, so that more freedom never costs more; then with as many as may be."""
    strict = replace(problem, most_suppressed=0)
    best = first_answers(strict, greedy)
    bound = branch_and_bound(strict, best)
    if problem.most_suppressed:
        problem.budget.again()
        with_suppression(problem, greedy, best)
        bound = branch_and_bound(problem, best)
    return best, bound


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
        nodes = max(LEAST_NODES, min(MOST_NODES, most)) if seconds is None else int(np.iinfo(np.int64).max)
    return Budget(nodes, seconds, progress)


def _refuse_odd(cost: str, candidates: int, nodes: int | None, seconds: float | None) -> None:
    """Raise for options that cannot be, all of them at once."""
    problems = []
    if cost not in COSTS:
        problems.append(f"cost = {cost!r}: one of {', '.join(COSTS)}")
    if not _whole(candidates) or not 1 <= candidates <= MOST_CANDIDATES:
        problems.append(f"candidates = {candidates!r}: a whole number from 1 to {MOST_CANDIDATES}")
    if nodes is not None and (not _whole(nodes) or nodes < 0):
        problems.append(f"node_budget = {nodes!r}: a whole number, 0 or more")
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if seconds is not None and not (number and seconds >= 0):
        problems.append(f"time_budget = {seconds!r}: seconds, 0 or more")
    if problems:
        raise BadOption("k-optimize cannot search like this.", found=problems, fix="give one of those named")


def _whole(number: object) -> bool:
    return isinstance(number, (int, np.integer)) and not isinstance(number, bool)


METHOD = Method(
    name="k-optimize",
    family="intervals",
    place=20,
    group=k_optimize,
    takes="k",
    recoding="global",
    words="One set of intervals per column for the whole table: the best there is, or the best found with a bound.",
    paper="Bayardo, Agrawal: Data Privacy through Optimal k-Anonymization, ICDE 2005",
    explained={"cost": Option(choices=("dm", "gcp"))},
)
