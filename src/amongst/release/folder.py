"""A release that lies in a folder: what its manifest tells, and which files belong to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import AmongstError, BadInput
from amongst.models import Model, TCloseness, model_from_dict, smallest_group
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

PEOPLE = "people.parquet"


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
        asked = [model for model in models if isinstance(model, TCloseness) and model.distance != "equal"]
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
    path = folder / "manifest.json"
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

    if isinstance(manifest, dict) and manifest.get("kind") in ("database", "evidence"):
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
        str(manifest["method"]["name"]), found.unit
        return found
    except (KeyError, TypeError, AttributeError, ValueError, AmongstError):
        raise damaged("manifest.json") from None


def damaged(name: str) -> BadInput:
    return BadInput(
        "The manifest of the release cannot be read.",
        found=f"{name} is damaged, or of another version",
        fix="write the release anew, or give the file and its schema",
    )


def inside_of(folder: Path, inside: Path | None = None) -> Path | None:
    """The folder for those who may see the original: as named, or the sibling; None where there is none."""
    if inside is not None:
        if inside.is_dir():
            return inside
        raise BadInput("There is no inside folder.", found=f"no folder {inside}", fix="check the path after --inside")
    whole = folder.resolve()
    sibling = whole.with_name(whole.name + ".inside")
    return sibling if sibling.is_dir() else None


def people_of(folder: Path, inside: Path | None = None) -> pa.ChunkedArray | None:
    """The person of every published row of a release that counts people, from its inside folder.

    None where there is no inside folder, or it holds no people. Raises where it is that of another release.
    """
    import pyarrow.parquet as pq

    found = inside_of(folder, inside)
    if found is None or not (found / PEOPLE).is_file():
        return None
    _refuse_other_release(folder, found)
    try:
        table = pq.read_table(found / PEOPLE)
    except (OSError, ValueError):  # pyarrow's errors are among them
        raise BadInput(
            "The people of the release cannot be read.",
            found=f"{found.name}/{PEOPLE} is damaged",
            fix="write the release anew",
        ) from None
    if table.column_names != ["person"]:
        raise BadInput(
            "The people of the release cannot be read.",
            found=f"{table.num_columns} columns in {found.name}/{PEOPLE}",
            fix="it has one column, 'person'; write the release anew",
        )
    return table.column("person")


def _refuse_other_release(folder: Path, inside: Path) -> None:
    """Raise where an inside folder was not written with this release."""
    public, own = release_in(folder), release_in(inside)
    if public.sha256 != own.sha256:
        raise BadInput(
            "The inside folder is not that of this release.",
            found=f"{inside.name} speaks of another data file than {folder.name}",
            fix="name the folder that was written with it: --inside FOLDER",
        )
