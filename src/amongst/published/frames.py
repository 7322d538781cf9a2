"""Tables in memory: pyarrow, pandas, polars and whatever else narwhals knows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from amongst.errors import BadInput
from amongst.published.finding import Finding
from amongst.published.source import Source, refuse_duplicates

_NAME = "the table"


def open_frame(frame: Any) -> Source:
    """A table in memory as a source."""
    notes = _index_notes(frame)
    table = frame if isinstance(frame, pa.Table) else _to_arrow(frame)
    refuse_duplicates(_NAME, table.column_names)

    def batches(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        rows = table.select(list(names))
        small = names and rows.column(0).num_chunks > 1 + len(rows) // 10_000
        if small and not any(pa.types.is_dictionary(of) for of in rows.schema.types):
            rows = rows.combine_chunks()  # many small pieces cost more than one copy
        yield from rows.to_batches()

    return Source(_NAME, table.schema, batches, notes=notes)


def _to_arrow(frame: Any) -> pa.Table:
    import narwhals as nw

    if _is_pandas(frame):
        refuse_duplicates(_NAME, [str(column) for column in frame.columns])
    try:
        eager = nw.from_native(frame)
    except TypeError:
        raise BadInput(
            "This is nothing that can be verified.",
            found=f"an object of type {type(frame).__name__}",
            fix="give a path, or a pyarrow, pandas or polars table",
        ) from None
    eager = eager.collect() if isinstance(eager, nw.LazyFrame) else eager
    try:
        table = eager.to_arrow()
    except (pa.ArrowException, TypeError):
        raise BadInput(
            "A column of the table has values of several types.",
            found="values that Arrow cannot put in one column",
            fix="give every column one type",
        ) from None
    # narwhals hands a pandas index over as a further column; the note about it is made elsewhere.
    own = set(map(str, eager.columns))
    table = table.select([name for name in table.column_names if name in own])
    return table.replace_schema_metadata(None)


def _is_pandas(frame: Any) -> bool:
    return type(frame).__module__.split(".")[0] == "pandas" and hasattr(frame, "columns")


def _index_notes(frame: Any) -> list[Finding]:
    """A pandas index other than 0, 1, 2 ... is written along by default, and then tells rows apart."""
    if not _is_pandas(frame):
        return []
    index = frame.index
    plain = type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)
    if plain:
        return []
    return [
        Finding(
            "index",
            "The frame has an index, which is not checked here.",
            f"an index of type {type(index).__name__}",
            "write the frame without its index (index=False), or drop it with reset_index(drop=True)",
        )
    ]
