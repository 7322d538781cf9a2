"""What the command tells of a release of many tables that was written."""

from __future__ import annotations

from typing import Any

from amongst.job.run import Finished
from amongst.manifest import Manifest
from amongst.relations.public import suppressed_persons_words


def facts_of(done: Finished) -> dict[str, Any]:
    """As JSON."""
    manifest = Manifest.read(done.folder)
    return {"folder": str(done.folder), "report": str(done.folder / "report.html"), **manifest}


def words_of(job: Any, done: Finished) -> list[tuple[str, ...]]:
    """For people."""
    folder, release, verdict = done.folder, done.release, done.verdict
    utility = release.utility
    told: list[tuple[str, ...]] = [("verdict", "verified: it holds what was asked", "good")]
    for i, reached in enumerate(verdict.models):
        told.append(("checked" if i == 0 else "", f"{reached.words} Reached: {reached.reached:,.6g}."))
    told.append(
        ("persons", f"{verdict.n_persons:,} in {verdict.n_groups:,} groups, the smallest of {verdict.smallest:,}")
    )
    if utility.suppressed_persons:
        told.append(("", suppressed_persons_words(release, public=False)))
    few = 0 < utility.suppressed_persons < release.threshold
    told.append(("loss", f"LM {utility.lm:.4f}" + ("" if few else f", DM {utility.dm:,}")))  # DM counts them
    for name, table in utility.tables.items():
        columns = ", ".join(f"{column} {loss:.1%}" for column, loss in table.columns.items())
        rows = table.rows_words(release.threshold)
        told.append(("", f"{name}: {rows}{'; lost: ' + columns if columns else ''}"))
    told += _found_keys(job, release)
    if release.certificate is not None:
        told += [("hardened" if i == 0 else "", words) for i, words in enumerate(release.certificate.words)]
    names = ", ".join(sorted(path.name for path in folder.iterdir() if path.suffix != ".html"))
    told.append(("written", f"{folder}: {names}"))
    if job.output.namespace is not None:
        told.append(("", f"schema {job.output.namespace} of the database"))
    told.append(("inside", f"{done.inside}: not to be published, figures before and after", "name"))
    return [*told, ("report", str(folder / "report.html"), "name")]


def _found_keys(job: Any, release: Any) -> list[tuple[str, ...]]:
    """The references that neither the job nor the database named: whoever runs it should look at them."""
    found = release.source.found_keys(job.schema, release.schema)
    return [("keys", f"found by names and values, look them over: {', '.join(found)}", "warn")] if found else []
