"""What the manifest of a release folder says was asked, to hold the data file against."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amongst.errors import AmongstError, BadInput
from amongst.models import Model, model_from_dict
from amongst.schema.column import Column
from amongst.schema.schema import Schema

KNOWN = ("role", "kind", "nulls", "statistic", "grid")
"""What of a column a manifest tells in full. Hierarchies and orders are left out: they may name values."""


@dataclass(frozen=True)
class ManifestFacts:
    """What was asked of a release, and the digests its data files had."""

    folder: Path
    schema: Schema
    models: list[Model]
    sha256: dict[str, str]

    @property
    def unchanged(self) -> bool:
        """Whether the data files are those that were written."""
        from amongst.read.file import file_digest

        paths = [self.folder / name for name in self.sha256]
        return all(path.is_file() and file_digest(path) == self.sha256[path.name] for path in paths)


def manifest_facts(published: Path) -> ManifestFacts | None:
    """What the manifest of a release folder, or of the folder that a release's data file is in, says."""
    folder = published if published.is_dir() else published.parent
    path = folder / "manifest.json"
    if not path.is_file():
        return None
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        schema = Schema({name: _column(fields) for name, fields in told["schema"].items()})
        models = [model_from_dict(fields) for fields in told["privacy"]]
        facts = ManifestFacts(folder, schema, models, dict(told["output"]["sha256"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AmongstError):
        raise BadInput(
            "The manifest of the release cannot be read.",
            found=f"{path} is damaged, or of another version",
            fix="say what to verify with --quasi or --schema, and --k",
        ) from None
    return facts if published.is_dir() or published.name in facts.sha256 else None


def _column(fields: Mapping[str, Any]) -> Column:
    return Column(**{key: fields[key] for key in KNOWN if fields.get(key) is not None})
