"""A job over many tables as the text of a job file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.relations.stores import POSTGRESQL
from amongst.schema.job_text import column_lines, relative
from amongst.schema.toml import header, pair

if TYPE_CHECKING:
    from amongst.relations.job import DatabaseJob
    from amongst.relations.relation import Relation


def database_job_text(job: DatabaseJob, folder: str | Path | None = None) -> str:
    """The whole file. A job that is read from it again is equal."""
    place = job.data if job.data.startswith(POSTGRESQL) else relative(job.data, folder)
    source = {
        "path": place,
        "namespace": job.namespace,
        "nulls": list(job.nulls),
        "leave_out": list(job.schema.leave_out),
    }
    parts = [["[input]", *[pair(key, value) for key, value in source.items() if value]]]
    for name, relation in job.schema.items():
        parts += _table(name, relation, folder)
    parts += [["[[privacy]]", *[pair(key, value) for key, value in model.to_dict().items()]] for model in job.models]
    parts.append(["[method]", pair("name", job.method), pair("seed", job.seed)])
    if job.options:
        parts.append([header("method", "options"), *[pair(key, value) for key, value in job.options.items()]])
    out = None if job.folder is None else relative(job.folder, folder)
    output = {"folder": out, "format": job.format, "namespace": job.out_namespace}
    parts.append(["[output]", *[pair(key, value) for key, value in output.items() if value is not None]])
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _table(name: str, relation: Relation, folder: str | Path | None) -> list[list[str]]:
    keys = {"key": relation.key, "parent": relation.parent, "foreign_key": relation.foreign_key}
    parts = [[header("tables", name), *[pair(key, value) for key, value in keys.items() if value is not None]]]
    for column, rule in relation.schema.items():
        lines = [_inside(name, line) for line in column_lines(column, rule, folder)]
        parts.append([header("tables", name, "columns", column), *lines])
    return parts


def _inside(name: str, line: str) -> str:
    """A header below ``[columns...]`` as one below this table."""
    return re.sub(r"^\[columns\.", lambda _: header("tables", name)[:-1] + ".columns.", line)
