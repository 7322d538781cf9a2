"""``amongst inspect``: what the columns of a table seem to be."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Cell, Shown
    from amongst.read import Source
    from amongst.schema.suggest import ColumnSuggestion, Suggestion

FOLDED = 20
"""Of more columns every one has a line on a terminal; of fewer the reasons are folded."""
HEADINGS = ["column", "role", "how sure", "values", "why"]
STEPS = {"read": 60, "look": 40}
TONE_OF_ROLE = {"identifier": "bad", "quasi": "warn", "sensitive": "label", "keep": "", "weight": "", "household": ""}

ANSWER = {
    "input": "string: the table",
    "rows": "integer: its rows",
    "columns": "[object]: name, role, kind, hierarchy, confidence, reasons, distinct values, missing cells",
    "person": "string?: the column that tells people apart, where they have several rows",
    "written": "string?: the job file that was drafted",
    "notes": "[string]: what else there is to know",
    "reads": "[object]: how columns are read that need it, and by what evidence",
}


def inspect(
    data: o.Data,
    write: Annotated[
        Path | None,
        typer.Option("--write", metavar="JOB.toml", help="Draft a job file with a reason for every choice."),
    ] = None,
    nulls: o.Nulls = None,
    separator: o.Separator = None,
    encoding: o.Encoding = None,
    header: o.Header = None,
    reads: o.Reads = None,
    table: o.Sheet = None,
    force: o.Replace = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Suggest what every column of a table is, and why. Nothing leaves this machine; no values are shown."""
    from amongst.cli.columns import reads_in
    from amongst.cli.hints import hinted
    from amongst.cli.progress import watched
    from amongst.cli.table import file_or_data_set
    from amongst.job.draft import draft
    from amongst.job.job import Input, as_found
    from amongst.new_file import refuse_existing, write_text
    from amongst.read.reads import FOUND
    from amongst.schema.suggest import suggest

    if write is not None:
        refuse_existing(write, force)
    source = Input(Path(data), tuple(nulls or ()), separator, encoding, table=table, header=header, reads=FOUND)
    with hinted(data), watched(STEPS) as steps:
        steps.say("read")
        found = file_or_data_set(source, must_be_file=write is not None)
        told = reads_in(reads)
        source = as_found(source, found, {} if isinstance(told, str) else told)
        if told and told != FOUND:
            found = replace(file_or_data_set(source, must_be_file=write is not None), found=found.found)
        steps.say("look")
        suggestion = suggest(found.table)
    if write is not None:
        write_text(draft(source, suggestion, write.absolute().parent, found.found), write)
        VOICE.written = write
    VOICE.result(
        lambda: {
            **_facts(data, suggestion, write),
            "notes": [*found.notes, *suggestion.notes],
            "reads": _read_facts(found),
        },
        lambda: _words(data, suggestion, write, found),
    )


def _facts(data: str, suggestion: Suggestion, written: Path | None) -> dict[str, Any]:
    return {
        "input": data,
        "rows": suggestion.n_rows,
        "columns": [_column_facts(one) for one in suggestion.columns.values()],
        "person": suggestion.person,
        "written": None if written is None else str(written),
    }


def _read_facts(source: Source) -> list[dict[str, Any]]:
    return [
        {"name": name, "form": one.form, "evidence": one.words, "either": list(one.either)}
        for name, one in source.found.items()
    ]


def _column_facts(suggested: ColumnSuggestion) -> dict[str, Any]:
    hierarchy = suggested.column.hierarchy
    return {
        "name": suggested.name,
        "role": suggested.column.role,
        "kind": suggested.column.kind,
        "hierarchy": None if hierarchy is None else hierarchy.describe(),
        "confidence": suggested.confidence,
        "reasons": list(suggested.reasons),
        "distinct": suggested.n_distinct,
        "nulls": suggested.n_nulls,
    }


def _words(data: str, suggestion: Suggestion, written: Path | None, source: Source) -> list[Shown]:
    from amongst.cli.page import Facts, Grid, Line
    from amongst.schema.problem import count

    many = len(suggestion.columns) > FOLDED
    headings = [*HEADINGS[:2], *([] if many else ["kind"]), *HEADINGS[2:]]
    rows = [_row(one, many) for one in suggestion.columns.values()]
    size = f"{count(suggestion.n_rows, 'row')}, {count(len(suggestion.columns), 'column')}"
    title = Line(f"{data}: {size}. Suggested, for you to check:")
    notes = [("note", note, "warn") for note in [*source.notes, *suggestion.notes]]
    shown: list[Shown] = [title, Grid(headings, rows, right=["values"], cut=["why"] if many else ())]
    if source.found:
        shown += [
            Line("Read by what all cells of these columns show:"),
            Grid(["column", "read as", "why"], _reads(source), cut=["why"] if many else ()),
        ]
    return [*shown, Facts([*notes, *_next(data, written)])]


def _reads(source: Source) -> list[list[Cell]]:
    return [
        [(name, "name"), (one.form or "not clear", "" if one.form else "warn"), one.words]
        for name, one in source.found.items()
    ]


def _row(one: ColumnSuggestion, short: bool) -> list[Cell]:
    """A column as a line; a short one has its first reason in few words, all reasons are in the job file."""
    reasons = [reason for reason in one.reasons if "distinct value" not in reason]
    if short:
        gone = [f"{one.n_nulls:,} missing"] if one.needs_null_rule else []
        reasons = [*gone, reasons[0].replace("the name speaks of", "name:").replace("the values look like", "values:")]
    return [
        (one.name, "name"),
        (one.column.role or "", TONE_OF_ROLE[one.column.role or "keep"]),
        *([] if short else [one.column.kind or ""]),
        (one.confidence, "warn" if one.confidence == "guess" else ""),
        f"{one.n_distinct:,}",
        "; ".join(reasons),
    ]


def _next(data: str, written: Path | None) -> list[tuple[str, ...]]:
    if written is None:
        return [("next", f"amongst inspect {shlex.quote(data)} --write job.toml    drafts a job file to edit")]
    return [
        ("written", str(written), "name"),
        ("next", f"read and edit it, then: amongst run {shlex.quote(str(written))}"),
    ]
