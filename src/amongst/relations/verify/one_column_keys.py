"""Published keys of several columns as one, for the verifier's SQL alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from amongst.relations.relation import DatabaseSchema, Link, columns_of

if TYPE_CHECKING:
    import pyarrow as pa


def with_one_column_keys(
    schema: DatabaseSchema, tables: Mapping[str, pa.Table]
) -> tuple[DatabaseSchema, dict[str, pa.Table]]:
    """Schema and tables with a column for every key and reference that had several."""
    relations, made = {}, dict(tables)
    for name, relation in schema.items():
        held = [columns_of(relation.key), columns_of(relation.foreign_key), *(link.columns for link in relation.links)]
        named = {columns: "&".join(columns) for columns in held}
        for columns, one in named.items():
            if len(columns) > 1:
                made[name] = made[name].append_column(one, _texts(made[name], columns))
        links = [Link((named[link.columns],), link.table) for link in relation.links]
        relations[name] = replace(
            relation, key=named[held[0]] or None, foreign_key=named[held[1]] or None, references=links
        )
    return schema.of(relations), made


def _texts(table: pa.Table, columns: tuple[str, ...]) -> pa.ChunkedArray:
    """The parts of a key in one text, with marks that no part can hold."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = []
    for column in columns:
        cells = table.column(column)
        plain = cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
        parts.append(pc.replace_substring(plain.cast(pa.string()), "|", "||"))
    return pc.binary_join_element_wise(*parts, "|,")
