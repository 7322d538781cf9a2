"""Has the table changed? For files their names, sizes and times; for other tables a fingerprint of the rows."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlparse

from amongst.engines.spark.plain_errors import spoken

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def state_of(frame: DataFrame) -> str:
    """A text that changes when the table changes."""
    with spoken("The table cannot be looked at"):
        return state_of_files(frame) or _fingerprint(frame)


def state_of_files(frame: DataFrame) -> str | None:
    """The files under a frame with their sizes and times, as a digest; None where there are no files."""
    files = sorted(frame.inputFiles())
    if not files:
        return None
    known = [_local(file) for file in files]
    entries = [entry for entry in known if entry is not None]
    if len(entries) < len(files):
        entries = _elsewhere(frame, files)
    return "files " + hashlib.sha256("\n".join(sorted(entries)).encode()).hexdigest()


def _local(file: str) -> str | None:
    where = urlparse(file)
    if where.scheme != "file":
        return None
    try:
        seen = os.stat(unquote(where.path))
    except OSError:
        return f"{file} gone"
    return f"{file} {seen.st_size} {seen.st_mtime_ns} {seen.st_ino}"


def _elsewhere(frame: DataFrame, files: list[str]) -> list[str]:
    """Files that the driver does not see by itself, listed by Spark; their content is not read."""
    session = frame.sparkSession
    listed = session.read.format("binaryFile").load(files).select("path", "modificationTime", "length")
    return [" ".join(map(str, entry.values())) for entry in listed.toArrow().to_pylist()]


def _fingerprint(frame: DataFrame) -> str:
    """How many rows there are, and a sum of their hashes: the same in whatever order they come."""
    from pyspark.sql import functions as F
    from pyspark.sql.types import MapType, VariantType

    plain = frame.toDF(*(f"c{i}" for i in range(len(frame.columns))))
    hashed = [one.name for one in plain.schema.fields if not isinstance(one.dataType, (MapType, VariantType))]
    total = F.sum(F.xxhash64(*hashed).cast("decimal(38,0)")) if hashed else F.lit(0)
    seen = plain.agg(F.count(F.lit(1)).alias("rows"), total.alias("hash")).toArrow().to_pylist()[0]
    return f"rows {seen['rows']} {seen['hash']}"
