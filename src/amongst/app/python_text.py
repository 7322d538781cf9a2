"""The Python that does what a job file says."""

from __future__ import annotations

from pprint import pformat
from typing import Any

from amongst.job.job import Job
from amongst.job.text import reads_fields
from amongst.models import Model
from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy

USUAL = Column()
PLAIN = ("role", "kind", "weight", "nulls", "publish", "grid", "order", "statistic", "finest", "top", "bottom")


def python_text(job: Job) -> str:
    """A script that makes and writes the same release as ``amongst run`` does with this job.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.app.python_text import python_text
    >>> from amongst.job.job import Input, Job
    >>> job = Job(Input("people.csv"), am.Schema({"age": am.Column(role="quasi")}), (am.KAnonymity(10),))
    >>> print(python_text(job).splitlines()[-1])
    release.write("people-release")
    """
    lines = ["import amongst as am"]
    data = repr_of(job.input.path.as_posix())
    reading = {**job.input.reading, "nulls": list(job.input.nulls) or None, "reads": reads_fields(job.input.reads)}
    if any(value is not None for value in reading.values()):
        lines.append("from amongst.read import read")
        data = f"read({', '.join([data, *_named(reading)])})"
    lines += ["", "schema = am.Schema(", "    {"]
    lines += [f"        {repr_of(name)}: {_column(column)}," for name, column in job.schema.items()]
    lines += ["    }", ")"]
    models = ", ".join(map(_model, job.models))
    given: dict[str, Any] = {"method": job.method, "form": None if job.output.form == "labels" else job.output.form}
    given |= {"seed": job.seed or None, "unit": job.input.unit, "target": job.target, **job.options}
    lines += [f"data = {data}", "release = am.anonymize(", "    data,", "    schema,", f"    [{models}],"]
    lines += [f"    {argument}," for argument in _named(given)]
    if job.workload is not None:
        lines.append(f"    workload=am.Workload.from_file({repr_of(job.workload.as_posix())}, schema.published),")
    if job.harden is not None:
        lines.append(f"    harden=am.Harden({', '.join(_named(job.harden.to_dict()))}),")
    lines += [")", "", "print(release.verdict.words())", _write(job)]
    return "\n".join(lines)


def repr_of(value: Any) -> str:
    """The value as Python, texts in double quotes where that needs no escape."""
    if isinstance(value, str) and '"' not in value and "\\" not in value and value.isprintable():
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(repr_of, value)) + "]"
    return repr(value)


def _named(given: dict[str, Any]) -> list[str]:
    return [f"{name}={repr_of(value)}" for name, value in given.items() if value is not None]


def _column(column: Column) -> str:
    settings = {name: getattr(column, name) for name in PLAIN if getattr(column, name) != getattr(USUAL, name)}
    arguments = _named(settings)
    if column.hierarchy is not None:
        arguments.append(f"hierarchy={_hierarchy(column.hierarchy)}")
    return f"am.Column({', '.join(arguments)})"


def _hierarchy(hierarchy: Hierarchy) -> str:
    fields = hierarchy.to_dict()
    (name, value), *others = fields.items()
    if name == "flat":
        return "am.Hierarchy.flat()"
    if name == "dates":
        return f"am.Hierarchy.dates({', '.join(map(repr_of, value))})"
    if name == "nested":
        return f"am.Hierarchy.nested({_mapping(value)})"
    if name == "csv":
        return f"am.Hierarchy.from_csv({', '.join([repr_of(value), *_named(dict(others))])})"
    if name in ("intervals", "edges", "digits", "prefix") and not others:
        return f"am.Hierarchy.{name}({repr_of(value)})"
    return f"am.Hierarchy.from_dict({pformat(fields, width=88, sort_dicts=False)})"


def _mapping(nested: dict[str, Any]) -> str:
    return ("\n" + " " * 12).join(pformat(nested, width=88, sort_dicts=False).splitlines())


def _model(model: Model) -> str:
    fields = model.to_dict()
    fields.pop("model")
    if "c" in fields:  # recursive l-diversity: its c is part of the sense
        fields["sense"] = (fields["sense"], fields.pop("c"))
    arguments = [
        f"{name}={value!r}" if isinstance(value, tuple) else f"{name}={repr_of(value)}"
        for name, value in fields.items()
    ]
    return f"am.{type(model).__name__}({', '.join(arguments)})"


def _write(job: Job) -> str:
    stem = job.input.path.name.split(".")[0] or "data"
    folder = job.output.folder.as_posix() if job.output.folder is not None else f"{stem}-release"
    format = "" if job.output.format == "parquet" else f", format={repr_of(job.output.format)}"
    shape = "" if job.output.shape is None else f", shape={repr_of(job.output.shape)}"
    return f"release.write({repr_of(folder)}{format}{shape})"
