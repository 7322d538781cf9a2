"""The report of many tables: the schema drawn with where the loss is, what was asked, proved and lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.relations.diversity import words_of
from amongst.report.charts.class_sizes import class_size_chart
from amongst.report.charts.schema_tree import TableBox, schema_chart
from amongst.report.render import fill

if TYPE_CHECKING:
    from amongst.relations.release import DatabaseRelease
    from amongst.relations.verify import DatabaseVerdict


def render_database(release: DatabaseRelease, verdict: DatabaseVerdict) -> str:
    """The report as the text of one HTML file, without a script or anything outside of itself.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("transcripts")
    >>> page = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)]).report()
    >>> page.startswith("<!doctype html>") and "courses" in page
    True
    """
    utility = release.utility
    sizes, counts = np.array(list(verdict.group_sizes)), np.array(list(verdict.group_sizes.values()))
    return fill(
        "database.html",
        title=release.stored.name,
        verdict=verdict,
        asked=words_of(release.models),
        utility=utility,
        threshold=release.threshold,
        schema=schema_chart(table_boxes(release)),
        tables=[_table(release, name) for name in release.schema],
        sizes=class_size_chart(sizes, counts, release.threshold) if len(sizes) else None,
        method={"method": release.method, **release.options, "seed": release.seed},
        checks=verdict.models,
    )


def table_boxes(release: DatabaseRelease) -> list[TableBox]:
    """Every table as the drawing of the schema shows it."""
    boxes = []
    for name in release.schema.in_order():
        loss, relation = release.utility.tables[name], release.schema[name]
        columns: list[tuple[str, float | None]] = [
            (column, loss.columns.get(column)) for column in relation.schema.published
        ]
        boxes.append(
            TableBox(name, relation.parent, loss.rows, _hidden(loss.suppressed, loss.rows, release.threshold), columns)
        )
    return boxes


def _hidden(suppressed: int, rows: int, threshold: int) -> str:
    if suppressed == 0:
        return "no row suppressed"
    return (
        f"fewer than {threshold:,} rows suppressed"
        if suppressed < threshold
        else f"{suppressed / rows:.1%} of the rows suppressed"
    )


def _table(release: DatabaseRelease, name: str) -> dict[str, Any]:
    loss, relation = release.utility.tables[name], release.schema[name]
    return {
        "name": name,
        "hangs": "one row a person"
        if relation.parent is None
        else f"{relation.foreign_key} leads to {relation.parent}",
        "rows": loss.rows,
        "suppressed": _hidden(loss.suppressed, loss.rows, release.threshold),
        "lm": loss.lm,
        "columns": loss.columns,
        "sensitive": relation.schema.sensitive,
    }
