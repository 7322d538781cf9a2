"""The check of two tables as SQL, so that anyone can repeat it without amongst (DuckDB's dialect)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from amongst.models import Model
from amongst.published.open_published import open_published
from amongst.published.pair_columns import pair_columns
from amongst.schema.schema import Schema
from amongst.verify.sql import _quoted, _table

CONDITIONS = {
    "frequency": "most * {l} <= n",
    "distinct": "n_values >= {l}",
    "entropy": "exp(entropy) >= {l} - 1e-9",
}


def pair_as_sql(quasi: Path, sensitive: Path, schema: Schema, models: Sequence[Model]) -> str:
    """A query that counts the groups of two published CSV or Parquet files; its last column says whether they hold.

    It names the files without their folder.
    """
    first, second = open_published(quasi), open_published(sensitive)
    columns = pair_columns(first, second, schema)
    if columns.link is None or columns.count is None:
        return ""
    link, value, count = map(_quoted, (columns.link, columns.sensitive, columns.count))
    holds = " AND ".join(CONDITIONS[model.condition].format(l=f"{model.asked:g}") for model in models)
    return (
        f"WITH people AS (SELECT {link} AS g, count(*) AS n_rows FROM {_table(first, quasi.name)} GROUP BY 1),\n"
        f"counted AS (\n  SELECT {link} AS g, {value} AS v, sum(CAST({count} AS BIGINT)) AS n\n"
        f"  FROM {_table(second, sensitive.name)}\n  GROUP BY 1, 2\n),\n"
        "totals AS (SELECT *, sum(n) OVER (PARTITION BY g) AS n_all FROM counted),\n"
        "groups AS (\n  SELECT g, sum(n) AS n, max(n) AS most, count(*) AS n_values,\n"
        "    -sum(n / n_all * ln(n / n_all)) AS entropy\n  FROM totals\n  GROUP BY g\n)\n"
        "SELECT coalesce(sum(n_rows), 0) AS n_rows, count(*) AS n_groups, min(n / most) AS l,\n"
        f"  coalesce(bool_and(n_rows IS NOT NULL AND n IS NOT NULL AND n_rows = n AND {holds}), false) AS holds\n"
        "FROM people FULL JOIN groups USING (g);"
    )
