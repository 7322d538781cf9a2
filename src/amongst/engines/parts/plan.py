"""How large parts may be within a memory limit, and the least limit that would do."""

from __future__ import annotations

from dataclasses import dataclass

from amongst.encode.coded import CodedTable
from amongst.engines.data_file import ROW_GROUP
from amongst.engines.memory import Budget, words
from amongst.errors import BadOption

A_GROUP, A_BOX = 150, 60
"""Bytes that a group takes on its way to what it publishes, for itself and for each of its columns."""
FIXED = 160 * 10**6
"""Blocks of rows, a row group on its way to the file, and what Arrow holds back."""
LEAST_PART = 1 << 16
"""Rows: smaller parts cost more in files than they save in memory."""
MOST_PART = 1 << 25
MOST_BUCKET = 1 << 18
COPIES = 8
"""Of the columns published as they are, in the rows that are sorted at a time and in those of a row group: texts, their
dictionary, the tables by which they are found, here and in the writer."""


@dataclass(frozen=True)
class Plan:
    """What fits.

    Attributes
    ----------
    part_rows : int
        Rows of a part that is grouped in memory.
    bucket_rows : int
        Rows that are sorted at a time when the release is written.
    most_keys : int
        How many kinds of rows of a class can be counted, where the other columns have few values.
    """

    part_rows: int
    bucket_rows: int
    most_keys: int


def plan(table: CodedTable, n_rows: int, k: int, budget: Budget, other_bytes: int = 0) -> Plan:
    """Share out the memory: first for the groups, which stay, then for the rows of a part.

    ``other_bytes`` is what the columns that are published as they are take in a row.
    """
    # Groups have from k rows on; in strict Mondrian on average half as many again.
    n_groups = n_rows / (1.3 * k) + 1
    for_groups = int(n_groups * (A_GROUP + A_BOX * table.n_qi))
    a_row = row_bytes(table)
    written = COPIES * other_bytes * min(n_rows, ROW_GROUP)
    least = for_groups + FIXED + max(LEAST_PART * a_row, written)
    if least > budget.free:
        needed = -(-(budget.limit - budget.free + least) // 10**8) / 10
        raise BadOption(
            "The memory limit is too small for this table.",
            found=f"{words(budget.limit)} for {n_rows:,} rows in about {n_groups:,.0f} groups",
            fix=f"allow at least {needed:.1f}GB, or use a larger k",
            least=int(needed * 10**9),
        )
    # Groups take most when all parts are done: until then half of their room is free.
    for_rows = budget.free - FIXED - for_groups // 2
    part_rows = min(max(for_rows // a_row, LEAST_PART), MOST_PART)
    most_keys = int(max(budget.free // 8 / (n_groups * 12), 1))
    spare = budget.free - FIXED - for_groups - written
    bucket_rows = min(max(spare // max(COPIES * other_bytes + 32, 1), LEAST_PART), MOST_BUCKET)
    return Plan(int(part_rows), int(bucket_rows), most_keys)


def row_bytes(table: CodedTable) -> int:
    """Bytes that a row takes in the kernel: its record twice, its codes, its group and its place in a histogram."""
    widest = max(column.codes.itemsize for column in table.columns)
    lane = 4 if widest == 4 or any(len(column.values) >= 1 << 15 for column in table.columns) else widest
    record = -(-lane * table.n_qi // 8) * 8 + 8
    return 2 * record + sum(column.codes.itemsize for column in table.columns) + 16
