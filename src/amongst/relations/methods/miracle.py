"""MiRaCle: clusters of persons whose trees of rows are made alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from amongst.kernels.relations import Grouped, cluster_trees
from amongst.partition.method import Method
from amongst.partition.papers import MANY_TABLES
from amongst.relations.diversity import database_models
from amongst.relations.forest import Forest
from amongst.relations.grouping import refuse_empty, refuse_infeasible, rules_from, spreads_of
from amongst.relations.skeleton import groups_by


def miracle(
    forest: Forest,
    models: Sequence[Any],
    *,
    threshold: float = 0.0,
    cluster_limit: int = 150,
    pairing: str = "greedy",
    distance: str = "pair",
    leftovers: str = "suppress",
    diversity: str = "merge",
    penalty: float = 1.0,
    skeleton: str = "clusters",
    progress: Callable[[int, int], object] | None = None,
    _upper_only: bool = False,
) -> Grouped:
    """MultIRelAtional CLustEring: every person joins the closest cluster, whose tree is made to fit both.

    Paper
        Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, sections 4.2 and 5.2; algorithms 1 to 4 and 6.
    Guarantees
        Every person is in a group of at least k whose trees are published exactly alike, or is suppressed.
    Choices
        Of equal distances the first cluster; of equal partners the first child; children in the order of their
        content; the smaller set of children chooses. ``threshold`` opens a new cluster above that distance (a share
        of all that can be lost), ``cluster_limit`` bounds how many are open. ``pairing="optimal"`` assigns children
        (up to 256 a node) at least total cost instead. ``distance="pair"`` is the loss of one copy of each of the
        two trees, as in the paper; ``"increase"`` is what joining adds to the loss of all members. A cluster is full
        with k persons. ``diversity``: groups that are not diverse are merged (algorithm 6), or kept apart by a
        ``penalty`` on the distance first, or suppressed. ``skeleton="split"``
        halves the persons around two that are far apart instead, and any method for single tables can choose the
        groups from counts of what every person has.
    Departures
        A row that finds no partner is removed, not starred: a row of stars would tell its person from the others.
        Two trees with more than 4,194,304 pairs of rows are paired as MiRaCleX does. Of groups that are not diverse,
        the closest is looked for among the next ``cluster_limit``.
    Cost
        cluster_limit x persons x pairs of rows of two persons.
    """
    k, asked = database_models(models)
    refuse_infeasible(forest, k, asked)
    rules = rules_from(
        k,
        threshold=threshold,
        cluster_limit=cluster_limit,
        pairing=pairing,
        distance=distance,
        leftovers=leftovers,
        diversity=diversity,
        penalty=penalty,
        upper_only=_upper_only,
    )
    given = None if skeleton == "clusters" else groups_by(forest, rules, skeleton, progress)
    spreads = spreads_of(forest, asked)
    return refuse_empty(cluster_trees(forest.tables, spreads, rules, given=given, tick=progress), rules)


METHOD = Method(
    name="miracle",
    family="database",
    place=10,
    group=miracle,
    takes="models itself",
    recoding="local",
    words="Persons join the closest cluster; rows are paired by all that hangs on them.",
    paper=MANY_TABLES,
    publishes="many tables",
)
