"""Rows below the last person that add the others up, as exports have them: they would count as people."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

CALLED = re.compile(
    r"(?:grand |sub)?(?:totals?|sums?)|(?:gesamt|zwischen)?summen?|gesamt|insgesamt|totaux|somme|totale?s?|suma|soma"
    r"|totaal|(?:gesamt|grand)[ -]?(?:total|summe)|total g[eé]n[eé]ral|[Σ∑]",
    re.IGNORECASE,
)
FEWEST_ROWS = 5
"""Of fewer rows one may well be the sum of the others."""
CLOSE = 1e-9


def row_of_totals(table: pa.Table) -> tuple[str, ...]:
    """A note where the last row says that it is a total, or is the sum of all others in a column of amounts.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.read.totals import row_of_totals
    >>> row_of_totals(pa.table({"who": ["a", "b", "c", "d", "e", "Total"], "n": [1, 2, 3, 4, 5, 15]}))
    ("the last row is called a total and is the sum of all others in 'n': it would count as a person, take it out",)
    """
    if table.num_rows <= FEWEST_ROWS:
        return ()
    last = table.slice(table.num_rows - 1)
    called = any(_is_called_total(last.column(place)[0].as_py()) for place in range(table.num_columns))
    summed = [name for name, column in zip(table.column_names, table.columns, strict=True) if _is_sum(column)]
    emptier = sum(column.null_count for column in last.columns) >= max(table.num_columns // 3, 1)
    if not (called or (summed and emptier)):
        return ()
    why = ["is called a total"] if called else []
    why += ["is the sum of all others in " + ", ".join(f"'{name}'" for name in summed)] if summed else []
    return (f"the last row {' and '.join(why)}: it would count as a person, take it out",)


def _is_called_total(cell: object) -> bool:
    return isinstance(cell, str) and CALLED.fullmatch(cell.strip().rstrip(":")) is not None


def _is_sum(column: pa.ChunkedArray) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        return False
    numbers = column.cast(pa.float64(), safe=False)
    last, others = numbers[-1].as_py(), numbers.slice(0, len(numbers) - 1)
    total = pc.sum(others).as_py()
    if not last or total is None or not abs(total - last) <= CLOSE * pc.sum(pc.abs(others)).as_py():
        return False
    return bool(pc.count_distinct(others, mode="only_valid").as_py() >= FEWEST_ROWS)
