"""Anatomization of many tables: quasi-identifiers as they are, sensitive values bound to classes of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from amongst.choices import OURS
from amongst.errors import BadOption
from amongst.kernels.relations import Grouped
from amongst.partition.method import Method
from amongst.partition.papers import MANY_TABLES
from amongst.relations.closeness import as_closeness
from amongst.relations.diversity import database_models, is_of_persons
from amongst.relations.forest import Forest
from amongst.relations.grouping import explained, refuse_empty
from amongst.relations.methods.miracle import miracle
from amongst.relations.value_classes import bound_to_classes


def anatomization(
    forest: Forest,
    models: Sequence[Any],
    *,
    threshold: float = 0.0,
    cluster_limit: int = 150,
    pairing: str = "greedy",
    distance: str = "pair",
    leftovers: str = "suppress",
    diversity: str = "merge",
    upper_only: bool = False,
    rules: str = OURS,
    progress: Callable[[int, int], object] | None = None,
) -> Grouped:
    """The groups of ``d-miracle``, of which nothing is generalized: rows that would look alike share a class instead.

    Paper
        Nergiz, Clifton, Nergiz: MultiRelational k-Anonymity, TKDE 2009, section 5.1: an anatomization is produced from
        an l-diverse anonymization by binding the sensitive values to groups instead of tuples.
    Guarantees
        In every class the sensitive values are as diverse as is asked, and a class tells them all and not which row
        has which. With ``count="both"`` or ``"persons"``, in the sense of frequency, no value has more rows in a class
        than one in l of its *persons*: whoever has them, nobody is more likely than 1/l to have the value there.
    Choices
        A class is what definition 10 asks about: rows that a view on the anonymized tables could not tell apart.
    Departures
        Rows without a partner are left out, as in the anonymization. A person may have several rows in a class, and
        which of them has a value is not published, so persons are bounded by rows (see above); groups where that is
        too many are left out: the third way of section 5.2, by which an anatomization resists minimality attacks.
    Cost
        That of ``d-miracle``.
    """
    told = [model for model in models if is_of_persons(model) or as_closeness(model)]
    if told or not database_models(models)[1]:
        raise BadOption(
            "Anatomization publishes the quasi-identifiers as they are, so it can promise diversity and nothing else.",
            found=f"asked for: {', '.join(model.name for model in models)}",
            fix="ask for Diversity alone, or use another method, which generalizes",
        )
    if forest.schema.bounded or any(relation.links for relation in forest.schema.values()):
        raise BadOption(
            "Anatomization takes tables that hang on their parents, of which all may be known.",
            found="references beside those to parents, or a table with known",
            fix='leave such columns out (role = "identifier") and known too, or use another method',
        )
    options: dict[str, Any] = {
        "threshold": threshold,
        "cluster_limit": cluster_limit,
        "pairing": pairing,
        "distance": distance,
        "leftovers": leftovers,
        "diversity": diversity,
        "rules": rules,
    }
    grouped = miracle(forest, models, **options, progress=progress, _upper_only=upper_only)
    return refuse_empty(bound_to_classes(forest, grouped, database_models(models)[1]))


METHOD = Method(
    name="anatomization",
    family="database",
    place=60,
    group=anatomization,
    takes="models itself",
    recoding="none",
    words="Quasi-identifiers as they are; sensitive values in tables of their own, bound to classes of rows.",
    paper=f"{MANY_TABLES}, section 5.1",
    publishes="many tables",
    explained=explained(anatomization),
    values_apart=True,
)
