"""``amongst verify-database``: do published tables hold what was asked of them?"""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.anonymize_database import Namespace
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.relations.relation import DatabaseSchema
    from amongst.relations.verify import DatabaseVerdict


def verify_database(
    published: Annotated[str, typer.Argument(help="A release folder, a folder of tables, a database file or address.")],
    schema: Annotated[
        Path | None, typer.Option("--schema", metavar="JOB.toml", help="Take the tables of a job file.")
    ] = None,
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", min=1, help="What to ask for; left out, what the manifest of the release says."),
    ] = None,
    namespace: Namespace = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Check published tables from the tables alone, whichever tool wrote them.

    The exit code is 0 when they hold and 1 when they do not.
    """
    from amongst.cli.progress import watched
    from amongst.relations.verify import verify_database as check

    tables, models = _asked(published, schema, k)
    with watched({"verify": 1}) as steps:
        steps.say("verify")
        verdict = check(published, tables, models, namespace=namespace)
    VOICE.result(lambda: {"published": published, **verdict.to_dict()}, lambda: _words(verdict))
    if not verdict.ok:
        if VOICE.quiet:
            from amongst.errors import NotVerified

            found = [finding.what for finding in verdict.findings]
            VOICE.error(NotVerified("The tables do not hold what was asked.", found=found, fix="do not publish them"))
        raise typer.Exit(1)


def _asked(published: str, schema: Path | None, k: int | None) -> tuple[DatabaseSchema, Sequence[Any]]:
    """Tables and models as typed or as the manifest says."""
    from amongst.errors import BadInput, BadOption
    from amongst.models import KAnonymity
    from amongst.relations.diversity import model_from_fields
    from amongst.relations.job import database_schema_from_manifest
    from amongst.relations.relation import DatabaseSchema

    told: dict[str, Any] = {}
    folder = Path(published)
    manifest = folder / "manifest.json"
    if manifest.is_file():
        try:
            told = json_text.loads(manifest.read_text(encoding="utf-8"))
            made = database_schema_from_manifest(told)
            models: Sequence[Any] = [model_from_fields(fields) for fields in told["privacy"]]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            fix = "say what to verify with --schema and --k"
            raise BadInput("The manifest is not that of a release of tables.", found=str(manifest), fix=fix) from None
    if schema is not None:
        made = DatabaseSchema.from_file(schema)
    elif not told:
        found = "no tables, and no manifest.json that says them"
        raise BadOption("It is not said what to verify.", found=found, fix="add --schema JOB.toml")
    if k is not None:
        models = [KAnonymity(k)]
    elif not told:
        raise BadOption(
            "It is not said what to verify.", found="no k, and no manifest.json that says it", fix="add --k 10"
        )
    return made, models


def _words(verdict: DatabaseVerdict) -> list[Shown]:
    from amongst.cli.page import Facts

    word = ("holds what was asked", "good") if verdict.ok else ("does NOT hold what was asked", "bad")
    facts: list[tuple[str, ...]] = [("verdict", *word)]
    for i, one in enumerate(verdict.models):
        name = "checked" if i == 0 else ""
        facts.append(
            (name, f"{one.model}: {one.asked:,.6g} asked, {one.reached:,.6g} reached", "" if one.ok else "bad")
        )
    facts.append(
        ("persons", f"{verdict.n_persons:,} in {verdict.n_groups:,} groups, the smallest of {verdict.smallest:,}")
    )
    facts.append(("rows", ", ".join(f"{name} {rows:,}" for name, rows in verdict.rows.items())))
    for finding in verdict.findings:
        facts.append(("why", finding.what, "bad"))
        facts += [("", f"{label}: {text}") for label, text in (("found", finding.found), ("fix", finding.fix)) if text]
    return [Facts(facts)]
