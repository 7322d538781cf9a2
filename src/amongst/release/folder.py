"""A release that lies in a folder: what its manifest tells, and which files belong to it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from amongst.errors import AmongstError, BadInput
from amongst.models import Model, model_from_dict, smallest_group
from amongst.own_files import inside_beside
from amongst.schema.schema import Schema


@dataclass(frozen=True, eq=False)
class ReleaseFolder:
    """A release folder.

    Attributes
    ----------
    folder : Path
    manifest : dict
    schema : Schema
        Hierarchies and orders as far as a manifest tells them: those that name values are left out.
    models : list of privacy models
    """

    folder: Path
    manifest: dict[str, Any]
    schema: Schema
    models: list[Model]

    @cached_property
    def inside(self) -> dict[str, Any] | None:
        """The manifest for the inside, where it lies beside the folder and is of this release."""
        return inside_of(self.folder, self.manifest)

    @property
    def full(self) -> dict[str, Any]:
        """The manifest that tells most: that of the inside where it is at hand, else the public one."""
        return self.inside or self.manifest

    @property
    def sha256(self) -> dict[str, str]:
        """The digest of every data file when it was written."""
        return dict(self.manifest["output"]["sha256"])

    @property
    def threshold(self) -> int:
        """Counts of people below this are not shown."""
        return smallest_group(self.models)

    @property
    def unit(self) -> str | None:
        """The column that told people apart, where people were counted."""
        found = self.manifest["input"].get("unit")
        return None if found is None else str(found)

    @property
    def closed(self) -> frozenset[str]:
        """Columns with a hierarchy or an order that the manifest does not tell, since it names values."""
        from amongst.query.told import is_closed

        return frozenset(name for name, fields in self.manifest["schema"].items() if is_closed(fields))

    @property
    def provable(self) -> Schema:
        """The schema as far as the labels of the release can be judged by it.

        Under a hierarchy that is not told, numbers and dates are published under names that nobody can place here.
        """
        hidden = [name for name in self.closed if self.schema[name].role == "quasi"]
        return Schema({**self.schema, **{name: replace(self.schema[name], kind=None) for name in hidden}})

    def unproved(self, models: Sequence[Model]) -> list[str]:
        """The sensitive columns whose t-closeness cannot be worked out from the manifest alone."""
        asked = [model for model in models if model.needs_order]
        every = any(model.column is None for model in asked)
        named = {model.column for model in asked}
        hides = [
            name
            for name, fields in self.manifest["schema"].items()
            if fields.get("role") == "sensitive" and ("hierarchy" in fields or "order" in fields)
        ]
        return sorted(name for name in hides if every or name in named)

    @property
    def is_pair(self) -> bool:
        """Two tables that only a group number links."""
        return bool(self.manifest["method"]["name"] == "anatomy")

    def changed_files(self) -> list[str]:
        """The data files that are gone, or not as they were written."""
        from amongst.verify.folder_files import digest_of_file

        return [
            name
            for name, digest in self.sha256.items()
            if not (self.folder / name).is_file() or digest_of_file(self.folder / name) != digest
        ]


def release_in(folder: Path) -> ReleaseFolder:
    """Read the manifest of a release folder."""
    from amongst.query.told import refuse_many_tables

    path = folder / "manifest.json"
    refuse_many_tables(path)
    if not path.is_file():
        raise BadInput(
            f"{folder.name or folder} is no release folder.",
            found="a folder without manifest.json" if folder.is_dir() else "no such folder",
            fix="name a folder that amongst wrote",
        )
    try:
        return release_of_manifest(json.loads(path.read_text(encoding="utf-8")), folder)
    except (OSError, ValueError):
        raise damaged(path.name) from None


def release_of_manifest(manifest: Any, folder: Path) -> ReleaseFolder:
    """A release from its manifest; raises where that is no manifest of one table."""
    from amongst.query.told import column_of

    if isinstance(manifest, dict) and manifest.get("kind") == "evidence":
        raise BadInput(
            "This is not a release of one table.",
            found=f"its manifest says {manifest['kind']}",
            fix="name the folder of a release of one table",
        )
    try:
        schema = Schema({name: column_of(fields) for name, fields in manifest["schema"].items()})
        models = [model_from_dict(fields) for fields in manifest["privacy"]]
        found = ReleaseFolder(folder, manifest, schema, models)
        if not all(isinstance(text, str) for text in (*found.sha256, *found.sha256.values())):
            raise TypeError
        str(manifest["method"]["name"]), found.unit, rows_told(manifest)
        return found
    except (KeyError, TypeError, AttributeError, ValueError, AmongstError):
        raise damaged("manifest.json") from None


def rows_told(manifest: dict[str, Any]) -> int | None:
    """How many rows the original had at most, as far as the manifest tells; None where it does not."""
    if "rows" in manifest["input"]:
        return int(manifest["input"]["rows"])
    most = manifest["output"]["suppressed"].get("most")
    return None if most is None else int(manifest["output"]["rows"]) + int(most)


def inside_of(folder: Path, manifest: dict[str, Any], place: Path | None = None) -> dict[str, Any] | None:
    """The manifest for the inside of a release in a folder; None where it is not there, or of another release.

    It lies in the sibling ``<folder>.inside``, or in ``place``.
    """
    path = (place or inside_beside(Path(os.path.abspath(folder)))) / "manifest.json"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        same = found["document"] == "inside" and all(
            found["output"].get(key) == manifest["output"].get(key) for key in ("sha256", "table")
        )
        return dict(found) if same else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def damaged(name: str) -> BadInput:
    return BadInput(
        "The manifest of the release cannot be read.",
        found=f"{name} is damaged, or of another version",
        fix="write the release anew, or give the file and its schema",
    )
