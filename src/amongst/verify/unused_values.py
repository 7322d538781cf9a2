"""Values in stored dictionaries that no row has, without holding the column."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


def n_unused(batches: Callable[[], Iterator[pa.RecordBatch]]) -> int:
    """How many values are in a dictionary of the first column of these batches, and in none of its rows.

    One pass finds what is unused in a batch, mostly nothing; another takes out what other batches use.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from amongst.verify.unused_values import n_unused
    >>> cities = pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array(["oslo", "rome"]))
    >>> n_unused(lambda: iter([pa.record_batch({"city": cities})]))
    1
    """
    left = [values.filter(pc.invert(used)) for values, used in _dictionaries(batches())]
    if not any(map(len, left)):
        return 0
    unused = pc.unique(pa.chunked_array(left)).drop_null()
    for values, used in _dictionaries(batches()):
        unused = unused.filter(pc.invert(pc.is_in(unused, values.filter(used))))
    return len(unused)


def _dictionaries(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[pa.Array, pa.Array]]:
    """The dictionary of every batch, and which of its values the rows have."""
    for batch in batches:
        column = batch.column(0)
        if pa.types.is_dictionary(column.type):
            used = np.zeros(len(column.dictionary), dtype=bool)
            used[column.indices.drop_null().to_numpy(zero_copy_only=False)] = True
            yield column.dictionary, pa.array(used)
