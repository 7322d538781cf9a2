"""A frequency set that was counted in the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from amongst.engines.postgresql.types import StoredColumn

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class Counted:
    """Distinct rows of some columns and how many there are of each.

    Attributes
    ----------
    name : str
        Of the temporary table that has it; "" where it is not kept.
    columns : list of StoredColumn
    exact : tuple of str
        Columns whose two zeros were told apart.
    n_entries : int
        Where it is kept.
    table : pyarrow.Table, or None
        What was fetched of it.
    """

    name: str
    columns: list[StoredColumn]
    exact: tuple[str, ...] = ()
    n_entries: int = 0
    table: pa.Table | None = None

    @property
    def names(self) -> list[str]:
        """The columns."""
        return [column.name for column in self.columns]

    @property
    def nullable(self) -> set[str]:
        """The columns in which nulls were fetched."""
        assert self.table is not None
        return {name for name in self.names if self.table.column(name).null_count}
