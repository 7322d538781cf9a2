"""A job as the fields of a job file, and as its text. A job that is read from either again is equal."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadJob
from amongst.job.toml import plain, rewritten, toml_text
from amongst.relations.schema_file import relation_fields
from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy

if TYPE_CHECKING:
    from amongst.harden.harden import Harden
    from amongst.job.job import Input, Job, Output
    from amongst.relations.relation import Relation

Folder = str | Path | None
PLAIN = ("role", "kind", "weight", "nulls", "publish", "grid", "order", "statistic", "finest", "top", "bottom")


def job_text(job: Job, folder: Folder = None, over: str | None = None) -> str:
    """The whole file.

    Parameters
    ----------
    folder : path, optional
        Where the file stands; paths are written as seen from there.
    over : str, optional
        The text of a job file that is to say this instead; comments, order and spelling of all that stays are kept.
    """
    fields = job.to_dict(folder)
    if over is not None:
        try:
            before = job.from_dict(tomllib.loads(over), folder or "").to_dict(folder)
            text = rewritten(over, before, fields)
            if job.from_dict(tomllib.loads(text), folder or "").to_dict(folder) == fields:
                return text
        except (BadJob, ValueError):  # it is no job, or written in a way that cannot be kept
            pass
    return toml_text(fields)


def job_fields(job: Job, folder: Folder = None) -> dict[str, Any]:
    """The fields of a job, of one table or of many."""
    made: dict[str, Any] = plain(told(_fields_of_many(job, folder) if job.many else _fields_of_one(job, folder)))
    return made


def _fields_of_one(job: Job, folder: Folder) -> dict[str, Any]:
    method = {"name": job.method, "seed": job.seed, "target": job.target, "workload": relative(job.workload, folder)}
    engine = {"name": job.engine.name, "memory": job.engine.memory, "work": relative(job.engine.work, folder)}
    return {
        "input": input_fields(job.input, folder),
        "columns": {name: column_fields(column, folder) for name, column in job.schema.items()},
        "privacy": [_model_fields(model, folder) for model in job.models],
        "method": told(method | {"options": dict(job.options) or None}),
        "output": output_fields(job.output, folder),
        "engine": told(engine | {"resume": job.engine.resume or None}) or None,
        "review": None if job.review is None else job.review.to_dict(),
        "analysis": {"formulas": list(job.formulas)} if job.formulas else None,
        "harden": None if job.harden is None else _harden_fields(job.harden, folder),
    }


def _harden_fields(harden: Harden, folder: Folder) -> dict[str, Any]:
    fields = harden.to_dict()
    beside = {"beside": [relative(one, folder) for one in fields["beside"]]} if "beside" in fields else {}
    return fields | beside


def _fields_of_many(job: Job, folder: Folder) -> dict[str, Any]:
    schema, output = job.schema, job.output
    beside = {"leave_out": schema.leave_out, "lookups": schema.lookups, "others": list(schema.others)}
    of_schema = {name: tables or None for name, tables in beside.items()} | {"person": schema.told_person}
    tables = {**schema, **schema.others}
    written = {"folder": relative(output.folder, folder), "format": output.format, "namespace": output.namespace}
    return {
        "input": input_fields(job.input, folder) | told(of_schema),
        "tables": {name: _relation_fields(relation, folder) for name, relation in tables.items()},
        "privacy": [model.to_dict() for model in job.models],
        "method": told({"name": job.method_of()[0], "seed": job.seed, "options": dict(job.options) or None}),
        "output": told(written),
        "harden": None if job.harden is None else _harden_fields(job.harden, folder),
    }


def input_fields(source: Input, folder: Folder = None) -> dict[str, Any]:
    return told(
        {
            "path": relative(source.path, folder) if source.database is None else source.database,
            "namespace": source.namespace,
            "nulls": list(source.nulls) or None,
            "separator": source.separator,
            "encoding": source.encoding,
            "header": source.header,
            "reads": reads_fields(source.reads),
            "unit": source.unit,
            "table": source.table,
        }
    )


def reads_fields(reads: Mapping[str, Any] | str) -> dict[str, Any] | str | None:
    return reads if isinstance(reads, str) else {name: one.plain for name, one in reads.items()} or None


def output_fields(output: Output, folder: Folder = None) -> dict[str, Any]:
    place = relative(output.folder, folder)
    more = {"table": output.table, "shape": output.shape}
    return told({"folder": place, "format": output.format, "form": output.form, **more})


def column_fields(column: Column, folder: Folder = None) -> dict[str, Any]:
    """What stands below ``[columns.name]``; settings that are as usual are left out."""
    usual = Column()
    fields = {key: getattr(column, key) for key in PLAIN if getattr(column, key) != getattr(usual, key)}
    return fields if column.hierarchy is None else fields | {"hierarchy": _hierarchy_fields(column.hierarchy, folder)}


def _hierarchy_fields(hierarchy: Hierarchy, folder: Folder) -> dict[str, Any]:
    fields: dict[str, Any] = hierarchy.to_dict()
    return fields | {"csv": relative(fields["csv"], folder)} if "csv" in fields else fields


def _model_fields(model: Any, folder: Folder) -> dict[str, Any]:
    fields: dict[str, Any] = model.to_dict()
    return fields | {"population": relative(fields["population"], folder)} if "population" in fields else fields


def _relation_fields(relation: Relation, folder: Folder) -> dict[str, Any]:
    columns = {name: column_fields(column, folder) for name, column in relation.schema.items()}
    return told(relation_fields(relation) | {"columns": columns or None})


def told(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What there is to tell: nothing of what is None."""
    return {name: value for name, value in fields.items() if value is not None}


def relative(path: str | Path | None, folder: Folder) -> str | None:
    """The path as seen from the folder of the job file."""
    if path is None:
        return None
    if folder is None:
        return Path(path).as_posix()
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return Path(path).absolute().as_posix()
