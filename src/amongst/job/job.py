"""A job: everything that one run needs to know, of one table or of many; read, written and carried out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.engines import ENGINES
from amongst.errors import BadJob, BadOption
from amongst.partition.usual_method import usual_method
from amongst.read.reads import FOUND, Reads, all_reads
from amongst.schema.file import read_toml
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    from amongst.harden.harden import Harden
    from amongst.job.run import Finished, OnLoss, OnProgress, OnWritten
    from amongst.read import Source
    from amongst.release import Release
    from amongst.review import Review

FORMS = ("labels", "bounds", "structs")
SHAPES = ("input",)
USUAL_OF_MANY = "miracle"
"""The method of many tables where none is named."""
ADDRESS = tuple(start for engine in ENGINES.values() for start in engine.addresses)
"""How the address of a database begins, where a path could stand."""


@dataclass(frozen=True)
class Input:
    """Where the table is, and how a text file is to be read.

    ``nulls`` are cell texts that mean missing, besides the empty cell. Separator, encoding and header are
    found out where they are left out. ``reads`` has the forms of columns: ``{"birth": "dd.MM.yyyy"}``, or is "found".
    ``unit`` is the column that tells people apart, where people are counted
    and not rows. Of a table in a database ``database`` is the address and ``table`` the name; there is no path then.
    Many tables are in a folder, a file or a database; ``namespace`` is the schema to read inside a database.
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
    namespace: str | None = None

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

    @classmethod
    def at(cls, place: str, **more: Any) -> Input:
        """What is at a path, or at the address of a database."""
        return cls(database=place, **more) if place.startswith(ADDRESS) else cls(path=Path(place), **more)

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
    manifest and report. Many tables may have no ``format``, and are written as the kind that came in; ``namespace`` is
    the schema to write as well in the PostgreSQL database that was read.
    """

    folder: Path | None = None
    format: str | None = "parquet"
    form: str = "labels"
    table: str | None = None
    shape: str | None = None
    namespace: str | None = None

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
class Job:
    """Everything that one run needs to know.

    ``schema`` is a ``Schema``, or the ``DatabaseSchema`` of many tables.
    ``target`` and ``workload`` say what the release is for: a column that readers will predict, a file of questions
    that they will ask. ``harden`` says what no attack may achieve,
    ``review`` for whom the release is and what risk is borne. ``formulas`` are models that readers will fit, told
    inside before and after. Many tables have ``harden`` and none of the others, and are read into memory.

    Examples
    --------
    >>> import amongst as am
    >>> from amongst.job.job import Input, Job
    >>> job = Job(Input("data.csv"), am.Schema({"age": am.Column(role="quasi")}), (am.KAnonymity(10),))
    >>> print(job.to_toml().splitlines()[1])
    path = "data.csv"
    """

    input: Input
    schema: Any
    models: tuple[Any, ...]
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

    @classmethod
    def from_file(cls, path: str | Path) -> Job:
        """Read a job file, of one table or of many; paths in it start at its own folder.

        All that is wrong with it is raised at once.
        """
        return cls.from_dict(
            read_toml(Path(path)), Path(path).parent, f"The job file {Path(path).name} cannot be used."
        )

    @classmethod
    def of_one_table(cls, path: str | Path) -> Job:
        """Read a job file as ``from_file`` does; one of many tables is refused."""
        return cls.from_file(path).refuse_many()

    @classmethod
    def from_dict(
        cls, content: Mapping[str, Any], folder: str | Path = "", what: str = "The job cannot be used."
    ) -> Job:
        """A job from the tables of a job file; paths in them start at ``folder``."""
        from amongst.job.fields import job_of_fields

        return job_of_fields(content, Path(folder), what)

    def to_dict(self, folder: str | Path | None = None) -> dict[str, Any]:
        """The job as ``from_dict`` takes it. Paths are written as they are, or relative to ``folder`` if given."""
        from amongst.job.text import job_fields

        return job_fields(self, folder)

    def to_toml(self, folder: str | Path | None = None, over: str | None = None) -> str:
        """The job as a job file; of the text ``over`` of another one comments, order and spelling are kept."""
        from amongst.job.text import job_text

        return job_text(self, folder, over)

    def but(
        self, *, input: Path | None = None, folder: Path | None = None, engine: str | None = None, **how: Any
    ) -> Job:
        """The same job, with what is given instead; ``how`` are the fields of ``Engine``."""
        if input is not None and self.many:
            fix = "name the tables in the job file"
            raise BadOption("A job of many tables has no one input.", found="--input", fix=fix)
        source = self.input if input is None else replace(self.input, path=input, database=None, table=None)
        output = self.output if folder is None else replace(self.output, folder=folder)
        return replace(self, input=source, output=output, engine=self.engine.but(engine, **how))

    @property
    def many(self) -> bool:
        """Whether it is about many tables."""
        return not isinstance(self.schema, Schema)

    def refuse_many(self) -> Job:
        """The same; raises where it is about many tables."""
        if self.many:
            fix = "carry it out with amongst run; this is for jobs of one table, with [columns]"
            raise BadJob("The job is about many tables.", found="[tables] instead of [columns]", fix=fix)
        return self

    @property
    def folder(self) -> Path | None:
        """Where the release goes; None where that is left to the command."""
        return self.output.folder

    def method_of(self, data: Any = None) -> tuple[str, dict[str, Any]]:
        """The method that runs, with its options: where none is named the usual one."""
        if self.many:
            return self.method or USUAL_OF_MANY, dict(self.options)
        guided = self.target is not None or self.workload is not None
        hardened = self.harden is not None
        return usual_method(self.method, self.options, engine=self.engine_of(data), guided=guided, hardened=hardened)

    def engine_of(self, data: Any = None) -> str:
        """The name of the engine that it runs on."""
        name: str = self._own.engine_of(self, data)
        return name

    def refuse_early(self, data: Any = None, *, force: bool = False) -> None:
        """Raise what can be refused before anything is read."""
        self._own.refuse_early(self, data, force=force)

    def anonymize(
        self, data: Any = None, *, bound: bool | None = None, on_progress: OnProgress = None, on_loss: OnLoss = None
    ) -> Release:
        """Make the release, and write nothing.

        Parameters
        ----------
        data : table in memory, or many, optional
            Taken instead of the input that the job names.
        bound : bool, optional
            Whether reports tell the loss that no grouping can go below; left out, where that is cheap.
        on_progress : callable, optional
            Told (step, done, total) now and then.
        on_loss : callable, optional
            Told the loss so far, by methods that start with some grouping and make it better.
        """
        release: Release = self._own.anonymized(self, data, bound=bound, on_progress=on_progress, on_loss=on_loss)
        return release

    @property
    def _own(self) -> Any:
        """What jobs of one table and of many do each in their own way: two modules with the same functions."""
        if self.many:
            from amongst.job import many_tables

            return many_tables
        from amongst.job import one_table

        return one_table

    def run(
        self,
        *,
        force: bool = False,
        bound: bool | None = None,
        inside: str | Path | None = None,
        on_progress: OnProgress = None,
        on_loss: OnLoss = None,
        on_written: OnWritten = None,
        data: Any = None,
    ) -> Finished:
        """Carry the job out as ``amongst run`` does: read, anonymize, and write the release folder.

        Parameters
        ----------
        force : bool
            Replace a release that is there already.
        inside : path, optional
            Where what must not be published goes; left out, ``<folder>.inside`` beside the release.
        on_written : callable, optional
            Told the folder once it is complete.
        bound, on_progress, on_loss, data
            As of ``anonymize``.

        Returns
        -------
        Finished
            With ``release``, ``verdict``, ``folder`` and ``inside``.
        """
        from amongst.job.run import Finished, places, steps_of

        output = self.output
        target, hidden = places(output.folder, inside, force=force)
        self.refuse_early(data, force=force)
        release = self.anonymize(data, bound=bound, on_progress=on_progress, on_loss=on_loss)
        how: dict[str, Any] = {"force": force, "step": steps_of(on_progress), "inside": hidden}
        verdict = release.write(target, format=output.format, table=output.table or "", shape=output.shape, **how)
        if on_written is not None:
            on_written(target)
        if output.namespace is not None:
            release.write_postgresql(self.input.place, output.namespace)
        return Finished(release=release, verdict=verdict, folder=target, inside=hidden)
