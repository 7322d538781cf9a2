"""MiRaCle: clusters of persons whose trees of rows are made alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from amongst.choices import OURS
from amongst.errors import BadOption
from amongst.kernels.relations import Grouped, Rules, cluster_trees, split_trees
from amongst.partition.method import Method
from amongst.partition.papers import MANY_TABLES
from amongst.partition.rules import as_printed
from amongst.relations.diversity import database_models
from amongst.relations.forest import Forest
from amongst.relations.grouping import (
    FEWEST_CLUSTERS,
    clusters_in_time,
    explained,
    refuse_empty,
    refuse_infeasible,
    rules_from,
    spreads_of,
)
from amongst.relations.skeleton import groups_by


def miracle(
    forest: Forest,
    models: Sequence[Any],
    *,
    threshold: float = 0.0,
    cluster_limit: int | None = None,
    pairing: str = "greedy",
    distance: str | None = None,
    leftovers: str | None = None,
    diversity: str = "merge",
    penalty: float = 1.0,
    skeleton: str = "clusters",
    rules: str = OURS,
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
        of all that can be lost), ``cluster_limit`` bounds how many are open; left out, as many as some seconds of work
        allow, by the pairs of rows that two persons have. ``pairing="optimal"`` assigns children
        (up to 256 a node) at least total cost instead. ``distance="pair"`` is the loss of one copy of each of the
        two trees, as in the paper; ``"increase"``, which is taken if left out, is what joining adds to the loss of all
        members. Those who are left in the end join the closest group; ``leftovers="suppress"`` leaves them out, as the
        paper does. A cluster is full
        with k persons. ``diversity``: groups that are not diverse are merged (algorithm 6), or kept apart by a
        ``penalty`` on the distance first, or suppressed; or persons are halved from the top, only where both halves
        stay diverse (``"split"``, the top-down way of section 5.2). ``skeleton="split"``
        halves the persons around two that are far apart instead, and any method for single tables can choose the
        groups from counts of what every person has.
    Departures
        A row that finds no partner is removed, not starred: a row of stars would tell its person from the others.
        Two trees with more than 4,194,304 pairs of rows are paired as MiRaCleX does. Of groups that are not diverse,
        the closest is looked for among the next ``cluster_limit``. A full cluster has k persons, as definition 9 asks,
        the distance is the loss of both trees, and of a cluster's tree only rows that all members have stay.
        ``rules="paper"`` is algorithms 2 to 4 and 6 as printed: a cluster is full with *more than* k persons and one
        more is opened while there are at most ``cluster_limit``; the distance is the loss of the one tree that stands
        for both; rows without a partner stay in it as stars, which count in later distances and may be paired again; of
        groups that are not diverse the closest of all is taken. They are not published then either: a starred row that
        only some have would tell them apart, and one for everybody would invent rows (section 2, requirement 3).
        On 1,000 made-up students with k = 10 and 150 clusters LM is 0.273 as printed and 0.247 as ours, DM 16,223 and
        11,824; as MiRaCleX 0.273 and 0.246, 16,223 and 12,004.
    Cost
        cluster_limit x persons x pairs of rows of two persons.
    """
    k, asked = database_models(models)
    refuse_infeasible(forest, k, asked)
    printed = as_printed(rules)
    distance = distance or ("pair" if printed else "increase")
    leftovers = leftovers or ("suppress" if printed else "join")
    if cluster_limit is None:
        cluster_limit = FEWEST_CLUSTERS if printed else clusters_in_time(forest, upper_only=_upper_only)
    followed = rules_from(
        k,
        threshold=threshold,
        cluster_limit=cluster_limit,
        pairing=pairing,
        distance=distance,
        leftovers=leftovers,
        diversity=diversity,
        penalty=penalty,
        upper_only=_upper_only,
        rules=rules,
    )
    spreads = spreads_of(forest, asked)
    given = None
    if diversity == "split":
        refuse_two_skeletons(skeleton, followed)
        given = split_trees(forest.tables, followed, spreads=spreads, tick=progress)
    elif skeleton != "clusters":
        refuse_two_skeletons("clusters", followed)
        given = groups_by(forest, followed, skeleton, progress)
    return refuse_empty(cluster_trees(forest.tables, spreads, followed, given=given, tick=progress))


def refuse_two_skeletons(skeleton: str, followed: Rules) -> None:
    """Raise where groups are to be found in two ways."""
    if skeleton not in ("clusters", "split") or followed.printed:
        raise BadOption(
            "Groups are found in one way.",
            found='rules = "paper", whose groups are its clusters' if followed.printed else f"skeleton = {skeleton!r}",
            fix='leave skeleton and diversity = "split" out, or rules = "paper"',
        )


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
    explained=explained(miracle),
)
