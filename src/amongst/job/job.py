"""The job file: input, columns, privacy, method and output of one run, as TOML."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from amongst.engines import ENGINES
from amongst.engines.data_file import writable
from amongst.errors import AmongstError, BadJob, BadOption
from amongst.job.any_job import AnyJob
from amongst.models import Model, model_from_dict
from amongst.partition.usual_method import usual_method
from amongst.read.header import separator_of
from amongst.read.reads import FOUND, Reads, all_reads
from amongst.schema.fields import FORMS_OR_FOUND, NUMBER, TABLE, TABLES, TEXT, TEXTS, WHOLE, YES_OR_NO, Fields
from amongst.schema.file import columns_from_fields, read_toml
from amongst.schema.problem import Problem, problems_of, raise_all
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.harden.harden import Harden
    from amongst.job.run import OnLoss, OnProgress
    from amongst.job.tables import DatabaseJob
    from amongst.read import Source
    from amongst.release import Release
    from amongst.review import Review
    from amongst.verify import Verdict

FORMS = ("labels", "bounds", "structs")
SHAPES = ("input",)
ADDRESS = tuple(start for engine in ENGINES.values() for start in engine.addresses)
"""How the address of a database begins, where a path could stand."""


@dataclass(frozen=True)
class Input:
    """Where the table is, and how a text file is to be read.

    ``nulls`` are cell texts that mean missing, besides the empty cell. Separator, encoding and header are
    found out where they are left out. ``reads`` has the forms of columns: ``{"birth": "dd.MM.yyyy"}``, or is "found".
    ``unit`` is the column that tells people apart, where people are counted
    and not rows. Of a table in a database ``database`` is the address and ``table`` the name; there is no path then.
    """

    path: Path = Path()
    nulls: tuple[str, ...] = ()
    separator: str | None = None
    encoding: str | None = None
    unit: str | None = None
    database: str | None = None
    table: str | None = None
    header: bool | None = None
    reads: Mapping[str, Reads] | str = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "path", Path(self.path))
        object.__setattr__(self, "nulls", tuple(self.nulls))
        object.__setattr__(self, "reads", self.reads if self.reads == FOUND else all_reads(self.reads))

    @property
    def reading(self) -> dict[str, Any]:
        """How a text file is to be read, as ``amongst.read`` takes it."""
        return {
            "nulls": self.nulls,
            "separator": self.separator,
            "encoding": self.encoding,
            "header": self.header,
            "reads": self.reads,
            **({"table": self.table} if self.table is not None and self.database is None else {}),
        }

    @property
    def place(self) -> str:
        """The path, or the address of the database: with its password, if it has one."""
        return str(self.path) if self.database is None else self.database


def as_found(told: Input, source: Source, reads: Mapping[str, Any]) -> Input:
    """The input with what was found out about the file that was read, so that a job reads it in the same way."""
    laid = {} if source.layout is None else source.layout.told
    own = {name: getattr(told, name) for name in laid}
    found = {name: one for name, one in source.reads.items() if isinstance(one, Reads)}  # codes are in the file
    forms = {**found, **all_reads(reads)}
    return replace(told, **{name: laid[name] if own[name] is None else own[name] for name in laid}, reads=forms)


@dataclass(frozen=True)
class Output:
    """Where the release goes, and in which format and form. The folder may be left to the command.

    A CSV file may have the ``shape`` of the "input". In a database the release becomes ``table``; the folder has its
    manifest and report.
    """

    folder: Path | None = None
    format: str = "parquet"
    form: str = "labels"
    table: str | None = None
    shape: str | None = None

    def __post_init__(self) -> None:
        if self.folder is not None:
            object.__setattr__(self, "folder", Path(self.folder))


@dataclass(frozen=True)
class Engine:
    """Where rows are counted and recoded; see ``amongst.anonymize``."""

    name: str | None = None
    memory: str | None = None
    work: Path | None = None
    resume: bool = False

    def __post_init__(self) -> None:
        if self.work is not None:
            object.__setattr__(self, "work", Path(self.work))

    def but(
        self, name: str | None = None, memory: str | None = None, work: Path | None = None, resume: bool = False
    ) -> Engine:
        """The same, with what is given instead."""
        return Engine(name or self.name, memory or self.memory, work or self.work, resume or self.resume)


@dataclass(frozen=True)
class Job(AnyJob):
    """Everything that one run needs to know.

    ``target`` and ``workload`` say what the release is for: a column that readers will predict, a file of questions
    that they will ask. ``harden`` says what no attack may achieve,
    ``review`` for whom the release is and what risk is borne. ``formulas`` are models that readers will fit, told
    inside before and after.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.job.job import Input, Job
    >>> job = Job(Input("data.csv"), am.Schema({"age": am.Column(role="quasi")}), (am.KAnonymity(10),))
    >>> print(job.to_toml().splitlines()[1])
    path = "data.csv"
    """

    input: Input
    schema: Schema
    models: tuple[Model, ...]
    method: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    output: Output = Output()
    seed: int = 0
    target: str | None = None
    workload: Path | None = None
    engine: Engine = Engine()
    harden: Harden | None = None
    review: Review | None = None
    formulas: tuple[str, ...] = ()

    many: ClassVar[bool] = False

    @classmethod
    def from_file(cls, path: str | Path) -> Job | DatabaseJob:
        """Read a job file, of one table or of many; paths in it start at its own folder.

        All that is wrong with it is raised at once.
        """
        content, what = read_toml(Path(path)), f"The job file {Path(path).name} cannot be used."
        if "tables" in content:
            from amongst.job.tables import DatabaseJob

            return DatabaseJob.from_dict(content, Path(path).parent, what)
        return cls.from_dict(content, Path(path).parent, what)

    @classmethod
    def of_one_table(cls, path: str | Path) -> Job:
        """Read a job file as ``from_file`` does; one of many tables is refused."""
        what = f"The job file {Path(path).name} cannot be used."
        return cls.from_dict(read_toml(Path(path)), Path(path).parent, what)

    @classmethod
    def from_dict(
        cls, content: Mapping[str, Any], folder: str | Path = "", what: str = "The job cannot be used."
    ) -> Job:
        """A job from the tables of a job file; paths in them start at ``folder``."""
        if "tables" in content and "columns" not in content:
            fix = "carry it out with amongst run; this is for jobs of one table, with [columns]"
            raise BadJob("The job is about many tables.", found="[tables] instead of [columns]", fix=fix)
        problems: list[Problem] = []
        fields = Fields(content, "", problems)
        source = _input(fields.take("input", TABLE, {}, required=True), Path(folder), problems)
        schema = columns_from_fields(fields.take("columns", TABLE, {}, required=True), folder, problems)
        models = _models(fields.take("privacy", TABLES, [], required=True), Path(folder), problems)
        method, options, seed, target, workload = _method(fields.take("method", TABLE, {}), Path(folder), problems)
        output = _output(fields.take("output", TABLE, {}), Path(folder), problems)
        engine = _engine(fields.take("engine", TABLE, {}), Path(folder), problems)
        harden = _harden(fields.take("harden", TABLE), Path(folder), problems)
        review = _review(fields.take("review", TABLE), schema, problems)
        formulas = _formulas(fields.take("analysis", TABLE, {}), problems)
        fields.done()
        raise_all(BadJob, what, problems)
        return cls(
            input=source,
            schema=schema,
            models=models,
            method=method,
            options=options,
            output=output,
            seed=seed,
            target=target,
            workload=workload,
            engine=engine,
            harden=harden,
            review=review,
            formulas=formulas,
        )

    @staticmethod
    def read_harden(content: Mapping[str, Any]) -> Harden | None:
        """What no attack may achieve, from the fields of ``[harden]``."""
        problems: list[Problem] = []
        found = _harden(content, Path(), problems)
        raise_all(BadOption, "These promises cannot be used.", problems)
        return found

    def to_dict(self, folder: str | Path | None = None) -> dict[str, Any]:
        """The job as ``from_dict`` takes it. Paths are written as they are, or relative to ``folder`` if given."""
        from amongst.job.text import table_job_fields

        return table_job_fields(self, folder)

    def but(
        self,
        *,
        input: Path | None = None,
        folder: Path | None = None,
        engine: str | None = None,
        memory: str | None = None,
        work: Path | None = None,
        resume: bool = False,
    ) -> Job:
        """The same job, with what is given instead."""
        source = self.input if input is None else replace(self.input, path=input, database=None, table=None)
        output = self.output if folder is None else replace(self.output, folder=folder)
        return replace(self, input=source, output=output, engine=self.engine.but(engine, memory, work, resume))

    @property
    def folder(self) -> Path | None:  # type: ignore[override]
        return self.output.folder

    def method_of(self, data: Any = None) -> tuple[str, dict[str, Any]]:
        """The method that runs, with its options: where none is named the usual one."""
        guided = self.target is not None or self.workload is not None
        hardened = self.harden is not None
        return usual_method(self.method, self.options, engine=self.engine_of(data), guided=guided, hardened=hardened)

    def engine_of(self, data: Any = None) -> str:
        from amongst.job.run import engine_of

        return engine_of(self, data)

    def anonymize(
        self, data: Any = None, *, bound: bool | None = None, on_progress: OnProgress = None, on_loss: OnLoss = None
    ) -> Release:
        """Make the release, and write nothing.

        Parameters
        ----------
        data : table in memory, optional
            Taken instead of the input that the job names.
        bound : bool, optional
            Whether reports tell the loss that no grouping can go below; left out, where that is cheap.
        on_progress : callable, optional
            Told (step, done, total) now and then.
        on_loss : callable, optional
            Told the loss so far, by methods that start with some grouping and make it better.
        """
        from amongst.job.run import anonymize_job

        return anonymize_job(self, data, bound=bound, on_progress=on_progress, on_loss=on_loss)

    def refuse_early(self, data: Any = None, *, force: bool = False) -> None:
        from amongst.job.run import refuse_job

        refuse_job(self, data, force=force)

    def write(self, release: Release, folder: Path, **how: Any) -> Verdict:
        output = self.output
        return release.write(folder, format=output.format, table=output.table or "", shape=output.shape, **how)


def privacy_from_file(path: str | Path) -> tuple[tuple[Model, ...], str | None]:
    """What a job file asks for, and the column that tells people apart there; nothing where it says nothing."""
    content = read_toml(Path(path))
    problems: list[Problem] = []
    fields = Fields(content, "", problems)
    models = _models(fields.take("privacy", TABLES, []), Path(path).parent, problems)
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
    nulls = tuple(fields.take("nulls", TEXTS, []))
    separator, encoding = fields.take("separator", TEXT), fields.take("encoding", TEXT)
    reads = _reads(fields, problems)
    try:
        separator_of(separator)
    except AmongstError as error:
        problems += [Problem(f"[input] separator: {error.what}", one.fix) for one in problems_of(error)]
    header = fields.take("header", YES_OR_NO)
    unit, table = fields.take("unit", TEXT), fields.take("table", TEXT)
    if path.startswith(ADDRESS):
        source = Input(
            path=Path(),
            nulls=nulls,
            separator=separator,
            encoding=encoding,
            unit=unit,
            database=path,
            table=table,
            header=header,
            reads=reads,
        )
    else:
        source = Input(
            path=_at(folder, path),
            nulls=nulls,
            separator=separator,
            encoding=encoding,
            unit=unit,
            database=None,
            table=table,
            header=header,
            reads=reads,
        )
    fields.done()
    return source


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


def _models(tables: list[dict[str, Any]], folder: Path, problems: list[Problem]) -> tuple[Model, ...]:
    models = []
    for i, table in enumerate(tables, start=1):
        if isinstance(table.get("population"), str):
            table = table | {"population": _at(folder, table["population"])}
        try:
            models.append(model_from_dict(table))
        except AmongstError as error:
            problems += [Problem(f"[[privacy]] {i}: {error.what}", one.fix) for one in problems_of(error)]
    return tuple(models)


def _method(
    content: Any, folder: Path, problems: list[Problem]
) -> tuple[str | None, dict[str, Any], int, str | None, Path | None]:
    fields = Fields(content, "[method]", problems)
    method = fields.take("name", TEXT)
    options = dict(fields.take("options", TABLE, {}))
    seed = fields.take("seed", WHOLE, 0)
    target, workload = fields.take("target", TEXT), fields.take("workload", TEXT)
    fields.done()
    return method, options, seed, target, None if workload is None else _at(folder, workload)


def _output(content: Any, folder: Path, problems: list[Problem]) -> Output:
    fields = Fields(content, "[output]", problems)
    place = fields.take("folder", TEXT)
    output = Output(
        None if place is None else _at(folder, place),
        fields.choose("format", writable(), "parquet") or "parquet",
        fields.choose("form", FORMS, "labels") or "labels",
        fields.take("table", TEXT),
        fields.choose("shape", SHAPES),
    )
    fields.done()
    return output


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
    shapes = {"certain": YES_OR_NO, "narrowed": YES_OR_NO, "likelier": NUMBER, "membership": NUMBER, "drawn": NUMBER}
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
