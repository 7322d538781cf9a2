"""MiRaCleX: as MiRaCle, with children paired by their own values alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from amongst.choices import OURS
from amongst.kernels.relations import Grouped
from amongst.partition.method import Method
from amongst.partition.papers import MANY_TABLES
from amongst.relations.forest import Forest
from amongst.relations.grouping import explained
from amongst.relations.methods.miracle import miracle


def miracle_x(
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
) -> Grouped:
    """Rows are paired by their own values, without looking at what hangs on them: rows that are alike above tend to
    be alike below.

    Paper
        Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, section 4.3, algorithm 5.
    Guarantees, Choices, Departures
        As ``miracle``. ``pairing="levels"`` (end of section 4.3) does not try all pairs: rows with the same values are
        paired first, then rows with the same values one level up in all columns, and so on; a range has one level.
    Cost
        The pairs of rows of two persons that are reached from above, not all of them; by levels, rows times levels.
    """
    return miracle(
        forest,
        models,
        threshold=threshold,
        cluster_limit=cluster_limit,
        pairing=pairing,
        distance=distance,
        leftovers=leftovers,
        diversity=diversity,
        penalty=penalty,
        skeleton=skeleton,
        rules=rules,
        progress=progress,
        _upper_only=True,
    )


METHOD = Method(
    name="miracle-x",
    family="database",
    place=20,
    group=miracle_x,
    takes="models itself",
    recoding="local",
    words="As miracle, rows paired by their own values: several times faster.",
    paper=MANY_TABLES,
    publishes="many tables",
    explained=explained(miracle_x),
)
