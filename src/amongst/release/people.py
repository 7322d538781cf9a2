"""Whose the published rows are: told inside, to those who may see the original."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadInput
from amongst.own_files import PEOPLE, inside_beside
from amongst.release.folder import release_in

if TYPE_CHECKING:
    import pyarrow as pa


def inside_folder(folder: Path, inside: Path | None = None) -> Path | None:
    """The folder for those who may see the original: as named, or the sibling; None where there is none."""
    if inside is not None:
        if inside.is_dir():
            return inside
        raise BadInput("There is no inside folder.", found=f"no folder {inside}", fix="check the path after --inside")
    sibling = inside_beside(Path(os.path.abspath(folder)))
    return sibling if sibling.is_dir() else None


def people_of(folder: Path, inside: Path | None = None) -> pa.ChunkedArray | None:
    """The person of every published row of a release that counts people, from its inside folder.

    None where there is no inside folder, or it holds no people. Raises where it is that of another release.
    """
    import pyarrow.parquet as pq

    found = inside_folder(folder, inside)
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
    told = [(one.sha256, one.manifest.in_database) for one in (public, own)]
    if told[0] != told[1]:
        raise BadInput(
            "The inside folder is not that of this release.",
            found=f"{inside.name} speaks of other data than {folder.name}",
            fix="name the folder that was written with it: --inside FOLDER",
        )
