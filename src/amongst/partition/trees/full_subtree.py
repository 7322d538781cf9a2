"""Single-dimension full-subtree recoding: one cut through every column's tree for the whole table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedTable
from amongst.errors import BadOption
from amongst.models import Model, smallest_group
from amongst.partition.ask import most_suppressed, refuse_not_monotone
from amongst.partition.feasible import refuse_small_table
from amongst.partition.full_domain.best_levels import best_levels
from amongst.partition.method import Method
from amongst.partition.papers import INCOGNITO
from amongst.partition.partition import Partition
from amongst.partition.trees.forest import Forest
from amongst.partition.trees.node_groups import group_by_nodes
from amongst.partition.trees.subtree_recoding import SubtreeRecoding, at_roots, cuts_at_levels
from amongst.partition.trees.subtree_search import Found, branch_and_bound, by_gain, by_gain_per_class, specialize

MOST_STEPS = 20_000
MOST_TUPLES = 150_000_000
"""When so many tuples have been looked at, the search stops whatever the number of steps."""


def full_subtree(
    table: CodedTable,
    models: Sequence[Model],
    *,
    suppression: float = 0.0,
    steps: int = MOST_STEPS,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """The full-subtree recoding with the least loss.

    Paper
        LeFevre, DeWitt, Ramakrishnan, *Incognito*, SIGMOD 2005, section 5.1.1: the model, which Iyengar (KDD
        2002) searched with a genetic algorithm. The search here is our own.
    Guarantees
        Every class has at least k rows. A value is published as itself or as one of its ancestors, and where
        an ancestor is published, it stands for every value below it, in the whole table. When the search came
        to its end (``facts["optimal"]``) no such recoding has a smaller weighted GCP, suppressed rows counted
        as 1. Else ``facts["bound"]`` is a loss that none goes below, no full-domain generalization is better,
        and no node of a cut can be replaced by its children.
    Choices
        Two greedy descents from the roots, by the loss that a step saves and by that over the classes it
        adds, give a first answer. Branch and bound then decides on one node at a time, the one that could
        save most first. Ties go to the later column.
    Departures
        The models of the paper do not suppress rows; ``suppression`` allows it as in the full-domain methods.
    Cost
        One step looks at the tuples below a node. Exponential in the worst case, so the search ends after
        ``steps`` of them, or when 150 million tuples have been looked at.
    """
    state, found = best_recoding(table, models, suppression, steps, progress)
    facts = {"optimal": found.optimal, "bound": found.bound / table.n_rows, "searched": found.n_tried}
    return _partition(state, facts)


def best_recoding(
    table: CodedTable,
    models: Sequence[Model],
    suppression: float,
    steps: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[SubtreeRecoding, Found]:
    """The recoding that ``full_subtree`` gives, as cuts, and what is known about it."""
    refuse_not_monotone(models)
    k = smallest_group(models)
    refuse_small_table(table, k)
    _refuse_wrong_steps(steps)
    most = min(most_suppressed(suppression, table.n_rows), table.n_rows - k)
    forest = Forest(table)
    found = _descend_greedily(forest, k, most)
    at_top = SubtreeRecoding(forest, at_roots(forest), k, most)
    branch_and_bound(at_top, found, found.n_tried + steps, MOST_TUPLES, progress)
    state = SubtreeRecoding(forest, found.cuts, k, most)
    if not found.optimal:
        state = _at_least_as_good(table, models, suppression, state)
    specialize(state)  # what costs nothing
    return state, found


def _refuse_wrong_steps(steps: int) -> None:
    if not isinstance(steps, int) or isinstance(steps, bool) or steps < 0:
        raise BadOption(
            "The number of steps must be a whole number.",
            found=f"steps = {steps!r}",
            fix="use a number such as 5000, or leave it out",
        )


def _descend_greedily(forest: Forest, k: int, most: int) -> Found:
    best: Found | None = None
    n_tried = 0
    for score in (by_gain, by_gain_per_class):
        state = SubtreeRecoding(forest, at_roots(forest), k, most)
        n_tried += specialize(state, score)
        if best is None or state.total < best.total:
            best = Found(state.cuts, state.total)
    assert best is not None
    best.n_tried = n_tried
    return best


def _at_least_as_good(
    table: CodedTable, models: Sequence[Model], suppression: float, state: SubtreeRecoding
) -> SubtreeRecoding:
    """The state, or the best full-domain generalization where that loses less."""
    gone = table.n_input - table.n_rows
    best = best_levels(table, models, suppression, (state.total + gone) / table.n_input)
    if best is None:
        return state
    cuts = cuts_at_levels(state.forest, best.number_of_code)
    other = SubtreeRecoding(state.forest, cuts, state.k, state.most_suppressed)
    return other if other.total < state.total else state


def _partition(state: SubtreeRecoding, facts: dict[str, Any]) -> Partition:
    forest, kept = state.forest, np.flatnonzero(state.kept)
    own, first, _ = kernels.distinct([state.class_of_tuple[kept]])
    class_of_tuple = np.full(forest.tuples.n_tuples, -1, dtype=np.int64)
    class_of_tuple[kept] = own
    nodes = [cut[codes[kept[first]]] for cut, codes in zip(state.cuts, forest.tuples.codes, strict=True)]
    return group_by_nodes(forest, class_of_tuple, np.stack(nodes, axis=1), facts)


METHOD = Method(
    name="full-subtree",
    family="trees",
    place=10,
    group=full_subtree,
    takes="k",
    recoding="global",
    words="One cut through every hierarchy for the whole table, some branches finer than others: the best there is.",
    paper=f"{INCOGNITO}, section 5.1.1",
    usual=True,
)
