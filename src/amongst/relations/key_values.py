"""Columns of keys as values that can be compared, and what columns of keys are called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

BARE = {"id", "key", "no", "nr", "code", "name", "number"}
"""Names that many tables give to something; they do not say of which table the key is."""

ENDS = re.compile(
    r"(^|[_\s.-])(id|key|nr|no|num|number|ref|fk|uuid|guid)$|^(id|fk)[_\s.-]|[a-z](Id|ID|Key|Nr|No|Ref)$", re.A
)


def called_a_key(column: str) -> bool:
    """Whether a column is called as keys and references are, of whatever table.

    Examples
    --------
    >>> from amongst.relations.key_values import called_a_key
    >>> [called_a_key(name) for name in ("mother_id", "ReportsToId", "paid", "age")]
    [True, True, False, False]
    """
    return ENDS.search(column) is not None or ENDS.search(column.lower()) is not None


def comparable(column: pa.ChunkedArray) -> pa.Array | None:
    """Whole numbers as int64, texts as strings; None for what no key is: numbers with fractions, dates, truth values.

    Frames hold whole numbers with missing ones among them as floats: those are whole numbers again.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    column = column.cast(kind)
    if pa.types.is_floating(kind):
        column = pc.if_else(pc.is_nan(column.cast(pa.float64())), None, column.cast(pa.float64()))
        whole = pc.all(pc.equal(pc.floor(column), column)).as_py()
        kind = pa.int64() if whole else kind
    if pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        try:
            column = column.cast(pa.int64())
        except pa.ArrowInvalid:  # too large, or with fractions
            column = column.cast(pa.string())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
        column = column.cast(pa.string())
    else:
        return None
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.nulls(0, column.type)


def key_names(table: str, key: str) -> set[str]:
    """What a column that holds this key is called, in small letters, where the name alone says so."""
    single = table[:-1] if table.endswith("s") else table
    words = {table.lower(), single.lower()}
    joined = {f"{word}{end}" for word in words for end in ("_id", "id", "_key", "_nr", "_no", "_number")}
    return joined | ({key.lower()} - BARE)
