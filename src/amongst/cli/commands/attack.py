"""``amongst attack``: what an intruder could do with a release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.attack.finding import Finding, Findings
    from amongst.cli.page import Shown
    from amongst.schema.schema import Schema

KNOWLEDGE = "What the intruder has"

ANSWER = {
    "published": "string: what was attacked",
    "document": "string: public, or inside where the original was looked at",
    "name": "string: its name",
    "rows": "integer: published rows",
    "classes": "integer: groups of rows that look alike",
    "threshold": "integer: the k of the release",
    "headline": "string: the outcome in a sentence",
    "findings": "object: a list of attacks with their outcome under singling out, linkability and inference",
    "skipped": "[object]: attacks that were not run, and why",
    "notes": "[string]: what else there is to know",
}


def attack(
    published: Annotated[Path, typer.Argument(help="A release folder, or a published CSV, Parquet or Arrow file.")],
    outside: Annotated[
        Path | None,
        typer.Option("--outside", metavar="FILE", help="A public table, as a voter list.", rich_help_panel=KNOWLEDGE),
    ] = None,
    original: Annotated[
        str | None,
        typer.Option(
            "--original",
            metavar="FILE",
            help="The table, JOB.toml or data set it was made of, to see who is right.",
            rich_help_panel=KNOWLEDGE,
        ),
    ] = None,
    control: Annotated[
        Path | None,
        typer.Option(
            "--control",
            metavar="FILE",
            help="People who are not in the release; else half of the original is published anew.",
            rich_help_panel=KNOWLEDGE,
        ),
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", metavar="RELEASE", help="Another release about them.", rich_help_panel=KNOWLEDGE),
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--known",
            metavar="A,B",
            help="Published columns known of people; else the quasi-identifiers.",
            rich_help_panel=KNOWLEDGE,
        ),
    ] = None,
    database: o.InDatabase = None,
    schema: o.HierarchiesOf = None,
    quasi: o.QuasiOfFile = None,
    sensitive: Annotated[
        list[str] | None,
        typer.Option("--sensitive", metavar="A,B", help="The sensitive columns, for a file without a manifest."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="ATTACK", help="Some of the attacks: linkage,homogeneity.")
    ] = None,
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", min=1, help="Counts of people below it are not shown; else the release's."),
    ] = None,
    most: Annotated[int, typer.Option("--most", min=1, help="Of more people a sample is tried.")] = 10_000,
    seed: Annotated[int, typer.Option("--seed", help="Of the lots.")] = 0,
    split: Annotated[
        bool, typer.Option("--split/--no-split", help="Whether half may be published anew for a control group.")
    ] = True,
    rows: Annotated[bool, typer.Option("--rows", help="Name the rows that were hit. For internal use only.")] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FILE", help="Write a page.", rich_help_panel=o.OUTPUT),
    ] = None,
    force: o.Force = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Attack a release as an intruder would: what is known, how it works, what came of it, what would lower it.

    Without further options the attacks are those that need the release alone. Of a release of many tables give
    --original JOB.toml.
    """
    from amongst.attack.attack import attack as carry_out
    from amongst.cli.columns import names_in
    from amongst.cli.of_many_tables import is_of_many_tables
    from amongst.cli.progress import watched
    from amongst.new_file import refuse_existing, write_text

    if html is not None:
        refuse_existing(html, force)
    if is_of_many_tables(published):
        alone = {"--outside": outside, "--control": control, "--against": against, "--known": known, "--quasi": quasi}
        _attack_tables(
            published, original, schema, alone, html, attacks=names_in(only) or None, k=k, seed=seed, split=split
        )
        return
    with watched({"attack": 1}) as steps:
        steps.say("attack")
        table, rules = _original(original)
        told: Any = _schema(schema) or names_in(quasi) or rules
        found = carry_out(
            published,
            told,
            outside=outside,
            original=table,
            control=control,
            against=list(against) if against else None,
            known=names_in(known) or None,
            sensitive=names_in(sensitive),
            attacks=names_in(only) or None,
            k=k,
            most=most,
            seed=seed,
            split=split,
            rows=rows,
            address=database,
        )
        if html is not None:
            write_text(found.to_html(), html, inside=True)
            VOICE.written = html
    VOICE.result(lambda: {"published": str(published), **found.to_dict()}, lambda: _words(found, html))


def _attack_tables(
    published: Path,
    original: str | None,
    schema: Path | None,
    alone: dict[str, Any],
    html: Path | None,
    **asked: Any,
) -> None:
    """A release of many tables: the original is the job it was made by, or its tables beside ``--schema``."""
    from amongst.cli.progress import watched
    from amongst.errors import BadOption
    from amongst.job.job import Job
    from amongst.new_file import write_text
    from amongst.relations.attacks.attack_database import attack_database
    from amongst.relations.relation import DatabaseSchema
    from amongst.relations.stores import read_database

    given = [name for name, value in alone.items() if value]
    if given:
        raise BadOption(
            "This is for releases of one table.",
            found=", ".join(given),
            fix="attack many tables with --original JOB.toml, or with the tables and --schema JOB.toml",
        )
    with watched({"attack": 1}) as steps:
        steps.say("attack")
        rules = None if schema is None else DatabaseSchema.from_file(schema)
        tables: Any = original
        if original is not None and Path(original).suffix.lower() == ".toml":
            job = Job.from_file(original)
            rules = rules or job.schema
            needed = rules.needed
            tables = read_database(job.input.place, tables=needed, namespace=job.input.namespace, nulls=job.input.nulls)
        found = attack_database(published, rules, original=tables, **asked)
        if html is not None:
            write_text(found.to_html(), html, inside=True)
            VOICE.written = html
    VOICE.result(lambda: {"published": str(published), **found.to_dict()}, lambda: _words(found, html))


def _schema(path: Path | None) -> Schema | None:
    from amongst.schema.schema import Schema

    return None if path is None else Schema.from_file(path)


def _original(name: str | None) -> tuple[pa.Table | None, Schema | None]:
    """The original, and its schema where it comes with one."""
    from amongst.cli.commands.workload import original_of
    from amongst.cli.table import data_set
    from amongst.read import read

    if name is None:
        return None, None
    if Path(name).suffix.lower() == ".toml" or data_set(name) is not None:
        return original_of(name)
    return read(name).table, None


def _words(found: Findings, html: Path | None) -> list[Shown]:
    from amongst.attack.finding import MEANING
    from amongst.cli.page import Facts, Line

    page: list[Shown] = [
        Line(found.about),
        Line(found.headline, "warn" if found.succeeded else "good"),
    ]
    for kind, attacks in found.findings.items():
        page += [Line(""), Line(f"{kind.capitalize()}: {MEANING[kind]}", "name")]
        if not attacks:
            page.append(Line("  nothing was tried", "faint"))
        for one in attacks:
            page += [Line(""), Line(f"  {_title(one)}", "bad" if one.succeeded else "good"), Facts(one.parts, indent=4)]
    for heading, lines in (("Not tried", [f"{a}: {why}" for a, why in found.skipped]), ("Notes", found.notes)):
        page += [Line(""), Line(heading, "name"), *(Line(f"  {line}", "faint") for line in lines)] if lines else []
    page += [Line(""), Line(f"Written: {html}, inside: not to be published")] if html is not None else []
    return page


def _title(one: Finding) -> str:
    about = f" ({one.column})" if one.column else ""
    return f"{one.title}{about}: {one.outcome}"
