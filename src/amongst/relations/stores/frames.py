"""Frames by the names of their tables."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from amongst.read import read
from amongst.read.frame import read_frame
from amongst.relations.stored import Stored


def read_frames(data: Mapping[str, Any], tables: Sequence[str] | None, nulls: Sequence[str]) -> Stored:
    """Pandas, polars or pyarrow tables, which may have no rows, or paths."""
    sources = {}
    for name, one in data.items():
        if tables is not None and name not in tables:
            continue
        is_path = isinstance(one, (str, os.PathLike))
        sources[name] = read(one, nulls=nulls) if is_path else read_frame(one, may_be_empty=True)
    return Stored(
        tables={name: source.table for name, source in sources.items()},
        keys={},
        kind="frames",
        name="data frames",
        native={name: source.native for name, source in sources.items()},
        spelled={name: source.spelled for name, source in sources.items()},
        text=frozenset(name for name, source in sources.items() if source.layout is not None),
    )
