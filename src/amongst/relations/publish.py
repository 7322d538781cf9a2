"""From groups to published tables: cells generalized, rows without a partner gone, keys random."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from amongst.brief import Brief
from amongst.encode.coded import CodedColumn
from amongst.encode.rank import whole_dictionary
from amongst.kernels.relations import Grouped
from amongst.recode.labels import ancestor_labels, range_labels
from amongst.relations.content_order import column_ranks, content_numbers
from amongst.relations.forest import Forest
from amongst.relations.shared_links import groups_with_alike_rows, shared_links
from amongst.relations.staying import as_those_who_stay_have
from amongst.relations.stored import Stored
from amongst.schema.column import Column

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class PublishedTables(Brief):
    """The published tables.

    Attributes
    ----------
    tables : dict of str to pyarrow.Table
        In the schema's order; columns as in the input, without identifiers.
    input_row : dict of str to ndarray
        The input row that every published row stands for. For study and proof; never written.
    """

    tables: dict[str, pa.Table]
    input_row: dict[str, np.ndarray]

    def with_tables(self, tables: dict[str, pa.Table]) -> PublishedTables:
        """The same rows in other tables."""
        return PublishedTables(tables, self.input_row)


def publish(
    forest: Forest,
    stored: Stored,
    grouped: Grouped,
    seed: int = 0,
    linked: Mapping[tuple[str, str], np.ndarray] = {},
    *,
    spread: bool = False,
) -> PublishedTables:
    """Replace the quasi-identifiers of every row by what its node publishes, and the keys by random ones.

    Rows lie in the order of their keys. Keys are dealt out at random to the rows in the order of what is published,
    so neither says anything about the order of the input. ``linked`` has the input rows that other references lead
    to; they are published where all persons of a group have them, from the same row to the same row. Where sensitive
    values are ``spread`` among rows that look alike, references do not tell such rows apart.
    """
    forest, grouped = as_those_who_stay_have(forest, stored, grouped)
    kept = [np.flatnonzero(node >= 0) for node in grouped.node_of_row]
    contents = [_content(forest, stored, grouped, t, kept[t]) for t in range(len(kept))]
    up = [None if t == 0 else _parent_among_kept(forest, kept, t) for t in range(len(kept))]
    order, key = _deal_keys(forest, contents, up, kept, seed)
    without = np.zeros(int(grouped.group_of_person.max(initial=-1)) + 1, dtype=bool)
    if linked and spread:
        columns = [[contents[t][c] for c in forest.schema[name].schema.quasi] for t, name in enumerate(forest.names)]
        without = groups_with_alike_rows(forest, grouped, lambda t, rows: [column_ranks(one) for one in columns[t]])
    shared = {place: shared_links(forest, grouped, *place, rows, without) for place, rows in linked.items()}
    if linked:
        key = _aligned(forest, grouped, up, kept=kept, key=key, seed=seed)
        order = [np.argsort(one) for one in key]
    tables, input_row = {}, {}
    for t, name in enumerate(forest.names):
        content = contents[t] | {
            column: _linked(forest, stored, own, name, column, kept=kept, key=key)
            for (table, column), own in shared.items()
            if table == name
        }
        tables[name] = _table(forest, stored, t=t, content=content, kept=kept, key=key, up=up[t], order=order[t])
        input_row[name] = forest.row_of[t][kept[t]][order[t]]
    in_schema_order = {name: tables[name] for name in forest.schema}
    return PublishedTables(in_schema_order, input_row)


def _parent_among_kept(forest: Forest, kept: list[np.ndarray], t: int) -> np.ndarray:
    return np.searchsorted(kept[forest.tables[t].parent], forest.parent_rows(t)[kept[t]])


def _content(forest: Forest, stored: Stored, grouped: Grouped, t: int, rows: np.ndarray) -> dict[str, pa.ChunkedArray]:
    """The published columns that are no keys, row by row as the forest has them."""
    import pyarrow as pa

    name = forest.names[t]
    schema, original = forest.schema[name].schema, stored.tables[name]
    made: dict[str, pa.ChunkedArray] = {}
    place = {column.name: c for c, column in enumerate(forest.columns[t])}
    for column in original.column_names:
        if column not in schema or schema[column].role == "identifier":
            continue
        if column in place:
            c = place[column]
            lo, hi = grouped.lo[t][rows, c], grouped.hi[t][rows, c]
            made[column] = pa.chunked_array([labels(forest.columns[t][c], schema[column], lo, hi)])
        else:
            cells = original.column(column).take(pa.array(forest.row_of[t][rows]))
            if grouped.withheld is not None and schema[column].role == "sensitive":
                cells = _missing_where(cells, grouped.withheld[t][rows, schema.sensitive.index(column)])
            made[column] = _only_used(cells)
    return made


def _missing_where(cells: pa.ChunkedArray, hidden: np.ndarray) -> pa.ChunkedArray:
    """The cells, missing where they are withheld."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not hidden.any():
        return cells
    plain = cells.cast(cells.type.value_type) if pa.types.is_dictionary(cells.type) else cells
    return pc.if_else(pa.array(hidden), pa.scalar(None, plain.type), plain)


def _only_used(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column without values that no published row has: a file would show those of rows that are suppressed."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        return column
    return column.cast(column.type.value_type).dictionary_encode()


def labels(column: CodedColumn, rule: Column, lo: np.ndarray, hi: np.ndarray) -> pa.DictionaryArray:
    """What is published for ranges of codes, as text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    pairs, index = np.unique(lo.astype(np.int64) << 32 | hi, return_inverse=True)
    lo, hi = pairs >> 32, pairs & 0xFFFFFFFF
    if rule.publish == "ancestor" and column.tree is not None and len(pairs):
        texts = ancestor_labels(column, lo, hi)
    else:
        texts = range_labels(column, lo, hi, rule.grid)
    array = whole_dictionary(pc.dictionary_encode(pa.chunked_array([texts.cast(pa.string())])))
    return pa.DictionaryArray.from_arrays(array.indices.take(pa.array(index.reshape(-1))), array.dictionary)


def _deal_keys(
    forest: Forest,
    contents: list[dict[str, pa.ChunkedArray]],
    up: list[np.ndarray | None],
    kept: list[np.ndarray],
    seed: int,
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """For every table the kept rows in the order of their keys, and the key of every kept row."""
    ranks = [
        [np.zeros(len(rows), dtype=np.int64), *map(column_ranks, content.values())]
        for rows, content in zip(kept, contents, strict=True)
    ]
    numbers = content_numbers([table.parent for table in forest.tables], up, ranks)
    order: list[np.ndarray] = []
    key: list[np.ndarray] = []
    for t in range(len(kept)):
        above = np.zeros(len(kept[t]), dtype=np.int64) if t == 0 else key[forest.tables[t].parent][up[t]]
        by_content = np.lexsort((above, numbers[t]))
        dealt = np.random.default_rng([seed, t, 1]).permutation(len(by_content))
        own = np.empty(len(by_content), dtype=np.int64)
        own[by_content] = dealt + 1
        own = above if forest.schema[forest.names[t]].one_to_one else own
        key.append(own)
        order.append(np.argsort(own))
    return order, key


def _aligned(
    forest: Forest,
    grouped: Grouped,
    up: list[np.ndarray | None],
    *,
    kept: list[np.ndarray],
    key: list[np.ndarray],
    seed: int,
) -> list[np.ndarray]:
    """The keys of every person's rows in one order for all persons of a group, drawn at random.

    A reference tells which of several rows that look alike it leads to. With such keys the verifier can say, from the
    published tables alone, which rows of two persons stand for each other.
    """
    made: list[np.ndarray] = []
    for t, name in enumerate(forest.names):
        if forest.schema[name].one_to_one:
            made.append(made[forest.tables[t].parent][up[t]])
            continue
        if not forest.schema[name].in_trees:
            made.append(key[t])
            continue
        person = forest.person_of[t][kept[t]]
        paired = grouped.group_of_person[person].astype(np.int64) << 32 | grouped.node_of_row[t][kept[t]]
        number = np.unique(paired, return_inverse=True)[1].reshape(-1)
        place = np.random.default_rng([seed, t, 3]).permutation(int(number.max(initial=-1)) + 1)[number]
        own = np.empty(len(key[t]), dtype=np.int64)
        own[np.lexsort((place, person))] = key[t][np.lexsort((key[t], person))]
        made.append(own)
    return made


def _linked(
    forest: Forest,
    stored: Stored,
    rows: np.ndarray,
    name: str,
    column: str,
    *,
    kept: list[np.ndarray],
    key: list[np.ndarray],
) -> pa.ChunkedArray:
    """The new keys of the rows that a reference leads to (rows of the forest, -1 for none), of the kept rows."""
    import pyarrow as pa

    t, link = forest.names.index(name), next(k for k in forest.schema[name].links if k.columns == (column,))
    u = forest.names.index(link.table)
    targets = rows[kept[t]]
    there = targets >= 0
    place = np.searchsorted(kept[u], np.maximum(targets, 0))
    numbers = key[u][np.minimum(place, max(len(key[u]) - 1, 0))] if len(key[u]) else np.zeros(len(targets), np.int64)
    kind = _key_type(forest, stored, u, kept[u])
    new = as_key(numbers, kind)
    return pa.chunked_array([pc_if(there, new)])


def _key_type(forest: Forest, stored: Stored, t: int, kept: np.ndarray) -> pa.DataType:
    """The type that the key of a table has in the rows that are published."""
    name = forest.names[t]
    return stored.type_in(name, str(forest.schema[name].key), forest.row_of[t][kept])


def pc_if(there: np.ndarray, values: pa.Array) -> pa.Array:
    """The values where they are there, missing elsewhere."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.if_else(pa.array(there), values, pa.scalar(None, values.type))


def _table(
    forest: Forest,
    stored: Stored,
    t: int,
    content: dict[str, pa.ChunkedArray],
    kept: list[np.ndarray],
    key: list[np.ndarray],
    up: np.ndarray | None,
    order: np.ndarray,
) -> pa.Table:
    import pyarrow as pa

    name = forest.names[t]
    relation, original = forest.schema[name], stored.tables[name]
    columns = {}
    for column in original.column_names:
        if column in content:
            columns[column] = content[column].take(pa.array(order))
        elif column == relation.key:
            columns[column] = as_key(key[t][order], _key_type(forest, stored, t, kept[t]))
        elif column == relation.foreign_key:
            assert up is not None
            above = forest.tables[t].parent
            columns[column] = as_key(key[above][up][order], _key_type(forest, stored, above, kept[above]))
    return pa.table(columns)


def as_key(numbers: np.ndarray, kind: pa.DataType) -> pa.Array:
    """Keys as whole numbers where they were, else as text."""
    import pyarrow as pa

    keys = pa.array(numbers)
    return keys if pa.types.is_integer(kind) else keys.cast(pa.string())
