"""One database of DuckDB's own for one search: in memory up to a limit, in a folder that goes away beyond it."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable
from typing import Any

from amongst.engines.duckdb import sql
from amongst.errors import BadInput, BadOption


class Connection:
    """Runs statements. What DuckDB says about an error may show cells, so it is not passed on.

    Parameters
    ----------
    name : str
        What is read, for messages.
    memory_limit : str, optional
        Such as "4GB". Beyond it DuckDB goes to disk.
    """

    def __init__(self, name: str, memory_limit: str | None = None) -> None:
        import duckdb

        self.name, self.memory_limit = name, memory_limit
        self._duckdb = duckdb.connect(":memory:")
        folder = tempfile.mkdtemp(prefix="amongst-duckdb-")
        self.close = weakref.finalize(self, _close, self._duckdb, folder)
        self._duckdb.execute(f"SET temp_directory = {sql.text(folder)}")
        self._duckdb.execute("SET preserve_insertion_order = false")
        if memory_limit is not None:
            self._limit_memory(memory_limit)

    def _limit_memory(self, limit: str) -> None:
        import duckdb

        try:
            self._duckdb.execute(f"SET memory_limit = {sql.text(str(limit))}")
        except duckdb.Error:
            self.close()
            raise BadOption(
                "The memory limit is not a size.", found=f"memory_limit = {limit!r}", fix='use a size such as "4GB"'
            ) from None

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Run a statement and fetch all that it gives."""
        return list(self._quietly(lambda: self._duckdb.execute(statement).fetchall()))

    def arrow(self, statement: str) -> Any:
        """Run a query and fetch its result as an Arrow table."""
        return self._quietly(lambda: self._duckdb.sql(statement).to_arrow_table())

    def load(self, name: str, data: Any) -> None:
        """An Arrow table or a stream of batches as a table of the database."""
        self._duckdb.register("incoming", data)
        try:
            self.rows(f"CREATE TEMP TABLE {name} AS SELECT * FROM incoming")
        finally:
            self._duckdb.unregister("incoming")

    def _quietly(self, work: Callable[[], Any]) -> Any:
        import duckdb

        try:
            return work()
        except duckdb.OutOfMemoryException:
            raise BadOption(
                "DuckDB needs more memory than it may have.",
                found=f"memory_limit = {self.memory_limit!r}",
                fix="raise memory_limit, or take fewer columns",
            ) from None
        except duckdb.IOException as error:
            if "No space left" in str(error):
                raise BadInput("The disk is full.", found="DuckDB could not write its temporary files", fix="make room") from None
            raise self._cannot_be_read() from None
        except (duckdb.InvalidInputException, duckdb.ConversionException, duckdb.BinderException):
            raise self._cannot_be_read() from None

    def _cannot_be_read(self) -> BadInput:
        return BadInput(
            f"{self.name} cannot be read.",
            found="the file is damaged, of another kind, or some of its rows have too few or too many cells",
            fix="write it anew; a cell of a CSV that holds the separator needs quotes",
        )


def _close(connection: Any, folder: str) -> None:
    connection.close()
    shutil.rmtree(folder, ignore_errors=True)
