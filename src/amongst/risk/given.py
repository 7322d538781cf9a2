"""What was given to be measured: a release in memory, a release folder, a table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadInput, BadOption
from amongst.risk.keys import code_column
from amongst.schema.schema import Schema
from amongst.verify.verdict import refuse_unproved

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from amongst.release.folder import ReleaseFolder


@dataclass(frozen=True, eq=False, kw_only=True)
class Given:
    """The tables to measure.

    Attributes
    ----------
    before, after : pyarrow.Table or None
    unit : str or None
        The column of the original that tells people apart.
    person_of_row : ndarray or None
        The person of every published row. A release with a unit may come without: then whose its rows are is not told.
    k : int or None
        What the release was asked for.
    """

    title: str
    schema: Schema | Sequence[str]
    before: pa.Table | None
    after: pa.Table | None
    unit: str | None = None
    person_of_row: np.ndarray | None = None
    k: int | None = None


def given(table: Any, schema: Schema | Sequence[str] | None, original: Any, inside: Any = None) -> Given:
    """Find out what was given."""
    if hasattr(table, "partition") and hasattr(table, "arrow"):
        return _release(table)
    if isinstance(table, (str, os.PathLike)) and Path(table).is_dir():
        return _folder(Path(table), schema, original, None if inside is None else Path(inside))
    from amongst.read import read

    source = read(table)
    if not schema:
        raise BadOption(
            "It is not said what others may know of people.",
            found="no schema, and no manifest that tells it",
            fix='give the schema, or the names of the quasi-identifiers: risk(table, ["age", "zip"])',
        )
    if original is not None:
        return Given(title=source.name, schema=schema, before=read(original).table, after=source.table)
    return Given(title=source.name, schema=schema, before=source.table, after=None)


def _release(release: Any) -> Given:
    refuse_unproved(release.verdict)
    return Given(
        title=release.source.name,
        schema=release.schema,
        before=release.source.table,
        after=release.arrow,
        unit=release.unit,
        person_of_row=release.person_of_row,
        k=release.threshold,
    )


def _folder(folder: Path, schema: Schema | Sequence[str] | None, original: Any, inside: Path | None) -> Given:
    import pyarrow as pa

    from amongst.published.open_published import open_published
    from amongst.read import read
    from amongst.release.folder import release_in

    told = release_in(folder)
    source = open_published(folder)
    batches = list(source.batches(source.names))
    if not batches:
        raise BadInput(f"{folder.name} has no rows.", found="an empty table", fix="give a release with rows")
    after = pa.Table.from_batches(batches)  # text may come as categories, which the stored schema does not say
    before = None if original is None else read(original).table
    known = schema if schema is not None else told.schema
    return Given(
        title=folder.name,
        schema=known,
        before=before,
        after=after,
        unit=told.unit,
        person_of_row=_persons(told, inside),
        k=told.threshold,
    )


def _persons(told: ReleaseFolder, inside: Path | None) -> np.ndarray | None:
    """The person of every published row, from what was written inside with the release."""
    from amongst.release.people import people_of

    people = None if told.unit is None else people_of(told.folder, inside)
    return None if people is None else code_column(people)[0].astype("uint32")
