"""Keys of tables that state none, guessed from names and values: for a draft that somebody looks over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from amongst.relations.stored import Keys, Reference

if TYPE_CHECKING:
    import pyarrow as pa


def guess_keys(tables: Mapping[str, pa.Table]) -> dict[str, Keys]:
    """A key for every table, and a reference to another one, where names and values suggest them.

    A key tells all rows apart and is named as keys are, or occurs in another table under the same name. A reference
    is a column with the name of a key, or of its table, all of whose values are keys there.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.relations.guess_keys import guess_keys
    >>> people, visits = pa.table({"id": [1, 2]}), pa.table({"person": [1, 1], "day": [3, 4]})
    >>> guess_keys({"persons": people, "visits": visits})["visits"].references[0].table
    'persons'
    """
    primary = {name: _primary(name, tables) for name in tables}
    keys = {}
    for name, table in tables.items():
        found = [
            Reference((column,), other, (key,))
            for other, key in primary.items()
            if key is not None and other != name
            for column in table.column_names
            if column != primary[name] and column in _names(other, key) and _inside(table[column], tables[other][key])
        ]
        # Of several the one nearest to this table: the one with the most rows.
        found.sort(key=lambda reference: -tables[reference.table].num_rows)
        own = primary[name]
        keys[name] = Keys(() if own is None else (own,), tuple(found[:1]))
    return keys


def _primary(name: str, tables: Mapping[str, pa.Table]) -> str | None:
    table = tables[name]
    unique = [column for column in table.column_names if _tells_apart(table[column])]
    elsewhere = {column for other, one in tables.items() if other != name for column in one.column_names}
    likely = [column for column in unique if column in elsewhere or column.lower() in _names(name, "id")]
    return likely[0] if likely else None


def _names(table: str, key: str) -> set[str]:
    """What a column that holds this key may be called."""
    single = table[:-1] if table.endswith("s") else table
    words = {table.lower(), single.lower()}
    return {key, key.lower(), *words, *(f"{word}_id" for word in words), *(f"{word}id" for word in words)} - {""}


def _tells_apart(column: pa.ChunkedArray) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    usable = pa.types.is_integer(column.type) or pa.types.is_string(column.type)
    return bool(len(column) and usable and not column.null_count and pc.count_distinct(column).as_py() == len(column))


def _inside(references: pa.ChunkedArray, keys: pa.ChunkedArray) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = references.type.value_type if pa.types.is_dictionary(references.type) else references.type
    try:
        known = keys.cast(kind).combine_chunks()
        return bool(pc.all(pc.is_in(references.cast(kind), value_set=known)).as_py())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
        return False
