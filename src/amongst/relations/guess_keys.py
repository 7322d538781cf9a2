"""Keys of tables that state none, guessed from names and values: for a draft that somebody looks over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from amongst.relations.stored import Keys, Reference

if TYPE_CHECKING:
    import pyarrow as pa

SINGLE = {"people": "person", "children": "child"}


def guess_keys(tables: Mapping[str, pa.Table], known: Mapping[str, Keys] | None = None) -> dict[str, Keys]:
    """A key for every table, and references to others, where names and values suggest them; ``known`` keys go before.

    A key tells all rows apart and is named as keys are, or occurs in another table under the same name. A reference
    is a column with the name of a key, or of its table, all of whose values are keys there. Names are compared
    without case. Of several references the one to the table with the most rows comes first: it is the nearest.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.relations.guess_keys import guess_keys
    >>> people, visits = pa.table({"id": [1, 2]}), pa.table({"PERSON": [1, 1], "day": [3, 4]})
    >>> guess_keys({"persons": people, "visits": visits})["visits"].references[0].table
    'persons'
    """
    stated = {name: keys.primary for name, keys in (known or {}).items() if keys.primary}
    primary = {name: stated.get(name) or _primary(name, tables) for name in tables}
    keys = {}
    for name, table in tables.items():
        found = [
            Reference((column,), other, own)
            for other, own in primary.items()
            if len(own) == 1 and other != name
            for column in table.column_names
            if (column,) != primary[name] and column.casefold() in _names(other, own[0])
            if _inside(table[column], tables[other][own[0]])
        ]
        found.sort(key=lambda reference: -tables[reference.table].num_rows)
        keys[name] = Keys(primary[name], tuple(found))
    return keys


def _primary(name: str, tables: Mapping[str, pa.Table]) -> tuple[str, ...]:
    """The first of: called as the key of this table, found elsewhere under its name, holding what others refer to."""
    table = tables[name]
    unique = [column for column in table.column_names if _tells_apart(table[column])]
    own = _names(name, "id")
    of_others = {called for other in tables if other != name for called in _names(other, "") - own}
    elsewhere = {column.casefold() for other, one in tables.items() if other != name for column in one.column_names}
    likely = [column for column in unique if column.casefold() in own]
    likely += [column for column in unique if column.casefold() in elsewhere - of_others]
    if not likely:
        called = own - {"id"}
        others = [
            one[c] for other, one in tables.items() if other != name for c in one.column_names if c.casefold() in called
        ]
        likely = [column for column in unique if others and all(_inside(one, table[column]) for one in others)]
    return tuple(likely[:1])


def _names(table: str, key: str) -> set[str]:
    """What a column that holds this key may be called, without case."""
    low = table.casefold()
    words = {low, SINGLE.get(low, low.removesuffix("s"))}
    return {key.casefold(), *words, *(f"{word}_id" for word in words), *(f"{word}id" for word in words)} - {""}


def _tells_apart(column: pa.ChunkedArray) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    usable = pa.types.is_integer(column.type) or pa.types.is_string(column.type)
    return bool(len(column) and usable and not column.null_count and pc.count_distinct(column).as_py() == len(column))


def _inside(references: pa.ChunkedArray, keys: pa.ChunkedArray) -> bool:
    """Whether all that is there are keys; a column without a value in any of its rows refers to nothing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = references.type.value_type if pa.types.is_dictionary(references.type) else references.type
    try:
        known = keys.cast(kind).combine_chunks()
        present = references.cast(kind).drop_null()
        return (len(present) > 0 or len(references) == 0) and bool(pc.all(pc.is_in(present, value_set=known)).as_py())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
        return False
