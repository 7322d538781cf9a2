"""What a file can give away beside its cells: metadata, unused dictionary values, row numbers."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from amongst.verify.all_distinct import all_distinct
from amongst.verify.classes import Classes
from amongst.verify.layout import Layout
from amongst.verify.source import Source
from amongst.verify.unused_values import n_unused
from amongst.verify.verdict import Finding

KNOWN_METADATA = {b"ARROW:schema", b"pandas", b"PARQUET:field_id"}
KNOWN_PANDAS = {
    "index_columns",
    "column_indexes",
    "columns",
    "creator",
    "pandas_version",
    "attributes",
    "partition_columns",
}
"""What pandas itself writes about a frame."""
_FIRST_LOOK = 10_000
_FEW_ROWS = 10
_SMALL_TABLE = 1 << 20
"""Rows of which a column can be looked at as a whole."""


def check_leaks(source: Source, layout: Layout, classes: Classes) -> tuple[list[Finding], list[Finding]]:
    """Findings and notes about what lies beside the quasi-identifiers."""
    type_of_column = {name: source.schema.field(name).type for name in layout.others}
    unused = {leaf.column: column.n_unused for leaf, column in classes.tally.columns.items()}
    for name, of in type_of_column.items():
        text = pa.types.is_string(of) or pa.types.is_large_string(of)
        if pa.types.is_dictionary(of) or (source.dictionaries and text):
            unused[name] = n_unused(partial(source.batches, [name]))
    ids = [name for name, of in type_of_column.items() if _numbers_rows(source, name, of, classes.n_rows)]
    notes = [*source.notes, *_metadata(source.schema), *_statistics(source), *_row_numbers(ids)]
    # In a file of another tool such values are often just the categories there are.
    return ([], _unused(unused) + notes) if layout.foreign else (_unused(unused), notes)


def _unused(n_unused_of_column: dict[str, int]) -> list[Finding]:
    """Values in a dictionary that no row has: those of suppressed rows, or the values before recoding."""
    return [
        Finding(
            "unused-values",
            f"The stored dictionary of '{name}' holds values that no row has.",
            f"{n_unused:,} such values",
            "drop unused categories before writing (in pandas: .cat.remove_unused_categories())",
        )
        for name, n_unused in n_unused_of_column.items()
        if n_unused
    ]


def _statistics(source: Source) -> list[Finding]:
    if source.path is None or not source.dictionaries:
        return []
    from amongst.verify.statistics import untrue_statistics

    names = untrue_statistics(source.path)
    if not names:
        return []
    return [
        Finding(
            "statistics",
            "The file stores smallest or largest values that no row has.",
            ", ".join(f"'{name}'" for name in names),
            "write it without statistics, or anew from the published table",
        )
    ]


def _metadata(schema: pa.Schema) -> list[Finding]:
    stored = dict(schema.metadata or {})
    for one in schema:
        stored.update(one.metadata or {})
    notes = []
    odd = sorted(key.decode("utf-8", "replace") for key in stored if key not in KNOWN_METADATA)
    if odd:
        what = "The file carries metadata that is not checked."
        notes.append(Finding("metadata", what, "keys: " + ", ".join(odd), "publish without it, or look at it first"))
    return notes + _pandas_metadata(stored.get(b"pandas"))


def _pandas_metadata(stored: bytes | None) -> list[Finding]:
    """pandas notes the index of a frame, and what a user attached to it."""
    if stored is None:
        return []
    try:
        pandas: Any = json.loads(stored)
        index = pandas.get("index_columns") or []
        attached = pandas.get("attributes") or {}
    except (ValueError, AttributeError):
        return [Finding("metadata", "The file's pandas metadata cannot be read.", "no JSON object")]
    notes = []
    odd = sorted(str(key) for key in set(pandas) - KNOWN_PANDAS)
    if odd:
        what = "The file's pandas metadata has entries that pandas does not write."
        notes.append(
            Finding("metadata", what, "keys: " + ", ".join(odd[:10]), "publish without it, or look at it first")
        )
    plain = [one for one in index if isinstance(one, dict) and one.get("start") == 0 and one.get("step") == 1]
    if len(plain) < len(index):
        found = f"{len(index) - len(plain)} index columns or ranges"
        notes.append(Finding("index", "The file's pandas metadata names an index.", found, "write with index=False"))
    if attached:
        found = f"{len(attached)} attributes of the frame"
        notes.append(Finding("metadata", "The file carries attributes that are not checked.", found, "clear df.attrs"))
    return notes


def _numbers_rows(source: Source, name: str, of: pa.DataType, n_rows: int) -> bool:
    """Whether a column of whole numbers or text has another value in every row."""
    of = of.value_type if pa.types.is_dictionary(of) else of
    whole = pa.types.is_integer(of) or pa.types.is_string(of) or pa.types.is_large_string(of)
    if not whole or n_rows < _FEW_ROWS:
        return False
    if source.n_distinct is not None:
        return source.n_distinct(name) == n_rows
    if n_rows <= _SMALL_TABLE:
        parts = [_decoded(batch.column(0)) for batch in source.batches([name])]
        return _all_distinct(parts[0][:_FIRST_LOOK]) and _all_distinct(pa.chunked_array(parts))
    # One look at the first rows settles it for nearly every column.
    first = next(source.batches([name])).column(0)
    return _all_distinct(_decoded(first[:_FIRST_LOOK])) and all_distinct(partial(source.batches, [name]), n_rows)


def _decoded(column: pa.Array) -> pa.Array:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _all_distinct(values: pa.Array | pa.ChunkedArray) -> bool:
    return values.null_count == 0 and pc.count_distinct(values).as_py() == len(values)


def _row_numbers(names: list[str]) -> list[Finding]:
    if not names:
        return []
    return [
        Finding(
            "row-number",
            "Columns have another value in every row: who knows it finds the row.",
            ", ".join(f"'{name}'" for name in names),
            "publish without them where they number or name the rows",
        )
    ]
