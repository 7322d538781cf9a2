"""What a published table is held against: as typed, or as its manifest says; and what that leaves open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.cli.columns import names_in
from amongst.cli.manifest_facts import ManifestFacts, manifest_facts
from amongst.cli.privacy import models_in, on_columns
from amongst.errors import BadInput, BadOption
from amongst.models import POPULATION, Model
from amongst.schema.schema import Schema
from amongst.verify import Finding, Verdict

if TYPE_CHECKING:
    import pyarrow as pa


def what_to_verify(
    published: Path,
    quasi: Sequence[str] | None,
    sensitive: Sequence[str] | None,
    schema: Path | None,
    typed: Mapping[str, Any],
) -> tuple[Schema | list[str], list[Model], ManifestFacts | None]:
    """The columns and the models; and the manifest, where something was taken from it."""
    if quasi and schema is not None:
        raise BadOption("The columns are named twice.", found="--quasi and --schema", fix="use one of them")
    columns: Schema | list[str] | None = names_in(quasi) or (None if schema is None else Schema.from_file(schema))
    models = on_columns(models_in(typed, default_k=None), names_in(sensitive))
    if columns and models:
        return columns, models, None
    told = manifest_facts(published)
    if told is not None:
        asked = models or [_with_population(model, typed.get("population")) for model in told.models]
        return columns or told.schema, asked, told
    missing, option = ("model", "--k 10") if columns else ("quasi-identifiers", "--quasi or --schema")
    found = f"no {missing}, and no manifest.json that says it"
    raise BadOption("It is not said what to verify.", found=found, fix=f"add {option}")


def read_units(path: Path) -> pa.ChunkedArray:
    """The person of every published row: the only column of a file."""
    from amongst.read import read

    table = read(path).table
    if table.num_columns != 1:
        raise BadInput(
            "The file of units must have one column.",
            found=f"{path.name} has {table.num_columns} columns",
            fix="keep the column that tells people apart, a line for every published row",
        )
    return table.column(0)


def with_doubts(
    verdict: Verdict,
    told: ManifestFacts | None,
    models: Sequence[Model],
    *,
    people_counted: bool,
    rows_will_do: bool,
    schema_given: bool,
) -> Verdict:
    """The verdict with what the file and its manifest alone cannot prove: that is not passed over in silence."""
    if told is None:
        return verdict
    findings, notes = list(verdict.findings), list(verdict.notes)
    if told.unit is not None and not people_counted:
        doubt = Finding(
            "people-not-counted",
            "The release promises something of people. Whose its rows are is not in the file, so rows were counted.",
            f"people were told apart by '{told.unit}'",
            "give the person of every published row with --units FILE, or be content with --rows",
        )
        (notes if rows_will_do else findings).append(doubt)
    hidden = [] if schema_given else told.unproved(models)
    if hidden:
        findings.append(
            Finding(
                "hierarchy-not-told",
                "The distance between sensitive values is not in the manifest, so t-closeness is not proved.",
                "an order or a hierarchy of " + ", ".join(f"'{name}'" for name in hidden),
                "give the job file with --schema",
            )
        )
    return replace(verdict, ok=not findings, findings=findings, notes=notes)


def _with_population(model: Model, path: Path | None) -> Model:
    """The model with the population that was typed; a manifest names it, but not where it lies."""
    if not isinstance(model, POPULATION):
        return model
    if path is None and not Path(model.population).is_file():
        raise BadOption(
            "The release was compared with a population, which is not here.",
            found=f"no file '{model.population}'",
            fix="name it with --population",
        )
    return model if path is None else replace(model, population=path)
