"""The columns that are published as they are, as one number a row: where they have few values, rows are counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.encode.rank import smallest_dtype
from amongst.engines.parts.code_of_value import CodeOfValue
from amongst.engines.parts.rows import ParquetRows
from amongst.recode.lay_out import in_order_of_values

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class OtherColumns:
    """What the rows of a class can be told apart by, as keys from 0 on: the first column counts most.

    Attributes
    ----------
    values : dict of str to pyarrow.Array
        The values of every column in order, a null last.
    """

    values: Mapping[str, pa.Array]
    codes: Mapping[str, CodeOfValue] = field(repr=False)

    @property
    def names(self) -> list[str]:
        return list(self.values)

    @property
    def n_keys(self) -> int:
        return int(np.prod([len(values) for values in self.values.values()], dtype=np.int64))

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.dtype(smallest_dtype(self.n_keys))

    def key_of_row(self, block: pa.Table) -> np.ndarray:
        """The keys of some rows."""
        key = np.zeros(block.num_rows, dtype=np.uint32)
        for name, values in self.values.items():
            key = key * np.uint32(len(values)) + self.codes[name].rows(block.column(name))
        return key.astype(self.dtype)

    def columns(self, key: np.ndarray) -> dict[str, pa.ChunkedArray]:
        """What some keys stand for; text as dictionaries."""
        import pyarrow as pa

        found, step = {}, self.n_keys
        for name, values in self.values.items():
            step //= len(values)
            column = values.take(pa.array(key // step % len(values)))
            found[name] = pa.chunked_array([column.dictionary_encode() if pa.types.is_string(column.type) else column])
        return found


def countable(names: Sequence[str], schema: pa.Schema) -> list[str]:
    """The columns of text or truth values; an empty list where there are others among them."""
    import pyarrow as pa

    kinds = [schema.field(name).type for name in names]
    return list(names) if all(pa.types.is_dictionary(kind) or pa.types.is_boolean(kind) for kind in kinds) else []


def other_columns(names: Sequence[str], distinct: Mapping[str, pa.ChunkedArray], most_keys: int) -> OtherColumns | None:
    """The columns as keys, or None where there would be too many of these, or values are too many to be known."""
    values, codes, n_keys = {}, {}, 1
    for name in names:
        if name not in distinct:
            return None
        values[name], of_value = in_order_of_values(distinct[name])
        n_keys *= len(values[name])
        if n_keys > most_keys:
            return None
        column = CodedColumn(
            name=name,
            kind="categorical",
            codes=of_value,
            values=values[name].drop_null(),
            position=None,
            lowest=0.0,
            span=0.0,
            tree=None,
        )
        codes[name] = CodeOfValue(distinct[name], column)
    return OtherColumns(values, codes)


def other_bytes(rows: ParquetRows, names: Sequence[str]) -> int:
    """About how many bytes a row takes in these columns, by the first block; text in full."""
    import pyarrow as pa

    first = next(rows.blocks(names), None) if names else None
    if first is None or first.num_rows == 0:
        return 0
    plain = [
        column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
        for column in first.columns
    ]
    return -(-sum(column.nbytes for column in plain) // first.num_rows)
