"""``amongst inspect-database``: what the tables of a database and their columns seem to be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from amongst.cli import options as o
from amongst.cli.voice import VOICE

if TYPE_CHECKING:
    from amongst.cli.page import Shown
    from amongst.relations.draft import Draft

ANSWER = {
    "persons": "object: the table of persons, how sure that is, why, and other tables of persons",
    "left_out": "object: tables that do not hang on the persons, and why",
    "tables": "object: rows, key, parent, reference and columns of every table",
    "written?": "string?: the job file that was drafted",
}


def inspect_database(
    data: o.Database,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="JOB.toml", help="Draft a job file to look over.")
    ] = None,
    person: Annotated[
        str | None,
        typer.Option("--person", metavar="TABLE", help="The table with one row a person; found if left out."),
    ] = None,
    standard: o.Standard = None,
    namespace: o.Namespace = None,
    nulls: o.Nulls = None,
    force: o.Replace = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Suggest keys and roles for the tables of a database. Nothing leaves this machine; no values are shown."""
    from amongst.cli.table import database_set
    from amongst.job.job import Input, Job, Output
    from amongst.job.toml import comment
    from amongst.models import KAnonymity
    from amongst.new_file import refuse_existing, write_text
    from amongst.relations.draft import Draft, draft, refuse_unsure
    from amongst.relations.find_persons import Persons, words_of_persons
    from amongst.relations.ready import ready_schema
    from amongst.relations.stores import read_database

    if write is not None:
        refuse_existing(write, force)
    known = database_set(data)
    stored = read_database(data if known is None else known.tables, namespace=namespace, nulls=nulls or ())
    if standard is not None:
        schema = ready_schema(standard, stored)
        left_out = dict.fromkeys(schema.leave_out, f"not among the clinical tables of {standard}")
        found = Draft(schema, Persons(schema.person, "told"), left_out)
    elif known is None or person is not None:
        found = draft(stored, person)
    else:
        found = Draft(known.schema, Persons(known.schema.person, "told"), {})
    rows = {name: table.num_rows for name, table in stored.tables.items()}
    if write is not None:
        refuse_unsure(found.persons)
        source = Input.at(data, namespace=namespace, nulls=tuple(nulls or ()))
        job = Job(source, found.schema, (KAnonymity(10),), output=Output(format=None))
        told = "\n".join(comment(line) for line in [*words_of_persons(found.persons), *_left_out(found)])
        write_text(f"{told}\n\n{job.to_toml(write.absolute().parent)}", write)
        VOICE.written = write
    VOICE.result(lambda: _facts(found, rows), lambda: _words(found, rows, write))


def _left_out(found: Draft) -> list[str]:
    return [f"left out: '{name}', {what}" for name, what in found.left_out.items()]


def _facts(found: Draft, rows: dict[str, int]) -> dict[str, Any]:
    from amongst.relations.schema_file import relation_fields

    persons = found.persons
    return {
        "persons": {
            "table": persons.table,
            "sure": persons.sure,
            "reasons": list(persons.reasons),
            "others": {name: list(why) for name, why in (persons.others or {}).items()},
        },
        "left_out": dict(found.left_out),
        "tables": {
            name: {
                "rows": rows[name],
                **{"key": None, "parent": None, "foreign_key": None},
                **relation_fields(relation),
                "columns": {column: rule.role for column, rule in relation.schema.items()},
            }
            for name, relation in found.schema.items()
        },
    }


def _words(found: Draft, rows: dict[str, int], written: Path | None) -> list[Shown]:
    from amongst.cli.page import Facts, Grid, Line
    from amongst.relations.find_persons import words_of_persons
    from amongst.relations.relation import columns_of
    from amongst.relations.wide_keys import joined_name

    lines = []
    for name, relation in found.schema.items():
        hangs = (
            f"{joined_name(columns_of(relation.foreign_key))} -> {relation.parent}"
            if relation.parent
            else "persons"
            if name == found.persons.table
            else "?"
        )
        roles = ", ".join(f"{column}: {rule.role}" for column, rule in relation.schema.items())
        hangs = "; ".join(
            [hangs, *(f"refers to {link.table} by {joined_name(link.columns)}" for link in relation.links)]
        )
        lines.append([name, f"{rows[name]:,}", joined_name(columns_of(relation.key)) or "none", hangs, roles])
    page: list[Shown] = [Grid(["table", "rows", "key", "hangs on", "columns"], lines, right=["rows"])]
    page += [Line(line) for line in [*words_of_persons(found.persons), *_left_out(found)]]
    if written is not None:
        page.append(Facts([("written", f"{written}: look it over, then amongst run {written}")]))
    return page
