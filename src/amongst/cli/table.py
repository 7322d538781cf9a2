"""The table that DATA names: a data set that comes with amongst, or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadOption

if TYPE_CHECKING:
    from amongst.datasets import Dataset
    from amongst.datasets.database_set import DatabaseSet
    from amongst.job.job import Input
    from amongst.read import Source


def data_set(data: str) -> Dataset | None:
    """The data set of this name, or None: a file goes before a data set."""
    if Path(data).suffix or Path(data).is_file():
        return None
    from amongst import datasets

    return datasets.load(data) if data in datasets.names() else None


def database_set(data: str) -> DatabaseSet | None:
    """The set of tables of this name, unless there is a folder or file of that name."""
    from amongst.datasets.database_set import database_sets

    known = database_sets()
    return known[data]() if data in known and not Path(data).exists() else None


def source_of(known: Dataset) -> Source:
    """A data set as what was read."""
    from amongst.read import Source

    return Source(known.table, "pyarrow", known.name)


def file_or_data_set(source: Input, *, must_be_file: bool) -> Source:
    """The table to look at, and what to know about it."""
    from amongst.read import read

    found = data_set(str(source.path))
    if found is None:
        return read(source.path, **source.reading)
    if must_be_file:
        raise BadOption(
            "A job file needs a table in a file.",
            found=f"{found.name} is a data set of amongst",
            fix=f"write it to a file first: amongst datasets {found.name} --write {found.name}.csv",
        )
    return source_of(found)
