"""From a search over the lattice to a partition: search, choose, group."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedTable
from amongst.encode.node_ends import ends_of_node
from amongst.errors import Infeasible
from amongst.measure.own_levels import Choice
from amongst.models import Model
from amongst.partition.ask import Ask, ask
from amongst.partition.frequency_sets import FrequencySets
from amongst.partition.full_domain.choose import choose_node, refuse_unknown_choice
from amongst.partition.full_domain.generalizations import Generalizations
from amongst.partition.lattice import Levels
from amongst.partition.method import Method
from amongst.partition.partition import Partition

FEW_NODES, LITTLE_WORK = 240, 1 << 23
"""A lattice of so few nodes, and nodes times distinct tuples, is looked at as a whole in a fraction of a second."""


def search_lattice(
    method: Method,
    table: CodedTable,
    models: Sequence[Model],
    suppression: float = 0.0,
    limits: Mapping[str, int] | None = None,
    **options: Any,
) -> Generalizations:
    """Run a search on the frequency sets of a table in memory."""
    return search_sets(method, FrequencySets(table), models, suppression, limits, **options)


def search_sets(
    method: Method,
    sets: FrequencySets,
    models: Sequence[Model],
    suppression: float = 0.0,
    limits: Mapping[str, int] | None = None,
    **options: Any,
) -> Generalizations:
    """Run a search on frequency sets, wherever they live, and wrap what it found."""
    assert method.search is not None, f"{method.name} does not search the lattice"
    asked = ask(sets.table, sets, models, suppression, limits, enumerate_all=method.enumerates)
    found, n_searched, *more = method.search(sets, asked, **options)
    nodes = np.argwhere(found) if found.dtype == bool else found
    names = [column.name for column in sets.table.columns]
    return Generalizations(
        nodes=nodes,
        complete=method.finds_all,
        columns=names,
        heights=asked.lattice.heights,
        n_searched=n_searched,
        ask=asked,
        sets=sets,
        facts=more[0] if more else {},
    )


def full_domain(method: Method) -> Callable[..., Partition]:
    """A method that searches, chooses the best generalization by a measure, and groups the rows by it."""

    def run(
        table: CodedTable,
        models: Sequence[Model],
        *,
        suppression: float = 0.0,
        choose: Choice = "gcp",
        limits: Mapping[str, int] | None = None,
        progress: Callable[[int, int], None] | None = None,
        **options: Any,
    ) -> Partition:
        sets = FrequencySets(table)
        asked, node, facts = find_node(
            method,
            sets,
            models=models,
            suppression=suppression,
            choose=choose,
            limits=limits,
            progress=progress,
            **options,
        )
        return group_by_levels(sets, asked, node, facts)

    assert method.search is not None, f"{method.name} does not search the lattice"
    run.__doc__ = method.search.__doc__
    run.__name__ = method.search.__name__
    own = [p for p in inspect.signature(run).parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    told = {"sets", "ask", *(p.name for p in own)}
    extra = [p for name, p in inspect.signature(method.search).parameters.items() if name not in told]
    run.__signature__ = inspect.Signature([*own, *extra])  # type: ignore[attr-defined]
    return run


def find_node(
    method: Method,
    sets: FrequencySets,
    models: Sequence[Model],
    suppression: float = 0.0,
    choose: Choice = "gcp",
    limits: Mapping[str, int] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> tuple[Ask, Levels, dict[str, Any]]:
    """The best generalization by a measure among those that a search finds, on frequency sets wherever they live."""
    refuse_unknown_choice(choose)
    if (
        method.search is not None and "choose" in inspect.signature(method.search).parameters
    ):  # it finds the best by one measure
        options["choose"] = choose
    found = search_sets(method, sets, models, suppression, limits, progress=progress, **options)
    if len(found) == 0:
        raise infeasible(found)
    facts = {"searched": found.n_searched, **({"holding": len(found)} if found.complete else {}), **found.facts}
    return found.ask, choose_node(found, choose), facts


def infeasible(found: Generalizations) -> Infeasible:
    """What is reachable within the limits: the top of the lattice is the best that can be had."""
    sets, asked = found.sets, found.ask
    top = sets.scan(tuple(range(asked.lattice.n_columns)), asked.lattice.heights)
    count = np.sort(top.count)
    if sets.beyond_k is not None:
        return Infeasible(
            "No full-domain generalization within these limits holds what is asked.",
            found="at the highest levels allowed some class still fails",
            fix="ask for less, or lift the limits on the levels",
        )
    stands = np.cumsum(count) > asked.allowed  # classes that are too many to suppress them all
    largest = int(count[np.argmax(stands)] if stands.any() else count[-1])
    below = top.rows_below(asked.k)
    words = f"{below:,}" if below >= asked.k else f"fewer than {asked.k}"
    return Infeasible(
        f"No full-domain generalization within these limits reaches {asked.k}-anonymity.",
        found=f"at the highest levels allowed {words} rows are in classes of fewer than {asked.k}, "
        f"and {asked.allowed:,} may be suppressed",
        fix=f"use k <= {largest}, allow more suppression, or lift the limits on the levels",
        largest_k=largest,
    )


def group_by_levels(sets: FrequencySets, asked: Ask, node: Levels, facts: dict[str, Any]) -> Partition:
    """The partition that a node stands for; rows in classes that fail are suppressed."""
    found, class_of_row = sets.count_with_members(sets.rows(), tuple(range(len(node))), node)
    kept = ~found.failing(asked.k)
    if not kept.any():
        raise Infeasible(
            "Every row would have to be suppressed.",
            found=f"no class of {asked.k} rows at the chosen levels",
            fix="allow less suppression, so that columns are generalized further",
        )
    # Classes come in no promised order; groups are numbered by what they are.
    order = np.lexsort(list(reversed(found.codes)))
    order = order[kept[order]]
    group_of_class = np.full(len(kept), -1, dtype=np.int32)
    group_of_class[order] = np.arange(len(order))
    lo, hi = np.empty((len(order), len(node)), np.uint32), np.empty((len(order), len(node)), np.uint32)
    for c, level in enumerate(node):
        first, last = ends_of_node(sets.maps[c][level], sets.table.columns[c].wildcard)
        lo[:, c], hi[:, c] = first[found.codes[c][order]], last[found.codes[c][order]]
    facts = {**facts, "tuples": sets.tuples.n_classes, "uniques": int((sets.tuples.count == 1).sum())}
    n_nodes = asked.lattice.n_nodes
    if n_nodes <= FEW_NODES and n_nodes * sets.tuples.n_classes <= LITTLE_WORK:
        facts["lattice"] = (sets, asked, node)  # for the report, which draws it
    return Partition(kernels.gather(group_of_class, class_of_row), lo, hi, np.array(node), facts)
