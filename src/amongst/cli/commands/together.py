"""``amongst together``: what any number of releases tell together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

ANSWER = {
    "releases": "[string]: what was compared",
    "ok": "boolean: whether k and l hold for whoever is in all of them",
    "compared": "boolean: whether they could be compared at all",
    "k": "integer: asked",
    "l": "number: asked",
    "ways": "integer: ways through the releases that somebody could have taken",
    "least_rows": "string: the fewest rows on one of them, or that they are fewer than k",
    "least_values": "integer: the fewest sensitive values on one of them",
    "findings": "[object]: what does not hold: code, what, found, fix",
    "assumptions": "[string]: what the answer rests on",
}


def together(
    releases: Annotated[list[Path], typer.Argument(metavar="RELEASE...", help="Release folders, or a register.")],
    schema: Annotated[
        Path | None, typer.Option("--schema", metavar="JOB.toml", help="A job file, for its hierarchies.")
    ] = None,
    people: Annotated[str | None, typer.Option("--people", metavar="NAME", help="Whose, of a register.")] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Say whether k and l still hold for whoever is in all of some releases; from the published files alone."""
    from amongst.cli.page import Facts, finding_words
    from amongst.release.together import verify_together
    from amongst.schema.schema import Schema

    own = None if schema is None else Schema.from_file(schema)
    found = verify_together(releases, schema=own, people=people)
    word = "hold" if found.ok else "do NOT hold what was asked" if found.compared else "were not compared"
    facts: list[tuple[str, ...]] = [
        ("together", f"{len(found.names)} releases {word}"),
        ("ways", f"{found.n_ways:,} through all of them on which somebody can be"),
    ]
    if found.ok:
        facts.append(("least", f"{found.least_rows:,} rows and {found.least_values:,} values can be hers"))
    for one in found.findings:
        facts += finding_words("why", one)
    VOICE.result(found.to_dict, lambda: [Facts(facts)])
    if not found.ok:
        raise typer.Exit(1)
