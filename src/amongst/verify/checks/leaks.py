"""What a file can give away beside its cells: metadata, unused dictionary values, row numbers."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pyarrow as pa

from amongst.published.classes import Classes
from amongst.published.finding import Finding
from amongst.published.layout import Layout
from amongst.published.source import Source
from amongst.verify.checks.beside_cells import beside_cells, keys_beside
from amongst.verify.checks.unused_values import has_dictionaries, n_unused
from amongst.verify.row_numbers import row_numbers

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


def check_leaks(source: Source, layout: Layout, classes: Classes) -> tuple[list[Finding], list[Finding]]:
    """Findings and notes about what lies beside the quasi-identifiers."""
    type_of_column = {name: source.schema.field(name).type for name in layout.others}
    unused = {leaf.column: column.n_unused for leaf, column in classes.tally.columns.items()}
    for name, of in type_of_column.items():
        text = pa.types.is_string(of) or pa.types.is_large_string(of)
        if has_dictionaries(of) or (source.dictionaries and (text or of.num_fields)):
            unused[name] = n_unused(partial(source.batches, [name]))
    ids, near = row_numbers(source, type_of_column, classes.n_rows)
    near = [name for name in near if _may_be_known(layout, name)]
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
    from amongst.verify.checks.statistics import untrue_statistics

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


def _may_be_known(layout: Layout, name: str) -> bool:
    """Whether a column is published as it is, and is none that people keep to themselves."""
    return name not in layout.schema or layout.schema[name].role != "sensitive"


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
