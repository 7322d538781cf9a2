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
    from amongst.verify import Verdict
    from amongst.verify.together.against import Composition

AGAINST = "Earlier releases"


@o.asking
def verify(
    published: Annotated[
        Path, typer.Argument(help="A release folder, or a CSV, Parquet or Arrow file; with --database a table too.")
    ],
    quasi: Annotated[
        list[str] | None,
        typer.Option("--quasi", metavar="A,B", help="The columns that others may know of people."),
    ] = None,
    schema: Annotated[
        Path | None, typer.Option("--schema", metavar="JOB.toml", help="Take columns and models of a job file.")
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
    typed: dict[str, Any] | None = None,
    units: Annotated[
        Path | None,
        typer.Option(
            "--units",
            metavar="FILE",
            help="A file with one column, the person of every published row: people are counted.",
            rich_help_panel=o.PRIVACY,
        ),
    ] = None,
    inside: o.InsideOf = None,
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
    signer: Annotated[
        Path | None,
        typer.Option("--signer", metavar="KEY.pub", help="The key that the release must be signed with."),
    ] = None,
    database: o.InDatabase = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Check a published table from the file alone, whichever tool wrote it.

    The exit code is 0 when it holds, and 1 when it does not or when that cannot be proved.
    """
    from amongst.cli.columns import null_rule_in
    from amongst.cli.progress import watched
    from amongst.cli.table_to_verify import refuse_files, verify_there
    from amongst.cli.what_to_verify import people_to_count, what_to_verify, with_doubts
    from amongst.verify import verify as check

    if signer is not None:
        from amongst.signature import check_signature

        check_signature(published if published.is_dir() else published.parent, signer)
    asked = what_to_verify(published, quasi, sensitive, schema, {**(typed or {}), "k": k}, on_disk=database is None)
    with watched({"verify": 1}) as steps:
        steps.say("verify")
        persons = people_to_count(asked, published, units, inside, rows_will_do=rows)

        def checked(table: Any) -> Verdict:
            return check(table, asked.columns, asked.models, nulls=null_rule_in(nulls_rule), units=persons)

        if asked.in_database or database is not None:
            refuse_files(published, asked)
            verdict, unchanged = verify_there(checked, published, asked, database)
        else:
            verdict = checked(published)
            unchanged = None if asked.told is None else not asked.told.changed_files()
    verdict = with_doubts(verdict, asked, people_counted=persons is not None, rows_will_do=rows)
    together = _together(published, against, schema, people)
    facts = {"published": str(published), "unchanged": unchanged, **verdict.to_dict(), "taken_from": asked.taken}
    if signer is not None:
        facts["signed_by"] = str(signer)
    if against:
        facts["against"] = [one.to_dict() for one in together]
    VOICE.result(lambda: facts, lambda: [*_words(verdict, asked.taken, unchanged), *_against_words(against, together)])
    if not verdict.ok or verdict.asked_nothing or not all(together):
        if VOICE.quiet:
            VOICE.error(_refused(published, verdict, together))
        raise typer.Exit(1)


ANSWER = {
    "published": "string: the folder or file that was checked",
    "unchanged?": "boolean: whether every file is as its manifest says",
    "ok": "boolean: whether everything that was asked holds",
    "findings": "[object]: what does not hold: code, what, found, fix",
    "notes": "[string]: what else there is to know",
    "models": "[object]: every model with what was asked, what was reached, and ok",
    "columns": "[string]: the quasi-identifiers",
    "rows": "integer: published rows",
    "classes": "integer: groups of rows that look alike",
    "smallest_class": "integer: rows of the smallest",
    "unique_rows": "integer: rows that look like no other",
    "class_sizes": "object: sizes, and how many classes have each",
    "loss": "object: the loss of every column that has one",
    "gcp": "number?: the loss of the table",
    "taken_from?": "object: what was believed as the folder says it, and what came from outside",
    "against?": "[object]: of every other release given, what the two together tell",
}


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
    from amongst.cli.page import Facts, finding_words

    if not against:
        return []
    facts: list[tuple[str, ...]] = []
    for one in together:
        word = ("nothing new: the same file", "good") if one.same_file else _word(one)
        facts.append(("against", f"{one.earlier}: {word[0]}", word[1]))
        for name, findings in (("why", one.findings), ("note", one.notes)):
            for finding in findings:
                facts += finding_words(name, finding)
    return [Facts(facts)]


def _word(one: Composition) -> tuple[str, str]:
    from amongst.verify.together.against import UNPROVED

    if not one.compared:
        return "NOT compared, so nothing is said to hold", "bad"
    pairs = f"{one.n_cells:,} pairs of classes"
    if one.ok:
        return f"k = {one.k} still holds together, over {pairs} and {one.n_sets:,} sets of them", "good"
    if all(finding.code == UNPROVED for finding in one.findings):
        return f"NOT shown to hold together (k = {one.k}): something could not be compared", "bad"
    return f"together they do NOT hold what was asked (k = {one.k}), over {pairs}", "bad"


def _verdict_word(verdict: Verdict) -> tuple[str, str]:
    from amongst.cli.what_to_verify import is_open

    if is_open(verdict):
        return "NOT proved: nothing is wrong, but something could not be looked at", "warn"
    if not verdict.ok:
        return "does NOT hold what was asked", "bad"
    if verdict.asked_nothing:
        return "nothing was asked, so nothing is proved", "warn"
    return "holds what was asked", "good"


def _words(verdict: Verdict, taken: dict[str, str], unchanged: bool | None) -> list[Shown]:
    from amongst.cli.page import Facts, finding_words, model_words

    facts: list[tuple[str, ...]] = [("verdict", *_verdict_word(verdict)), *model_words(verdict)]
    sizes = f"the smallest of {verdict.smallest:,}" if verdict.n_classes else "none"
    facts.append(("rows", f"{verdict.n_rows:,} in {verdict.n_classes:,} groups, {sizes}"))
    facts.append(("columns", ", ".join(verdict.columns) or "none"))
    if unchanged is not None:
        told = ("as it was written", "") if unchanged else ("changed since it was written: its digest differs", "warn")
        facts.append(("file", *told))
    taken = {} if unchanged is None else taken  # there is no folder that anything could come from
    facts += [("taken from" if i == 0 else "", f"{what}: {where}") for i, (what, where) in enumerate(taken.items())]
    for name, findings in (("why", verdict.findings), ("note", verdict.notes)):
        for finding in findings:
            facts += finding_words(name, finding)
    return [Facts(facts)]


def _refused(published: Path, verdict: Verdict, together: list[Composition]) -> NotVerified:
    from amongst.errors import NotVerified

    findings = [*verdict.findings, *[finding for one in together for finding in one.findings]]
    found = [f"{finding.what} {finding.found}".strip() for finding in findings]
    what = _verdict_word(verdict)[0].replace("NOT", "not")
    found = found or [note.what for note in verdict.notes if note.code == "nothing-asked"]
    return NotVerified(f"{published.name}: {what}.", found=found, fix="do not publish it")
