"""What the manifest of a release tells: what was asked, done and proved, without a cell value."""

from __future__ import annotations

import platform
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import amongst
from amongst import kernels
from amongst.manifest import FORMAT, Manifest
from amongst.release.analyses import told_inside
from amongst.release.attained import attained
from amongst.release.sensitive import shown_kind

if TYPE_CHECKING:
    from amongst.engines.store import Written
    from amongst.models import Model
    from amongst.release.release import Release
    from amongst.schema.column import Column

OF_GROUPS = ("n_classes", "smallest", "largest", "n_published", "n_suppressed")
"""The figures of a release that generalizes nothing."""


def versions() -> dict[str, str]:
    """The versions that a result depends on."""
    import pyarrow

    return {
        "amongst": amongst.__version__,
        "numpy": np.__version__,
        "pyarrow": pyarrow.__version__,
        "python": platform.python_version(),
        "kernels": kernels.NAME,
    }


def schema_facts(release: Release) -> dict[str, Any]:
    """The schema without what a hierarchy or an order names."""
    facts = {}
    for name, column in release.schema.items():
        fields: dict[str, Any] = {"role": column.role}
        if column.role == "quasi":
            fields |= {"kind": column.kind, "weight": column.weight, "publish": column.publish}
            optional = {"nulls": column.nulls, "grid": column.grid, "statistic": list(column.statistic) or None}
            fields |= {key: value for key, value in optional.items() if value is not None}
        elif column.role == "sensitive" and (kind := shown_kind(release, name)) is not None:
            fields["kind"] = kind
        facts[name] = fields | (tree_facts(column) if column.role in ("quasi", "sensitive") else {})
    return facts


def tree_facts(column: Column) -> dict[str, Any]:
    """Hierarchy and order of a column without what they name."""
    tree = {} if column.hierarchy is None else {"hierarchy": column.hierarchy.public_dict()}
    return tree | ({} if column.order is None else {"order": f"{len(column.order)} values"})


def _model_facts(model: Model) -> dict[str, Any]:
    """A model as in a job file, but of a population its name alone: where it lies is nobody's business."""
    fields: dict[str, Any] = model.to_dict()
    return fields | ({"population": Path(fields["population"]).name} if "population" in fields else {})


def _method_facts(release: Release) -> dict[str, Any]:
    """What the method was told; where the clock ended it, also what repeats that run."""
    told = {"name": release.method, "options": release.told_options, "seed": release.seed}
    levels = levels_of(release)
    return told | ({"repeats": release.repeats} if release.repeats else {}) | ({"levels": levels} if levels else {})


def levels_of(release: Release) -> dict[str, int]:
    """The level of its hierarchy at which every quasi-identifier is published, where a method chose one for all."""
    level = release.partition.level_of_column
    if level is None:
        return {}
    return dict(zip((column.name for column in release.coded.columns), map(int, level), strict=True))


def manifest_of(release: Release, written: Written, verdict: Any) -> Manifest:
    """Everything but the data, as plain data, for the inside; ``release/public.py`` says what of it is public."""
    utility = release.utility.to_dict()
    if release.reported_bound is not None:
        utility["lower_bound"] = asdict(release.reported_bound)
    output: dict[str, Any] = {
        "form": release.form,
        "columns": release.arrow.column_names,
        "attained": attained(release),
        "sha256": written.sha256,
    }
    if written.table is not None:
        output["table"] = written.table
    if release.is_pair:
        utility = {name: utility[name] for name in OF_GROUPS}
        output |= {"form": "anatomy", "link": release.plan.link}
        output["sensitive_columns"] = release.sensitive_arrow.column_names
    facts = {
        "format": FORMAT,
        "document": "inside",
        "input": {
            "name": release.source.name,
            "sha256": release.source.sha256,
            "rows": release.coded.n_input,
            "columns": release.source.n_columns,
            **({} if release.unit is None else {"unit": release.unit}),
        },
        "schema": schema_facts(release),
        "privacy": [_model_facts(model) for model in release.models],
        "method": _method_facts(release),
        "output": output,
        "proved": verdict.to_dict(),
        "utility": utility,
        "sensitive": [one.to_dict() for one in release.sensitive.values()],
        "versions": versions(),
    }
    if release.population is not None:
        facts["population"] = release.population.to_dict()
    if release.review is not None:
        facts["review"] = release.review.to_dict()
    if release.request.formulas:
        facts["analysis"] = [one.to_dict() for one in told_inside(release)]
    if release.certificate is not None:
        facts["hardened"] = release.certificate.to_dict()
    return Manifest(facts)
