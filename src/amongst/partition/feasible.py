"""What no method can do."""

from __future__ import annotations

from amongst.encode import CodedTable
from amongst.errors import Infeasible


def refuse_small_table(table: CodedTable, k: int) -> None:
    """Raise where the table has fewer rows than one group needs."""
    if table.n_rows >= k:
        return
    left_out = table.n_input - table.n_rows
    found = f"{table.n_rows} rows" + (f" after {left_out} with missing values were suppressed" if left_out else "")
    raise Infeasible(
        f"No grouping can reach {k}-anonymity.", found=found, fix=f"use k <= {table.n_rows}", largest_k=table.n_rows
    )
