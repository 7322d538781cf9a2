"""What of many tables everybody may read: what the published tables give by themselves, and what was asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from amongst.manifest import Manifest
from amongst.relations.measure import DatabaseUtility, TableLoss
from amongst.release.public import round_suppressed
from amongst.report.wording import suppressed_words

LISTED = "listed; see the inside version"

if TYPE_CHECKING:
    from collections.abc import Mapping

    from amongst.relations.release import DatabaseRelease
    from amongst.verify import Verdict


def public_database_manifest(facts: Manifest, release: DatabaseRelease, verdict: Verdict) -> Manifest:
    """The manifest without what needs the original: no name, digest or size of the input, no seed, no exact counts."""
    shown = shown_utility(release, verdict).to_dict()
    gone = release.utility.suppressed_persons
    del shown["suppressed_persons"]
    for name, table in shown["tables"].items():
        table["suppressed"] = {"least": min(release.utility.tables[name].suppressed, 1)}
    told = {
        **facts,
        "document": "public",
        "input": {},
        "method": {key: facts["method"][key] for key in ("name", "options")},
        "output": {**facts["output"], "suppressed": round_suppressed(gone, release.threshold)},
        "utility": shown,
        "tables": {name: _without_listed_trees(table) for name, table in facts["tables"].items()},
    }
    if "hardened" in facts:
        hardened = facts["hardened"]
        told["hardened"] = {"promises": hardened["public"], "not_tried": hardened["not_tried"]}
    return Manifest(told)


def _without_listed_trees(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table without size and digest of trees that list codes: they may be made of codes that are not published."""
    columns = {
        name: {**fields, "hierarchy": {"rows": LISTED}} if "rows" in fields.get("hierarchy", {}) else fields
        for name, fields in table["columns"].items()
    }
    return {**table, "columns": columns}


def shown_utility(release: DatabaseRelease, verdict: Verdict) -> DatabaseUtility:
    """The loss as the published labels show it; rows and persons as they were published."""
    from amongst.verify.loss import published_loss

    tables, lost, cells = {}, 0.0, 0
    for name in release.schema:
        rows, columns = verdict.rows[name], {}
        quasi = release.schema[name].schema
        if release.request.chosen.values_apart:
            columns = dict.fromkeys(quasi.quasi, 0.0)
        elif rows and quasi.quasi:
            found = published_loss(release.arrow[name], quasi)
            columns = {column: loss for column, loss in found.items() if loss is not None}
        tables[name] = TableLoss(rows, 0, sum(columns.values()) / len(columns) if columns else None, columns)
        lost, cells = lost + sum(columns.values()) * rows, cells + len(columns) * rows
    dm = sum(size * size * groups for size, groups in verdict.group_sizes.items())
    smallest = verdict.smallest
    return DatabaseUtility(
        lm=lost / max(cells, 1),
        dm=dm,
        persons=verdict.n_persons,
        suppressed_persons=0,
        groups=verdict.n_groups,
        smallest=smallest,
        tables=tables,
    )


def suppressed_persons_words(release: DatabaseRelease, *, public: bool) -> str:
    """How many persons were left out, as closely as it is told."""
    gone = release.utility.suppressed_persons
    if public or 0 < gone < release.threshold:
        return f"{suppressed_words(round_suppressed(gone, release.threshold))} suppressed"
    return f"{gone:,} suppressed" if gone else "none suppressed"
