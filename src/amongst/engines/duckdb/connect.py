"""A connection to DuckDB that keeps to a memory limit, and leaves nothing behind."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from amongst.engines.duckdb import sql
from amongst.errors import BadOption


@contextmanager
def connected(memory_limit: str | None) -> Iterator[Any]:
    """A connection; what it holds, in memory and on disk, goes with it.

    What does not fit into the limit goes to a folder that only this user can read: it may be microdata. DuckDB's own
    choice would be a folder where the process runs, which stays there when the process is killed.
    """
    import duckdb

    with tempfile.TemporaryDirectory(prefix="amongst-") as folder:
        connection = duckdb.connect(":memory:")
        try:
            connection.execute(f"SET temp_directory = {sql.text(folder)}")
            connection.execute("SET preserve_insertion_order = false")  # sets have no order; keeping one takes memory
            if memory_limit is not None:
                _limit(connection, memory_limit)
            yield connection
        except duckdb.OutOfMemoryException:
            raise BadOption(
                "The memory limit is too small for this table.",
                found=f"memory_limit = {memory_limit!r}",
                fix="allow more memory, or leave out columns with many values",
            ) from None
        finally:
            connection.close()


def _limit(connection: Any, memory_limit: str) -> None:
    import duckdb

    try:
        connection.execute(f"SET memory_limit = {sql.text(str(memory_limit))}")
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error:
        raise BadOption(
            "The memory limit is not a size.", found=f"memory_limit = {memory_limit!r}", fix='use a size such as "4GB"'
        ) from None
