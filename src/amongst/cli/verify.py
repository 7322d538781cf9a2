"""``amongst verify``: does a published table hold what was asked of it?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.errors import NotVerified
    from amongst.verify import Finding, Verdict
    from amongst.verify.against import Composition

AGAINST = "Earlier releases"


def verify(
    published: Annotated[Path, typer.Argument(help="A release folder, or a CSV, Parquet or Arrow file.")],
    quasi: Annotated[
        list[str] | None,
        typer.Option("--quasi", metavar="A,B", help="The columns that others may know of people."),
    ] = None,
    schema: Annotated[
        Path | None, typer.Option("--schema", metavar="JOB.toml", help="Take the columns of a job file.")
    ] = None,
    sensitive: Annotated[
        list[str] | None,
        typer.Option("--sensitive", metavar="A,B", help="The columns that --l, --t and the like speak of."),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option(
            "--k",
            "-k",
            min=1,
            help="What to ask for; with no model named, what the manifest of the release says.",
            rich_help_panel=o.PRIVACY,
        ),
    ] = None,
    l: o.L = None,  # noqa: E741
    l_sense: o.LSense = None,
    t: o.T = None,
    t_distance: o.TDistance = None,
    alpha: o.Alpha = None,
    beta: o.Beta = None,
    delta_disclosure: o.DeltaDisclosure = None,
    k_map: o.KMap = None,
    delta_presence: o.DeltaPresence = None,
    population: o.Population = None,
    privacy: o.Privacy = None,
    units: Annotated[
        Path | None,
        typer.Option(
            "--units",
            metavar="FILE",
            help="A file with one column, the person of every published row: people are counted.",
            rich_help_panel=o.PRIVACY,
        ),
    ] = None,
    rows: Annotated[
        bool,
        typer.Option("--rows", help="Count rows, also where the release counted people.", rich_help_panel=o.PRIVACY),
    ] = False,
    nulls_rule: o.NullsRule = None,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            "--against",
            metavar="EARLIER",
            help="A register, or a release folder of the same people: what do both tell together? May be repeated.",
            rich_help_panel=AGAINST,
        ),
    ] = None,
    people: Annotated[
        str | None,
        typer.Option("--people", metavar="NAME", help="Which people of a register.", rich_help_panel=AGAINST),
    ] = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Check a published table from the file alone, whichever tool wrote it.

    The exit code is 0 when it holds and 1 when it does not.
    """
    from amongst.cli.columns import null_rule_in
    from amongst.cli.progress import watched
    from amongst.cli.what_to_verify import read_units, what_to_verify, with_doubts
    from amongst.verify import verify as check

    typed: dict[str, Any] = {
        "k": k,
        "l": l,
        "l_sense": l_sense,
        "t": t,
        "t_distance": t_distance,
        "alpha": alpha,
        "beta": beta,
    }
    typed |= {
        "delta_disclosure": delta_disclosure,
        "k_map": k_map,
        "delta_presence": delta_presence,
        "population": population,
        "privacy": privacy,
    }
    columns, models, told = what_to_verify(published, quasi, sensitive, schema, typed)
    with watched({"verify": 1}) as steps:
        steps.say("verify")
        persons = None if units is None else read_units(units)
        verdict = check(published, columns, models, nulls=null_rule_in(nulls_rule), units=persons)
    verdict = with_doubts(
        verdict,
        told,
        models,
        people_counted=units is not None,
        rows_will_do=rows,
        schema_given=schema is not None,
    )
    unchanged = None if told is None else told.unchanged
    together = _together(published, against, schema, people)
    facts = {"published": str(published), "unchanged": unchanged, **verdict.to_dict()}
    if against:
        facts["against"] = [one.to_dict() for one in together]
    VOICE.result(lambda: facts, lambda: [*_words(published, verdict, unchanged), *_against_words(against, together)])
    if not verdict.ok or not all(together):
        if VOICE.quiet:
            VOICE.error(_refused(published, verdict, together))
        raise typer.Exit(1)


def _together(
    published: Path, against: list[Path] | None, schema: Path | None, people: str | None
) -> list[Composition]:
    """What the release and each earlier one tell together."""
    if not against:
        return []
    from amongst.cli.progress import watched
    from amongst.release.against import verify_against
    from amongst.schema.schema import Schema

    folder = published if published.is_dir() else published.parent
    known = None if schema is None else Schema.from_file(schema)
    with watched({"compare": 1}) as steps:
        steps.say("compare")
        return verify_against(folder, against, schema=known, people=people)


def _against_words(against: list[Path] | None, together: list[Composition]) -> list[Shown]:
    from amongst.cli.page import Facts

    if not against:
        return []
    facts: list[tuple[str, ...]] = []
    for one in together:
        word = ("nothing new: the same file", "good") if one.same_file else _word(one)
        facts.append(("against", f"{one.earlier}: {word[0]}", word[1]))
        for name, findings in (("why", one.findings), ("note", one.notes)):
            for finding in findings:
                facts += _finding(name, finding)
    return [Facts(facts)]


def _word(one: Composition) -> tuple[str, str]:
    from amongst.verify.against import UNPROVED

    if not one.compared:
        return "NOT compared, so nothing is said to hold", "bad"
    pairs = f"{one.n_cells:,} pairs of classes"
    if one.ok:
        return f"k = {one.k} still holds together, over {pairs} and {one.n_sets:,} sets of them", "good"
    if all(finding.code == UNPROVED for finding in one.findings):
        return f"NOT shown to hold together (k = {one.k}): something could not be compared", "bad"
    return f"together they do NOT hold what was asked (k = {one.k}), over {pairs}", "bad"


def _words(published: Path, verdict: Verdict, unchanged: bool | None) -> list[Shown]:
    from amongst.cli.page import Facts

    word = ("holds what was asked", "good") if verdict.ok else ("does NOT hold what was asked", "bad")
    facts: list[tuple[str, ...]] = [("verdict", *word)]
    for one in verdict.models:
        name = "checked" if one is verdict.models[0] else ""
        facts.append(
            (name, f"{one.model}: {one.asked_words()} asked, {one.reached_words()} reached", "" if one.ok else "bad")
        )
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


def _refused(published: Path, verdict: Verdict, together: list[Composition]) -> NotVerified:
    from amongst.errors import NotVerified

    findings = [*verdict.findings, *[finding for one in together for finding in one.findings]]
    found = [f"{finding.what} {finding.found}".strip() for finding in findings]
    return NotVerified(f"{published.name} does not hold what was asked.", found=found, fix="do not publish it")
