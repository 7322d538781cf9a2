"""A release that lies in a folder: what its manifest tells, and which files belong to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from amongst.errors import BadInput
from amongst.manifest import UNREADABLE, Manifest
from amongst.models import Model, group_size
from amongst.own_files import MANIFEST
from amongst.schema.schema import Schema


@dataclass(frozen=True, eq=False)
class ReleaseFolder:
    """A release folder.

    Attributes
    ----------
    folder : Path
    manifest : Manifest
    schema : Schema
        Hierarchies and orders as far as a manifest tells them: those that name values are left out.
    models : list of privacy models
    """

    folder: Path
    manifest: Manifest
    schema: Schema
    models: list[Model]

    @cached_property
    def inside(self) -> Manifest | None:
        """The manifest for the inside, where it lies beside the folder and is of this release."""
        return self.manifest.inside(self.folder)

    @property
    def full(self) -> Manifest:
        """The manifest that tells most: that of the inside where it is at hand, else the public one."""
        return self.inside or self.manifest

    @property
    def sha256(self) -> dict[str, str]:
        """The digest of every data file when it was written."""
        return self.manifest.sha256

    @property
    def threshold(self) -> int:
        """Counts of people below this are not shown."""
        return group_size(self.models)

    @property
    def unit(self) -> str | None:
        """The column that told people apart, where people were counted."""
        return self.manifest.unit

    @property
    def closed(self) -> frozenset[str]:
        """Columns with a hierarchy or an order that the manifest does not tell, since it names values."""
        return self.manifest.closed

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
        return sorted(name for name in self.manifest.hidden_sensitive if every or name in named)

    @property
    def is_pair(self) -> bool:
        """Two tables that only a group number links."""
        return self.manifest.is_pair

    def changed_files(self) -> list[str]:
        """The data files that are gone, or not as they were written."""
        from amongst.verify.checks.folder_files import digest_of_file

        return [
            name
            for name, digest in self.sha256.items()
            if not (self.folder / name).is_file() or digest_of_file(self.folder / name) != digest
        ]


def release_in(folder: Path, *, many: bool = False) -> ReleaseFolder:
    """Read the manifest of a release folder; one of many tables is refused where it is not asked for."""
    if not (folder / MANIFEST).is_file():
        raise BadInput(
            f"{folder.name or folder} is no release folder.",
            found="a folder without manifest.json" if folder.is_dir() else "no such folder",
            fix="name a folder that amongst wrote",
        )
    try:
        found = Manifest.read(folder)
    except (OSError, ValueError):
        raise damaged(MANIFEST) from None
    if not many:
        found.refuse_many_tables(folder)
    return release_of_manifest(found, folder)


def release_of_manifest(found: Mapping[str, Any], folder: Path) -> ReleaseFolder:
    """A release from its manifest: of one table, or of many, whose columns are told as ``table.column``."""
    try:
        manifest = Manifest(found)
        if manifest.kind == "evidence":
            raise BadInput(
                "This is not a release.",
                found=f"its manifest says {manifest.kind}",
                fix="name the folder of a release",
            )
        manifest.method, manifest.sha256, manifest.unit, manifest.rows  # noqa: B018
        return ReleaseFolder(folder, manifest, manifest.schema, manifest.models)
    except BadInput:
        raise
    except UNREADABLE:
        raise damaged(MANIFEST) from None


def damaged(name: str) -> BadInput:
    return BadInput(
        "The manifest of the release cannot be read.",
        found=f"{name} is damaged, or of another version",
        fix="write the release anew, or give the file and its schema",
    )
