"""``amongst verify-database``: do published tables hold what was asked of them?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.relations.relation import DatabaseSchema
    from amongst.verify import Verdict

ANSWER = {
    "published": "string: the folder that was checked",
    "asked": "string: where what is asked was taken from",
    "ok": "boolean: whether everything that was asked holds",
    "findings": "[object]: what does not hold: code, what, found, fix",
    "models": "[object]: every model with what was asked, what was reached, and ok",
    "persons": "integer: published persons",
    "groups": "integer: groups of persons with equal trees",
    "smallest_group": "integer: persons of the smallest",
    "rows": "object: published rows of every table",
    "group_sizes": "object: sizes, and how many groups have each",
    "compared_with_the_input": "boolean: whether cells were held against the original",
}


def verify_database(
    published: Annotated[str, typer.Argument(help="A release folder, a folder of tables, a database file or address.")],
    schema: o.TablesFile = None,
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", min=1, help="What to ask for; left out, what the manifest of the release says."),
    ] = None,
    namespace: o.Namespace = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Check published tables from the tables alone, whichever tool wrote them.

    The exit code is 0 when they hold and 1 when they do not.
    """
    from amongst.cli.progress import watched
    from amongst.relations.verify import verify_database as check

    tables, models, said = asked_of(published, schema, k)
    with watched({"verify": 1}) as steps:
        steps.say("verify")
        verdict = check(published, tables, models, namespace=namespace)
    VOICE.result(lambda: {"published": published, "asked": said, **verdict.to_dict()}, lambda: _words(verdict, said))
    if not verdict.ok:
        if VOICE.quiet:
            from amongst.errors import NotVerified

            found = [finding.what for finding in verdict.findings]
            VOICE.error(NotVerified("The tables do not hold what was asked.", found=found, fix="do not publish them"))
        raise typer.Exit(1)


def asked_of(published: str, schema: Path | None, k: int | None) -> tuple[DatabaseSchema, Sequence[Any], str]:
    """Tables and models as typed, as the job file says or as the manifest of the release says, and who said them."""
    from amongst.errors import BadOption
    from amongst.job.fields import privacy_from_file
    from amongst.models import KAnonymity
    from amongst.published.open_published import refuse_absent
    from amongst.relations.relation import DatabaseSchema

    if "://" not in published:
        refuse_absent(Path(published))
    made, models = _told(Path(published), needed=schema is None)
    said_models = "the manifest beside the tables"
    said_tables = said_models
    if schema is not None:
        own = DatabaseSchema.from_file(schema)
        # A database states keys that a job need not name; the manifest says them where the tables are mere files.
        made, said_tables = own if made is None else own.with_keys_of(made), schema.name
        by_job = privacy_from_file(schema)[0]
        models, said_models = (by_job, schema.name) if by_job else (models, said_models)
    elif made is None:
        found = "no tables, and no manifest.json that says them"
        raise BadOption("It is not said what to verify.", found=found, fix="add --schema JOB.toml")
    if k is not None:
        models, said_models = [KAnonymity(k)], "--k"
    elif not models:
        found = "no k, and no manifest.json that says it"
        raise BadOption("It is not said what to verify.", found=found, fix="add --k 10")
    same = said_tables == said_models
    said = f"by {said_tables}" if same else f"tables and roles by {said_tables}, privacy by {said_models}"
    return made, models, said


def _told(published: Path, *, needed: bool) -> tuple[DatabaseSchema | None, Sequence[Any]]:
    """Tables and models of a manifest, if there is one."""
    from amongst.errors import BadInput
    from amongst.manifest import UNREADABLE, Manifest
    from amongst.relations.schema_file import told_by_manifest

    manifest = published / "manifest.json"
    if not manifest.is_file():
        return None, ()
    try:
        return told_by_manifest(Manifest.read(published))
    except UNREADABLE:
        if not needed:
            return None, ()
        fix = "say what to verify with --schema and --k; for a release of one table use amongst verify"
        raise BadInput("The manifest is not that of a release of tables.", found=str(manifest), fix=fix) from None


def _words(verdict: Verdict, said: str) -> list[Shown]:
    from amongst.cli.page import Facts, finding_words, model_words

    word = ("holds what was asked", "good") if verdict.ok else ("does NOT hold what was asked", "bad")
    facts: list[tuple[str, ...]] = [("verdict", *word), ("asked", said), *model_words(verdict)]
    facts.append(
        ("persons", f"{verdict.n_persons:,} in {verdict.n_groups:,} groups, the smallest of {verdict.smallest:,}")
    )
    facts.append(("rows", ", ".join(f"{name} {rows:,}" for name, rows in verdict.rows.items())))
    for finding in verdict.findings:
        facts += finding_words("why", finding)
    return [Facts(facts)]
