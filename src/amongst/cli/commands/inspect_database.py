"""``amongst inspect-database``: what the tables of a database and their columns seem to be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.relations.relation import DatabaseSchema


def inspect_database(
    data: o.Database,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="JOB.toml", help="Draft a job file to look over.")
    ] = None,
    namespace: o.Namespace = None,
    nulls: o.Nulls = None,
    force: o.Replace = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Suggest keys and roles for the tables of a database. Nothing leaves this machine; no values are shown."""
    from amongst.cli.new_file import refuse_existing, write_text
    from amongst.cli.table import database_set
    from amongst.job.tables import DatabaseJob
    from amongst.models import KAnonymity
    from amongst.relations.stores import read_database

    if write is not None:
        refuse_existing(write, force)
    known = database_set(data)
    stored = read_database(data if known is None else known.tables, namespace=namespace, nulls=nulls or ())
    schema = known.schema if known is not None else stored.suggested()
    rows = {name: table.num_rows for name, table in stored.tables.items()}
    if write is not None:
        job = DatabaseJob(data, schema, (KAnonymity(10),), namespace=namespace, nulls=tuple(nulls or ()))
        write_text(job.to_toml(write.absolute().parent), write)
        VOICE.written = write
    VOICE.result(lambda: _facts(schema, rows), lambda: _words(schema, rows, write))


def _facts(schema: DatabaseSchema, rows: dict[str, int]) -> dict[str, Any]:
    return {
        "tables": {
            name: {
                "rows": rows[name],
                "key": relation.key,
                "parent": relation.parent,
                "foreign_key": relation.foreign_key,
                "columns": {column: rule.role for column, rule in relation.schema.items()},
            }
            for name, relation in schema.items()
        }
    }


def _words(schema: DatabaseSchema, rows: dict[str, int], written: Path | None) -> list[Shown]:
    from amongst.cli.page import Facts, Grid

    lines = []
    for name, relation in schema.items():
        hangs = (
            f"{relation.foreign_key} -> {relation.parent}" if relation.parent else "persons" if relation.key else "?"
        )
        roles = ", ".join(f"{column}: {rule.role}" for column, rule in relation.schema.items())
        lines.append([name, f"{rows[name]:,}", relation.key or "none", hangs, roles])
    page: list[Shown] = [Grid(["table", "rows", "key", "hangs on", "columns"], lines, right=["rows"])]
    if written is not None:
        page.append(Facts([("written", f"{written}: look it over, then amongst run {written}")]))
    return page
