"""``amongst anonymize-database``: from the tables of a database to a release folder."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.answers import MANY_TABLES


class DatabaseFormat(StrEnum):
    parquet = "parquet"
    csv = "csv"
    duckdb = "duckdb"
    sqlite = "sqlite"
    fhir = "fhir"


ANSWER = MANY_TABLES


def anonymize_database(
    data: o.Database,
    out: o.OutFolder,
    schema: o.TablesFile = None,
    k: Annotated[int, typer.Option("--k", "-k", min=1, help="Every person looks like at least k - 1 others.")] = 10,
    diversity: Annotated[
        float | None,
        typer.Option("--diversity", metavar="L", min=1, help="Sensitive values of rows that look alike are L-diverse."),
    ] = None,
    sense: Annotated[str, typer.Option("--sense", help="frequency, distinct, entropy or recursive.")] = "frequency",
    count: Annotated[str, typer.Option("--count", help="Diversity of rows, of persons, or both.")] = "both",
    codes: Annotated[
        int | None,
        typer.Option(
            "--codes", metavar="M", min=1, help="Any M codes of a person are shared by k persons, or by none."
        ),
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--known",
            metavar="TABLE=WHAT",
            help="What an intruder may know of a table: nothing, presence, count, codes or all.",
        ),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option("--person", metavar="TABLE", help="The table with one row a person; found if left out."),
    ] = None,
    closeness: Annotated[
        float | None,
        typer.Option(
            "--closeness", metavar="T", min=0, max=1, help="Sensitive values of rows that look alike are T-close."
        ),
    ] = None,
    method: Annotated[
        str, typer.Option("--method", "-m", help="One of those for many tables of `amongst methods`.")
    ] = "miracle",
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="A=B", help="An option of the method: cluster_limit=300.")
    ] = None,
    harden: o.Harden = False,
    promise: o.Promises = None,
    seed: Annotated[int, typer.Option("--seed", help="For the order of the persons and the random keys.")] = 0,
    standard: o.Standard = None,
    namespace: o.Namespace = None,
    format: Annotated[
        DatabaseFormat | None,
        typer.Option("--format", help="Of the tables; left out, the kind that came in.", rich_help_panel=o.OUTPUT),
    ] = None,
    out_namespace: Annotated[
        str | None,
        typer.Option(
            "--out-namespace",
            metavar="SCHEMA",
            help="Write the tables into this new schema of the PostgreSQL database as well.",
            rich_help_panel=o.OUTPUT,
        ),
    ] = None,
    nulls: o.Nulls = None,
    inside: o.Inside = None,
    force: o.Force = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Anonymize tables that belong together: persons, and what hangs on them.

    Keys are read from the database where it states them, else found by names and values where the schema names none.
    Every other column needs a role.
    """
    from amongst.cli.carry_out import carry_out
    from amongst.cli.columns import options_in
    from amongst.cli.harden import harden_in
    from amongst.cli.table import database_set
    from amongst.job.job import Input, Job, Output
    from amongst.models import KAnonymity
    from amongst.own_files import inside_beside
    from amongst.relations.closeness import Closeness
    from amongst.relations.diversity import Diversity
    from amongst.relations.km_anonymity import KmAnonymity
    from amongst.relations.ready import ready_schema
    from amongst.relations.relation import DatabaseSchema
    from amongst.relations.stores import read_database
    from amongst.staging import refuse_unwritable

    refuse_unwritable(out, force=force, inside=inside or inside_beside(out))
    made = database_set(data)
    tables = DatabaseSchema.from_file(schema) if schema is not None else DatabaseSchema({})
    models: tuple[Any, ...] = (KAnonymity(k),)
    models += () if diversity is None else (Diversity(diversity, sense, count=count),)
    models += () if closeness is None else (Closeness(closeness),)
    models += () if codes is None else (KmAnonymity(k, codes),)
    job = Job(
        input=Input.at(data, namespace=namespace, nulls=tuple(nulls or ())),
        schema=tables,
        models=models,
        method=method,
        options=options_in(option),
        output=Output(out, format and format.value, namespace=out_namespace),
        seed=seed,
        harden=harden_in(harden, promise),
    )
    data_of_set = None if made is None else replace(read_database(made.tables), name=made.name)
    if made is not None and schema is None:
        job = replace(job, schema=made.schema)
    if standard is not None and schema is None:
        data_of_set = data_of_set or read_database(data, namespace=namespace, nulls=nulls or ())
        job = replace(job, schema=ready_schema(standard, data_of_set))
    job = replace(job, schema=job.schema.with_known(options_in(known)))
    if person is not None:
        job = replace(job, schema=job.schema.with_person(person))
    carry_out(job, data_of_set, force=force, inside=inside)
