"""The job file of many tables: input, tables, privacy, method and output of one run, as TOML."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from amongst.errors import AmongstError, BadJob, BadOption
from amongst.job.any_job import AnyJob
from amongst.relations.diversity import model_from_fields
from amongst.relations.relation import DatabaseSchema
from amongst.relations.schema_file import relations_from_fields
from amongst.relations.stores import FORMATS, POSTGRESQL
from amongst.schema.fields import TABLE, TABLES, TEXT, TEXTS, WHOLE, Fields
from amongst.schema.file import read_toml
from amongst.schema.problem import Problem, problems_of, raise_all

if TYPE_CHECKING:
    from amongst.job.run import OnLoss, OnProgress
    from amongst.relations.release import DatabaseRelease


@dataclass(frozen=True)
class DatabaseJob(AnyJob):
    """Everything that one run over many tables needs to know.

    Attributes
    ----------
    data : str
        A folder, a file or a postgresql:// address.
    namespace : str, optional
        The schema to read inside a DuckDB or PostgreSQL database.
    out_namespace : str, optional
        The schema to write in the PostgreSQL database that was read.
    """

    data: str
    schema: DatabaseSchema
    models: tuple[Any, ...]
    method: str = "miracle"
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = None
    format: str | None = None
    namespace: str | None = None
    nulls: tuple[str, ...] = ()
    out_namespace: str | None = None
    seed: int = 0

    many: ClassVar[bool] = True

    @classmethod
    def from_file(cls, path: str | Path) -> DatabaseJob:
        """Read a job file; paths in it start at its own folder. All that is wrong is raised at once."""
        path = Path(path)
        return cls.from_dict(read_toml(path), path.parent, f"The job file {path.name} cannot be used.")

    @classmethod
    def from_dict(
        cls, content: Mapping[str, Any], folder: str | Path = "", what: str = "The job cannot be used."
    ) -> DatabaseJob:
        """A job from the tables of a job file; paths in them start at ``folder``."""
        problems: list[Problem] = []
        fields = Fields(content, "", problems)
        source = Fields(fields.take("input", TABLE, {}, required=True), "[input]", problems)
        data = _place(source.take("path", TEXT, "", required=True), Path(folder))
        namespace, nulls = source.take("namespace", TEXT), tuple(source.take("nulls", TEXTS, []))
        schema = relations_from_fields(fields.take("tables", TABLE, {}, required=True), folder, source, problems)
        source.done()
        models = _models(fields.take("privacy", TABLES, [], required=True), problems)
        chosen = Fields(fields.take("method", TABLE, {}), "[method]", problems)
        method, seed = chosen.take("name", TEXT, "miracle"), chosen.take("seed", WHOLE, 0)
        options = dict(chosen.take("options", TABLE, {}))
        chosen.done()
        output = Fields(fields.take("output", TABLE, {}), "[output]", problems)
        place = output.take("folder", TEXT)
        format, out_namespace = output.choose("format", FORMATS), output.take("namespace", TEXT)
        output.done()
        fields.done()
        raise_all(BadJob, what, problems)
        out = None if place is None else Path(_place(place, Path(folder)))
        return cls(
            data=data,
            schema=schema,
            models=models,
            method=method,
            options=options,
            folder=out,
            format=format,
            namespace=namespace,
            nulls=nulls,
            out_namespace=out_namespace,
            seed=seed,
        )

    def to_dict(self, folder: str | Path | None = None) -> dict[str, Any]:
        """The job as ``from_dict`` takes it. Paths are written as they are, or relative to ``folder`` if given."""
        from amongst.job.text import tables_job_fields

        return tables_job_fields(self, folder)

    def but(self, *, input: Path | None = None, folder: Path | None = None, **engine: Any) -> DatabaseJob:
        """The same job into another folder, if one is given; many tables are read into memory, so no engine counts."""
        if input is not None:
            raise BadOption(
                "A job of many tables has no one input.",
                found="--input",
                fix="name the tables in the job file",
            )
        return self if folder is None else replace(self, folder=folder)

    def engine_of(self, data: Any = None) -> str:
        return "memory"

    def refuse_early(self, data: Any = None, *, force: bool = False) -> None:
        from amongst.relations.methods import find_database_method

        find_database_method(self.method).check_options(self.options)
        if self.out_namespace is not None and not self.data.startswith(POSTGRESQL):
            found = f"a schema to write, {self.out_namespace}, but no PostgreSQL database was read"
            raise BadOption("There is no database to write a schema into.", found=found, fix="take --out-namespace out")

    def anonymize(
        self, data: Any = None, *, bound: bool | None = None, on_progress: OnProgress = None, on_loss: OnLoss = None
    ) -> DatabaseRelease:
        """Make the release, and write nothing; ``data`` are tables taken instead of those that the job names.

        ``bound`` and ``on_loss`` mean nothing for many tables.
        """
        from amongst.relations.anonymize import anonymize_database

        return anonymize_database(
            self.data if data is None else data,
            self.schema,
            self.models,
            self.method,
            namespace=self.namespace,
            nulls=self.nulls,
            seed=self.seed,
            progress=on_progress,
            **self.options,
        )

    def write(self, release: DatabaseRelease, folder: Path, **how: Any) -> Any:
        return release.write(folder, format=self.format, **how)

    def once_written(self, release: DatabaseRelease) -> None:
        if self.out_namespace is not None:
            release.write_postgresql(self.data, self.out_namespace)


def _place(path: str, folder: Path) -> str:
    return path if path.startswith(POSTGRESQL) else os.path.normpath(folder / path)


def _models(tables: list[dict[str, Any]], problems: list[Problem]) -> tuple[Any, ...]:
    models = []
    for i, table in enumerate(tables, start=1):
        try:
            models.append(model_from_fields(table))
        except AmongstError as error:
            problems += [Problem(f"[[privacy]] {i}: {error.what}", one.fix) for one in problems_of(error)]
    return tuple(models)


def database_models_from_file(path: str | Path) -> tuple[Any, ...]:
    """What a job file asks for; nothing where it has no ``[[privacy]]``."""
    problems: list[Problem] = []
    asked = Fields(read_toml(Path(path)), "", problems).take("privacy", TABLES, [])
    models = _models(asked, problems)
    raise_all(BadJob, f"The models in {Path(path).name} cannot be used.", problems)
    return models
