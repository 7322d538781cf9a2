"""Columns that number the rows, or nearly do: who knows the value of a person finds the row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain, islice

import pyarrow as pa

from amongst.published.source import Source
from amongst.verify.checks.all_distinct import Variety, all_distinct, varieties

NEARLY = 0.9
"""Different values for every row from which on a column nearly numbers the rows."""
FIRST_LOOK = 10_000
"""Rows that settle it for nearly every column: where they repeat values, the others are not read."""
FEW_ROWS = 10
AT_ONCE = 8
"""Columns that are read together."""


def row_numbers(source: Source, type_of_column: Mapping[str, pa.DataType], n_rows: int) -> tuple[list[str], list[str]]:
    """The columns with another value in every row, and the others with nearly as many values as rows.

    Only whole numbers and text number the rows. A text file is parsed as a whole whichever column is asked for, so
    that columns are read together.
    """
    plain = {name: of.value_type if pa.types.is_dictionary(of) else of for name, of in type_of_column.items()}
    names = [name for name, of in plain.items() if _is_countable(of, source)] if n_rows >= FEW_ROWS else []
    if source.n_distinct is not None:
        share = {name: source.n_distinct(name) / n_rows for name in names}
        ids = [name for name in names if share[name] == 1 and _is_whole(plain[name])]
        return ids, [name for name in names if share[name] >= NEARLY and name not in ids]
    found = _varieties(source, names, n_rows) if names else {}
    ids = [
        name
        for name, variety in found.items()
        if _is_whole(plain[name])
        and variety.all_distinct
        and (variety.is_exact or all_distinct(partial(source.batches, [name]), n_rows))
    ]
    return ids, [name for name, variety in found.items() if variety.share >= NEARLY and name not in ids]


def _varieties(source: Source, names: Sequence[str], n_rows: int) -> dict[str, Variety]:
    """Of the columns whose first rows have nearly as many values as rows, how many values all rows have."""
    batches = (batch for batch in source.batches(names) if batch.num_rows)
    first = None if source.head is None else source.head(names, FIRST_LOOK)
    before = [] if first is not None else list(islice(batches, 1))
    first = next(iter(before), None) if first is None else first
    if first is None:
        return {}
    few = first[:FIRST_LOOK]
    at_first = zip(names, varieties(lambda: iter([few]), few.num_rows), strict=True)
    left = [name for name, variety in at_first if variety.share >= NEARLY]
    found: dict[str, Variety] = {}
    if source.separator is not None and left:  # it is parsed as a whole anyway: go on from here
        some, left = left[:AT_ONCE], left[AT_ONCE:]
        rows = (batch.select(some) for batch in chain(before, batches))
        found.update(zip(some, varieties(lambda: rows, n_rows), strict=True))
    for at in range(0, len(left), AT_ONCE):
        some = left[at : at + AT_ONCE]
        found.update(zip(some, varieties(partial(source.batches, some), n_rows), strict=True))
    return found


def _is_whole(of: pa.DataType) -> bool:
    return bool(pa.types.is_integer(of) or pa.types.is_string(of) or pa.types.is_large_string(of))


def _is_countable(of: pa.DataType, source: Source) -> bool:
    if source.n_distinct is not None:
        return not (of.num_fields or pa.types.is_null(of) or pa.types.is_boolean(of))
    numbers = pa.types.is_floating(of) or pa.types.is_decimal(of)
    return _is_whole(of) or numbers or pa.types.is_temporal(of)
