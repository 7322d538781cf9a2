"""Statistics that a Parquet file stores beside its cells: they may name values that no row has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from amongst.published.parquet_footer import refuse_odd_sizes
from amongst.published.source import readable


def untrue_statistics(path: Path) -> list[str]:
    """The columns with a stored smallest or largest value that no row of its row group has.

    Some tools work them out before a table is recoded, or cut long texts: either way they say what no cell says.
    """
    found: list[str] = []
    with readable(path.name, "Parquet"), pq.ParquetFile(path) as file:
        leaves = [file.schema.column(i) for i in range(len(file.schema))]
        refuse_odd_sizes(path, [(leaf.max_definition_level, leaf.max_repetition_level) for leaf in leaves])
        flat = set(file.schema_arrow.names)
        for group in range(file.metadata.num_row_groups):
            for place in range(file.metadata.num_columns):
                column = file.metadata.row_group(group).column(place)
                name, stored = column.path_in_schema, column.statistics
                if name in found or name not in flat or stored is None or not stored.has_min_max:
                    continue
                if not _are_there(file, group, name, (stored.min, stored.max)):
                    found.append(name)
    return found


def _are_there(file: pq.ParquetFile, group: int, name: str, values: tuple[Any, Any]) -> bool:
    cells = file.read_row_group(group, columns=[name]).select([name]).column(0)
    try:
        return all(pc.any(pc.equal(cells, pa.scalar(value).cast(cells.type))).as_py() for value in values)
    except (pa.ArrowException, ValueError, TypeError):  # of a type that cannot be compared so
        return True
