"""What a file can give away beside its cells: metadata, unused dictionary values, row numbers."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from amongst.published.classes import Classes
from amongst.published.finding import Finding
from amongst.published.layout import Layout
from amongst.published.source import Source
from amongst.verify.all_distinct import all_distinct, share_of_distinct
from amongst.verify.beside_cells import beside_cells, keys_beside
from amongst.verify.unused_values import has_dictionaries, n_unused

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
NEARLY = 0.9
"""Different values for every row from which on a column nearly numbers the rows."""
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
        if has_dictionaries(of) or (source.dictionaries and (text or of.num_fields)):
            unused[name] = n_unused(partial(source.batches, [name]))
    ids = [name for name, of in type_of_column.items() if _numbers_rows(source, name, of, classes.n_rows)]
    near = [
        name
        for name, of in type_of_column.items()
        if name not in ids and _may_be_known(layout, name) and _nearly_numbers(source, name, of, classes.n_rows)
    ]
    hidden = [*_unused(unused), *beside_cells(source)]
    notes = [*source.notes, *_metadata(source), *_statistics(source), *_row_numbers(ids), *_near(near)]
    # In a file of another tool such values are often just the categories there are.
    return ([], hidden + notes) if layout.foreign else (hidden, notes)


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
    if not source.dictionaries:
        return []
    from amongst.verify.statistics import untrue_statistics

    names = list(dict.fromkeys(name for part in source.parts for name in untrue_statistics(part)))
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


def _metadata(source: Source) -> list[Finding]:
    schema = source.schema
    stored = dict(schema.metadata or {})
    for one in schema:
        stored.update(_attached(one))
    notes = []
    own = {key.decode("utf-8", "replace") for key in stored if key not in KNOWN_METADATA}
    odd = sorted(own | set(keys_beside(source)))
    if odd:
        what = "The file carries metadata that is not checked."
        notes.append(Finding("metadata", what, "keys: " + ", ".join(odd), "publish without it, or look at it first"))
    return notes + _pandas_metadata(stored.get(b"pandas"))


def _attached(one: pa.Field) -> dict[bytes, bytes]:
    """What is attached to a column, and to what it consists of."""
    found = dict(one.metadata or {})
    for i in range(one.type.num_fields):
        found.update(_attached(one.type.field(i)))
    return found


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


def _may_be_known(layout: Layout, name: str) -> bool:
    """Whether a column is published as it is, and is none that people keep to themselves."""
    return name not in layout.schema or layout.schema[name].role != "sensitive"


def _nearly_numbers(source: Source, name: str, of: pa.DataType, n_rows: int) -> bool:
    """Whether a column of numbers, times or text has nearly as many values as rows."""
    of = of.value_type if pa.types.is_dictionary(of) else of
    if of.num_fields or pa.types.is_null(of) or pa.types.is_boolean(of) or n_rows < _FEW_ROWS:
        return False
    if source.n_distinct is not None:
        return source.n_distinct(name) >= NEARLY * n_rows
    first = next((batch for batch in source.batches([name]) if batch.num_rows), None)
    if first is None or not _is_countable(of):
        return False
    few = first[:_FIRST_LOOK]
    if share_of_distinct(lambda: iter([few]), few.num_rows) < NEARLY:  # settles it for nearly every column
        return False
    return share_of_distinct(partial(source.batches, [name]), n_rows) >= NEARLY


def _is_countable(of: pa.DataType) -> bool:
    text = pa.types.is_string(of) or pa.types.is_large_string(of)
    numbers = pa.types.is_integer(of) or pa.types.is_floating(of) or pa.types.is_decimal(of)
    return text or numbers or pa.types.is_temporal(of)


def _near(names: list[str]) -> list[Finding]:
    if not names:
        return []
    return [
        Finding(
            "nearly-unique",
            "Columns have nearly as many values as rows: who knows the value of a person finds the row.",
            ", ".join(f"'{name}'" for name in names),
            'round them, give them role="quasi", or publish without them',
        )
    ]


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
