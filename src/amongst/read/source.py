"""Where a table came from, and how to give one back in the same kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from amongst.errors import BadInput

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Source:
    """A table that was read.

    Attributes
    ----------
    table : pyarrow.Table
    frame : {"pandas", "polars", "pyarrow"}
        The kind of frame it came in; files come as pyarrow.
    name : str
        What to call it in a report: the file's name, or "a data frame".
    sha256 : str, or None
        The digest of the file's bytes.
    """

    table: pa.Table
    frame: str
    name: str
    sha256: str | None = None

    def native(self, table: pa.Table) -> Any:
        """``table`` as the kind of frame that came in."""
        if self.frame == "polars":
            import polars

            return polars.from_arrow(table)
        if self.frame == "pandas":
            return table.to_pandas()
        return table


def refuse_unusable(table: pa.Table, name: str) -> None:
    """Raise for a table that nothing can be done with: no columns, doubled names, no rows."""
    names = table.column_names
    doubled = sorted({column for column in names if names.count(column) > 1})
    nameless = sum(1 for column in names if not column.strip())
    problems = []
    if not names:
        problems.append("no columns")
    if doubled:
        problems.append("more than once: " + ", ".join(doubled))
    if nameless:
        problems.append(f"{nameless} column{'s' if nameless > 1 else ''} without a name")
    if problems:
        raise BadInput(f"The columns of {name} need names of their own.", found=problems, fix="name every column once")
    if table.num_rows == 0:
        raise BadInput(f"{name} has no rows.", found=f"{len(names)} columns, 0 rows", fix="give a table with rows")
