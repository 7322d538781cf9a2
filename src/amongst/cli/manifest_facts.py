"""What the manifest of a release folder says was asked, to hold the data file against."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amongst.errors import AmongstError, BadInput
from amongst.models import Model, TCloseness, model_from_dict
from amongst.schema.column import Column
from amongst.schema.schema import Schema

KNOWN = ("role", "kind", "nulls", "statistic", "grid")
"""What of a column a manifest tells in full. Hierarchies and orders are left out: they may name values."""


@dataclass(frozen=True)
class ManifestFacts:
    """What was asked of a release, and the digests its data files had.

    Attributes
    ----------
    unit : str or None
        The column that told people apart, where people were counted.
    untold : set of str
        Sensitive columns with an order or a hierarchy, which a manifest does not tell.
    """

    folder: Path
    schema: Schema
    models: list[Model]
    sha256: dict[str, str]
    unit: str | None = None
    untold: frozenset[str] = frozenset()

    def unproved(self, models: Sequence[Model]) -> list[str]:
        """The columns whose t-closeness cannot be worked out from the manifest alone."""
        asked = [model for model in models if isinstance(model, TCloseness) and model.distance != "equal"]
        every = any(model.column is None for model in asked)
        return sorted(name for name in self.untold if every or name in {model.column for model in asked})

    @property
    def unchanged(self) -> bool:
        """Whether the data files are those that were written."""
        from amongst.read.file import file_digest

        paths = [self.folder / name for name in self.sha256]
        return all(path.is_file() and file_digest(path) == self.sha256[path.name] for path in paths)


def manifest_facts(published: Path) -> ManifestFacts | None:
    """What the manifest of a release folder, or of the folder that a release's data file is in, says."""
    folder = published if os.path.isdir(published) else published.parent
    path = folder / "manifest.json"
    if not path.is_file():
        return None
    _refuse_database(path)
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        schema = Schema({name: _column(fields) for name, fields in told["schema"].items()})
        models = [model_from_dict(fields) for fields in told["privacy"]]
        untold = {name for name, fields in told["schema"].items() if _hides_order(fields)}
        unit = told["input"].get("unit")
        facts = ManifestFacts(folder, schema, models, dict(told["output"]["sha256"]), unit, frozenset(untold))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AmongstError):
        raise BadInput(
            "The manifest of the release cannot be read.",
            found=f"{path} is damaged, or of another version",
            fix="say what to verify with --quasi or --schema, and --k",
        ) from None
    return facts if os.path.isdir(published) or published.name in facts.sha256 else None


def _hides_order(fields: Mapping[str, Any]) -> bool:
    return fields.get("role") == "sensitive" and ("hierarchy" in fields or "order" in fields)


def _refuse_database(path: Path) -> None:
    """A release of many tables is verified by another command."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if json.loads(path.read_text(encoding="utf-8")).get("kind") != "database":
            return
        fix = f"use amongst verify-database {path.parent}"
        raise BadInput("This is a release of many tables.", found=f"{path.name} says so", fix=fix)


def _column(fields: Mapping[str, Any]) -> Column:
    return Column(**{key: fields[key] for key in KNOWN if fields.get(key) is not None})
