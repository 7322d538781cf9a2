"""The report of many tables: the schema drawn with where the loss is, what was asked, proved and lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.relations.diversity import words_of
from amongst.relations.public import shown_utility, suppressed_persons_words
from amongst.release.public import TITLE
from amongst.report.charts.class_sizes import class_size_chart
from amongst.report.charts.schema_tree import TableBox, schema_chart
from amongst.report.render import fill

if TYPE_CHECKING:
    from amongst.relations.measure import DatabaseUtility
    from amongst.relations.release import DatabaseRelease
    from amongst.verify import Verdict

LIMITS = (
    "Sensitive values are published as they are. k alone does not keep them apart: if all persons of a group share a "
    "value, anybody who knows one of them knows it. Diversity is for that.",
    "Somebody who knows that a person is in the data, and in which group, sees what all of that group have in common.",
    "Two releases of the same persons, or other tables about them, can be put side by side. Nothing here protects "
    "against that.",
    "Only columns that were named quasi-identifiers are generalized. What somebody knows of a person by another column "
    "is not covered.",
)
"""What the models for many tables leave open."""


def render_database(release: DatabaseRelease, verdict: Verdict, *, public: bool = False) -> str:
    """The report as the text of one HTML file, without a script or anything outside of itself.

    The public one tells what the published tables give by themselves, and what was asked.

    Examples
    --------
    >>> import amongst as am
    >>> made = am.datasets.load_database("transcripts")
    >>> page = am.anonymize_database(made.tables, made.schema, [am.KAnonymity(2)]).report()
    >>> page.startswith("<!doctype html>") and "courses" in page
    True
    """
    utility = shown_utility(release, verdict) if public else release.utility
    certificate = release.certificate
    hardened = [] if certificate is None else certificate.public_words if public else certificate.words
    sizes, counts = np.array(list(verdict.group_sizes)), np.array(list(verdict.group_sizes.values()))
    return fill(
        "database.html",
        beside=__file__,
        title=TITLE if public else release.source.name,
        verdict=verdict,
        asked=words_of(release.models, release.schema.bounded, release.request.chosen.values_apart),
        utility=utility,
        suppressed=suppressed_persons_words(release, public=public),
        schema=schema_chart(table_boxes(release, utility, public=public)),
        tables=[_table(release, utility, name, public) for name in release.schema],
        sizes=class_size_chart(sizes, counts, release.threshold) if len(sizes) else None,
        hardened=hardened,
        method={"method": release.method, **release.options, **({} if public else {"seed": release.seed})},
        checks=verdict.models,
        limits=LIMITS,
        inside=not public,
    )


def table_boxes(
    release: DatabaseRelease, utility: DatabaseUtility | None = None, *, public: bool = False
) -> list[TableBox]:
    """Every table as the drawing of the schema shows it."""
    boxes = []
    for name in release.schema.in_order():
        loss, relation = (utility or release.utility).tables[name], release.schema[name]
        columns: list[tuple[str, float | None]] = [
            (column, loss.columns.get(column)) for column in relation.schema.published
        ]
        boxes.append(TableBox(name, relation.parent, loss.rows, _hidden(release, name, public), columns))
    return boxes


def _hidden(release: DatabaseRelease, name: str, public: bool) -> str:
    """What is said of suppressed rows: in public only whether there are some, for they may all be of one person."""
    loss = release.utility.tables[name]
    if loss.suppressed == 0:
        return "no row suppressed"
    return "rows suppressed" if public else loss.rows_words(release.threshold)


def _table(release: DatabaseRelease, utility: DatabaseUtility, name: str, public: bool) -> dict[str, Any]:
    loss, relation = utility.tables[name], release.schema[name]
    return {
        "name": name,
        "hangs": "one row a person"
        if relation.parent is None
        else f"{relation.foreign_key} leads to {relation.parent}",
        "rows": loss.rows,
        "suppressed": _hidden(release, name, public),
        "lm": loss.lm,
        "columns": loss.columns,
        "sensitive": relation.schema.sensitive,
    }
