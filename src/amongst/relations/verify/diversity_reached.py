"""How diverse the sensitive values of rows are that cannot be told apart: definition 10, in rows and in persons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from amongst.relations.closeness import Closeness
from amongst.relations.diversity import Diversity
from amongst.relations.verify.neutral import Neutral
from amongst.sql_text import quoted

ROUNDING = 1e-9


def diversity_reached(database: Any, published: Neutral, model: Diversity, m: int = 0) -> tuple[float, bool]:
    """The least l of all sensitive columns that the model is about, and whether it is enough.

    Where less than all is known of some table, also among persons who share any up to m codes; missing values are then
    withheld, and not counted.

    For the recursive sense the l is fixed, and what is reached is the largest share of c that is used up: 1 or more
    is too much.
    """
    worst, found = float("inf"), False
    for table, relation in published.schema.items():
        for column in relation.schema.sensitive:
            if model.concerns(published.called[table], published.column_called[table, column]):
                found = True
                worst = min(worst, _column_reached(database, published, table, column, model, m))
    return (worst, enough(worst, model)) if found else (0.0, False)


def enough(reached: float, model: Diversity) -> bool:
    """Whether what was reached is what was asked."""
    if model.sense == "recursive":  # as the inverse share, so that less is worse in every sense
        return reached > 1.0
    return reached >= model.l * (1 - ROUNDING)


def closeness_reached(database: Any, published: Neutral, model: Closeness, m: int) -> float:
    """How far values of rows that look alike are from those of all published rows, at most; 1 without a column."""
    farthest = [
        _farthest(database, published, table, column, model, m)
        for table, relation in published.schema.items()
        for column in relation.schema.sensitive
        if model.concerns(published.called[table], published.column_called[table, column])
    ]
    return max(farthest, default=1.0)


def _column_reached(database: Any, published: Neutral, table: str, column: str, model: Diversity, m: int) -> float:
    ways = {"rows": ("n_rows", "sum(n_rows)"), "persons": ("n_people", "any_value(size)")}
    asked = ways if model.count == "both" else {model.count: ways[model.count]}
    if not published.schema.bounded:
        _spread_of_kinds(database, table, column)
        return min(least_of(database, counts, whole, model) for counts, whole in asked.values())
    reached = [float("inf")]
    for _ in _spreads_of_sets(database, published, table, column, m):
        reached += [least_of(database, counts, whole, model) for counts, whole in asked.values()]
    return min(reached)


def _spread_of_kinds(database: Any, table: str, column: str) -> None:
    database.execute(
        f"CREATE OR REPLACE TEMP TABLE spread AS SELECT n.kind, t.{quoted(column)} AS value, count(*) AS n_rows, "
        f"count(DISTINCT n.person) AS n_people, any_value(g.size) AS size FROM {quoted('kind ' + table)} n "
        f"JOIN {quoted(table)} t ON t.rowid = n.rid "
        f"JOIN (SELECT grp, count(DISTINCT person) AS size FROM {quoted('kind ' + table)} GROUP BY grp) g "
        f"ON g.grp = n.grp "
        f"GROUP BY n.kind, t.{quoted(column)}"
    )


def _spreads_of_sets(database: Any, published: Neutral, table: str, column: str, m: int) -> Iterator[int]:
    """Make ``spread`` for all sets of no, one, two and so on codes, one size after the other.

    Of a row that has a code, or hangs on one that has, that code is among the m.
    """
    rows = (
        f"SELECT n.grp, n.kind, n.code, n.person, t.{quoted(column)} AS value FROM {quoted('near ' + table)} n "
        f"JOIN {quoted(table)} t ON t.rowid = n.rid WHERE t.{quoted(column)} IS NOT NULL"
    )
    for size in range((m - 1 if _has_code(published, table) else m) + 1):
        joins = "".join(f" JOIN had h{i} ON h{i}.person = r.person" for i in range(size))
        joins += "".join(f" AND h{i}.item > h{i - 1}.item" for i in range(1, size))
        alike = "[" + ", ".join(["r.grp", "r.kind", "r.code", *(f"h{i}.item" for i in range(size))]) + "]"
        database.execute(
            f"CREATE OR REPLACE TEMP TABLE spread AS WITH seen AS (SELECT {alike} AS kind, r.person, r.value "
            f"FROM ({rows}) r{joins}), sizes AS (SELECT kind, count(DISTINCT person) AS size FROM seen GROUP BY kind) "
            f"SELECT kind, value, count(*) AS n_rows, count(DISTINCT person) AS n_people, any_value(size) AS size "
            f"FROM seen JOIN sizes USING (kind) GROUP BY kind, value"
        )
        yield size


def _has_code(published: Neutral, table: str) -> bool:
    """Whether rows of the table have a code, or hang on rows that have one."""
    relation = published.schema[table]
    while not relation.in_trees:
        if relation.known == "codes":
            return True
        relation = published.schema[str(relation.parent)]
    return False


def _farthest(database: Any, published: Neutral, table: str, column: str, model: Closeness, m: int) -> float:
    values = (
        f"SELECT {quoted(column)} AS value, count(*) / sum(count(*)) OVER () AS q, "
        f"row_number() OVER (ORDER BY {quoted(column)}) AS place FROM {quoted(table)} "
        f"WHERE {quoted(column)} IS NOT NULL GROUP BY {quoted(column)}"
    )
    database.execute(f"CREATE OR REPLACE TEMP TABLE everywhere AS {values}")
    (n_values,) = database.execute("SELECT count(*) FROM everywhere").fetchone()
    farthest = 0.0
    for _ in _spreads_of_sets(database, published, table, column, m):
        shares = "SELECT kind, value, n_rows / sum(n_rows) OVER (PARTITION BY kind) AS p FROM spread"
        if model.ordered(published.tables[table].schema.field(column).type):
            apart = (
                f"SELECT k.kind, e.place, sum(coalesce(s.p, 0) - e.q) OVER (PARTITION BY k.kind ORDER BY e.place) AS d "
                f"FROM (SELECT DISTINCT kind FROM spread) k CROSS JOIN everywhere e LEFT JOIN ({shares}) s "
                f"ON s.kind = k.kind AND s.value = e.value"
            )
            per_kind = f"SELECT sum(abs(d)) / {max(n_values - 1, 1)} AS far FROM ({apart}) GROUP BY kind"
        else:  # what a kind lacks of the whole is as much as what it has too much
            per_kind = (
                f"SELECT sum(greatest(p - q, 0)) AS far FROM ({shares}) JOIN everywhere USING (value) GROUP BY kind"
            )
        (found,) = database.execute(f"SELECT max(far) FROM ({per_kind})").fetchone()
        farthest = max(farthest, 0.0 if found is None else float(found))
    return farthest


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
