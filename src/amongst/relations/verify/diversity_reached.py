"""How diverse the sensitive values of rows are that cannot be told apart: definition 10, in rows and in persons."""

from __future__ import annotations

from typing import Any

from amongst.relations.diversity import Diversity
from amongst.relations.stores.ddl import quoted
from amongst.relations.verify.neutral import Neutral

ROUNDING = 1e-9


def diversity_reached(database: Any, published: Neutral, model: Diversity) -> tuple[float, bool]:
    """The least l of all sensitive columns that the model is about, and whether it is enough.

    For the recursive sense the l is fixed, and what is reached is the largest share of c that is used up: 1 or more
    is too much.
    """
    worst, found = float("inf"), False
    for table, relation in published.schema.items():
        for column in relation.schema.sensitive:
            if model.concerns(published.called[table], published.column_called[table, column]):
                found = True
                worst = min(worst, _column_reached(database, table, column, model))
    return (worst, enough(worst, model)) if found else (0.0, False)


def enough(reached: float, model: Diversity) -> bool:
    """Whether what was reached is what was asked."""
    if model.sense == "recursive":  # as the inverse share, so that less is worse in every sense
        return reached > 1.0
    return reached >= model.l * (1 - ROUNDING)


def _column_reached(database: Any, table: str, column: str, model: Diversity) -> float:
    database.execute(
        f"CREATE OR REPLACE TEMP TABLE spread AS SELECT n.kind, t.{quoted(column)} AS value, count(*) AS n_rows, "
        f"count(DISTINCT n.person) AS n_people, any_value(g.size) AS size FROM {quoted('kind ' + table)} n "
        f"JOIN {quoted(table)} t ON t.rowid = n.rid "
        f"JOIN (SELECT grp, count(DISTINCT person) AS size FROM {quoted('kind ' + table)} GROUP BY grp) g "
        f"ON g.grp = n.grp "
        f"GROUP BY n.kind, t.{quoted(column)}"
    )
    ways = {"rows": ("n_rows", "sum(n_rows)"), "persons": ("n_people", "any_value(size)")}
    asked = ways if model.count == "both" else {model.count: ways[model.count]}
    reached = [least_of(database, counts, whole, model) for counts, whole in asked.values()]
    return min(reached)


def least_of(database: Any, counts: str, whole: str, model: Diversity) -> float:
    """The least diversity of a kind of row in the table ``spread``, with these counts of its values."""
    if model.sense == "distinct":
        per_kind = "SELECT count(*) AS l FROM spread GROUP BY kind"
    elif model.sense == "frequency":
        per_kind = f"SELECT {whole} / max({counts}) AS l FROM spread GROUP BY kind"
    elif model.sense == "entropy":
        shares = f"SELECT kind, {counts} / sum({counts}) OVER (PARTITION BY kind) AS p FROM spread"
        per_kind = f"SELECT exp(-sum(p * ln(p))) AS l FROM ({shares}) GROUP BY kind"
    else:
        place = f"row_number() OVER (PARTITION BY kind ORDER BY {counts} DESC)"
        ranked = f"SELECT kind, {counts} AS n, {place} AS place FROM spread"
        tail = f"coalesce(sum(n) FILTER (WHERE place >= {int(model.l)}), 0)"
        per_kind = f"SELECT {model.c!r} * {tail} / max(n) AS l FROM ({ranked}) GROUP BY kind"
    (least,) = database.execute(f"SELECT min(l) FROM ({per_kind})").fetchone()
    return float("inf") if least is None else float(least)
