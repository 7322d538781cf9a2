"""``amongst verify``: does a published table hold what was asked of it?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from amongst.cli.page import Shown
    from amongst.errors import NotVerified
    from amongst.models import Model
    from amongst.schema.schema import Schema
    from amongst.verify import Finding, Verdict


def verify(
    published: Annotated[Path, typer.Argument(help="A release folder, or a CSV, Parquet or Arrow file.")],
    quasi: Annotated[
        list[str] | None,
        typer.Option("--quasi", metavar="A,B", help="The columns that others may know of people."),
    ] = None,
    schema: Annotated[
        Path | None, typer.Option("--schema", metavar="JOB.toml", help="Take the columns of a job file.")
    ] = None,
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", min=1, help="What to ask for; left out, what the manifest of the release says."),
    ] = None,
    nulls_rule: o.NullsRule = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Check a published table from the file alone, whichever tool wrote it.

    The exit code is 0 when it holds and 1 when it does not.
    """
    from amongst.cli.columns import null_rule_in
    from amongst.cli.progress import watched
    from amongst.verify import verify as check

    columns, models, unchanged = _asked(published, quasi, schema, k)
    with watched({"verify": 1}) as steps:
        steps.say("verify")
        verdict = check(published, columns, models, nulls=null_rule_in(nulls_rule))
    facts = {"published": str(published), "unchanged": unchanged, **verdict.to_dict()}
    VOICE.result(lambda: facts, lambda: _words(published, verdict, unchanged))
    if not verdict.ok:
        if VOICE.quiet:
            VOICE.error(_refused(published, verdict))
        raise typer.Exit(1)


def _asked(
    published: Path, quasi: list[str] | None, schema: Path | None, k: int | None
) -> tuple[Schema | list[str], Sequence[Model], bool | None]:
    """What to verify, as typed or as the manifest says; and whether a release is as it was written."""
    from amongst.cli.columns import names_in
    from amongst.errors import BadOption
    from amongst.models import KAnonymity
    from amongst.schema.schema import Schema

    if quasi and schema is not None:
        raise BadOption("The columns are named twice.", found="--quasi and --schema", fix="use one of them")
    columns: Schema | list[str] | None = names_in(quasi) or (None if schema is None else Schema.from_file(schema))
    models: Sequence[Model] | None = None if k is None else [KAnonymity(k)]
    if columns and models:
        return columns, models, None
    from amongst.cli.manifest_facts import manifest_facts

    told = manifest_facts(published)
    if told is not None:
        return columns or told.schema, models or told.models, told.unchanged
    missing, option = ("k", "--k 10") if columns else ("quasi-identifiers", "--quasi or --schema")
    found = f"no {missing}, and no manifest.json that says it"
    raise BadOption("It is not said what to verify.", found=found, fix=f"add {option}")


def _words(published: Path, verdict: Verdict, unchanged: bool | None) -> list[Shown]:
    from amongst.cli.page import Facts

    word = ("holds what was asked", "good") if verdict.ok else ("does NOT hold what was asked", "bad")
    facts: list[tuple[str, ...]] = [("verdict", *word)]
    for one in verdict.models:
        name = "checked" if one is verdict.models[0] else ""
        facts.append((name, f"{one.model}: {one.asked:,} asked, {one.reached:,} reached", "" if one.ok else "bad"))
    sizes = f"the smallest of {verdict.smallest:,}" if verdict.n_classes else "none"
    facts.append(("rows", f"{verdict.n_rows:,} in {verdict.n_classes:,} groups, {sizes}"))
    facts.append(("columns", ", ".join(verdict.columns) or "none"))
    if unchanged is not None:
        told = ("as it was written", "") if unchanged else ("changed since it was written: its digest differs", "warn")
        facts.append(("file", *told))
    for name, findings in (("why", verdict.findings), ("note", verdict.notes)):
        for finding in findings:
            facts += _finding(name, finding)
    return [Facts(facts)]


def _finding(name: str, finding: Finding) -> list[tuple[str, ...]]:
    rows = [(name, finding.what, "bad" if name == "why" else "warn")]
    details = [("found", finding.found), ("fix", finding.fix)]
    return rows + [("", f"{label}: {text}") for label, text in details if text]


def _refused(published: Path, verdict: Verdict) -> NotVerified:
    from amongst.errors import NotVerified

    found = [f"{finding.what} {finding.found}".strip() for finding in verdict.findings]
    return NotVerified(f"{published.name} does not hold what was asked.", found=found, fix="do not publish it")
