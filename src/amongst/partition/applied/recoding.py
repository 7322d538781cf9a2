"""A saved recoding applied to other rows: no search, every row goes to the class that covers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.encode.encode import numbers
from amongst.encode.node_ends import ends_of_node
from amongst.encode.rank import smallest_dtype
from amongst.errors import BadOption, BadSchema
from amongst.kernels.holds import holds_by_class
from amongst.models import Model
from amongst.partition.applied.find_class import find_class
from amongst.partition.feasible import feasible_conditions, refuse_small_table
from amongst.partition.frequency_sets import level_maps
from amongst.partition.method import Method
from amongst.partition.partition import Partition
from amongst.partition.pricing import prices_of
from amongst.recode.saved import ALL, SavedRecoding

if TYPE_CHECKING:
    import pyarrow as pa

Ends = tuple[np.ndarray, np.ndarray]
"""The first and last code of everything that a column publishes; -1 where no row can have it."""


def recoding(
    table: CodedTable,
    models: Sequence[Model],
    *,
    recoding: SavedRecoding | str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Partition:
    """The classes of a saved recoding, for the rows of another table.

    Guarantees
        Every row is covered by its class. A row that a class covers widens nothing, so where all rows are covered and
        every class holds the models, the labels are those that were saved. Equal rows stay together.
    Choices
        Of several classes that cover a row, the one of least loss. A row that none covers goes to the class that has to
        be widened least. A class that does not hold the models is joined with the one where that costs least.
    Cost
        One way down a tree of clean cuts between the classes; where classes overlap, a look at each of them.
    """
    saved = loaded(recoding)
    conditions = feasible_conditions(table, models)
    refuse_small_table(table, conditions.k)
    if saved.is_product:
        partition = _combinations(table, saved)
    else:
        lo, hi = _boxes(table, saved)
        partition = find_class(table, lo, hi, prices_of(table))
    if partition.level_of_column is not None or partition.set_of_code is not None:
        held = holds_by_class(conditions, partition.group_of_row, partition.n_groups, table.count)
        return (
            partition
            if held.all()
            else _joined(
                table, replace(partition, level_of_column=None, set_of_code=None, nodes="hierarchy"), conditions
            )
        )
    return _joined(table, replace(partition, nodes=saved.nodes), conditions)


def loaded(recoding: Any) -> SavedRecoding:
    """The recoding, read from its file where it is one."""
    if isinstance(recoding, SavedRecoding):
        return recoding
    if recoding is None or not isinstance(recoding, (str, Path)):
        raise BadOption(
            "A saved recoding is needed.",
            found=f"recoding is of type {type(recoding).__name__}",
            fix="give am.Recoding.load(...), or the file that was saved",
        )
    return SavedRecoding.load(recoding)


def with_saved_ends(table: CodedTable, options: Mapping[str, Any]) -> CodedTable:
    """The table with codes for the saved ends of ranges too, so that they can be published though no row has them."""
    saved = loaded(options.get("recoding"))
    names = [column.name for column in table.columns]
    if set(names) != set(saved.columns):
        odd = sorted(set(names) ^ set(saved.columns))
        raise BadSchema(
            "The recoding is of other quasi-identifiers.",
            found="in one of both only: " + ", ".join(f"'{name}'" for name in odd),
            fix="give the schema that it was found with",
        )
    return replace(table, columns=[_with_ends(column, saved) for column in table.columns])


def _with_ends(column: CodedColumn, saved: SavedRecoding) -> CodedColumn:
    ends = [
        end
        for token in saved.columns[column.name].get("tokens", ())
        if isinstance(token, dict)
        for end in token.get("range", ())
    ]
    if not ends or column.tree is not None or column.position is None:
        return column
    import pyarrow as pa
    import pyarrow.compute as pc

    known = pc.index_in(_typed(ends, column), column.values).null_count == 0
    by_rank = column.kind in ("ordered", "categorical")
    if known and by_rank:
        return column
    both = pc.unique(pa.concat_arrays([column.values, _typed(ends, column)]))
    values = both.take(pc.array_sort_indices(both))
    new = pc.index_in(column.values, values).to_numpy(zero_copy_only=False).astype(np.int64)
    null = column.null_code
    code = np.append(new, len(values)) if null is not None else new
    position = np.arange(len(values), dtype=np.float64) if by_rank else numbers(values)
    return replace(
        column,
        codes=code.astype(smallest_dtype(len(values) + 1))[column.codes],
        values=values,
        position=position,
        lowest=float(position.min()),
        span=float(position.max() - position.min()),
        null_code=None if null is None else len(values),
    )


def _typed(texts: Sequence[str], column: CodedColumn) -> pa.Array:
    """Saved texts as values of the column's own type."""
    import pyarrow as pa

    try:
        return pa.array(texts, pa.string()).cast(column.values.type)
    except pa.ArrowInvalid:
        raise BadSchema(
            f"The recoding has other values in '{column.name}' than the table.",
            found=f"the table's are of type {column.values.type}",
            fix="give a table of the same types as the one that the recoding was found for",
        ) from None


def _boxes(table: CodedTable, saved: SavedRecoding) -> Ends:
    """The first and last code of every class in every column; classes that no row can be in are left out."""
    order = [list(saved.columns).index(column.name) for column in table.columns]
    places = np.array(saved.classes, dtype=np.int64)[:, order]
    ends = [ends_of_tokens(column, saved.columns[column.name]["tokens"]) for column in table.columns]
    lo = np.stack([first[places[:, c]] for c, (first, _) in enumerate(ends)], axis=1)
    hi = np.stack([last[places[:, c]] for c, (_, last) in enumerate(ends)], axis=1)
    there = (lo >= 0).all(axis=1) & (hi >= lo).all(axis=1)
    if not there.any():
        return np.zeros((1, table.n_qi), dtype=np.int64), np.array(
            [[max(column.n_codes - 1, 0) for column in table.columns]], dtype=np.int64
        )
    return lo[there], hi[there]


def ends_of_tokens(column: CodedColumn, tokens: Sequence[Any]) -> Ends:
    """The first and last code of all that was published in a column; -1 where no value of the table can be it."""
    import pyarrow.compute as pc

    lo, hi = np.full(len(tokens), -1, dtype=np.int64), np.full(len(tokens), -1, dtype=np.int64)
    node_of_name = _nodes(column)
    for place, token in enumerate(tokens):
        if token is None:
            lo[place] = hi[place] = -1 if column.null_code is None else column.null_code
        elif token == ALL:
            lo[place], hi[place] = 0, column.n_codes - 1
        elif "node" in token:
            lo[place], hi[place] = node_of_name.get(token["node"], (-1, -1))
    ranges = [place for place, token in enumerate(tokens) if isinstance(token, dict) and "range" in token]
    if ranges:
        both = [_typed([tokens[place]["range"][end] for place in ranges], column) for end in (0, 1)]
        if column.kind in ("ordered", "categorical"):
            first, last = (
                pc.index_in(one, column.values).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
                for one in both
            )
            lo[ranges], hi[ranges] = np.where(last < 0, -1, first), np.where(first < 0, -1, last)
        else:
            known = numbers(column.values)
            lo[ranges] = np.searchsorted(known, numbers(both[0]), side="left")
            hi[ranges] = np.searchsorted(known, numbers(both[1]), side="right") - 1
            lo[lo >= column.n_values + (column.null_code is not None)] = -1
    for place, token in enumerate(tokens):
        if isinstance(token, dict) and "set" in token:
            codes = pc.index_in(_typed(token["set"], column), column.values).drop_null().to_numpy()
            if len(codes):
                lo[place], hi[place] = int(codes.min()), int(codes.max())
    return lo, hi


def _nodes(column: CodedColumn) -> dict[str, tuple[int, int]]:
    """The first and last leaf of every node by its name; of several of one name the lowest."""
    tree, found = column.tree, dict[str, tuple[int, int]]()
    if tree is None:
        return found
    for level in range(tree.n_levels):
        for start, name in tree.labels[level].items():
            found.setdefault(name, (int(start), int(tree.end[level, start])))
    return found


def _combinations(table: CodedTable, saved: SavedRecoding) -> Partition:
    """Where every combination is a class: the node or set of every code, column by column."""
    parts, lo, hi, levels = [], [], [], []
    for column in table.columns:
        one = saved.columns[column.name]
        if "level" in one:
            maps = level_maps(column)
            levels.append(min(int(one["level"]), len(maps) - 1))
            part = maps[levels[-1]]
            first, last = ends_of_node(part, column.wildcard)
        else:
            part, first, last = _parts(column, one["tokens"])
        parts.append(part)
        lo.append(first)
        hi.append(last)
    own = [
        np.ascontiguousarray(part[column.codes], dtype=np.uint32)
        for part, column in zip(parts, table.columns, strict=True)
    ]
    group, first_row, _ = kernels.distinct(own)
    at = [one[first_row] for one in own]
    low, high = (
        np.stack([ends[where] for ends, where in zip(some, at, strict=True)], axis=1).astype(np.uint32)
        for some in (lo, hi)
    )
    by_sets = [
        any("set" in token for token in saved.columns[column.name].get("tokens", ()) if token)
        for column in table.columns
    ]
    sets = None if levels else [part if own else None for part, own in zip(parts, by_sets, strict=True)]
    return Partition(
        group.astype(np.int32), low, high, level_of_column=np.array(levels) if levels else None, set_of_code=sets
    )


def _parts(column: CodedColumn, tokens: Sequence[Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The set of every code; a value of no set is put to the one that is nearest in the order of codes."""
    import pyarrow.compute as pc

    part = np.full(column.n_codes + (column.wildcard >= 0), -1, dtype=np.int64)
    for place, (token, lo, hi) in enumerate(zip(tokens, *ends_of_tokens(column, tokens), strict=True)):
        if isinstance(token, dict) and "set" in token:
            part[pc.index_in(_typed(token["set"], column), column.values).drop_null().to_numpy()] = place
        elif lo >= 0:
            part[lo : hi + 1] = place
    known = np.flatnonzero(part >= 0)
    if len(known) == 0:
        part[:] = 0
    else:
        after = np.minimum(np.searchsorted(known, np.arange(len(part))), len(known) - 1)
        before = np.maximum(after - 1, 0)
        codes = np.arange(len(part))
        nearer = np.abs(known[before] - codes) <= np.abs(known[after] - codes)
        part = part[np.where(nearer, known[before], known[after])]
    part = np.unique(part, return_inverse=True)[1].reshape(-1)
    n = int(part.max()) + 1
    first, last = np.full(n, len(part)), np.full(n, -1)
    np.minimum.at(first, part, np.arange(len(part)))
    np.maximum.at(last, part, np.arange(len(part)))
    return part, first, last


def _joined(table: CodedTable, partition: Partition, conditions: Any) -> Partition:
    """The groups that hold, each of the others joined with the one where that costs least."""
    group, n = partition.group_of_row.copy(), partition.n_groups
    lo, hi = partition.lo.astype(np.int64), partition.hi.astype(np.int64)
    prices = prices_of(table)
    while True:
        fails = ~holds_by_class(conditions, group, n, table.count)
        if not fails.any() or n == 1:
            break
        size = np.bincount(
            group[group >= 0], weights=None if table.count is None else table.count[group >= 0], minlength=n
        )
        into = np.arange(n)
        gone = np.zeros(n, dtype=bool)
        own = prices.of_boxes(lo, hi)
        for g in np.flatnonzero(fails)[np.argsort(size[fails], kind="stable")].tolist():
            if gone[g]:
                continue
            cost = prices.of_boxes(np.minimum(lo, lo[g]), np.maximum(hi, hi[g])) * (size + size[g])
            cost = (cost - own * size).astype(np.float64)
            cost[gone] = np.inf
            cost[g] = np.inf
            other = int(np.argmin(cost))
            if not np.isfinite(cost[other]):
                break
            lo[other], hi[other] = np.minimum(lo[other], lo[g]), np.maximum(hi[other], hi[g])
            own[other] = prices.of_boxes(lo[other : other + 1], hi[other : other + 1])[0]
            size[other] += size[g]
            into[g], gone[g] = other, True
        while not np.array_equal(into, into[into]):
            into = into[into]
        left = np.flatnonzero(~gone)
        number = np.full(n, -1)
        number[left] = np.arange(len(left))
        group = np.where(group >= 0, number[into[group]], -1).astype(np.int32)
        lo, hi, n = lo[left], hi[left], len(left)
    return replace(partition, group_of_row=group, lo=lo.astype(np.uint32), hi=hi.astype(np.uint32), count=None)


METHOD = Method(
    name="recoding",
    family="applied",
    group=recoding,
    takes="models itself",
    recoding="global",
    keeps_all=True,
    decides_on="counts",
    words="A saved recoding is applied: every row goes to the class that covers it.",
    paper="",
    listed=False,
    tight=False,
    prepare=with_saved_ends,
    seconds=1.0,
)
