"""``amongst workload``: how well a release answers many questions, with the original beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.cli.page import Shown
    from amongst.query.workload_error import WorkloadError
    from amongst.schema.schema import Schema

WORK = "Which questions"

MANY = {
    "published": "string: the release that was asked",
    "tables": "object: of every table what is told of one",
}
ONE = {
    "published": "string: the release that was asked",
    "workload": "string: the questions in words",
    "n_questions": "integer: how many",
    "mean_relative": "number: mean relative error",
    "median_relative": "number: median relative error",
    "mean_absolute": "number: mean absolute error",
    "std_absolute": "number: its standard deviation",
    "exact": "number: the share of questions answered exactly",
    "width": "number: mean width of the bounds",
    "questions": "[object]: each with weight, truth, estimate and bounds: for the inside",
}
ANSWER = (ONE, MANY)


def workload(
    published: Annotated[Path, typer.Argument(help="A release folder, or its data file.")],
    original: Annotated[str, typer.Argument(metavar="JOB.toml", help="The job it was made by, or its data set.")],
    queries: Annotated[
        Path | None,
        typer.Option("--queries", metavar="FILE", help="Questions: TOML, or one a line.", rich_help_panel=WORK),
    ] = None,
    kind: Annotated[
        str, typer.Option("--kind", help="Random ones: all, selectivity or equality.", rich_help_panel=WORK)
    ] = "all",
    n: Annotated[int, typer.Option("--n", min=1, help="How many random ones.", rich_help_panel=WORK)] = 1000,
    columns: Annotated[
        list[str] | None,
        typer.Option("--columns", metavar="A,B", help="Columns with conditions.", rich_help_panel=WORK),
    ] = None,
    selectivity: Annotated[
        float, typer.Option("--selectivity", help="The share of rows to select.", rich_help_panel=WORK)
    ] = 0.05,
    n_columns: Annotated[
        int | None, typer.Option("--n-columns", help="Columns a question has.", rich_help_panel=WORK)
    ] = None,
    total: Annotated[
        str | None, typer.Option("--sum", metavar="A", help="SUM of a column, not COUNT.", rich_help_panel=WORK)
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the random ones.", rich_help_panel=WORK)] = 0,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Ask a release many questions, and say how far the answers are from the truth.

    Of a release of many tables every table is asked, with the columns of the tables that it hangs on.
    """
    from amongst.cli.columns import names_in
    from amongst.cli.of_many_tables import is_of_many_tables, original_tables, refuse_given
    from amongst.cli.progress import watched
    from amongst.query.workload import Workload, workload_error

    if is_of_many_tables(published):
        from amongst.cli.page import Line
        from amongst.relations.compared import workload_database

        refuse_given({"--queries": queries, "--columns": columns, "--sum": total})
        with watched({"read": 20, "ask": 80}) as steps:
            steps.say("read")
            tables, rules = original_tables(original)
            steps.say("ask")
            drawn: dict[str, Any] = {"selectivity": selectivity, "n_columns": n_columns, "seed": seed}
            many = workload_database(published, tables, rules, n=n, kind=kind, **drawn)
        facts = {name: one.to_dict() for name, one in many.items()}
        VOICE.result(
            lambda: {"published": str(published), "tables": facts},
            lambda: [shown for name, one in many.items() for shown in (Line(name, "name"), *_words(one))],
        )
        return
    with watched({"read": 20, "ask": 80}) as steps:
        steps.say("read")
        table, schema = original_of(original)
        if queries is not None:
            work = Workload.from_file(queries, [name for name in schema.published if name in table.column_names])
        else:
            chosen: dict[str, Any] = {"columns": names_in(columns) or None, "seed": seed}
            chosen |= {"selectivity": selectivity, "n_columns": n_columns}
            chosen |= {"figure": "SUM", "target": total} if total else {}
            work = Workload.random(table, schema, n, kind, **chosen)
        steps.say("ask")
        error = workload_error(published, table, work, schema=schema)
    VOICE.result(lambda: {"published": str(published), **error.to_dict()}, lambda: _words(error))


def original_of(name: str) -> tuple[pa.Table, Schema]:
    """The table of a job file or data set, and its schema; where columns have limits, no finer than they allow."""
    from amongst.cli.table import data_set
    from amongst.errors import BadOption
    from amongst.job.job import Job
    from amongst.read import read
    from amongst.schema.check import check
    from amongst.schema.limits import limited

    known = data_set(name)
    if known is not None:
        return known.table, check(known.schema, known.table)
    if Path(name).suffix.lower() != ".toml":
        raise BadOption(
            "The original is given by its job.", found="neither a job file nor a data set", fix="name the JOB.toml"
        )
    job = Job.of_one_table(name)
    told = job.input
    table, schema = limited(read(told.path, **told.reading).table, job.schema)
    return table, check(schema, table)


def _words(error: WorkloadError) -> list[Shown]:
    from amongst.cli.page import Facts
    from amongst.query.answer import shown

    spans = f"{error.exact:.1%} exact; {shown(error.width)} apart on average"
    if not error.bounded:
        spans = "from below alone: it is not told how many rows of this table were left out"
    spread = f"{shown(error.mean_absolute)}, standard deviation {shown(error.std_absolute)}"
    return [
        Facts(
            [
                ("asked", f"{len(error.truth):,} questions: {error.words}"),
                ("relative", f"mean {error.mean_relative:.1%}, median {error.median_relative:.1%} of the true answer"),
                ("absolute", f"mean {spread}"),
                ("bounds", spans),
            ]
        )
    ]
