"""Any input becomes columns: a file, a frame."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from amongst.errors import BadOption
from amongst.read.source import Source

__all__ = ["Source", "read"]


def read(
    data: Any,
    *,
    nulls: Sequence[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    reads: Any = None,
    table: str | None = None,
) -> Source:
    """Read a table.

    Parameters
    ----------
    data : path, pyarrow.Table, pandas or polars DataFrame
        A path ends in .csv, .tsv, .txt, .data, .dat, .tab, .asc (each also .gz or in a .zip), .parquet, .arrow,
        .feather, or as one of ``amongst.read.formats`` does: .xlsx, .sav, .dta, .xpt, .sas7bdat, .jsonl, .json,
        .sqlite, .duckdb.
        A cursor of ADBC that carried out a query is a table too.
    nulls : sequence of str
        Cell texts of a CSV that mean missing, besides the empty cell.
    separator, encoding : str, optional
        Of a CSV. Left out, they are found out. A separator may be named: "tab", "blank", "blanks" (one or more),
        "places" (columns begin at the same place of every line); the widths of such columns may be told: "5,10,3".
    header : bool, optional
        Of a CSV: whether its first line has the names of the columns. Without one they are column_1, column_2 and so
        on. Left out, a first line that looks like data is read as a row.
    reads : mapping of column to form, or "found", optional
        How columns of text are to be read: ``{"birth": "dd.MM.yyyy", "cost": "1.234,56"}``; with what means missing in
        one, ``{"hb": {"form": "1234,56", "missing": ["n.b."]}}``. "found" takes the forms that the cells show without
        doubt. What was found out and is not as usual stands in ``notes`` and ``found`` of what is returned.

    table : str, optional
        The sheet of a workbook, or the table of a database that is a file. Left out, there must be one only.

    Notes
    -----
    An error that another of these options may mend names it: ``error.facts["say"]`` lists "separator", "encoding",
    "header".
    """
    if isinstance(data, (str, os.PathLike)):
        from amongst.read.file import read_file

        return read_file(
            data, nulls=nulls, separator=separator, encoding=encoding, header=header, reads=reads, table=table
        )
    from amongst.read.frame import read_frame

    if reads:
        from amongst.read.from_cells import read_text_columns

        source = read_text_columns(read_frame(data), reads)
    else:
        source = read_frame(data)
    told = {"nulls": nulls or None, "separator": separator, "encoding": encoding, "header": header}
    if any(one is not None for one in told.values()):
        raise BadOption(
            "This is said of a text file, and the table is none.",
            found=", ".join(name for name, one in told.items() if one is not None),
            fix="leave it out, or give the path of the file",
        )
    return source
