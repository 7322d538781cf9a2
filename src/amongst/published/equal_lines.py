"""Rows of a CSV file in which many lines are equal, as in most releases: what was parsed once is not parsed again.

Lines are told apart first, block by block, and the distinct ones are parsed. That is right where every line is a row,
so where no cell holds a line end: each line has an even number of quotes then. From the first block on that has a line
with an odd number, or mostly different lines, the file is parsed row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

LINE = "line"
BLOCK = 16 << 20
MOST_DISTINCT = 0.5
"""The share of different lines in a block above which it does not pay."""
Rows = Callable[[], Iterator[pa.RecordBatch]]


def rows_by_lines(
    path: Path,
    names: Sequence[str],
    header: Sequence[str],
    options: tuple[csv.ParseOptions, csv.ConvertOptions],
    rows: Rows,
) -> Iterator[pa.RecordBatch]:
    """The columns ``names`` of all rows; ``rows`` gives them row by row, for where that is needed."""
    done = 0
    try:
        for lines in _lines(path, options[0].ignore_empty_lines):
            found = _parsed(lines, names, header, options)
            if found is None:
                break
            done += len(lines)
            yield found
        else:
            return
    except pa.ArrowInvalid:  # the plain reader tells where it is, and why
        pass
    yield from _after(rows(), done)


def _lines(path: Path, ignore_empty: bool) -> Iterator[pa.DictionaryArray]:
    """The lines after the first, block by block. Each is parsed at once: a stream of Arrow's, which works ahead, waits
    for ever where there is no memory left for a thread of it."""
    first, rest = True, b""
    with pa.input_stream(str(path)) as stream:
        while block := stream.read(BLOCK):
            if end := block.rfind(b"\n") + 1:
                yield _numbered(b"".join((rest, memoryview(block)[:end])), first, ignore_empty)
                first, rest, block = False, b"", block[end:]
            rest += block
            if len(rest) > BLOCK:
                raise pa.ArrowInvalid("a line is longer than a block")
        if rest:
            yield _numbered(rest, first, ignore_empty)


def _numbered(text: bytes, first: bool, ignore_empty: bool) -> pa.DictionaryArray:
    found = csv.read_csv(
        pa.BufferReader(text),
        read_options=csv.ReadOptions(
            block_size=len(text) + 1, column_names=[LINE], skip_rows=int(first), use_threads=False
        ),
        parse_options=csv.ParseOptions(delimiter="\x01", quote_char=False, ignore_empty_lines=ignore_empty),
        convert_options=csv.ConvertOptions(
            column_types={LINE: pa.dictionary(pa.int32(), pa.string())}, strings_can_be_null=False
        ),
    )
    return found.column(0).combine_chunks()


def _parsed(
    lines: pa.DictionaryArray,
    names: Sequence[str],
    header: Sequence[str],
    options: tuple[csv.ParseOptions, csv.ConvertOptions],
) -> pa.RecordBatch | None:
    """The rows of a block by its distinct lines; None where it must be parsed row by row."""
    distinct = lines.dictionary
    odd = pc.any(pc.equal(pc.bit_wise_and(pc.count_substring(distinct, '"'), 1), 1)).as_py()
    if odd or len(distinct) > MOST_DISTINCT * len(lines):
        return None
    ended = pa.concat_arrays([distinct, pa.array([""])])  # Arrow takes an empty last cell for a text without a line end
    whole = pa.ListArray.from_arrays(pa.array([0, len(ended)], pa.int32()), ended)
    text = pc.binary_join(whole, "\n").cast(pa.binary())[0].as_buffer()
    few = csv.read_csv(
        pa.BufferReader(text),
        read_options=csv.ReadOptions(column_names=list(header), use_threads=False, block_size=len(text) + 1),
        parse_options=options[0],
        convert_options=options[1],
    ).combine_chunks()
    if few.num_rows != len(distinct):
        return None
    columns = [few.column(name).chunk(0) for name in names]
    made = [pa.DictionaryArray.from_arrays(one.indices.take(lines.indices), one.dictionary) for one in columns]
    return pa.RecordBatch.from_arrays(made, names=list(names))


def _after(batches: Iterator[pa.RecordBatch], done: int) -> Iterator[pa.RecordBatch]:
    """The rows after the first ``done``."""
    for batch in batches:
        if done < batch.num_rows:
            yield batch.slice(done)
        done = max(done - batch.num_rows, 0)
