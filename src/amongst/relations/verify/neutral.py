"""Tables and columns under neutral names: whatever they are called, SQL tells them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from amongst.published.spellings import folded
from amongst.relations.relation import DatabaseSchema, Link, Relation
from amongst.schema.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Neutral:
    """Published tables as the verifier's SQL knows them.

    Attributes
    ----------
    tables : dict of str to pyarrow.Table
    schema : DatabaseSchema
        Columns and tables by their neutral names.
    called : dict of str to str
        What every table is really called.
    column_called : dict of (str, str) to str
        What every column of a table (by their neutral names) is really called.
    """

    tables: dict[str, pa.Table]
    schema: DatabaseSchema
    called: dict[str, str]
    column_called: dict[tuple[str, str], str]


def neutral(tables: Mapping[str, pa.Table], schema: DatabaseSchema) -> Neutral:
    """The tables with names such as t0 and c0, dictionary-encoded columns as they are; keys have one column each."""
    name_of = {name: f"t{i}" for i, name in enumerate(schema)}
    column_of = {name: {column: f"c{i}" for i, column in enumerate(tables[name].column_names)} for name in schema}
    relations, renamed = {}, {}
    column_called: dict[tuple[str, str], str] = {}
    for name, relation in schema.items():
        own = column_of[name]
        columns = Schema({own[column]: rule for column, rule in relation.schema.items() if column in own})
        parent = None if relation.parent is None else name_of[relation.parent]
        keys = [own[key] if isinstance(key, str) else None for key in (relation.key, relation.foreign_key)]
        links = [Link((own[link.columns[0]],), name_of[link.table]) for link in relation.links]
        relations[name_of[name]] = Relation(columns, keys[0], parent, keys[1], links, relation.known)
        secret = [column for column in relation.schema.sensitive if column in own]
        table = one_spelling(_known_to_sql(tables[name]), secret)
        renamed[name_of[name]] = table.rename_columns(list(own.values()))
        column_called |= {(name_of[name], new): old for old, new in own.items()}
    called = {new: old for old, new in name_of.items()}
    return Neutral(renamed, DatabaseSchema(relations), called, column_called)


def one_spelling(table: pa.Table, names: Sequence[str]) -> pa.Table:
    """The table with sensitive texts as what all spellings of them share."""
    import pyarrow as pa

    for name in names:
        i, column = table.column_names.index(name), table.column(name)
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            coded = column.cast(kind).dictionary_encode().unify_dictionaries()
            texts = [None if text is None else folded(text) for text in _dictionary(coded).to_pylist()]
            plain = [pa.array(texts, kind).take(chunk.indices) for chunk in coded.chunks]
            table = table.set_column(i, name, pa.chunked_array(plain, kind))
    return table


def _dictionary(coded: pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa

    return coded.chunk(0).dictionary if coded.num_chunks else pa.array([], coded.type.value_type)


def _known_to_sql(table: pa.Table) -> pa.Table:
    """The table with numbers of 16 bits as those of 32, which hold the same values."""
    import pyarrow as pa

    for i, field in enumerate(table.schema):
        if pa.types.is_float16(field.type):
            table = table.set_column(i, field.name, table.column(i).cast(pa.float32()))
    return table
