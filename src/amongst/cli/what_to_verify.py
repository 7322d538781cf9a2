"""What a published table is held against: as typed, of a job, of its manifest; and what that leaves open."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.cli.columns import names_in
from amongst.cli.privacy import models_in, on_columns
from amongst.errors import AmongstError, BadInput, BadOption
from amongst.models import Model, of_population
from amongst.own_files import PEOPLE
from amongst.read import read
from amongst.release.folder import ReleaseFolder, release_in
from amongst.release.people import inside_folder, people_of
from amongst.schema.schema import Schema
from amongst.verify import Finding, Verdict

if TYPE_CHECKING:
    import pyarrow as pa

UNPROVED = ("people-not-counted", "hierarchy-not-told")
"""Findings that say that something could not be looked at, not that it is wrong."""
FROM_FOLDER = "the manifest in the folder, believed as it stands"
TYPED = "this command"


@dataclass(frozen=True, eq=False)
class Asked:
    """What to verify, and who says so.

    Attributes
    ----------
    columns : Schema or list of str
    models : list of privacy models
    told : ReleaseFolder or None
        What the manifest says, where there is one.
    unit : str or None
        The column that told people apart, where people were counted.
    taken : dict of str to str
        Where models, roles and people were taken from.
    findings : list of Finding
        Where the manifest says otherwise than the job.
    """

    columns: Schema | list[str]
    models: list[Model]
    told: ReleaseFolder | None = None
    unit: str | None = None
    taken: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    @property
    def in_database(self) -> bool:
        """Whether the manifest says that the release is a table of a database."""
        return self.told is not None and self.told.manifest.in_database is not None

    @property
    def schema_told(self) -> bool:
        """Whether the hierarchies are those of the manifest alone."""
        return self.taken["roles"] == FROM_FOLDER


def what_to_verify(
    published: Path,
    quasi: Sequence[str] | None,
    sensitive: Sequence[str] | None,
    schema: Path | None,
    typed: Mapping[str, Any],
    *,
    on_disk: bool = True,
) -> Asked:
    """The columns and the models: as typed, else of the job, else of the manifest; ``on_disk`` if not in a database."""
    from amongst.job.fields import privacy_from_file
    from amongst.published.open_published import refuse_absent

    if quasi and schema is not None:
        raise BadOption("The columns are named twice.", found="--quasi and --schema", fix="use one of them")
    columns: Schema | list[str] | None = names_in(quasi) or (None if schema is None else Schema.from_file(schema))
    said = on_columns(models_in(typed, default_k=None), names_in(sensitive))
    of_job, unit = ((), None) if schema is None else privacy_from_file(schema)
    models = said or list(of_job)
    told = _manifest(published, needed=not columns or not models)
    if told is None and (not columns or not models):
        if on_disk:
            refuse_absent(published)
        missing, option = ("model", "--k 10") if columns else ("quasi-identifiers", "--quasi or --schema")
        found = f"no {missing}, and no manifest.json that says it"
        raise BadOption("It is not said what to verify.", found=found, fix=f"add {option}")
    job = "" if schema is None else f"the job {schema.name}"
    taken = {
        "models": TYPED if said else job if of_job else FROM_FOLDER,
        "roles": TYPED if quasi else job or FROM_FOLDER,
    }
    findings = []
    if told is not None:
        findings = [] if schema is None else _otherwise(told, Schema.from_file(schema), of_job, unit)
        models = models or [_with_population(model, typed.get("population")) for model in told.models]
        columns = columns or told.provable
        unit = unit or told.unit
    assert columns
    return Asked(columns, models, told, unit, taken, findings)


def _manifest(published: Path, *, needed: bool) -> ReleaseFolder | None:
    """What the manifest of a release folder, or of the folder that a release's data file is in, says."""
    import os

    from amongst.published.open_published import is_data

    of_parts = os.path.isdir(published) and is_data(published)
    whole = os.path.isdir(published) and not of_parts
    folder = published if whole else published.parent
    if not (folder / "manifest.json").is_file():
        return None
    try:
        told = release_in(folder)
    except AmongstError:
        if needed:
            raise
        return None
    return told if whole or published.name in {name.partition("/")[0] for name in told.sha256} else None


def _otherwise(told: ReleaseFolder, schema: Schema, models: Sequence[Model], unit: str | None) -> list[Finding]:
    """Where the manifest of a release says otherwise than the job that it is held against."""
    names = [*schema, *[name for name in told.schema if name not in schema]]
    roles = [name for name in names if _role(schema, name) != _role(told.schema, name)]
    differs = [f"the role of '{name}'" for name in roles if name not in schema or schema[name].role is not None]
    if models and sorted(map(_fields, models)) != sorted(map(_fields, told.models)):
        differs.append("the privacy models")
    if unit != told.unit:
        differs.append("the column that tells people apart")
    if not differs:
        return []
    return [
        Finding(
            "declared-otherwise",
            "The manifest of the release says otherwise than the job.",
            ", ".join(differs[:10]) + (f" and {len(differs) - 10} more" if len(differs) > 10 else ""),
            "find out who changed which of them; trust neither until you know",
        )
    ]


def _role(schema: Schema, name: str) -> str:
    return (schema[name].role if name in schema else None) or "identifier"


def _fields(model: Model) -> str:
    """A model as text to compare; of a population the name of its file, which is all that a manifest has."""
    fields = model.to_dict()
    name = {"population": Path(str(fields["population"])).name} if "population" in fields else {}
    return repr(sorted((fields | name).items()))


def people_to_count(
    asked: Asked, published: Path, units: Path | None, inside: Path | None, *, rows_will_do: bool
) -> pa.ChunkedArray | None:
    """The person of every published row: of a file that was named, or of the inside folder. None: rows are counted."""
    if units is not None:
        asked.taken["people"] = units.name
        return read_units(units)
    if asked.unit is None or rows_will_do or not (published / "manifest.json").is_file():
        return None
    people = people_of(published, inside)
    if people is not None:
        found = inside_folder(published, inside)
        asked.taken["people"] = f"{found.name if found else ''}/{PEOPLE}"
    return people


def read_units(path: Path) -> pa.ChunkedArray:
    """The person of every published row: the only column of a file."""
    table = read(path).table
    if table.num_columns != 1:
        raise BadInput(
            "The file of units must have one column.",
            found=f"{path.name} has {table.num_columns} columns",
            fix="keep the column that tells people apart, a line for every published row",
        )
    return table.column(0)


def with_doubts(verdict: Verdict, asked: Asked, *, people_counted: bool, rows_will_do: bool) -> Verdict:
    """The verdict with what the file and its manifest alone cannot prove: that is not passed over in silence."""
    findings, notes = [*verdict.findings, *asked.findings], list(verdict.notes)
    if asked.unit is not None and not people_counted:
        rows = "Of rows it was proved." if verdict.ok else "Of rows it was looked at."
        doubt = Finding(
            "people-not-counted",
            f"The release promises something of people. {rows} Whose rows they are is not in the folder.",
            f"people were told apart by '{asked.unit}', and there is no inside folder beside the release",
            "name it with --inside FOLDER, give the person of every row with --units FILE, or be content with --rows",
        )
        (notes if rows_will_do else findings).append(doubt)
    findings += _hidden(asked) or _told_otherwise(verdict, asked, of_rows=asked.unit is None or people_counted)
    return replace(verdict, ok=not findings, findings=findings, notes=notes)


def _hidden(asked: Asked) -> list[Finding]:
    """What a hierarchy or an order would be needed for that a manifest does not tell."""
    if asked.told is None or not asked.schema_told:
        return []
    sensitive = asked.told.unproved(asked.models)
    quasi = sorted(asked.told.closed & set(asked.told.schema.quasi)) if of_population(asked.models) else []
    return [
        Finding(
            "hierarchy-not-told",
            f"What {what} needs is not in the manifest, so it is not proved.",
            "an order or a hierarchy of " + ", ".join(f"'{name}'" for name in names),
            "give the job file with --schema",
        )
        for what, names in (("t-closeness", sensitive), ("a comparison with the population", quasi))
        if names
    ]


def _told_otherwise(verdict: Verdict, asked: Asked, *, of_rows: bool) -> list[Finding]:
    """Figures of the manifest that are not those of the data, where both count the same."""
    proved = {} if asked.told is None else asked.told.manifest.get("proved")
    if not isinstance(proved, Mapping) or proved.get("columns") != verdict.columns:
        return []
    found = verdict.to_dict()
    counts = ("rows", "classes", "unique_rows", "class_sizes", *(("smallest_class",) if of_rows else ()))
    differs = [name.replace("_", " ") for name in counts if name in proved and proved[name] != found[name]]
    models = proved.get("models")
    for told, one in product(models if isinstance(models, list) else (), found["models"] if of_rows else ()):
        same = isinstance(told, Mapping) and (told.get("model"), told.get("asked")) == (one["model"], one["asked"])
        if same and "reached" in told and not _near(told["reached"], one["reached"]):
            differs.append(f"what {one['model']} reached")
    return [
        Finding(
            "told-otherwise",
            "The manifest tells other figures than the data has.",
            ", ".join(differs),
            "find out who changed it; believe none of its figures until you know",
        )
    ][: len(differs)]


def _near(told: Any, found: Any) -> bool:
    """Whether two numbers are the same but for how they were added up."""
    both = (told, found)
    return told == found or (all(isinstance(one, (int, float)) for one in both) and math.isclose(*both, rel_tol=1e-6))


def is_open(verdict: Verdict) -> bool:
    """Whether nothing was found wrong, but something could not be proved."""
    return bool(verdict.findings) and all(finding.code in UNPROVED for finding in verdict.findings)


def _with_population(model: Model, path: Path | None) -> Model:
    """The model with the population that was typed; a manifest names it, but not where it lies."""
    if model.counts != "population":
        return model
    if path is None and not Path(model.population).is_file():
        raise BadOption(
            "The release was compared with a population, which is not here.",
            found=f"no file '{model.population}'",
            fix="name it with --population",
        )
    return model if path is None else model.with_fields(population=path)
