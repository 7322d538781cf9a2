"""Keys of several columns as one column, and back: everything between knows keys of one column alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from amongst.relations.relation import DatabaseSchema, Key, Link, Relation, columns_of

if TYPE_CHECKING:
    import pyarrow as pa


def joined_name(columns: Iterable[str]) -> str:
    """What the one column is called that stands for several.

    Examples
    --------
    >>> from amongst.relations.wide_keys import joined_name
    >>> joined_name(["id"]), joined_name(["ward", "bed"])
    ('id', 'ward, bed')
    """
    return ", ".join(columns)


def narrowed(schema: DatabaseSchema, tables: Mapping[str, pa.Table]) -> tuple[DatabaseSchema, dict[str, pa.Table]]:
    """The schema with keys of one column each, and the tables with such columns added."""
    relations, made = {}, dict(tables)
    for name, relation in schema.items():
        relations[name] = _narrow(relation)
        for columns in _wide(relation):
            if name in made and joined_name(columns) not in made[name].column_names:
                made[name] = made[name].append_column(joined_name(columns), _joined(made[name], columns))
    return schema.of(relations), made


def _narrow(relation: Relation) -> Relation:
    def one(key: Key | None) -> str | None:
        return joined_name(columns_of(key)) or None

    links = [Link((joined_name(link.columns),), link.table) for link in relation.links]
    return replace(relation, key=one(relation.key), foreign_key=one(relation.foreign_key), references=links)


def _wide(relation: Relation) -> list[tuple[str, ...]]:
    held = [columns_of(relation.key), columns_of(relation.foreign_key), *(link.columns for link in relation.links)]
    return [columns for columns in dict.fromkeys(held) if len(columns) > 1]


def _joined(table: pa.Table, columns: tuple[str, ...]) -> pa.ChunkedArray:
    """The parts as one text, each after its length, so that no two keys become one; missing where a part is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parts = []
    for column in columns:
        text = table.column(column)
        text = text.cast(text.type.value_type) if pa.types.is_dictionary(text.type) else text
        text = text.cast(pa.string())
        parts += [pc.utf8_length(text).cast(pa.string()), text]
    return pc.binary_join_element_wise(*parts, " ")


def widened(
    published: Mapping[str, pa.Table],
    schema: DatabaseSchema,
    original: Mapping[str, pa.Table],
    type_of: Callable[[str, str], pa.DataType],
) -> dict[str, pa.Table]:
    """Published tables with new keys in all columns that held the old ones, of the types that ``type_of`` tells.

    A part of a key that is a part of the reference to the parent as well follows the parent; the others hold the
    number that was dealt to the row.
    """
    made = dict(published)
    for name in schema.in_order():
        relation, columns = schema[name], columns_of(schema[name].key)
        if len(columns) > 1:
            own = made[name].column(joined_name(columns))
            made[name] = _with(made[name], {c: _as_held(own, type_of(name, c)) for c in columns})
        made[name] = _with_parts(made, name, columns_of(relation.foreign_key), relation.parent, schema)
        if isinstance(relation.foreign_key, str):
            dealt = published[name].column(relation.foreign_key)
            made[name] = _with(made[name], {relation.foreign_key: dealt})
    for name, relation in schema.items():
        for link in relation.links:
            fixed = {*columns_of(relation.foreign_key), *columns_of(relation.key)}
            made[name] = _with_parts(made, name, link.columns, link.table, schema, fixed)
    return {
        name: _in_its_order(table, original[name], schema[name]) if name in schema else table
        for name, table in made.items()
    }


def _in_its_order(table: pa.Table, original: pa.Table, relation: Relation) -> pa.Table:
    """The columns as they were, without those that were joined, and then what was added to them."""
    held = [relation.key, relation.foreign_key, *(link.columns for link in relation.links)]
    joined = {joined_name(columns_of(one)) for one in held if len(columns_of(one)) > 1}
    own = [column for column in original.column_names if column in table.column_names]
    return table.select(own + [name for name in table.column_names if name not in (*own, *joined)])


def _as_held(own: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    import pyarrow as pa

    return own.cast(pa.int64()) if pa.types.is_integer(kind) else own


def _with(table: pa.Table, parts: Mapping[str, pa.ChunkedArray]) -> pa.Table:
    for column, one in parts.items():
        if column in table.column_names:
            table = table.set_column(table.column_names.index(column), column, one)
        else:
            table = table.append_column(column, one)
    return table


def _with_parts(
    made: Mapping[str, pa.Table],
    name: str,
    columns: tuple[str, ...],
    other: str | None,
    schema: DatabaseSchema,
    fixed: Iterable[str] = (),
) -> pa.Table:
    """The table with the parts of another table's key in these columns, row by row as its references lead there."""
    import pyarrow.compute as pc

    if len(columns) < 2 or other is None:
        return made[name]
    parts = columns_of(schema[other].key)
    keys = made[other].column(joined_name(parts)).combine_chunks()
    place = pc.index_in(made[name].column(joined_name(columns)), value_set=keys, skip_nulls=True)
    held = {own: made[other].column(part).take(place) for own, part in zip(columns, parts, strict=True)}
    return _with(made[name], {own: one for own, one in held.items() if own not in fixed})
