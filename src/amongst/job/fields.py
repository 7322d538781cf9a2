"""A job file read: what its tables and keys say, with all that is wrong noted at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.engines import ENGINES
from amongst.engines.data_file import writable
from amongst.errors import AmongstError, BadJob, BadOption
from amongst.job.job import ADDRESS, FORMS, SHAPES, USUAL_OF_MANY, Engine, Input, Job, Output
from amongst.models import model_from_dict
from amongst.read.header import separator_of
from amongst.read.reads import FOUND, Reads
from amongst.schema.fields import FORMS_OR_FOUND, NUMBER, TABLE, TABLES, TEXT, TEXTS, WHOLE, YES_OR_NO, Fields
from amongst.schema.file import columns_from_fields, read_toml
from amongst.schema.problem import Problem, problems_of, raise_all
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.harden.harden import Harden
    from amongst.review import Review


def job_of_fields(content: Mapping[str, Any], folder: Path, what: str) -> Job:
    """A job from the tables of a job file; paths in them start at ``folder``. ``what`` is said where it is wrong."""
    many = "tables" in content
    problems: list[Problem] = []
    fields = Fields(content, "", problems)
    given: dict[str, Any] = {}
    if many:
        from amongst.relations.schema_file import relations_from_fields

        source = Fields(fields.take("input", TABLE, {}, required=True), "[input]", problems)
        given["input"] = _input_of_tables(source, folder)
        tables = fields.take("tables", TABLE, {}, required=True)
        given["schema"] = relations_from_fields(tables, folder, source, problems)
        source.done()
    else:
        given["input"] = _input(fields.take("input", TABLE, {}, required=True), folder, problems)
        given["schema"] = columns_from_fields(fields.take("columns", TABLE, {}, required=True), folder, problems)
    given["models"] = _models(fields.take("privacy", TABLES, [], required=True), folder, problems, many=many)
    given |= _method(fields.take("method", TABLE, {}), folder, problems, many=many)
    given["output"] = _output(fields.take("output", TABLE, {}), folder, problems, many=many)
    given["harden"] = _harden(fields.take("harden", TABLE), folder, problems)
    if not many:
        given["engine"] = _engine(fields.take("engine", TABLE, {}), folder, problems)
        given["review"] = _review(fields.take("review", TABLE), given["schema"], problems)
        given["formulas"] = _formulas(fields.take("analysis", TABLE, {}), problems)
    fields.done()
    raise_all(BadJob, what, problems)
    return Job(**given)


def harden_of_fields(content: Mapping[str, Any]) -> Harden | None:
    """What no attack may achieve, from the fields of ``[harden]``."""
    problems: list[Problem] = []
    found = _harden(content, Path(), problems)
    raise_all(BadOption, "These promises cannot be used.", problems)
    return found


def privacy_from_file(path: str | Path) -> tuple[tuple[Any, ...], str | None]:
    """What a job file asks for, and the column that tells people apart there; nothing where it says nothing."""
    content = read_toml(Path(path))
    problems: list[Problem] = []
    fields = Fields(content, "", problems)
    models = _models(fields.take("privacy", TABLES, []), Path(path).parent, problems, many="tables" in content)
    unit = Fields(fields.take("input", TABLE, {}), "[input]", problems).take("unit", TEXT)
    raise_all(BadJob, f"The models in {Path(path).name} cannot be used.", problems)
    return models, unit


def input_from_file(path: str | Path) -> Input:
    """How a job file has its table read, and who is counted there; nothing where it does not say."""
    content = read_toml(Path(path)).get("input", {})
    problems: list[Problem] = []
    told = _input(content, Path(path).parent, problems, path_needed=False)
    raise_all(BadJob, f"What {Path(path).name} says of its input cannot be used.", problems)
    return told


def _input(content: Any, folder: Path, problems: list[Problem], *, path_needed: bool = True) -> Input:
    fields = Fields(content, "[input]", problems if content else [])
    path = fields.take("path", TEXT, "", required=path_needed)
    given: dict[str, Any] = {"nulls": tuple(fields.take("nulls", TEXTS, []))}
    given |= {name: fields.take(name, TEXT) for name in ("separator", "encoding")}
    given["reads"] = _reads(fields, problems)
    try:
        separator_of(given["separator"])
    except AmongstError as error:
        problems += [Problem(f"[input] separator: {error.what}", one.fix) for one in problems_of(error)]
    given["header"] = fields.take("header", YES_OR_NO)
    given |= {name: fields.take(name, TEXT) for name in ("unit", "table")}
    fields.done()
    return Input.at(_place(folder, path), **given)


def _input_of_tables(fields: Fields, folder: Path) -> Input:
    place = _place(folder, fields.take("path", TEXT, "", required=True))
    return Input.at(place, namespace=fields.take("namespace", TEXT), nulls=tuple(fields.take("nulls", TEXTS, [])))


def _reads(fields: Fields, problems: list[Problem]) -> dict[str, Reads] | str:
    """The forms of columns, or that they are to be found."""
    told = fields.take("reads", FORMS_OR_FOUND, {})
    if told == FOUND:
        return FOUND
    found = {}
    for name, one in told.items():
        try:
            found[name] = Reads.of(one)
        except AmongstError as error:
            problems += [Problem(f"[input.reads] {name}: {error.what}", one.fix) for one in problems_of(error)]
    return found


def _models(tables: list[dict[str, Any]], folder: Path, problems: list[Problem], *, many: bool) -> tuple[Any, ...]:
    model_of: Callable[[dict[str, Any]], Any] = model_from_dict
    if many:
        from amongst.relations.diversity import model_from_fields as model_of
    models = []
    for i, table in enumerate(tables, start=1):
        if isinstance(table.get("population"), str):
            table = table | {"population": _at(folder, table["population"])}
        try:
            models.append(model_of(table))
        except AmongstError as error:
            problems += [Problem(f"[[privacy]] {i}: {error.what}", one.fix) for one in problems_of(error)]
    return tuple(models)


def _method(content: Any, folder: Path, problems: list[Problem], *, many: bool) -> dict[str, Any]:
    fields = Fields(content, "[method]", problems)
    given = {"method": fields.take("name", TEXT, USUAL_OF_MANY if many else None)}
    given |= {"options": dict(fields.take("options", TABLE, {})), "seed": fields.take("seed", WHOLE, 0)}
    if not many:
        target, workload = fields.take("target", TEXT), fields.take("workload", TEXT)
        given |= {"target": target, "workload": None if workload is None else _at(folder, workload)}
    fields.done()
    return given


def _output(content: Any, folder: Path, problems: list[Problem], *, many: bool) -> Output:
    fields = Fields(content, "[output]", problems)
    place = fields.take("folder", TEXT)
    given: dict[str, Any] = {"folder": None if place is None else _at(folder, place)}
    if many:
        from amongst.relations.stores import FORMATS

        given |= {"format": fields.choose("format", FORMATS), "namespace": fields.take("namespace", TEXT)}
    else:
        given["format"] = fields.choose("format", writable(), "parquet") or "parquet"
        given["form"] = fields.choose("form", FORMS, "labels") or "labels"
        given |= {"table": fields.take("table", TEXT), "shape": fields.choose("shape", SHAPES)}
    fields.done()
    return Output(**given)


def _engine(content: Any, folder: Path, problems: list[Problem]) -> Engine:
    fields = Fields(content, "[engine]", problems)
    name, memory = fields.choose("name", tuple(ENGINES)), fields.take("memory", TEXT)
    work, resume = fields.take("work", TEXT), fields.take("resume", YES_OR_NO, False)
    fields.done()
    return Engine(name, memory, None if work is None else _at(folder, work), resume)


def _harden(content: Any, folder: Path, problems: list[Problem]) -> Harden | None:
    """What no attack may achieve; nothing where there is no such table."""
    if content is None:
        return None
    from amongst.harden.harden import Harden

    fields = Fields(content, "[harden]", problems)
    shapes = dict.fromkeys(("certain", "narrowed", "alone"), YES_OR_NO)
    shapes |= dict.fromkeys(("likelier", "membership", "drawn"), NUMBER)
    given = {name: fields.take(name, shape) for name, shape in {**shapes, "rounds": WHOLE}.items()}
    given["beside"] = tuple(str(_at(folder, one)) for one in fields.take("beside", TEXTS, []))
    fields.done()
    try:
        return Harden(**{name: value for name, value in given.items() if value is not None})
    except AmongstError as error:
        problems += [Problem(f"[harden]: {one.text}", one.fix) for one in problems_of(error)]
        return None


def _review(content: Any, schema: Schema, problems: list[Problem]) -> Review | None:
    """For whom the release is; nothing where there is no such table."""
    if content is None:
        return None
    from amongst.review import Review

    fields = Fields(content, "[review]", problems)
    texts = ("purpose", "recipient", "access", "reason", "preset", "author", "date", "valid_until")
    given = {name: fields.take(name, TEXT) for name in texts}
    given |= {name: fields.take(name, TEXTS) for name in ("attackers", "knows", "attacks")}
    given["threshold"] = fields.take("threshold", NUMBER)
    given["reasons"] = fields.take("reasons", TABLE)
    for name in given["reasons"] or ():
        if name not in schema or schema[name].role != "quasi":
            fields.note(f"gives a reason for {name!r}", "name quasi-identifiers of the job", "reasons")
    fields.done()
    try:
        return Review(**{name: value for name, value in given.items() if value is not None})
    except AmongstError as error:
        problems += [Problem(f"[review]: {one.text}", one.fix) for one in problems_of(error)]
        return None


def _formulas(content: Any, problems: list[Problem]) -> tuple[str, ...]:
    """Models that readers will fit."""
    fields = Fields(content, "[analysis]", problems)
    formulas = tuple(fields.take("formulas", TEXTS, []))
    fields.done()
    return formulas


def _at(folder: Path, path: str) -> Path:
    return Path(os.path.normpath(folder / path))


def _place(folder: Path, path: str) -> str:
    """A path as seen from here, or an address as it is."""
    return path if path.startswith(ADDRESS) else str(_at(folder, path))
