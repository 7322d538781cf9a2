"""From the values of some rows to their codes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn
from amongst.encode.rank import DENSE_SPAN
from amongst.encode.sensitive import without_nan
from amongst.errors import Changed

if TYPE_CHECKING:
    import pyarrow as pa


def changed(name: str, found: str) -> Changed:
    """The rows of one pass are not those of the one before."""
    return Changed(f"{name} changed while it was read.", found=found, fix="run it again when nobody writes to it")


class CodeOfValue:
    """The code of every value of one column; a null has the code after the last value."""

    def __init__(self, values: pa.ChunkedArray, column: CodedColumn) -> None:
        import pyarrow as pa

        self.values = without_nan(values).combine_chunks().drop_null()
        if isinstance(self.values, pa.ChunkedArray):
            self.values = self.values.chunk(0) if self.values.num_chunks else pa.array([], values.type)
        self.code_of_index = column.codes[: len(self.values)]
        self.null_code = column.n_values
        self.name = column.name
        self._seen: tuple[pa.Array, np.ndarray] | None = None
        self._dense = _dense_table(self.values, self.code_of_index)
        self._line = None if self._dense is not None else _on_a_line(self.values)

    def rows(self, column: pa.ChunkedArray) -> np.ndarray:
        """The codes of some rows."""
        parts = [self._chunk(chunk) for chunk in without_nan(column).chunks]
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, self.code_of_index.dtype), *parts])

    def _chunk(self, chunk: pa.Array) -> np.ndarray:
        import pyarrow as pa

        missing = chunk.is_null().to_numpy(zero_copy_only=False) if chunk.null_count else None
        if pa.types.is_dictionary(chunk.type):
            of_place = self._dictionary(chunk.dictionary)
            places = chunk.indices.fill_null(0) if missing is not None else chunk.indices
            place = places.to_numpy(zero_copy_only=False)
            codes = kernels.look_up(place, of_place) if len(of_place) else np.zeros(len(place), of_place.dtype)
        elif self._dense is not None:
            lowest, code_of_offset = self._dense
            whole = (chunk.fill_null(lowest) if missing is not None else chunk).to_numpy(zero_copy_only=False)
            offset = whole.astype(np.int64) - _as_number(lowest)
            if len(offset) and (offset.min() < 0 or offset.max() >= len(code_of_offset)):
                raise self._unknown()
            codes = kernels.look_up(offset.astype(np.uint32), code_of_offset)
        elif self._line is not None and len(self._line):
            codes = self._on_line(chunk if missing is None else chunk.fill_null(self.values[0]))
        else:
            codes = self._found(chunk)
        if missing is not None:
            codes = np.array(codes)
            codes[missing] = self.null_code
        return codes

    def _on_line(self, chunk: pa.Array) -> np.ndarray:
        """By halving: a table of hashes would have to be made anew for every block."""
        assert self._line is not None
        own = _on_a_line(chunk)
        place = np.minimum(np.searchsorted(self._line, own), len(self._line) - 1)
        if not np.array_equal(self._line[place], own):
            raise self._unknown()
        return np.asarray(self.code_of_index[place])

    def _dictionary(self, dictionary: pa.Array) -> np.ndarray:
        """The code of every value of a dictionary; row groups share theirs, so the last one is kept."""
        if self._seen is None or not (self._seen[0] is dictionary or self._seen[0].equals(dictionary)):
            self._seen = dictionary, self._found(dictionary, strict=False)
        return self._seen[1]

    def _found(self, values: pa.Array, strict: bool = True) -> np.ndarray:
        import pyarrow.compute as pc

        place = pc.index_in(values, self.values)
        if strict and place.null_count > values.null_count:
            raise self._unknown()
        if len(self.code_of_index) == 0:
            return np.full(len(values), self.null_code, dtype=self.code_of_index.dtype)
        # What is not found is a null, or a value of a dictionary that no kept row has.
        codes = self.code_of_index[place.fill_null(0).to_numpy(zero_copy_only=False)]
        if place.null_count:
            codes[place.is_null().to_numpy(zero_copy_only=False)] = self.null_code
        return codes

    def _unknown(self) -> Changed:
        return changed("The table", f"'{self.name}' has values that were not there in the first pass")


def _dense_table(values: pa.Array, codes: np.ndarray) -> tuple[Any, np.ndarray] | None:
    """Whole numbers that lie near to each other find their code in a table."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(values) == 0 or not pa.types.is_integer(values.type):
        return None
    ends = pc.min_max(values).as_py()
    if ends["max"] - ends["min"] >= DENSE_SPAN or ends["max"] > np.iinfo(np.int64).max:
        return None
    table = np.zeros(ends["max"] - ends["min"] + 1, dtype=codes.dtype)
    table[values.to_numpy().astype(np.int64) - ends["min"]] = codes
    return pa.scalar(ends["min"], values.type), table


def _on_a_line(values: pa.Array) -> Any:
    """Numbers, dates and times as numbers of numpy; None for other values. Ascending, if the values are."""
    import pyarrow as pa

    kind = values.type
    if pa.types.is_date32(kind):
        values = values.cast(pa.int32())
    elif pa.types.is_timestamp(kind) or pa.types.is_date64(kind):
        values = values.cast(pa.int64())
    elif not (pa.types.is_integer(kind) or pa.types.is_float32(kind) or pa.types.is_float64(kind)):
        return None
    return values.to_numpy(zero_copy_only=False)


def _as_number(scalar: pa.Scalar) -> int:
    return int(scalar.as_py())
