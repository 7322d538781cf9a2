"""The manifest of a folder that amongst wrote: it writes itself, and reads itself."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from amongst.errors import AmongstError, BadInput
from amongst.models import KAnonymity, Model, model_from_dict
from amongst.own_files import MANIFEST, REPORT, inside_beside
from amongst.schema.column import Column
from amongst.schema.hierarchy import Hierarchy
from amongst.schema.schema import Schema

FORMAT = 2
FIELDS = ("role", "kind", "nulls", "statistic", "grid", "publish")
OPEN_RECIPES = ("intervals", "edges", "digits", "prefix", "dates", "flat")
"""Hierarchies that a manifest tells in full: they name no values."""
UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, AmongstError)
"""What reading a manifest raises where it is damaged, or of another version."""
MANY_TABLES = "This is for releases of one table."


class Manifest(dict[str, Any]):
    """Everything but the data, as plain data: of the format that is written now, or of an earlier one.

    There are two of every release, one for the inside and a public one; ``release/public.py`` says what of the one the
    other tells. A release of many tables and an evidence pack have one too, of another ``kind``.

    Examples
    --------
    >>> import amongst as am
    >>> from pathlib import Path
    >>> from amongst.manifest import Manifest
    >>> patients = am.datasets.load("patients")
    >>> _ = am.anonymize(patients.table, patients.schema, [am.KAnonymity(2)], method="mondrian").write("told")
    >>> told = Manifest.read(Path("told"))
    >>> told.method, told.models, told.unit
    ('mondrian', [KAnonymity(k=2)], None)
    """

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """That in a folder; raises OSError or ValueError where there is none that can be read."""
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError("no manifest")
        return cls(found)

    def write(self, folder: Path, page: str) -> bytes:
        """Write it into a folder, with a report and its digest; the bytes of the manifest."""
        (folder / REPORT).write_text(page, encoding="utf-8", newline="\n")
        told: dict[str, Any] = self
        if "output" in self:
            pages = {REPORT: hashlib.sha256(page.encode()).hexdigest()}
            told = {**self, "output": {**self["output"], "pages": pages}}
        written = (json.dumps(told, indent=2, ensure_ascii=False) + "\n").encode()
        (folder / MANIFEST).write_bytes(written)
        return written

    @property
    def kind(self) -> str | None:
        """What it is of: "database", "evidence", or None for a release of one table."""
        return self.get("kind")

    @property
    def sha256(self) -> dict[str, str]:
        """The digest of every data file when it was written."""
        found = dict((self if self.kind == "evidence" else self["output"])["sha256"])
        if not all(isinstance(text, str) for text in (*found, *found.values())):
            raise TypeError("digests are texts")
        return found

    @property
    def in_database(self) -> dict[str, str] | None:
        """The table of a database that the release is: its name, and the digest of its rows; None where it is files."""
        table = self["output"].get("table")
        return None if table is None or self.sha256 else {str(name): str(told) for name, told in table.items()}

    @property
    def schema(self) -> Schema:
        """The schema; hierarchies and orders as far as it tells them: those that name values are left out.

        Of many tables it has every column as ``table.column``.
        """
        return Schema({name: column_of(fields) for name, fields in self._columns.items()})

    @property
    def _columns(self) -> dict[str, Any]:
        """What is told of every column."""
        if self.kind != "database":
            return dict(self["schema"])
        told = {table: one["columns"] for table, one in self["tables"].items()}
        return {f"{table}.{name}": one for table, columns in told.items() for name, one in columns.items()}

    @property
    def closed(self) -> frozenset[str]:
        """Columns with a hierarchy or an order that it does not tell, since it names values."""
        return frozenset(name for name, fields in self._columns.items() if is_closed(fields))

    @property
    def hidden_sensitive(self) -> list[str]:
        """The sensitive columns with a hierarchy or an order: of these it tells no more than that."""
        return [
            name
            for name, fields in self["schema"].items()
            if fields.get("role") == "sensitive" and ("hierarchy" in fields or "order" in fields)
        ]

    @property
    def models(self) -> list[Model]:
        """What was asked; of many tables how many persons are alike, the rest has fields of its own."""
        asked = [one for one in self["privacy"] if self.kind != "database" or one["model"] == KAnonymity.name]
        return [model_from_dict(fields) for fields in asked]

    @property
    def method(self) -> str:
        return str(self["method"]["name"])

    @property
    def options(self) -> dict[str, Any]:
        """Those of the method; on the inside with what repeats a run that the clock ended."""
        return {**self["method"]["options"], **self["method"].get("repeats", {})}

    @property
    def seed(self) -> int:
        """For methods that draw lots; 0 in public, where it is not told."""
        return int(self["method"].get("seed") or 0)

    @property
    def is_pair(self) -> bool:
        """Two tables that only a group number links."""
        return "link" in self["output"]

    @property
    def columns(self) -> list[str]:
        """The published columns."""
        return list(self["output"]["columns"])

    @property
    def attained(self) -> frozenset[str]:
        """Columns in which the ends of every published range, or all members of every set, occur in the class."""
        return frozenset(self["output"].get("attained", ()))

    @property
    def input(self) -> dict[str, Any]:
        """What it tells of the original: in public next to nothing."""
        return dict(self["input"])

    @property
    def unit(self) -> str | None:
        """The column that told people apart, where people were counted."""
        found = self["input"].get("unit")
        return None if found is None else str(found)

    @property
    def rows(self) -> int | None:
        """How many rows, or persons of many tables, the original had at most; None where that is not told."""
        if "rows" in self["input"] and self.kind != "database":
            return int(self["input"]["rows"])
        most = self["output"]["suppressed"].get("most")
        there = self["proved"]["persons"] if self.kind == "database" else self["output"]["rows"]
        return None if most is None else int(there) + int(most)

    @property
    def fewest_rows(self) -> int:
        """How many rows the original had at least."""
        if "rows" in self["input"]:
            return int(self["input"]["rows"])
        return int(self["output"]["rows"]) + int(self["output"]["suppressed"]["least"])

    def inside(self, folder: Path, place: Path | None = None) -> Manifest | None:
        """That for the inside of the same release; None where it is not there, or of another release.

        It lies in the sibling ``<folder>.inside``, or in ``place``.
        """
        try:
            found = Manifest.read(place or inside_beside(Path(os.path.abspath(folder))))
            same = found["document"] == "inside" and all(
                found["output"].get(key) == self["output"].get(key) for key in ("sha256", "table")
            )
            return found if same else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def refuse_many_tables(self, folder: Path) -> None:
        """Raise where it is that of a release of many tables, which is not damaged but of another kind."""
        if self.kind == "database":
            raise BadInput(
                MANY_TABLES,
                found="a release of many tables",
                fix=f"check it with amongst verify-database {folder}; its report tells what it keeps and loses",
            )


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
