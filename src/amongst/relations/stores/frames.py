"""Frames by the names of their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from amongst.read import read
from amongst.relations.stored import Stored


def read_frames(data: Mapping[str, Any], tables: Sequence[str] | None, nulls: Sequence[str]) -> Stored:
    """Pandas, polars or pyarrow tables, or paths; a pyarrow table may have no rows."""
    import pyarrow as pa

    read_tables, native = {}, {}
    for name, one in data.items():
        if tables is not None and name not in tables:
            continue
        if isinstance(one, pa.Table) and one.num_rows == 0 and one.num_columns:
            read_tables[name], native[name] = one, lambda table: table
            continue
        source = read(one, nulls=nulls)
        read_tables[name], native[name] = source.table, source.native
    return Stored(read_tables, {}, "frames", "data frames", native)
