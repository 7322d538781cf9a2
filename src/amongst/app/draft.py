"""What was chosen so far: the tables of a job file, as the page edits them."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from amongst.app.python_text import python_text
from amongst.errors import AmongstError, BadOption
from amongst.job.job import USUAL_OF_MANY, Job
from amongst.job.toml import comment
from amongst.partition.usual_method import FAST, usual_method
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.recipes.csv_file import CsvFile
from amongst.schema.schema import Schema

USUAL_K = 10
RUN_JOB = """\
import amongst as am

job = am.Job.from_file("job.toml")  # the job file on the other tab
done = job.run()  # has the release, its verdict, and the folder that was written"""


@dataclass
class Draft:
    """A job in the making.

    Attributes
    ----------
    content : dict
        The tables of a job file, with the paths that the worker uses.
    place : Path
        The folder of uploads: files in it are named as seen from there, for the user has them elsewhere.
    origin : str
        How one gets the file that the job names; a comment above the job.
    """

    content: dict[str, Any]
    place: Path
    origin: str = ""
    text: str | None = None
    """The job file that it was begun with: its comments, order and spelling are kept."""
    folder: Path | None = None
    """Where that file stands; paths are written as seen from there."""

    @property
    def many(self) -> bool:
        """Whether it is about many tables."""
        return "tables" in self.content

    @property
    def columns(self) -> dict[str, dict[str, Any]]:
        """What is said of every column; those of many tables have the name of their table before their own."""
        return columns_of(self.content)

    @property
    def privacy(self) -> list[dict[str, Any]]:
        return self.content["privacy"]

    @property
    def method(self) -> dict[str, Any]:
        return self.content["method"]

    @property
    def output(self) -> dict[str, Any]:
        return self.content["output"]

    def named(self, role: str) -> list[str]:
        """The columns with a role."""
        return [name for name, fields in self.columns.items() if fields.get("role") == role]

    @property
    def formulas(self) -> list[str]:
        """The models that every run tells about."""
        return list(self.content.get("analysis", {}).get("formulas", []))

    def take_over(self, content: dict[str, Any]) -> None:
        """The settings of another job, but for its input; paths in it are refused."""
        columns = content.get("columns", {})
        files = [name for name, fields in columns.items() if "csv" in fields.get("hierarchy", {})]
        files += [model["model"] for model in content.get("privacy", []) if "population" in model]
        if files:
            raise BadOption(
                "The job file names other files.",
                found="for: " + ", ".join(files),
                fix="start the app with it, amongst app JOB.toml, or take them out and add them on the page",
            )
        missing = [name for name in columns if name not in self.columns]
        if missing:
            raise BadOption(
                "The job file is about another table.",
                found="columns that this table lacks: " + ", ".join(missing),
                fix="load its table first",
            )
        Job.from_dict({**content, "input": {"path": "table"}}).refuse_many()
        self.content["columns"] = {**{name: {} for name in self.columns}, **columns}
        for part in ("privacy", "method"):
            self.content[part] = content.get(part, self.content[part])
        for part in ("harden", "review", "analysis"):
            if part in content:
                self.content[part] = dict(content[part])
        self.content["output"] |= {key: value for key, value in content.get("output", {}).items() if key != "folder"}

    def keep_text(self, text: str, folder: Path | None) -> None:
        """Write the job over this text of a job file from now on."""
        self.text, self.folder = text, folder

    def keep_settings(self, before: Draft) -> bool:
        """Take over what was chosen for a table with the same columns; False, and nothing taken, for another one."""
        if before.many != self.many or set(before.columns) != set(self.columns):
            return False
        kept, own = copy.deepcopy(before.content), list(self.columns)
        self.content |= {part: kept[part] for part in kept if part != "input"}
        if not self.many:
            self.content["columns"] = {name: kept["columns"][name] for name in own}
        if "unit" in kept["input"]:
            self.content["input"]["unit"] = kept["input"]["unit"]
        self.text, self.folder = before.text, before.folder
        return True

    def job_text(self) -> str:
        """The job file, or what stands in its way as comments."""
        try:
            text = self._shown().to_toml(self.folder, self.text)
        except AmongstError as error:
            return "\n".join(comment(line) for line in str(error).splitlines()) + "\n"
        above = comment(self.origin) + "\n" if self.origin else ""
        return text if text.startswith(above) else above + text

    def python_text(self) -> str:
        """The same as Python."""
        try:
            job = self._shown()
            text = RUN_JOB if job.many else python_text(job)
        except AmongstError as error:
            return "\n".join(comment(line) for line in str(error).splitlines()) + "\n"
        return f"{comment(self.origin)}\n{text}\n" if self.origin else text + "\n"

    def _shown(self) -> Job:
        """The job as the user can run it: uploaded files by their names alone, and a folder to write."""
        job, beside = Job.from_dict(self.content), self.folder or Path()
        source, output = job.input, job.output
        if output.folder is None:
            name = "release" if job.many else f"{source.path.name.split('.')[0] or 'data'}-release"
            output = replace(output, folder=beside / name)
        if source.database is None:
            source = replace(source, path=_name(source.path, self.place, beside))
        job = replace(job, input=source, output=output)
        return job if job.many else _with_files_beside(job, self.place, beside)


def columns_of(content: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The columns of a job of one table or of many, to be changed in place.

    Examples
    --------
    >>> from amongst.app.draft import columns_of
    >>> columns_of({"tables": {"visits": {"columns": {"ward": {"role": "quasi"}}}}})
    {'visits.ward': {'role': 'quasi'}}
    """
    if "tables" not in content:
        return content["columns"]
    return {
        f"{table}.{name}": fields
        for table, facts in content["tables"].items()
        for name, fields in facts.setdefault("columns", {}).items()
    }


def method_of(content: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """The method that a job runs, and its options: where it names none the usual one.

    Examples
    --------
    >>> from amongst.app.draft import method_of
    >>> method_of({"method": {"name": "hilbert", "seed": 3}})
    ('hilbert', {})
    >>> method_of({"method": {"seed": 3}, "harden": {}})[0]
    'mondrian'
    """
    asked = content["method"]
    if "tables" in content:
        return asked.get("name", USUAL_OF_MANY), dict(asked.get("options", {}))
    guided = any(asked.get(name) is not None for name in ("target", "workload"))
    return usual_method(asked.get("name"), asked.get("options", {}), guided=guided, hardened="harden" in content)


def first_draft(path: Path, columns: list[dict[str, Any]], reading: dict[str, Any], place: Path) -> Draft:
    """The draft that a table begins with: what was suggested, and k-anonymity."""
    source = {"path": str(path), **{key: value for key, value in reading.items() if value not in (None, [], "", {})}}
    return Draft(
        {
            "input": source,
            "columns": {one["name"]: dict(one["fields"]) for one in columns},
            "privacy": [{"model": "k-anonymity", "k": USUAL_K}],
            "method": {"name": FAST, "seed": 0},
            "output": {"format": "parquet", "form": "labels"},
        },
        place,
    )


def _with_files_beside(job: Job, place: Path, beside: Path) -> Job:
    """The job of one table with the files of hierarchies and populations where the user has them."""
    columns = {}
    for name, column in job.schema.items():
        recipe = None if column.hierarchy is None else column.hierarchy.recipe
        if isinstance(recipe, CsvFile):
            path = _name(Path(recipe.path), place, beside).as_posix()
            column = replace(column, hierarchy=Hierarchy(replace(recipe, path=path)))
        columns[name] = column
    models = tuple(_shown_model(model, place, beside) for model in job.models)
    return replace(job, schema=Schema(columns), models=models)


def _shown_model(model: Any, place: Path, beside: Path) -> Any:
    if not hasattr(model, "population"):
        return model
    return replace(model, population=_name(Path(model.population), place, beside).as_posix())


def _name(path: Path, place: Path, beside: Path) -> Path:
    return beside / path.name if path.is_relative_to(place) else path
