"""Many tables in the worker: read with suggested keys and roles, and told as plain data."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from amongst.app.figures import schema_drawing
from amongst.app.look import column_facts, first_rows
from amongst.errors import AmongstError
from amongst.job.job import Input, Job, Output
from amongst.relations.check_tables import check_tables
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Stored
from amongst.relations.stores import read_database
from amongst.schema.problem import problems_of

AS_CAME_IN = Output(format=None)
"""Tables are written as the kind of database that they came in."""


def open_database(address: str, namespace: str | None) -> tuple[Stored, dict[str, Any]]:
    """The tables, and what the page shows of them."""
    stored = read_database(address, namespace=namespace)
    job = Job(Input.at(str(address), namespace=namespace), stored.suggested(), (), output=AS_CAME_IN)
    asked = job.to_dict()
    return stored, {
        "name": stored.name,
        "tables": {name: _table_facts(table) for name, table in stored.tables.items()},
        "columns": [
            {**facts, "name": f"{name}.{facts['name']}"}
            for name, table in stored.tables.items()
            for facts in column_facts(table.select([*asked["tables"].get(name, {}).get("columns", {})]))
        ],
        "job": asked,
    }


def problems_of_tables(job: dict[str, Any], stored: Stored) -> list[dict[str, Any]]:
    """All that does not fit between the roles and hierarchies of a job and its tables."""
    try:
        check_tables(cast(DatabaseSchema, Job.from_dict(job).schema), stored)
    except AmongstError as error:
        told = [one.to_dict() for one in problems_of(error)]
        return [{**one, "column": f"{one['table']}.{one['column']}"} if "column" in one else one for one in told]
    return []


def write_example(name: str, options: dict[str, Any], folder: Path) -> dict[str, Any]:
    """A bundled set of tables as a folder of Parquet files, with its schema as the fields of a job file."""
    from amongst.datasets import load_database
    from amongst.new_file import write_table

    made = load_database(name, **options)
    folder.mkdir()
    for table, rows in made.tables.items():
        write_table(rows, folder / f"{table}.parquet")
    return Job(Input(folder), made.schema, (), output=AS_CAME_IN).to_dict()


def database_view(release: Any) -> dict[str, Any]:
    """What was kept and lost in every table, what was proved, and a few published rows of each."""
    utility, verdict = release.utility, release.verdict
    few = 0 < utility.suppressed_persons < release.threshold
    return {
        "database": True,
        "drawing": schema_drawing(release),
        "checked": [f"{reached.words} Reached: {reached.reached:,.6g}." for reached in verdict.models],
        "persons": verdict.n_persons,
        "groups": verdict.n_groups,
        "smallest": verdict.smallest,
        "suppressed": f"fewer than {release.threshold:,}" if few else f"{utility.suppressed_persons:,}",
        "lm": utility.lm,
        "tables": {
            name: {
                "rows": verdict.rows[name],
                "lost": dict(table.columns),
                "sample": first_rows(release.arrow[name]),
            }
            for name, table in utility.tables.items()
        },
    }


def _table_facts(table: Any) -> dict[str, Any]:
    return {"rows": table.num_rows, "columns": table.column_names, "sample": first_rows(table)}
