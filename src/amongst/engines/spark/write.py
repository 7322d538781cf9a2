"""The release as Parquet files, as a table of the catalog, or as a frame that is computed once."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.engines.spark.plain_errors import spoken
from amongst.errors import BadOutput

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARQUET = {
    "compression": "zstd",
    "parquet.column.statistics.enabled": "false",  # the least and greatest cell of every chunk
    "parquet.bloom.filter.enabled": "false",
    "mapreduce.fileoutputcommitter.marksuccessfuljobs": "false",
}
TIMES = "spark.sql.parquet.outputTimestampType"


def write_files(rows: DataFrame, path: str | os.PathLike[str]) -> None:
    """Parquet part files in a folder that is not there yet; after an error it is not there either."""
    place = os.fspath(path)
    local = "://" not in place
    place = os.path.abspath(place) if local else place
    with spoken("The release cannot be written", BadOutput), _plain_times(rows.sparkSession):
        try:
            rows.write.mode("error").options(**PARQUET).parquet(place)
        except Exception:
            if local:
                shutil.rmtree(place, ignore_errors=True)
            raise
    if local:
        _plain_names(Path(place))


def write_table(rows: DataFrame, name: str) -> None:
    """A table of the catalog, which must be new."""
    with spoken("The release cannot be written", BadOutput), _plain_times(rows.sparkSession):
        rows.write.mode("error").options(**PARQUET).format("parquet").saveAsTable(name)


def computed(rows: DataFrame) -> DataFrame:
    """The rows, computed now and kept by the executors: what was verified is what is handed out, never anew."""
    with spoken("The release cannot be computed", BadOutput):
        return rows.localCheckpoint(eager=True)


def remove_files(path: str | os.PathLike[str], session: SparkSession) -> None:
    """Remove what was written, here or on another file system."""
    place = os.fspath(path)
    if "://" not in place:
        shutil.rmtree(os.path.abspath(place), ignore_errors=True)
        return
    with spoken("The release could not be removed", BadOutput):
        _with_hadoop(session, place, lambda system, where: system.delete(where, True))


def remove_table(session: SparkSession, name: str) -> None:
    """Drop the table that was written."""
    with spoken("The release could not be removed", BadOutput):
        session.sql(f"DROP TABLE IF EXISTS {name} PURGE")


def _plain_names(folder: Path) -> None:
    """part-00000.parquet, ...: Spark's names carry a random number, its checksums lie beside them."""
    for file in folder.iterdir():
        if file.name.startswith((".", "_")):
            file.unlink()
    for number, file in enumerate(sorted(folder.glob("part-*"))):
        file.rename(folder / f"part-{number:05d}.parquet")


@contextmanager
def _plain_times(session: SparkSession) -> Iterator[None]:
    """Times as every reader knows them, not as Spark 1 wrote them; the session gets its own setting back."""
    before = session.conf.get(TIMES, None)
    session.conf.set(TIMES, "TIMESTAMP_MICROS")
    try:
        yield
    finally:
        with suppress(Exception):  # the session may be gone
            if before is None:
                session.conf.unset(TIMES)
            else:
                session.conf.set(TIMES, before)


def _with_hadoop(session: Any, place: str, do: Callable[[Any, Any], Any]) -> None:
    """Something done by Hadoop, which knows the file systems of the cluster."""
    java = session.sparkContext._jvm
    where = java.org.apache.hadoop.fs.Path(place)
    do(where.getFileSystem(session.sparkContext._jsc.hadoopConfiguration()), where)


def rename_table(session: SparkSession, name: str, new_name: str) -> None:
    """Give a table its final name, which must be new."""
    with spoken("The release cannot be given its name", BadOutput):
        session.sql(f"ALTER TABLE {name} RENAME TO {new_name}")


def staging_name(table: str) -> str:
    """A name beside that of a table, for the time until it is verified."""
    mark = f"_amongst_{secrets.token_hex(4)}"
    return f"{table[:-1]}{mark}`" if table.endswith("`") else f"{table}{mark}"
