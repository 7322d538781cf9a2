"""dMiRaCle: small clusters that merge until their sensitive values are diverse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from amongst.choices import OURS
from amongst.errors import BadOption
from amongst.kernels.relations import Grouped
from amongst.partition.method import Method
from amongst.partition.papers import MANY_TABLES
from amongst.relations.diversity import database_models
from amongst.relations.forest import Forest
from amongst.relations.grouping import explained
from amongst.relations.methods.miracle import miracle


def d_miracle(
    forest: Forest,
    models: Sequence[Any],
    *,
    threshold: float = 0.0,
    cluster_limit: int = 150,
    pairing: str = "greedy",
    distance: str = "pair",
    leftovers: str = "suppress",
    upper_only: bool = False,
    rules: str = OURS,
    progress: Callable[[int, int], object] | None = None,
) -> Grouped:
    """MiRaCle with groups of two (or of k, where that is asked as well), merged where diversity does not hold.

    Paper
        Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, section 5.2, algorithm 6.
    Guarantees
        Definition 10: whatever is selected by published values, the sensitive values are l-diverse.
    Choices
        A group that is not diverse takes in the closest of its like until it is; ``upper_only`` pairs as MiRaCleX.
    Departures
        As ``miracle``, and as there fewer with ``rules="paper"``. Diversity is asked in rows, as the definition has it,
        and in persons as well (``am.Diversity(l, "entropy", count="rows")`` is the paper's).
    """
    if not database_models(models)[1]:
        raise BadOption(
            "The method 'd-miracle' is for diversity.",
            found="no model of diversity",
            fix="add one, such as am.Diversity(2), or use miracle",
        )
    options: dict[str, Any] = {
        "threshold": threshold,
        "cluster_limit": cluster_limit,
        "pairing": pairing,
        "distance": distance,
        "leftovers": leftovers,
        "rules": rules,
    }
    return miracle(forest, models, **options, progress=progress, _upper_only=upper_only)


METHOD = Method(
    name="d-miracle",
    family="database",
    place=30,
    group=d_miracle,
    takes="models itself",
    recoding="local",
    words="Small clusters that merge until sensitive values are diverse.",
    paper=MANY_TABLES,
    publishes="many tables",
    explained=explained(d_miracle),
)
