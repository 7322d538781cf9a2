"""``amongst anonymize``: from a table and roles to a release folder."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.answers import ONE_TABLE

ANSWER = ONE_TABLE


@o.asking
def anonymize(
    data: o.Data,
    out: o.OutFolder,
    quasi: o.Quasi = None,
    sensitive: o.Sensitive = None,
    identifier: o.Identifier = None,
    keep: o.Keep = None,
    weight: o.Weight = None,
    household: o.Household = None,
    schema: o.SchemaFile = None,
    hierarchy: o.Hierarchies = None,
    nulls_rule: o.NullsRule = None,
    k: o.GroupSize = None,
    typed: dict[str, Any] | None = None,
    unit: Annotated[
        str | None,
        typer.Option(
            "--unit",
            metavar="COLUMN",
            help="Tells people apart: they are counted, not rows. Dropped as an identifier.",
            rich_help_panel=o.PRIVACY,
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method", "-m", help="One of `amongst methods`; left out, best with an effort of 0.1: mondrian is faster."
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="A=B", help="An option of the method: cuts=ordered."),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", metavar="COLUMN", help="A sensitive or kept column to predict well.")
    ] = None,
    workload: Annotated[
        Path | None, typer.Option("--workload", metavar="FILE", help="Questions to answer well: TOML, or one a line.")
    ] = None,
    formula: o.Formulas = None,
    seed: Annotated[int, typer.Option("--seed", help="For methods that draw lots.")] = 0,
    harden: o.Harden = False,
    promise: o.Promises = None,
    format: o.Format = "parquet",
    form: Annotated[
        o.Form,
        typer.Option("--form", help="Ranges as text, as two columns, or as structs.", rich_help_panel=o.OUTPUT),
    ] = o.Form.labels,
    shape: Annotated[
        str | None,
        typer.Option(
            "--shape",
            metavar="input",
            help="Write a CSV file as the input is: separator, encoding, quotes, decimal marks, dates.",
            rich_help_panel=o.OUTPUT,
        ),
    ] = None,
    nulls: o.Nulls = None,
    separator: o.Separator = None,
    encoding: o.Encoding = None,
    header: o.Header = None,
    reads: o.Reads = None,
    table: Annotated[
        str | None,
        typer.Option(
            "--table", metavar="SCHEMA.NAME", help="The table, where DATA is a database; of a workbook the sheet."
        ),
    ] = None,
    out_table: Annotated[
        str | None,
        typer.Option(
            "--out-table",
            metavar="SCHEMA.NAME",
            help="The new table in the same database that the release becomes.",
            rich_help_panel=o.OUTPUT,
        ),
    ] = None,
    engine: o.Engine = None,
    memory: o.Memory = None,
    work: o.Work = None,
    resume: o.Resume = False,
    bound: o.Bound = None,
    inside: o.Inside = None,
    force: o.Force = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Anonymize a table and write a release folder: the data, a report and a manifest.

    Every column of the table needs a role. A data set brings its own.
    """
    from amongst.cli.carry_out import carry_out
    from amongst.cli.columns import (
        as_in_file,
        null_rule_in,
        options_in,
        reads_in,
        with_hierarchies,
        with_null_rule,
        with_roles,
        with_unit,
    )
    from amongst.cli.harden import harden_in
    from amongst.cli.hints import hinted
    from amongst.cli.privacy import models_in
    from amongst.cli.table import data_set, source_of
    from amongst.job.job import ADDRESS, Engine, Input, Job, Output
    from amongst.own_files import inside_beside
    from amongst.schema.schema import Schema
    from amongst.staging import refuse_unwritable

    refuse_unwritable(out, force=force, inside=inside or inside_beside(out))
    database = data if data.startswith(ADDRESS) else None
    known = data_set(data) if database is None else None
    columns = known.schema if known is not None else Schema({})
    columns = Schema.from_file(schema) if schema is not None else columns
    roles = {
        "quasi": quasi,
        "sensitive": sensitive,
        "identifier": identifier,
        "keep": keep,
        "weight": [weight] if weight else None,
        "household": [household] if household else None,
    }
    columns = with_null_rule(with_hierarchies(with_roles(columns, roles), hierarchy), null_rule_in(nulls_rule))
    told = Input(
        path=Path("" if database else data),
        nulls=tuple(nulls or ()),
        separator=separator,
        encoding=encoding,
        unit=unit,
        database=database,
        table=table,
        header=header,
        reads=reads_in(reads),
    )
    told = as_in_file(told, schema)
    columns = columns if told.unit is None else with_unit(columns, told.unit)
    job = Job(
        input=told,
        schema=columns,
        models=tuple(models_in({**(typed or {}), "k": k})),
        method=method,
        options=options_in(option),
        output=Output(out, format, form.value, out_table, shape),
        seed=seed,
        target=target,
        workload=workload,
        engine=Engine(engine, memory, work, resume),
        harden=harden_in(harden, promise),
        formulas=tuple(formula or ()),
    )
    with hinted(data) if database is None else contextlib.nullcontext():  # an address may hold a password
        carry_out(job, known and source_of(known), force=force, bound=bound, inside=inside)
