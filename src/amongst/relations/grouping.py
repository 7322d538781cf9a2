"""What every method for many tables shares: what is asked, as the kernels take it, and what cannot be reached."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from amongst.choices import OURS
from amongst.errors import BadOption, Infeasible, refuse_unknown_word
from amongst.kernels.relations import COUNTS, SENSES, Grouped, Rules
from amongst.partition.method import Option
from amongst.partition.rules import as_printed
from amongst.relations.diversity import Diversity
from amongst.relations.forest import Forest

PAIRINGS = ("greedy", "optimal", "levels")
DISTANCES = ("pair", "increase")
LEFTOVERS = ("suppress", "join")
WAYS = ("merge", "distance", "suppress", "split")
EXPLAINED = {
    "threshold": Option(words="distance from which a new group is opened"),
    "cluster_limit": Option(words="groups open at a time, at most"),
    "pairing": Option(words="how rows are paired", choices=PAIRINGS),
    "distance": Option(words="distance of two persons", choices=DISTANCES),
    "leftovers": Option(words="persons who are left in the end", choices=LEFTOVERS),
    "diversity": Option(words="groups that are not diverse", choices=WAYS),
    "penalty": Option(words="distance added where a group stays undiverse"),
    "skeleton": Option(words="what finds the groups"),
    "upper_only": Option(words="pair rows by their own values only"),
    "complete": Option(words="not having something tells as much as having it"),
    "persons_per_group": Option(words="persons of a group, 0 for as many as it takes"),
    "keep": Option(words="share of the codes that stays exact"),
    "common": Option(words="share for which the commonest codes stay exact"),
    "prevalence": Option(words="tell how many have a frequent code"),
}
"""The options of methods for many tables, as people call them."""
FEWEST_CLUSTERS = 150
"""So many clusters are open at a time whatever that costs, if there are as many persons."""
PAIRS_IN_TIME = 3e9
"""About so many pairs of cells are compared in ten seconds; more clusters are open only as far as this allows."""


def explained(method: Callable[..., Any]) -> dict[str, Option]:
    """Those of them that a method has; what it finds out by itself where it is left out is not offered."""
    has = inspect.signature(method).parameters
    return {name: told for name, told in EXPLAINED.items() if name in has and has[name].default is not None}


def spreads_of(forest: Forest, asked: Sequence[Diversity]) -> np.ndarray:
    """Table, column, sense, l, c and what is counted of everything that is asked of sensitive columns."""
    rows = []
    for model in asked:
        named = [
            [t, c, SENSES.index(model.sense), model.l, model.c, COUNTS.index(model.count)]
            for t, name in enumerate(forest.names)
            for c, column in enumerate(forest.schema[name].schema.sensitive)
            if model.concerns(name, column)
        ]
        if not named:
            raise BadOption(
                "Diversity is asked of a column that is not sensitive.",
                found=model.words(),
                fix='give role = "sensitive" to a column, or name another',
            )
        rows += named
    return np.array(rows, dtype=np.float64).reshape(-1, 6)


def clusters_in_time(forest: Forest, *, upper_only: bool) -> int:
    """How many clusters may be open: the more the less is lost, and every person is compared with all of them.

    Two persons cost a pair for each two of their rows of a table; paired by their own values alone only rows below
    paired rows meet. It follows from the numbers of rows, so that the same tables are always grouped in the same way.
    """
    pairs = 0.0
    for t, table in enumerate(forest.tables):
        rows = np.bincount(forest.person_of[t], minlength=forest.n_persons).astype(np.float64)
        meet = rows.mean() ** 2
        if upper_only and table.first is not None:
            of_one = np.diff(table.first)
            meet = rows.mean() * (of_one[of_one > 0].mean() if (of_one > 0).any() else 0.0)
        pairs += meet * max(len(table.prices), 1)
    able = PAIRS_IN_TIME / max(forest.n_persons * pairs, 1.0)
    return int(min(max(able, FEWEST_CLUSTERS), forest.n_persons))


def refuse_infeasible(forest: Forest, k: int, asked: Sequence[Diversity]) -> None:
    """Raise for what no grouping can reach: more persons than there are, more values than a column has."""
    if k > forest.n_persons:
        raise Infeasible(
            f"No grouping can reach k = {k}.",
            found=f"{forest.n_persons:,} persons",
            fix=f"use k <= {forest.n_persons}",
            largest_k=forest.n_persons,
        )
    for t, c, _, least, *_ in spreads_of(forest, asked).tolist():
        values = forest.tables[int(t)].sensitive[:, int(c)]
        n_values = len(np.unique(values))
        if len(values) and n_values < least:
            name = forest.names[int(t)]
            column = forest.schema[name].schema.sensitive[int(c)]
            raise Infeasible(
                f"No grouping can reach {least:g}-diversity on '{column}' of table '{name}'.",
                found=f"{n_values} distinct values in the whole table",
                fix=f"use l <= {n_values}, or choose another sensitive column",
                largest_l=n_values,
            )


def refuse_empty(grouped: Grouped) -> Grouped:
    """Raise where a method ended with nobody left to publish."""
    if (grouped.group_of_person >= 0).any():
        return grouped
    raise Infeasible(
        "The method found no groups that hold what was asked.",
        found=f"all {len(grouped.group_of_person):,} persons would be suppressed",
        fix="ask for less diversity, or use diversity = merge",
    )


def rules_from(
    k: int,
    *,
    threshold: float,
    cluster_limit: int,
    pairing: str,
    distance: str,
    leftovers: str,
    diversity: str,
    penalty: float,
    upper_only: bool,
    rules: str = OURS,
) -> Rules:
    """The options of a method, checked, as the kernels take them."""
    printed = as_printed(rules)
    if printed and (pairing, distance) != ("greedy", "pair"):
        raise BadOption(
            "The paper pairs and measures in one way.",
            found=f"rules = {rules!r}, pairing = {pairing!r}, distance = {distance!r}",
            fix='leave pairing and distance out, or rules = "ours"',
        )
    if pairing == "levels" and not upper_only:
        raise BadOption(
            "Rows are paired level by level by their own values only.",
            found="pairing = 'levels' with a method that looks at all that hangs on a row",
            fix="use miracle-x, or upper_only with d-miracle",
        )
    choices = {
        "pairing": (pairing, PAIRINGS),
        "distance": (distance, DISTANCES),
        "leftovers": (leftovers, LEFTOVERS),
        "diversity": (diversity, WAYS),
    }
    for name, (value, known) in choices.items():
        refuse_unknown_word(f"The option {name} cannot be {value!r}.", name, value, known)
    _number("threshold", threshold, 0.0)
    _number("penalty", penalty, 0.0)
    if not isinstance(cluster_limit, int) or isinstance(cluster_limit, bool) or cluster_limit < 1:
        found = f"cluster_limit = {cluster_limit!r}"
        raise BadOption("cluster_limit must be a whole number of at least 1.", found=found, fix="use 150")
    return Rules(
        k=k,
        limit=cluster_limit,
        threshold=threshold,
        join=leftovers == "join",
        upper_only=upper_only,
        optimal=pairing == "optimal",
        increase=distance == "increase",
        merge=diversity != "suppress",
        penalty=penalty if diversity == "distance" else 0.0,
        levels=pairing == "levels",
        printed=printed,
    )


def _number(name: str, value: Any, least: float) -> None:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not value >= least:
        found = f"{name} = {value!r}"
        raise BadOption(f"{name} must be a number of at least {least:g}.", found=found, fix=f"use {name} = {least:g}")
