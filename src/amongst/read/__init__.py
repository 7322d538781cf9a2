"""Any input becomes columns: a file, a frame."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from amongst.read.source import Source

__all__ = ["Source", "read"]


def read(data: Any, *, nulls: Sequence[str] = (), separator: str | None = None, encoding: str | None = None) -> Source:
    """Read a table.

    Parameters
    ----------
    data : path, pyarrow.Table, pandas or polars DataFrame
        A path ends in .csv, .tsv, .txt (each also .gz), .parquet, .arrow or .feather.
    nulls : sequence of str
        Cell texts of a CSV that mean missing, besides the empty cell.
    separator, encoding : str, optional
        Of a CSV. Left out, the separator is found in the header and the text is UTF-8.
    """
    if isinstance(data, (str, os.PathLike)):
        from amongst.read.file import read_file

        return read_file(data, nulls=nulls, separator=separator, encoding=encoding)
    from amongst.read.frame import read_frame

    return read_frame(data)
