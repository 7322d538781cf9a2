"""``amongst compare``: many methods and parameters side by side."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.compare.compare import Comparison

ANSWER = {
    "page": "string: the page for people",
    "json": "string: the same for machines",
    "document": "string: inside",
    "table": "string: the table",
    "rows": "integer: its rows",
    "measure": "string: the loss that decides",
    "formulas": "[string]: the models of which it is told how much is kept",
    "seconds": "number: how long all took",
    "budget": "object?: what was set as a limit",
    "recommended": "integer?: which candidate, counted from 0",
    "reasons": "[string]: why",
    "front": "[integer]: candidates that no other beats in all respects",
    "candidates": "[object]: every method with its options, state, time and losses",
}


def compare(
    job: Annotated[str, typer.Argument(metavar="JOB.toml", help="A job file, or the name of a data set.")],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The page to make; JSON goes beside it.", rich_help_panel=o.OUTPUT)
    ] = Path("compare.html"),
    methods: Annotated[
        list[str] | None, typer.Option("--methods", "-m", metavar="A,B", help="Methods; eight if left out.")
    ] = None,
    k: Annotated[str | None, typer.Option("--k", "-k", metavar="5,10,25", help="Every method with each k.")] = None,
    queries: Annotated[
        Path | None, typer.Option("--queries", metavar="FILE", help="Weigh by the error over these questions.")
    ] = None,
    formula: o.Formulas = None,
    budget: Annotated[
        float | None, typer.Option("--budget", metavar="60", help="Seconds; what is not done by then is ended.")
    ] = None,
    processes: Annotated[int | None, typer.Option("--processes", min=1, help="How many run at a time.")] = None,
    force: o.Replace = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Run many methods side by side, draw what each loses, and recommend one.

    Nothing is published. Page and JSON are for the inside: losses are measured on the original.
    """
    from amongst.cli.columns import names_in
    from amongst.cli.of_many_tables import refuse_given
    from amongst.cli.progress import watched
    from amongst.cli.without_pandas import with_pandas
    from amongst.compare.candidate import usual_methods
    from amongst.compare.compare import compare as run
    from amongst.new_file import refuse_existing, write_text

    beside = out.with_suffix(".json")
    for path in (out, beside):
        refuse_existing(path, force)
    many = _job_of_many(job)
    with watched({"read": 10, "compare": 90}) as steps:
        steps.say("read")
        how: dict[str, Any] = {"ks": _ks(k), "budget": budget, "processes": processes}
        how["progress"] = lambda done, total, left: steps.say("compare", done, total)
        if many is not None:
            refuse_given({"--queries": queries, "--formula": formula})
            found = _of_many_tables(many, names_in(methods), how)
        else:
            source, schema, models, own, asked = _asked(job)
            formulas = (*asked, *(formula or ()))
            if formulas:
                with_pandas()
            chosen = names_in(methods) or list(dict.fromkeys([*own, *usual_methods()]))
            how |= {"workload": _workload(queries, schema, source), "formulas": formulas}
            found = run(source, schema, models, chosen, **how)
        write_text(found.to_html(), out, inside=True)
        write_text(found.to_json(), beside, inside=True)
        VOICE.written = out
    VOICE.result(lambda: {"page": str(out), "json": str(beside), **found.to_dict()}, lambda: _words(found, out, beside))
    if not any(one.state == "verified" for one in found.outcomes):
        raise typer.Exit(1)  # the data or the request does not allow any of them


def _job_of_many(name: str) -> Any:
    """The job or the bundled tables that a name stands for, where it is about many tables; else None."""
    from amongst.cli.table import database_set
    from amongst.job.job import Job

    known = database_set(name)
    if known is not None or Path(name).suffix.lower() != ".toml":
        return known
    job = Job.from_file(name)
    return job if job.many else None


def _of_many_tables(asked: Any, methods: list[str], how: dict[str, Any]) -> Comparison:
    from amongst.compare.many_tables import compare_database
    from amongst.job.job import Job
    from amongst.models import KAnonymity
    from amongst.relations.stores import read_database

    if not isinstance(asked, Job):
        return compare_database(asked.tables, asked.schema, (KAnonymity(10),), methods or None, **how)
    told = asked.input
    stored = read_database(told.place, namespace=told.namespace, nulls=told.nulls)
    return compare_database(stored, asked.schema, asked.models, methods or None, seed=asked.seed, **how)


def _asked(name: str) -> tuple[Any, Any, Any, list[str], tuple[str, ...]]:
    """The table, its schema, the models, the method and the formulas that a job names."""
    from amongst.cli.table import data_set, source_of
    from amongst.errors import BadOption
    from amongst.job.job import Job
    from amongst.models import KAnonymity
    from amongst.read import read

    known = data_set(name)
    if known is not None:
        return source_of(known), known.schema, (KAnonymity(10),), [], ()
    if Path(name).suffix.lower() != ".toml":
        raise BadOption(
            "A comparison needs a job.",
            found="neither a job file nor a data set",
            fix="draft one: amongst inspect data.csv --write job.toml",
        )
    job = Job.of_one_table(name)
    told = job.input
    source = read(told.path, **told.reading)
    own = [job.method] if job.method is not None and not job.options else []
    return source, job.schema, job.models, own, job.formulas


def _workload(path: Path | None, schema: Any, source: Any) -> Any:
    if path is None:
        return None
    from amongst.query.workload import Workload

    return Workload.from_file(path, [name for name in schema.published if name in source.table.column_names])


def _ks(typed: str | None) -> list[int] | None:
    from amongst.errors import BadOption

    if typed is None:
        return None
    parts = [part.strip() for part in typed.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        raise BadOption("Every k is a whole number of at least 1.", found=f"--k {typed!r}", fix="write --k 5,10,25")
    return [int(part) for part in parts]


def _words(found: Comparison, out: Path, beside: Path) -> list[Shown]:
    from amongst.cli.page import Cell, Facts, Grid
    from amongst.compare.page import kept_words
    from amongst.report.charts.times import shown
    from amongst.report.wording import percent

    rows: list[list[Cell]] = []
    order = sorted(range(len(found.outcomes)), key=lambda i: (found.outcomes[i].candidate.k, found.outcomes[i].loss))
    for i in order:
        one = found.outcomes[i]
        mark = "recommended" if i == found.recommended else "front" if i in found.front else ""
        verified = one.state == "verified"
        told = [percent(one.loss) if verified else one.state]
        told += [kept_words(one) if verified else ""] if found.formulas else []
        told += [shown(one.seconds) if verified else ""]
        tone = "good" if i == found.recommended else ""
        rows.append([f"{one.candidate.k:,}", (one.candidate.name, tone), *told, (mark, tone)])
    loss = found.measure if found.measure in ("GCP", "LM") else "error"
    facts = [("why" if i == 0 else "", reason) for i, reason in enumerate(found.reasons)]
    refusals = Counter(one.why for one in found.outcomes if one.state == "refused")
    facts += [("refused" if i == 0 else "", f"{n}: {why}") for i, (why, n) in enumerate(refusals.items())]
    pages = [("page", str(out), "name"), ("json", str(beside), "name")]
    figures = [loss, *(["analysis kept"] if found.formulas else []), "time"]
    return [Grid(["k", "method", *figures, ""], rows, right=("k", *figures)), Facts([*facts, *pages])]
