"""Columns as a format can hold them: what it has no type for is told as text, so that no cell changes silently.

Choices: spans of time as ``1 days 02:03:04.5``, as pandas prints and reads them; bytes as hexadecimal digits; times
with a zone as ``2024-01-31 12:00:00.000000+0100``; numbers that a double would round, and times finer than a thousandth
of a second where they would be doubles, as their digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from amongst.errors import BadOption

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

EXACT = 2**53
"""Whole numbers up to this are doubles too."""
EXACT_DIGITS = 15
"""Decimals of so many digits print as they are after they were doubles."""
MOST_DIGITS = 38
"""Of the decimals that databases hold."""
DAY = 86_400


@dataclass(frozen=True)
class Holds:
    """What a format has a type for, beside texts, dates, times and numbers.

    Attributes
    ----------
    padded : bool
        Its texts are filled up with blanks: those at the end are lost.
    doubles : bool
        All its numbers are doubles, and its times too.
    zones, spans, binary, halves : bool
        Times with a zone; spans of time; bytes; floats of 16 bits and decimals of more than 38 digits.
    infinite : bool
        Infinite numbers, and a sign for what is no number. Else the one is refused, and the other a missing cell.
    cases : bool
        Columns whose names differ in upper and lower case alone.
    """

    padded: bool = False
    doubles: bool = False
    zones: bool = False
    spans: bool = False
    binary: bool = False
    halves: bool = False
    infinite: bool = False
    cases: bool = True


FEW = Holds()
"""What has a type for nothing of these."""


def fitted(tables: Iterable[pa.Table], holds: Holds) -> Iterator[pa.Table]:
    """Tables with columns that the format can hold; one that comes in pieces has the types of its first."""
    import pyarrow as pa

    pieces = iter(tables)
    first = next(pieces)
    if not holds.cases:
        from amongst.read.names import refuse_names_by_case

        refuse_names_by_case(first.column_names, "Such a file")
    kinds = [_plain(kind, holds) for kind in first.schema.types]
    for piece in chain([first], pieces):
        piece = piece if holds.infinite else _finite(piece)
        columns = [_fit(column, kind, holds) for column, kind in zip(piece.columns, kinds, strict=True)]
        yield pa.table(columns, names=first.column_names)


def _finite(table: pa.Table) -> pa.Table:
    """The table with missing cells for what is no number; raises for infinite numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wrong = []
    for place, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True)):
        kind = column.type
        if pa.types.is_dictionary(kind) and pa.types.is_floating(kind.value_type):
            column = column.cast(kind.value_type)
        if not pa.types.is_floating(column.type) or pc.all(pc.is_finite(column), min_count=0).as_py():
            continue
        wrong += [f"'{name}'"] if pc.any(pc.is_inf(column)).as_py() else []
        table = table.set_column(place, name, pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column))
    if wrong:
        raise BadOption(
            "The release cannot be written in this format.",
            found="infinite numbers in " + ", ".join(wrong),
            fix="write it as csv or parquet, or leave such columns out",
        )
    return table


def _plain(kind: pa.DataType, holds: Holds) -> pa.DataType:
    """The type that a column has there, but for numbers that would be rounded."""
    import pyarrow as pa

    text = pa.string()
    if pa.types.is_dictionary(kind):
        return kind if pa.types.is_string(kind.value_type) else _plain(kind.value_type, holds)
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind) or pa.types.is_null(kind):
        return text
    if pa.types.is_float16(kind) and not holds.halves:
        return pa.float32()
    if pa.types.is_decimal256(kind) and not holds.halves:
        return pa.decimal128(kind.precision, kind.scale) if kind.precision <= MOST_DIGITS else text
    if pa.types.is_date64(kind):
        return pa.date32()
    zoned = pa.types.is_timestamp(kind) and kind.tz is not None and not holds.zones
    span = pa.types.is_duration(kind) and not holds.spans
    return text if zoned or span or (_is_binary(kind) and not holds.binary) else kind


def _fit(column: pa.ChunkedArray, to: pa.DataType, holds: Holds) -> pa.ChunkedArray:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind) and kind != to:
        column = column.cast(kind.value_type)
        kind = column.type
    if kind == to:
        return column.cast(pa.string()) if holds.doubles and _would_round(column) else column
    if pa.types.is_string(to) and pa.types.is_duration(kind):
        return spans_as_text(column)
    if pa.types.is_string(to) and _is_binary(kind):
        return _as_hexadecimal(column)
    return column.cast(to)


def _is_binary(kind: pa.DataType) -> bool:
    import pyarrow as pa

    of = pa.types
    return bool(of.is_binary(kind) or of.is_large_binary(kind) or of.is_fixed_size_binary(kind))


def _would_round(column: pa.ChunkedArray) -> bool:
    """Whether a number or a time is not the same after it was a double."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_timestamp(kind):
        finer = {"us": 1000, "ns": 1_000_000}.get(kind.unit)
        whole = column.cast(pa.int64())
        return finer is not None and bool(
            pc.any(pc.not_equal(whole, pc.multiply(pc.divide(whole, finer), finer))).as_py()
        )
    if not (pa.types.is_integer(kind) or pa.types.is_decimal(kind)):
        return False
    ends = pc.min_max(column).as_py()
    if ends["min"] is None:
        return False
    most = EXACT if pa.types.is_integer(kind) else 10 ** (EXACT_DIGITS - kind.scale)
    return bool(max(-ends["min"], ends["max"]) > most)


def spans_as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Spans of time as ``1 days 02:03:04.5``; one below zero as days and what is added, ``-2 days +21:56:55.5``."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    per_second = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[column.type.unit]
    array = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    distinct = pc.dictionary_encode(array)
    spans = distinct.dictionary.cast(pa.int64()).to_numpy(zero_copy_only=False)
    seconds, part = np.divmod(spans, per_second)
    days, rest = np.divmod(seconds, DAY)
    clock = [_two_digits(part) for part in (rest // 3600, rest // 60 % 60, rest % 60)]
    parts = [pa.array(days).cast(pa.string()), pa.array(np.where(days < 0, " days +", " days "))]
    words = pc.binary_join_element_wise(*parts, pc.binary_join_element_wise(*clock, ":"), "")
    if per_second > 1:
        digits = pc.utf8_lpad(pa.array(part).cast(pa.string()), len(str(per_second)) - 1, "0")
        tail = pc.utf8_rtrim(pc.binary_join_element_wise(".", digits, ""), "0")
        words = pc.binary_join_element_wise(words, pc.utf8_rtrim(tail, "."), "")
    return pa.chunked_array([words.take(distinct.indices)], pa.string())


def _two_digits(part: np.ndarray) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.utf8_lpad(pa.array(part).cast(pa.string()), 2, "0")


def _as_hexadecimal(column: pa.ChunkedArray) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    array = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    distinct = pc.dictionary_encode(array)
    digits = pa.array([one.hex() for one in distinct.dictionary.to_pylist()], pa.string())
    return pa.chunked_array([digits.take(distinct.indices)], pa.string())


def same_cells(written: pa.ChunkedArray, back: pa.ChunkedArray, *, padded: bool) -> bool:
    """Whether a column was read back as it was written. What is no number, and an empty text, may be missing."""
    import pyarrow.compute as pc

    one, other = _comparable(written, padded), _comparable(back, padded)
    if len(one) != len(other) or one.null_count != other.null_count:
        return False
    if one.null_count == len(one):
        return True
    return one.type == other.type and bool(pc.all(pc.equal(one, other), min_count=0).as_py())


def _comparable(column: pa.ChunkedArray, padded: bool) -> pa.ChunkedArray:
    import pyarrow as pa
    import pyarrow.compute as pc

    column = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    kind = column.type
    if pa.types.is_time(kind):
        return pc.replace_substring_regex(column.cast(pa.string()), r"\.0+$", "")
    if pa.types.is_string(kind):
        column = pc.utf8_rtrim(column, " ") if padded else column
        return pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column)
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return pc.round_temporal(column.cast(pa.timestamp("us"), safe=False), unit="millisecond")
    numbers = (column.cast(pa.int8()) if pa.types.is_boolean(kind) else column).cast(pa.float64(), safe=False)
    return pc.if_else(pc.is_nan(numbers), pa.scalar(None, pa.float64()), numbers)
