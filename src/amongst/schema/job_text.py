"""A job as the text of a job file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.toml import header, pair

if TYPE_CHECKING:
    from amongst.models import Model
    from amongst.schema.job import Engine, Input, Job, Output

Folder = str | Path | None


def job_text(job: Job, folder: Folder = None) -> str:
    """The whole file. A job that is read from it again is equal."""
    parts = [input_lines(job.input, folder)]
    parts += [[header("columns", name), *column_lines(name, column, folder)] for name, column in job.schema.items()]
    parts += [["[[privacy]]", *model_lines(model, folder)] for model in job.models]
    parts.append(method_lines(job, folder))
    if job.options:
        parts.append([header("method", "options"), *[pair(key, value) for key, value in job.options.items()]])
    parts.append(output_lines(job.output, folder))
    engine = engine_lines(job.engine, folder)
    parts += [engine] if len(engine) > 1 else []
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def method_lines(job: Job, folder: Folder = None) -> list[str]:
    lines = ["[method]", pair("name", job.method), pair("seed", job.seed)]
    if job.target is not None:
        lines.append(pair("target", job.target))
    return lines if job.workload is None else [*lines, pair("workload", relative(job.workload, folder))]


def input_lines(source: Input, folder: Folder = None) -> list[str]:
    place = relative(source.path, folder) if source.database is None else source.database
    lines = ["[input]", pair("path", place)]
    if source.nulls:
        lines.append(pair("nulls", source.nulls))
    settings = {
        "separator": source.separator,
        "encoding": source.encoding,
        "header": source.header,
        "unit": source.unit,
        "table": source.table,
    }
    return lines + [pair(key, value) for key, value in settings.items() if value is not None]


def model_lines(model: Model, folder: Folder = None) -> list[str]:
    fields: dict[str, Any] = model.to_dict()
    if "population" in fields:
        fields["population"] = relative(fields["population"], folder)
    return [pair(key, value) for key, value in fields.items()]


def output_lines(output: Output, folder: Folder = None) -> list[str]:
    lines = ["[output]"]
    if output.folder is not None:
        lines.append(pair("folder", relative(output.folder, folder)))
    lines += [pair("format", output.format), pair("form", output.form)]
    return lines if output.table is None else [*lines, pair("table", output.table)]


def engine_lines(engine: Engine, folder: Folder = None) -> list[str]:
    lines = ["[engine]"]
    told = {"name": engine.name, "memory": engine.memory}
    lines += [pair(key, value) for key, value in told.items() if value is not None]
    if engine.work is not None:
        lines.append(pair("work", relative(engine.work, folder)))
    return [*lines, *([pair("resume", True)] if engine.resume else [])]


def column_lines(name: str, column: Column, folder: Folder = None) -> list[str]:
    """The lines below ``[columns.name]``; settings that are as usual are left out."""
    usual = Column()
    plain = ("role", "kind", "weight", "nulls", "publish", "grid", "order", "statistic")
    settings = {key: getattr(column, key) for key in plain}
    lines = [pair(key, value) for key, value in settings.items() if value != getattr(usual, key)]
    return lines if column.hierarchy is None else lines + hierarchy_lines(name, column.hierarchy, folder)


def hierarchy_lines(name: str, hierarchy: Hierarchy, folder: Folder = None) -> list[str]:
    """One line, or a table of its own for a mapping, with a line for every group."""
    fields: dict[str, Any] = hierarchy.to_dict()
    if "nested" in fields:
        groups = [pair(label, members) for label, members in fields["nested"].items()]
        return [header("columns", name, "hierarchy", "nested"), *groups]
    if "csv" in fields:
        fields["csv"] = relative(fields["csv"], folder)
    return [pair("hierarchy", fields)]


def relative(path: str | Path, folder: Folder) -> str:
    """The path as seen from the folder of the job file."""
    if folder is None:
        return Path(path).as_posix()
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive
        return Path(path).absolute().as_posix()
