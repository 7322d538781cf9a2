"""What a table is to Spark: a frame, a name in the catalog, or files at a path."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.engines.counted import COUNT
from amongst.engines.spark.formed import by_forms
from amongst.engines.spark.plain_errors import spoken
from amongst.engines.spark.text import Files, TextOptions, read_text
from amongst.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

FRAME = "a data frame"
PARQUET, TEXT = (".parquet", ".pq"), (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz")


def open_frame(session: SparkSession, data: Any, text: TextOptions) -> tuple[Files, str]:
    """The rows, and what reports call them. No row is read, but a CSV file is looked through for its types.

    Parameters
    ----------
    data : DataFrame, str or path
        Text with a slash, a colon or the ending of a file is a path, else the name of a table; backticks quote
        a part of a name, as in Spark's SQL.
    """
    if is_frame(data):
        files, name = _typed(data, text), FRAME
    elif is_path(data):
        path = whole_path(data)
        name = Path(path.rstrip("/")).name
        files = _read_files(session, path, name, text)
    elif isinstance(data, str) and data.strip():
        name = data.replace("`", "").split(".")[-1]
        with spoken(f"The table '{name}' cannot be read"):
            files = _typed(session.table(data), text)
    else:
        raise BadInput(
            "Spark cannot read this.",
            found=f"a {type(data).__name__}",
            fix="give a DataFrame of Spark, the name of a table, or a path to Parquet or CSV files",
        )
    with spoken(f"The columns of {name} cannot be read"):
        _refuse_names(files.values.columns, name)
    return files, name


def is_frame(data: Any) -> bool:
    """Whether this is a DataFrame of Spark, classic or Connect, without importing Spark for it."""
    return type(data).__module__.startswith("pyspark.sql") and hasattr(data, "sparkSession")


def is_path(data: Any) -> bool:
    """Whether this names files, not a table of the catalog."""
    if isinstance(data, os.PathLike):
        return True
    if not isinstance(data, str):
        return False
    bare = re.sub(r"`[^`]*`", "", data)  # what is quoted is a name, whatever is in it
    return "/" in bare or os.sep in bare or bare.lower().endswith((*PARQUET, *TEXT))


def whole_path(path: str | os.PathLike[str]) -> str:
    """A path of this machine from its root; an address of another file system as it is."""
    place = os.fspath(path)
    return place if "://" in place else os.path.abspath(place)


def _read_files(session: SparkSession, path: str, name: str, text: TextOptions) -> Files:
    if "://" not in path and not os.path.exists(path):
        raise BadInput("The file is not there.", found=f"no file {path}", fix="check the path")
    with spoken(f"{name} cannot be read"):
        if name.lower().endswith(TEXT):
            return read_text(session, path, name, text)
        return _typed(session.read.parquet(path), text)


def _typed(frame: DataFrame, text: TextOptions) -> Files:
    """Rows that have types; columns of text may be read by forms."""
    frame, _ = by_forms(frame, text.reads, usual_dates=True)
    return Files(frame, frame, {})


def _refuse_names(names: list[str], name: str) -> None:
    """Raise for names that Spark cannot tell apart, whatever its setting for upper and lower case."""
    twice = [one for one, times in Counter(column.lower() for column in names).items() if times > 1]
    problems = []
    if not names:
        problems.append("no columns")
    if twice:
        problems.append(
            "more than once, or apart by upper and lower case alone: "
            + ", ".join(repr(column) for column in names if column.lower() in twice)
        )
    if any(not column.strip() for column in names):
        problems.append("a column without a name")
    if COUNT in names:
        problems.append(f"the name {COUNT!r}, which amongst uses itself")
    if problems:
        raise BadInput(f"The columns of {name} need names of their own.", found=problems, fix="name every column once")


def arrow_schema(frame: DataFrame) -> pa.Schema:
    """The columns and types as Arrow has them; times with a zone are in UTC."""
    import pyarrow as pa
    from pyspark.sql.pandas.types import to_arrow_type

    fields = []
    for one in frame.schema.fields:
        try:
            kind = to_arrow_type(one.dataType, timezone="UTC")
        except Exception:  # what Arrow has no type for
            raise BadInput(
                f"The column '{one.name}' has a type that amongst does not know.",
                found=f"the type {one.dataType.simpleString()}",
                fix="select the table without it, or cast it to text, numbers or dates",
            ) from None
        fields.append(pa.field(one.name, kind))
    return pa.schema(fields)
