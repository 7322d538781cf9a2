"""What the manifest beside a release tells that the release itself does not."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from amongst.errors import BadInput
from amongst.manifest import MANY_TABLES, UNREADABLE, Manifest
from amongst.own_files import MANIFEST
from amongst.schema.schema import Schema


@dataclass(frozen=True)
class Told:
    """What is known about a release beside its data file.

    Attributes
    ----------
    schema : Schema
        Roles, kinds, null rules; hierarchies as far as they are told.
    closed : frozenset of str
        Columns with a hierarchy or order that is not told here.
    n_input : int or None
        How many rows the original had at most; None where that is not told.
    fewest : int
        How many it had at least, as far as that is told.
    attained : frozenset of str
        Columns in which the ends of every published range, or all members of every set, occur in the class.
    sensitive_file : Path, optional
        The second table of an anatomy.
    """

    schema: Schema
    closed: frozenset[str]
    n_input: int | None
    fewest: int
    attained: frozenset[str]
    sensitive_file: Path | None = None


def read_told(published: Path) -> Told | None:
    """What the manifest in a release folder, or beside a release's data file, tells; None without one."""
    folder = published if os.path.isdir(published) else published.parent
    path = folder / MANIFEST
    if not path.is_file():
        return None
    try:
        told = Manifest.read(folder)
        told.refuse_many_tables(folder)
        if not os.path.isdir(published) and published.name not in told.sha256:
            return None
        second = [folder / name for name in told.sha256 if name.startswith("sensitive.")]
        return Told(told.schema, told.closed, told.rows, told.fewest_rows, told.attained, second[0] if second else None)
    except UNREADABLE as error:
        if isinstance(error, BadInput) and error.what == MANY_TABLES:
            raise
        raise BadInput(
            "The manifest of the release cannot be read.",
            found=f"{path} is damaged, or of another version",
            fix="move it away and give the schema: --schema JOB.toml",
        ) from None


def with_schema(told: Told, schema: Schema) -> Told:
    """The same with the hierarchies and orders of the schema that the release was made with."""
    known = {}
    for name, column in told.schema.items():
        if name in schema and column.role == schema[name].role:
            known[name] = replace(column, hierarchy=schema[name].hierarchy, order=schema[name].order)
    return replace(told, schema=told.schema.with_columns(**known), closed=told.closed - set(known))
