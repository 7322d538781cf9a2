"""What the manifest beside a release tells that the release itself does not."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from amongst.errors import AmongstError, BadInput
from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.schema import Schema

FIELDS = ("role", "kind", "nulls", "statistic", "grid", "publish")
OPEN_RECIPES = ("intervals", "edges", "digits", "prefix", "dates", "flat")
"""Hierarchies that a manifest tells in full: they name no values."""


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
    attained : frozenset of str
        Columns in which the ends of every published range, or all members of every set, occur in the class.
    sensitive_file : Path, optional
        The second table of an anatomy.
    """

    schema: Schema
    closed: frozenset[str]
    n_input: int | None
    attained: frozenset[str]
    sensitive_file: Path | None = None


def read_told(published: Path) -> Told | None:
    """What the manifest in a release folder, or beside a release's data file, tells; None without one."""
    folder = published if os.path.isdir(published) else published.parent
    path = folder / "manifest.json"
    if not path.is_file():
        return None
    from amongst.release.folder import rows_told

    refuse_many_tables(path)
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if not os.path.isdir(published) and published.name not in told["output"]["sha256"]:
            return None
        columns = {name: column_of(fields) for name, fields in told["schema"].items()}
        closed = frozenset(name for name, fields in told["schema"].items() if is_closed(fields))
        attained = frozenset(told["output"].get("attained", ()))
        second = [folder / name for name in told["output"]["sha256"] if name.startswith("sensitive.")]
        return Told(Schema(columns), closed, rows_told(told), attained, second[0] if second else None)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AmongstError):
        raise BadInput(
            "The manifest of the release cannot be read.",
            found=f"{path} is damaged, or of another version",
            fix="move it away and give the schema: --schema JOB.toml",
        ) from None


def refuse_many_tables(manifest: Path) -> None:
    """Raise where the manifest is that of a release of many tables, which is not damaged but of another kind."""
    try:
        told = json.loads(manifest.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    if isinstance(told, dict) and told.get("kind") == "database":
        raise BadInput(
            "This is for releases of one table.",
            found="a release of many tables",
            fix=f"check it with amongst verify-database {manifest.parent}; its report tells what it keeps and loses",
        )


def with_schema(told: Told, schema: Schema) -> Told:
    """The same with the hierarchies and orders of the schema that the release was made with."""
    known = {}
    for name, column in told.schema.items():
        if name in schema and column.role == schema[name].role:
            known[name] = replace(column, hierarchy=schema[name].hierarchy, order=schema[name].order)
    return replace(told, schema=told.schema.with_columns(**known), closed=told.closed - set(known))


def column_of(fields: Mapping[str, Any]) -> Column:
    """A column of a manifest, with its hierarchy where that names no values."""
    given = {key: fields[key] for key in FIELDS if fields.get(key) is not None}
    recipe = _open_recipe(fields.get("hierarchy") or {})
    return Column(**given, hierarchy=Hierarchy.from_dict(recipe) if recipe else None)


def _open_recipe(fields: Mapping[str, Any]) -> dict[str, Any]:
    if not any(name in fields for name in OPEN_RECIPES):
        return {}
    recipe = {key: value for key, value in fields.items() if key in (*OPEN_RECIPES, "origin")}
    if "edges" in recipe:  # infinite ends stand as text
        recipe["edges"] = [
            [float(edge) if isinstance(edge, str) else edge for edge in level] for level in recipe["edges"]
        ]
    return recipe


def is_closed(fields: Mapping[str, Any]) -> bool:
    """Whether a column of a manifest has an order or a hierarchy that is not told there."""
    hierarchy = fields.get("hierarchy")
    return "order" in fields or (hierarchy is not None and not _open_recipe(hierarchy))
