"""CSV and TSV files: every cell is text, so that ``025`` and ``25`` stay apart; an empty cell is missing."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from amongst.errors import BadInput
from amongst.published.csvw import Told, told_beside
from amongst.published.equal_lines import rows_by_lines
from amongst.published.source import Source, readable, refuse_duplicates

SEPARATORS = (",", ";", "\t", "|")
PLAIN = (".csv", ".tsv")
"""What the names of files end in that are not packed."""
TEXT = pa.dictionary(pa.int32(), pa.string())

MOST_UNPACKED = 1 << 30
MOST_TIMES = 500
"""What is both larger than this, unpacked, and so many times its packed size is taken for a trap."""
_BLOCK = 16 << 20
_FEW = 1 << 20
_LONGEST_HEADER = 1 << 20
_WRONG_LENGTH = re.compile(r"(?:Row #(\d+): )?Expected (\d+) columns, got (\d+)")


def open_csv(path: Path) -> Source:
    """Open a CSV or TSV file, also a gzipped one; now its header is read, and its quotes are counted where its lines
    are not looked at one by one."""
    told = told_beside(path)
    header, separator = _header(path) if told is None else (told.names, told.separator)
    refuse_duplicates(path.name, header)
    encoding = "utf-8" if told is None else told.encoding
    by_lines = told is None and not any("\n" in name or "\r" in name for name in header)
    looked_at = not by_lines or path.suffix.lower() not in PLAIN  # a packed file may be a trap, which is seen here

    def refuse_open_quote() -> None:
        if _n_quotes(path, encoding) % 2:
            _refuse_open_quote(path, separator, encoding)

    if looked_at:
        refuse_open_quote()
    schema = pa.schema([(name, pa.string()) for name in header])

    def batches(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with readable(path.name, "CSV"), _named_problems(path.name):
            if by_lines and names:
                options = _options(names, separator, len(header))

                def row_by_row() -> Iterator[pa.RecordBatch]:
                    if not looked_at:
                        refuse_open_quote()
                    return _reader(path, names, separator, len(header), None)

                yield from rows_by_lines(path, names, header, options, row_by_row)
                return
            if not looked_at:
                refuse_open_quote()
            reader = _reader(path, names, separator, len(header), told)
            if told is None:
                yield from reader
            else:
                for batch in reader:
                    columns = [told.translated(name, batch.column(name)) for name in names]
                    yield pa.RecordBatch.from_arrays(columns, names=list(names))

    def n_joined(name: str) -> int:
        """How many different cells of a column are another one in the usual writing."""
        if told is None or name not in told.names:
            return 0
        with readable(path.name, "CSV"):
            read = [batch.column(0) for batch in _reader(path, [name], separator, len(header), told)]
        cells = pa.chunked_array(read, TEXT).cast(pa.string()).unique()
        return len(cells) - len(told.translated(name, pc.dictionary_encode(cells)).unique())

    def head(names: Sequence[str], n: int) -> pa.RecordBatch | None:
        try:
            return next(iter(_reader(path, names, separator, len(header), None, block=_FEW)), None)
        except (pa.ArrowException, OSError, ValueError):  # a line longer than that, or what ``batches`` will tell
            return None

    more: dict[str, Any] = {"n_joined": n_joined} if told else {"head": head}
    return Source(path.name, schema, batches, path, (path,), separator, **more)


def _reader(
    path: Path, names: Sequence[str], separator: str, n_columns: int, told: Told | None, block: int = _BLOCK
) -> arrow_csv.CSVStreamingReader:
    more: dict[str, Any] = {} if told is None else {"encoding": told.encoding}
    if told is not None and not told.header:
        more["column_names"] = told.names
    parse, convert = _options(names, separator, n_columns)
    read = arrow_csv.ReadOptions(block_size=block, **more)
    return arrow_csv.open_csv(str(path), read_options=read, parse_options=parse, convert_options=convert)


def _options(
    names: Sequence[str], separator: str, n_columns: int
) -> tuple[arrow_csv.ParseOptions, arrow_csv.ConvertOptions]:
    return (
        arrow_csv.ParseOptions(
            delimiter=separator,
            newlines_in_values=True,
            # With one column an empty line is a row whose only cell is missing.
            ignore_empty_lines=n_columns > 1,
        ),
        arrow_csv.ConvertOptions(
            include_columns=list(names),
            column_types=dict.fromkeys(names, TEXT),
            strings_can_be_null=True,
            null_values=[""],
            quoted_strings_can_be_null=False,
        ),
    )


def _header(path: Path) -> tuple[list[str], str]:
    """The names of the columns, and what separates them."""
    with readable(path.name, "CSV"), pa.input_stream(str(path), compression="detect") as stream:
        start = stream.read(_LONGEST_HEADER)
    if not start.strip():
        raise BadInput(f"{path.name} is empty.", found="no header and no rows", fix="give a file with a header")
    lines = io.StringIO(_decoded(start, path.name), newline="")
    text = _first_record(lines)
    if len(start) == _LONGEST_HEADER and not lines.read(1):  # cut off: some of the names are missing
        raise BadInput(
            f"The first line of {path.name} is too long.",
            found=f"more than {_LONGEST_HEADER:,} bytes",
            fix="give a file with a line of names, and a line for every row",
        )
    separator = "\t" if ".tsv" in path.suffixes else max(SEPARATORS, key=text.count)
    return _names(text, separator, path.name), separator


def _names(header: str, separator: str, name: str) -> list[str]:
    limit = csv.field_size_limit(_LONGEST_HEADER)
    try:
        names = next(csv.reader(io.StringIO(header, newline=""), delimiter=separator), [])
    except csv.Error:  # a line end in the midst of it
        names = []
    finally:
        csv.field_size_limit(limit)
    if not names:
        found, fix = "a first line that names no columns", "put the column names first"
        raise BadInput(f"{name} has no header.", found=found, fix=fix)
    return names


def _decoded(start: bytes, name: str) -> str:
    try:
        # The last line may be cut within a character; it is beyond the header.
        return start.decode("utf-8-sig", errors="strict" if len(start) < _LONGEST_HEADER else "ignore")
    except UnicodeDecodeError as error:
        raise _not_utf8(name, f"byte {error.start + 1}") from None


def _first_record(lines: IO[str]) -> str:
    """The header, which may run over several lines inside quotes."""
    record = lines.readline()
    while record.count('"') % 2 and (more := lines.readline()):
        record += more
    return record.rstrip("\r\n")


def _n_quotes(path: Path, encoding: str) -> int:
    n_quotes = n_bytes = 0
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    with readable(path.name, "CSV"), pa.input_stream(str(path), compression="detect") as stream:
        packed = max(path.stat().st_size, 1)
        for block in iter(lambda: stream.read(_BLOCK), b""):
            n_quotes += block.count(b'"') if encoding == "utf-8" else decoder.decode(block).count('"')
            n_bytes += len(block)
            if n_bytes > MOST_UNPACKED and n_bytes > MOST_TIMES * packed:
                raise BadInput(
                    f"{path.name} unpacks to far more than it is.",
                    found=f"more than {MOST_UNPACKED >> 20:,} MB, and {MOST_TIMES} times the size of the file",
                    fix="unpack it yourself, if it is what you expect, and name the unpacked file",
                )
    return n_quotes


def _refuse_open_quote(path: Path, separator: str, encoding: str) -> None:
    """Raise where a quote is not closed: all rows after it would be one cell, and nobody would count them."""
    last: deque[tuple[int, object]] = deque([(0, None)], maxlen=1)
    limit = csv.field_size_limit(_BLOCK)
    try:
        with readable(path.name, "CSV"), pa.input_stream(str(path), compression="detect") as stream:
            text = io.TextIOWrapper(stream, encoding=encoding, errors="replace", newline="")
            last.extend(enumerate(csv.reader(_lines(text), delimiter=separator, strict=True), start=1))
    except csv.Error:
        raise BadInput(
            f"A quote in {path.name} is not closed, or is closed in the middle of a cell.",
            found=f"row {last[0][0] + 1}",
            fix='mend this row; a quote inside a cell is written twice: ""',
        ) from None
    finally:
        csv.field_size_limit(limit)


def _lines(text: IO[str]) -> Iterator[str]:
    """The lines of a text; raises at one that is longer than any cell may be, before it is in memory."""
    while line := text.readline(_BLOCK):
        if len(line) == _BLOCK:
            raise csv.Error
        yield line


@contextmanager
def _named_problems(name: str) -> Iterator[None]:
    """Say what is wrong with a row without quoting it, as pyarrow's own message does."""
    try:
        yield
    except pa.ArrowInvalid as error:
        text = str(error)
        if "UTF8" in text:
            raise _not_utf8(name, "a cell that is not") from None
        if found := _WRONG_LENGTH.search(text):
            row = f"row {found[1]}" if found[1] else "a row"
            raise BadInput(
                f"The rows of {name} are not all of one length.",
                found=f"{row} with {found[3]} cells where the header has {found[2]}",
                fix="check separators and quotes in that row",
            ) from None
        if "Empty CSV" in text:
            return
        raise


def _not_utf8(name: str, where: str) -> BadInput:
    return BadInput(f"{name} is not UTF-8.", found=where, fix="save it as UTF-8")
