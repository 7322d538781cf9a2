"""A connection to DuckDB that keeps to a memory limit, and leaves nothing behind."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst import sql_text
from amongst.engines.store import Say
from amongst.errors import BadInput, BadOption, BadOutput, Infeasible
from amongst.staging import own_folder, remove_leftovers

if TYPE_CHECKING:
    import pyarrow as pa

POLL = 0.3
"""Seconds between two looks at how far a query is."""


@contextmanager
def connected(memory_limit: str | int | None, folder: Path | None = None) -> Iterator[Any]:
    """A connection; what it holds, in memory and on disk, goes with it.

    What does not fit into the limit goes to a folder that only this user can read: it may be microdata. DuckDB's own
    choice would be a folder where the process runs, which stays there when the process is killed.

    Parameters
    ----------
    memory_limit : str or int, optional
        A size such as "4GB", or bytes.
    folder : Path, optional
        A private folder for what does not fit; left out, one of its own.
    """
    import duckdb

    with _spill(folder) as place:
        connection = duckdb.connect(":memory:")
        try:
            connection.execute(f"SET temp_directory = {sql_text.text(str(place))}")
            connection.execute("SET preserve_insertion_order = false")  # sets have no order; keeping one takes memory
            connection.execute("SET enable_progress_bar = true")  # so that ``watched`` can tell how far a query is
            connection.execute("SET enable_progress_bar_print = false")
            if memory_limit is not None:
                _limit(connection, memory_limit)
            yield connection
        except duckdb.OutOfMemoryException as error:
            raise _too_small(memory_limit, str(error)) from None
        except duckdb.IOException as error:
            raise _cannot_go_on(str(error)) from None
        except duckdb.InterruptException:
            raise KeyboardInterrupt from None
        finally:
            connection.close()


@contextmanager
def _spill(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
        return
    parent = Path(tempfile.gettempdir())
    remove_leftovers(parent)
    with own_folder(parent) as own:
        yield own


def _too_small(memory_limit: str | int | None, error: str) -> Infeasible | BadOutput:
    if "max_temp_directory_size" in error or "No space left" in error:  # the disk is full, not the memory
        return _disk_full()
    told = f"{memory_limit / 1e6:,.0f} MB for DuckDB" if isinstance(memory_limit, int) else f"{memory_limit!r}"
    return Infeasible(
        "The memory limit is too small for this table.",
        found=f"memory_limit = {told}",
        fix="allow more memory, or leave out columns with many values",
    )


def _cannot_go_on(error: str) -> BadInput | BadOutput:
    """An error of input or output in our words: DuckDB's may name cells and places."""
    if "No space left" in error or "disk" in error.lower():
        return _disk_full()
    return BadInput(
        "A file could not be read or written on the way.",
        found="an input/output error",
        fix="check that the input is still there and whole, and that there is room for temporary files",
    )


def _disk_full() -> BadOutput:
    return BadOutput(
        "There is no room left for temporary files.",
        found="the disk is full; nothing was left behind",
        fix="make room, or name a folder on another disk with --work",
    )


def _limit(connection: Any, memory_limit: str | int) -> None:
    import duckdb

    told = f"{memory_limit}B" if isinstance(memory_limit, int) else str(memory_limit)
    try:
        connection.execute(f"SET memory_limit = {sql_text.text(told)}")
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error:
        raise BadOption(
            "The memory limit is not a size.", found=f"memory_limit = {memory_limit!r}", fix='use a size such as "4GB"'
        ) from None


@contextmanager
def watched(connection: Any, step: str, say: Say) -> Iterator[None]:
    """Tell how far the queries of a connection are, while they run."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(POLL):
            share = float(connection.query_progress())
            if share > 0:
                say(step, round(share), 100)

    watcher = threading.Thread(target=look, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def keep(connection: Any, name: str, table: pa.Table) -> None:
    """A table of ours as a temporary one of the database, which has no halves of floats."""
    import pyarrow as pa

    for place, field in enumerate(table.schema):
        if pa.types.is_float16(field.type):
            table = table.set_column(place, field.name, table.column(place).cast(pa.float32()))
    connection.register("incoming", table)
    connection.execute(f"CREATE TEMP TABLE {name} AS SELECT * FROM incoming")
    connection.unregister("incoming")
