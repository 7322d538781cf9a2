"""``amongst query``: a question to a release, in SQL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.query.answer import Answer, Answers

ANSWER = {
    "published": "string: the release that was asked",
    "question": "string: what was asked",
    "rows": "integer: published rows",
    "suppressed": "integer?: the most rows that were left out",
    "lines": "[object]: every group with its answers: estimate, lower and upper bound",
    "notes": "[string]: what the bounds rest on",
}


def query(
    published: Annotated[Path, typer.Argument(help="A release folder, or a published CSV, Parquet or Arrow file.")],
    sql: Annotated[str, typer.Argument(metavar="SQL", help="SELECT COUNT(*) WHERE age BETWEEN 20 AND 30")],
    schema: o.HierarchiesOf = None,
    quasi: o.QuasiOfFile = None,
    persons: Annotated[
        bool, typer.Option("--persons", help="Of many tables: how many persons have such a row, instead of rows.")
    ] = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Ask a release: an estimate, and bounds that the true answer cannot leave.

    COUNT, SUM, AVG, MIN, MAX; WHERE with =, <>, <, <=, >, >=, BETWEEN, IN, IS NULL, AND, OR, NOT; GROUP BY.
    A column equal to the name of a node of its hierarchy selects all values below it. Of a release of many tables
    FROM names the table.
    """
    from amongst.cli.columns import names_in
    from amongst.cli.of_many_tables import is_of_many_tables
    from amongst.query.ask import query as ask
    from amongst.schema.schema import Schema

    if is_of_many_tables(published):
        from amongst.relations.questions import query_database
        from amongst.relations.relation import DatabaseSchema

        tables = DatabaseSchema.from_file(schema) if schema is not None else None
        answers = query_database(published, sql, count="persons" if persons else "rows", schema=tables)
    else:
        known = Schema.from_file(schema) if schema is not None else names_in(quasi) or None
        answers = ask(published, sql, schema=known)
    VOICE.result(lambda: {"published": str(published), "question": sql, **answers.to_dict()}, lambda: _words(answers))


def _words(answers: Answers) -> list[Shown]:
    from amongst.cli.page import Facts

    notes = [("note" if i == 0 else "", note, "faint") for i, note in enumerate(answers.notes)]
    if answers.n_suppressed:
        notes.insert(
            0, ("suppressed", f"up to {answers.n_suppressed:,} rows of the original are not in the release", "faint")
        )
    if not answers.columns:
        return [Facts([*((answer.figure, answer.words) for answer in answers.lines[0]), *notes])]
    return [_table(answers), *([Facts(notes)] if notes else [])]


def _table(answers: Answers) -> Shown:
    from amongst.cli.page import Grid

    ends = ("", "at least", "at most")
    figures = [answer.figure for answer in answers.lines[0]] if answers.lines else []
    headings = [*answers.columns, *(f"{figure} {end}".strip() for figure in figures for end in ends)]
    rows = [
        [*("null" if one is None else str(one) for one in key), *(cell for answer in line for cell in _cells(answer))]
        for key, line in zip(answers.keys, answers.lines, strict=True)
    ]
    return Grid(headings, rows, right=headings[len(answers.columns) :])


def _cells(answer: Answer) -> list[str]:
    from amongst.query.answer import shown

    return [shown(answer.estimate, "none"), shown(answer.lower, "no bound"), shown(answer.upper, "no bound")]
