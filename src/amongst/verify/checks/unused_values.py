"""Values in stored dictionaries that no row has, without holding the column."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def n_unused(batches: Callable[[], Iterator[pa.RecordBatch]]) -> int:
    """How many values are in a dictionary of the first column of these batches, and in none of its rows.

    Dictionaries within structs and lists are looked at too. One pass finds what is unused in a batch, mostly nothing;
    another takes out what other batches use.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.verify.checks.unused_values import n_unused
    >>> cities = pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["oslo", "rome"]))
    >>> n_unused(lambda: iter([pa.record_batch({"city": cities})]))
    1
    """
    left: dict[str, list[pa.Array]] = {}
    for place, values, used in _dictionaries(batches()):
        left.setdefault(place, []).append(values.filter(pc.invert(used)))
    unused = {
        place: pc.unique(pa.chunked_array(parts)).drop_null() for place, parts in left.items() if any(map(len, parts))
    }
    if not unused:
        return 0
    for place, values, used in _dictionaries(batches()):
        if place in unused:
            seen = pc.is_in(unused[place], values.filter(used))
            unused[place] = unused[place].filter(pc.invert(seen))
    return sum(map(len, unused.values()))


def has_dictionaries(of: pa.DataType) -> bool:
    """Whether a type is a dictionary, or has one within it."""
    return pa.types.is_dictionary(of) or any(has_dictionaries(of.field(i).type) for i in range(of.num_fields))


def _dictionaries(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[str, pa.Array, pa.Array]]:
    """The dictionaries of every batch: where in the column, the values, and which of them the rows have."""
    for batch in batches:
        for place, column in _leaves("", batch.column(0)):
            if pa.types.is_dictionary(column.type):
                used = np.zeros(len(column.dictionary), dtype=bool)
                used[column.indices.drop_null().to_numpy(zero_copy_only=False)] = True
                yield place, column.dictionary, pa.array(used)


def _leaves(place: str, column: pa.Array) -> Iterator[tuple[str, pa.Array]]:
    """What a column of structs and lists consists of, nulls of the whole taken into account."""
    of = column.type
    if pa.types.is_struct(of):
        for i, part in enumerate(column.flatten()):
            yield from _leaves(f"{place}/{i}", part)
    elif pa.types.is_map(of):
        pairs = pa.ListArray.from_arrays(column.offsets, _pairs(column), mask=column.is_null())
        yield from _leaves(f"{place}/pairs", pairs.flatten())
    elif pa.types.is_list(of) or pa.types.is_large_list(of) or pa.types.is_fixed_size_list(of):
        yield from _leaves(f"{place}/items", column.flatten())
    else:
        yield place, column


def _pairs(column: pa.MapArray) -> pa.StructArray:
    return pa.StructArray.from_arrays([column.keys, column.items], ["key", "item"])
