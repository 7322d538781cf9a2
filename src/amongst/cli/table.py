"""The table that DATA names: a data set that comes with amongst, or a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadOption

if TYPE_CHECKING:
    from amongst.datasets import Dataset
    from amongst.read import Source
    from amongst.schema.job import Input


def data_set(data: str) -> Dataset | None:
    """The data set of this name, or None: a file goes before a data set."""
    if Path(data).suffix or Path(data).is_file():
        return None
    from amongst import datasets

    return datasets.load(data) if data in datasets.names() else None


def file_or_data_set(source: Input, *, must_be_file: bool) -> Source:
    """The table to look at, and what to know about it."""
    from amongst.read import Source, read

    found = data_set(str(source.path))
    if found is None:
        return read(source.path, **source.reading)
    if must_be_file:
        raise BadOption(
            "A job file needs a table in a file.",
            found=f"{found.name} is a data set of amongst",
            fix=f"write it to a file first: amongst datasets {found.name} --write {found.name}.csv",
        )
    return Source(found.table, "pyarrow", found.name)
