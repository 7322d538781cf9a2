"""``amongst evidence``: what a review board needs to know about a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.evidence.pack import Evidence
    from amongst.review import Review

ANSWER = {
    "release": "string: what the pack is about",
    "evidence": "string: the public pack",
    "inside": "string: the part that must not be published",
    "ok": "boolean: whether the release holds what was asked",
    "threshold": "integer: its k",
    "attacks": "integer: how many were run",
    "attacks_that_learned_more": "integer: how many learned more than they should",
    "earlier_releases": "integer: releases of the register it was held against",
}


def evidence(
    release: Annotated[Path, typer.Argument(metavar="RELEASE", help="A release folder.")],
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Where it goes; else RELEASE-evidence beside it.")
    ] = None,
    original: Annotated[
        str | None,
        typer.Option(
            "--original", metavar="JOB.toml", help="The job it was made by, or its data set: attacks measured."
        ),
    ] = None,
    schema: Annotated[
        Path | None, typer.Option("--schema", metavar="JOB.toml", help="Take hierarchies from a job file.")
    ] = None,
    outside: Annotated[
        Path | None, typer.Option("--outside", metavar="FILE", help="A public table about people, to attack with.")
    ] = None,
    control: Annotated[
        Path | None, typer.Option("--control", metavar="FILE", help="People like those of the original, not in it.")
    ] = None,
    population: Annotated[
        Path | None, typer.Option("--population", metavar="FILE", help="A table of everybody.")
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="EARLIER", help="A register, or an earlier release of the same people."),
    ] = None,
    people: Annotated[str | None, typer.Option("--people", metavar="NAME", help="Which people of a register.")] = None,
    inside: o.InsideOf = None,
    author: Annotated[str | None, typer.Option("--author", metavar="NAME", help="Who gathered it.")] = None,
    purpose: Annotated[str | None, typer.Option("--purpose", metavar="TEXT", help="What the release is for.")] = None,
    recipient: Annotated[str | None, typer.Option("--recipient", metavar="NAME", help="Who is to get it.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the attacks.")] = 0,
    force: o.Replace = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Write an evidence pack: verified again, attacked, measured; an internal and a public version.

    The exit code is 1 when the release does not hold what was asked, by itself or beside earlier ones.
    """
    from amongst.cli.commands.workload import original_of
    from amongst.cli.of_many_tables import is_of_many_tables, refuse_given
    from amongst.cli.progress import watched
    from amongst.evidence.gather import evidence as gather
    from amongst.own_files import inside_beside
    from amongst.schema.schema import Schema
    from amongst.staging import refuse_unwritable

    folder = out or release.resolve().parent / f"{release.resolve().name}-evidence"
    refuse_unwritable(folder, force=force, inside=inside_beside(folder))
    if is_of_many_tables(release):
        alone = {"--outside": outside, "--control": control, "--population": population, "--against": against}
        refuse_given({**alone, "--people": people, "--inside": inside})
        found: Any = _of_many_tables(
            release, original, schema, author=author, purpose=purpose, recipient=recipient, seed=seed
        )
        found.write(folder, force=force)
        VOICE.written = folder
        _tell(found, release, folder)
        return
    with watched({"read": 5, "verify": 10, "compare": 15, "attack": 50, "measure": 20}) as steps:
        steps.say("read")
        table, of_original = (None, None) if original is None else original_of(original)
        known = of_original if schema is None else Schema.from_file(schema)
        about: dict[str, Any] = {"outside": outside, "control": control, "population": population, "inside": inside}
        about |= {"author": author, "purpose": purpose, "recipient": recipient, "review": _review(original)}
        found = gather(
            release,
            schema=known,
            original=table,
            against=against or (),
            people=people,
            seed=seed,
            step=steps.say,
            **about,
        )
        found.write(folder, force=force)
        VOICE.written = folder
    _tell(found, release, folder)


def _of_many_tables(release: Path, original: str | None, schema: Path | None, **about: Any) -> Any:
    from amongst.cli.of_many_tables import original_as_read
    from amongst.cli.progress import watched
    from amongst.evidence.many_tables import evidence_database
    from amongst.relations.relation import DatabaseSchema

    with watched({"read": 5, "verify": 15, "attack": 60, "measure": 20}) as steps:
        steps.say("read")
        tables, rules = (None, None) if original is None else original_as_read(original)
        rules = rules if schema is None else DatabaseSchema.from_file(schema)
        return evidence_database(release, schema=rules, original=tables, step=steps.say, **about)


def _tell(found: Any, release: Path, folder: Path) -> None:
    """What came of it; the exit code is 1 where the release does not hold."""
    from amongst.own_files import inside_beside

    facts = {
        "release": str(release),
        "evidence": str(folder),
        "inside": str(inside_beside(folder)),
        "ok": found.ok,
        **_counts(found),
    }
    VOICE.result(lambda: facts, lambda: _words(found, folder))
    if not found.ok:
        raise typer.Exit(1)


def _review(original: str | None) -> Review | None:
    """The context that the job of the original tells."""
    if original is None or Path(original).suffix.lower() != ".toml":
        return None
    from amongst.job.job import Job

    return Job.of_one_table(original).review


def _counts(found: Evidence) -> dict[str, Any]:
    return {
        "threshold": found.k,
        "attacks": len(found.attacks.attacks),
        "attacks_that_learned_more": len(found.attacks.succeeded),
        "earlier_releases": len(found.together),
    }


def _words(found: Evidence, folder: Path) -> list[Shown]:
    from amongst.cli.page import Facts
    from amongst.own_files import inside_beside

    word = ("holds what was asked", "good") if found.verdict.ok else ("does NOT hold what was asked", "bad")
    facts: list[tuple[str, ...]] = [("verdict", *word), ("threshold", f"k = {found.k:,}, 1/k = {1 / found.k:.4g}")]
    facts.append(("attacks", found.attacks.headline))
    facts += [
        ("against", f"{one.earlier}: {'holds' if one.ok else 'does NOT hold'} together", "" if one.ok else "bad")
        for one in found.together
    ]
    facts.append(("written", f"{folder}: evidence-public.html and the same as .json"))
    facts.append(("inside", f"{inside_beside(folder)}: evidence-internal.html and .json, not to be published"))
    return [Facts(facts)]
