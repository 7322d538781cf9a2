"""Do the keys hold? Every row has one, no two rows share one, and every reference leads somewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from amongst.errors import BadInput
from amongst.relations.relation import DatabaseSchema
from amongst.relations.stored import Stored
from amongst.schema.problem import Problem, are, count, raise_all

if TYPE_CHECKING:
    import pyarrow as pa


def check_keys(schema: DatabaseSchema, stored: Stored) -> dict[str, np.ndarray]:
    """For every table but the first, the row of the parent that each row refers to. Keys are of one column each.

    Raises
    ------
    BadInput
        With all problems: missing keys, keys that name two rows, references that lead nowhere.
    """
    problems: list[Problem] = []
    parent_rows = {}
    for name in schema.in_order():
        relation, table = schema[name], stored.tables[name]
        if isinstance(relation.key, str):
            problems += _own_key(name, relation.key, table.column(relation.key))
        if relation.parent is None:
            if table.num_rows == 0:
                fix = "give a database with persons"
                problems.append(Problem(f"table '{name}': no persons", fix, {"problem": "empty", "table": name}))
            continue
        key = schema[relation.parent].key
        assert isinstance(key, str)
        assert isinstance(relation.foreign_key, str)
        parents = stored.tables[relation.parent].column(key)
        rows, found = _places(name, relation.parent, table.column(relation.foreign_key), parents)
        parent_rows[name] = rows
        problems += found
    raise_all(BadInput, "The keys of the tables do not hold.", problems)
    return parent_rows


def linked_rows(schema: DatabaseSchema, stored: Stored) -> dict[tuple[str, str], np.ndarray]:
    """For every reference besides those to parents (by table and column) the row that each row refers to.

    -1 where it is missing or leads nowhere: either way it is published as missing.
    """
    rows = {}
    for name, relation in schema.items():
        for link in relation.links:
            key, (column,) = schema[link.table].key, link.columns
            assert isinstance(key, str)
            keys = stored.tables[link.table].column(key)
            rows[name, column] = found_rows(name, link.table, stored.tables[name].column(column), keys)
    return rows


def found_rows(name: str, kind: str, references: pa.ChunkedArray, keys: pa.ChunkedArray) -> np.ndarray:
    """The row that each row of a table refers to, and -1; raises where references cannot be such keys."""
    rows, found = _places(name, kind, references, keys)
    wrong = [one for one in found if one.facts["problem"] == "type"]
    raise_all(BadInput, "The keys of the tables do not hold.", wrong)
    return rows


def _own_key(name: str, key: str, column: pa.ChunkedArray) -> list[Problem]:
    import pyarrow as pa
    import pyarrow.compute as pc

    problems = []
    column = column.cast(_plain_type(column.type))
    facts = {"table": name, "column": key}
    if column.null_count:
        text = f"table '{name}': {are(column.null_count, 'row')} without a key in '{key}'"
        facts_of = {"problem": "null key", "count": column.null_count, **facts}
        problems.append(Problem(text, "give every row a key", facts_of))
    # A frame without rows may have columns of no type, whose values cannot be counted.
    distinct = 0 if pa.types.is_null(column.type) else pc.count_distinct(column, mode="only_valid").as_py()
    doubled = len(column) - column.null_count - distinct
    if doubled:
        text = f"table '{name}': '{key}' names {count(doubled, 'row')} that another row has the key of"
        problems.append(
            Problem(text, "give every row a key of its own", {"problem": "doubled key", "count": doubled, **facts})
        )
    return problems


def _places(
    name: str, parent: str, references: pa.ChunkedArray, keys: pa.ChunkedArray
) -> tuple[np.ndarray, list[Problem]]:
    import pyarrow as pa
    import pyarrow.compute as pc

    facts = {"table": name, "parent": parent}
    try:
        same = references.cast(_plain_type(keys.type))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        text = f"table '{name}': its references are of type {references.type}, the keys of '{parent}' are {keys.type}"
        return np.zeros(0, dtype=np.int64), [Problem(text, "give both columns one type", {"problem": "type", **facts})]
    found = pc.index_in(same, value_set=_whole(keys.cast(_plain_type(keys.type))), skip_nulls=True)
    problems = []
    n_null = references.null_count
    n_orphans = found.null_count - n_null
    if n_null:
        text = f"table '{name}': {are(n_null, 'row')} of nobody: the reference to '{parent}' is missing"
        problems.append(
            Problem(
                text,
                "remove these rows, give them a reference, or hang the table on a parent that every row names",
                {"problem": "null reference", "count": n_null, **facts},
            )
        )
    if n_orphans:
        text = f"table '{name}': {count(n_orphans, 'row')} with a reference to '{parent}' that leads nowhere"
        problems.append(
            Problem(
                text,
                f"remove these rows, or add what is missing in '{parent}'",
                {"problem": "orphan", "count": n_orphans, **facts},
            )
        )
    return np.asarray(found.fill_null(-1).to_numpy()).astype(np.int64), problems


def _plain_type(kind: pa.DataType) -> pa.DataType:
    import pyarrow as pa

    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    return pa.int64() if pa.types.is_integer(kind) and not pa.types.is_uint64(kind) else kind


def _whole(column: pa.ChunkedArray) -> pa.Array:
    import pyarrow as pa

    array = column.combine_chunks()
    return pa.concat_arrays(array.chunks) if isinstance(array, pa.ChunkedArray) else array
