"""CSV in. Every cell is read as text first: a column becomes numbers only when nothing is lost by it."""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from amongst.errors import BadInput
from amongst.read.as_read import Spelling, spelling_of
from amongst.read.cells import refuse_long_cells
from amongst.read.header import DAMAGED, PLACES, Layout, damaged, found_encoding, not_text, open_text, read_layout
from amongst.read.places import UNIT, arranged, n_cut
from amongst.read.plain_lines import cells_of_plain_lines

INTEGER = r"^(?:0|-?[1-9][0-9]{0,17})$"
NUMBER = r"^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
TIMESTAMP = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?$"
BLOCK = 1 << 20
"""Bytes that Arrow reads at a time."""
MOST_BYTES_A_SIGN = 4
RaggedRow = tuple[int | None, int, int]
"""The number of a row, how many cells were expected, and how many there are."""


def read_text(
    path: Path,
    *,
    nulls: Sequence[str] = (),
    separator: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
) -> tuple[dict[str, Any], Layout]:
    """The cells of a CSV file, column by column, dictionary-encoded in one piece each; and how the file is laid out."""
    nulls = [nulls] if isinstance(nulls, str) else list(nulls)
    layout = read_layout(path, separator, encoding, header)
    table, layout = in_its_encoding(path, layout, encoding, lambda one: _parse(path, one, nulls))
    columns = zip(layout.names, table.columns, strict=True)
    return {name: whole(_without(column, nulls)) for name, column in columns}, layout


def in_its_encoding(path: Path, layout: Layout, told: str | None, parse: Callable[[Layout], Any]) -> tuple[Any, Layout]:
    """What ``parse`` makes of a file; once more in the encoding that it has, where that was not told, its first lines
    are plain, and others are no UTF-8."""
    try:
        return parse(layout), layout
    except BadInput as error:
        if told is not None or "encoding" not in error.facts.get("say", ()) or layout.encoding != "utf-8":
            raise
        refusal = error
    encoding, notes = found_encoding(path, refusal)
    layout = replace(layout, encoding=encoding, notes=layout.notes + notes)
    return parse(layout), layout


def settled_columns(cells: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Spelling]]:
    """Columns of text in the types that all their cells have, and how values were written that print otherwise.

    Text columns stay dictionary-encoded.
    """
    settled = {name: settle_spelled(column) for name, column in cells.items()}
    spelled = {name: one for name, (_, one) in settled.items() if one is not None}
    return {name: column for name, (column, _) in settled.items()}, spelled


def whole(column: Any) -> Any:
    """A dictionary-encoded column in one piece."""
    import pyarrow as pa

    column = column.unify_dictionaries().combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if isinstance(column, pa.ChunkedArray):
        column = column.chunk(0) if column.num_chunks else pa.array([], column.type)
    return column


def _without(column: Any, nulls: Sequence[str]) -> Any:
    """A column of dictionaries in which the texts that mean missing are missing, in quotes or not."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array([text for text in nulls if text], pa.string())
    if not len(wanted) or not any(pc.any(pc.is_in(chunk.dictionary, wanted)).as_py() for chunk in column.chunks):
        return column
    return pc.dictionary_encode(missing_where(column.cast(pa.string()), nulls))


def missing_where(cells: Any, nulls: Sequence[str]) -> Any:
    """Texts in which those that mean missing are missing. Arrow sees to it where they are not in quotes; an empty
    cell in quotes stays what it is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    wanted = pa.array([text for text in nulls if text], pa.string())
    if not len(wanted):
        return cells
    return pc.if_else(pc.is_in(cells, wanted), pa.scalar(None, pa.string()), cells)


def _parse(path: Path, layout: Layout, nulls: Sequence[str]) -> Any:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    plain = _plain_cells(path, layout, nulls)
    if plain is not None:
        for name, some in plain.items():
            refuse_long_cells(path.name, name, some)
        return pa.table(plain)
    ragged: list[RaggedRow] = []

    def parse(threads: bool) -> Any:
        options = csv_options(layout, nulls, ragged, pa.dictionary(pa.int32(), pa.string()))
        options[0].use_threads = threads
        with open_cells(path, layout) as stream:
            return arrow_csv.read_csv(stream, *options)

    with csv_errors(path, layout):
        table = parse(threads=True)
        if ragged:
            ragged.clear()
            parse(threads=False)  # once more in order: only then are the rows numbered
    refuse_ragged(path, ragged)
    table = table.unify_dictionaries()  # every distinct cell is looked at once
    cells = {
        name: column.chunk(0) for name, column in zip(layout.names, table.columns, strict=True) if column.num_chunks
    }
    for name, some in cells.items():
        refuse_long_cells(path.name, name, some)
    if any(has_lines(some.dictionary) for some in cells.values()) or has_quote_amid(path, layout):
        refuse_open_quote(path, layout)
    return table


def _plain_cells(path: Path, layout: Layout, nulls: Sequence[str]) -> dict[str, Any] | None:
    if layout.arranged or layout.encoding != "utf-8":
        return None
    with csv_errors(path, layout), open_text(path, layout.before) as stream:
        columns = cells_of_plain_lines(stream, len(layout.names), layout.separator, nulls, header=layout.header)
    return None if columns is None else dict(zip(layout.names, columns, strict=True))


def open_cells(path: Path, layout: Layout) -> IO[bytes]:
    """The bytes of a text file as Arrow can part them: where blanks or places do it, with a separator put between."""
    if not layout.arranged:
        return open_text(path, layout.before)
    with open_text(path, layout.before) as stream:
        text = stream.read().decode(layout.encoding)
    if layout.separator == PLACES and (n := n_cut(text, layout.widths)):
        raise BadInput(
            f"What parts the cells of {path.name} is not clear.",
            found=f"columns begin at the same places of the first lines, but {n:,} lines have no blank before one",
            fix='name the separator, or the widths of all columns: separator = "5,10,3"',
            say=["separator"],
        )
    return io.BytesIO(arranged(text, layout.widths).encode())


def csv_options(layout: Layout, nulls: Sequence[str], ragged: list[RaggedRow], kind: Any) -> tuple[Any, Any, Any]:
    """How Arrow is to read a CSV file: every cell as text of some kind; rows of unequal length are noted."""
    from pyarrow import csv as arrow_csv

    def note(row: Any) -> str:
        ragged.append((row.number, row.expected_columns, row.actual_columns))
        return "skip"

    names: dict[str, Any] = {} if layout.written else {"column_names": layout.names}
    n_signs = sum(len(name) + 3 for name in layout.names)
    return (
        arrow_csv.ReadOptions(
            encoding="utf-8" if layout.arranged else layout.encoding,
            skip_rows_after_names=int(layout.header and not layout.written),
            block_size=max(BLOCK, MOST_BYTES_A_SIGN * n_signs),  # the header must be within the first of them
            **names,
        ),
        arrow_csv.ParseOptions(
            delimiter=UNIT if layout.arranged else layout.separator,
            quote_char=False if layout.widths else '"',
            newlines_in_values=not layout.widths,
            invalid_row_handler=note,
            # With one column an empty line is a person whose only cell is missing.
            ignore_empty_lines=len(layout.names) > 1,
        ),
        arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(layout.names, kind),
            null_values=["", *nulls],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


@contextmanager
def csv_errors(path: Path, layout: Layout) -> Iterator[None]:
    """What Arrow raises for a CSV file, in our words."""
    import pyarrow as pa

    try:
        yield
    except pa.ArrowInvalid as error:
        if "utf8" in str(error).lower():
            raise not_text(path, layout.encoding) from None
        if "straddling" in str(error):
            raise BadInput(
                f"A row of {path.name} is too long.",
                found="a row that fills a whole block of the file, or a quote that is not closed",
                fix="shorten the long cells, or close the quote",
            ) from None
        raise BadInput(
            f"{path.name} cannot be read as CSV.",
            found=f"separator {layout.separator!r}, {len(layout.names)} columns in the first line",
            fix="check the separator and that every quote is closed",
            say=["separator", "encoding", "header"],
        ) from None
    except (LookupError, ValueError):  # no such encoding, or bytes that do not fit it
        raise not_text(path, layout.encoding) from None
    except DAMAGED:
        raise damaged(path) from None


def refuse_ragged(path: Path, ragged: list[RaggedRow]) -> None:
    """Raise where rows have too few or too many cells."""
    if ragged:
        raise BadInput(
            f"{len(ragged)} rows of {path.name} have too few or too many cells.",
            found=[f"row {n}: {actual} cells where {expected} were expected" for n, expected, actual in ragged[:5]],
            fix="mend these rows; a cell that holds the separator needs quotes",
            say=["separator"],
        )


def has_lines(cells: Any) -> bool:
    """Whether any cell has more than one line."""
    import pyarrow.compute as pc

    return any(pc.any(pc.match_substring(cells, end)).as_py() for end in "\n\r")


def has_quote_amid(path: Path, layout: Layout) -> bool:
    """Whether a lone quote stands amid a cell: one that is closed there, or comes after a backslash, changes cells."""
    if layout.arranged:
        return False
    ends = re.escape(f'{layout.separator}\r\n"')
    amid, before = re.compile(f'[^{ends}]"[^{ends}]'), ""
    with open_text(path) as stream:
        text = io.TextIOWrapper(stream, encoding=layout.encoding, newline="")
        for block in iter(lambda: text.read(BLOCK), ""):
            if '"' in block and amid.search(before + block):
                return True
            before = block[-2:]
    return False


def refuse_open_quote(path: Path, layout: Layout) -> None:
    """Raise where a quote is not closed, or too early: the rows after it would be one cell, or cells be changed."""
    if layout.arranged:
        return
    last: deque[Any] = deque([(0, None)], maxlen=1)
    limit = csv.field_size_limit(1 << 30)
    try:
        with open_text(path) as stream:
            text = io.TextIOWrapper(stream, encoding=layout.encoding, newline="")
            last.extend(enumerate(csv.reader(text, delimiter=layout.separator, strict=True), start=1))
    except csv.Error:
        raise BadInput(
            f"A quote in {path.name} is not closed, or is closed in the middle of a cell.",
            found=f"row {last[0][0] + 1}, counted with the names",
            fix='mend this row; a quote inside a cell is written twice, "", and not with a backslash',
        ) from None
    finally:
        csv.field_size_limit(limit)


def settle(column: Any) -> Any:
    """A column of text as whole numbers, numbers, dates or times when every cell is one; else as it is."""
    return settle_spelled(column)[0]


def settle_spelled(column: Any) -> tuple[Any, Spelling | None]:
    """A column of text in the type that all its cells have, and how they were written where they print otherwise.

    Looks at the distinct cells only. "007" is not a whole number here: turning it into 7 would lose a zip code.
    """
    column = whole(column)
    cells = column.dictionary
    values = typed(cells)
    return (column, None) if values is None else (values.take(column.indices), spelling_of(cells, values))


def typed(cells: Any) -> Any:
    """Distinct texts as what all of them are, if nothing is lost by it; otherwise None."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if len(cells) == 0:
        return None
    for pattern, kind in (
        (INTEGER, pa.int64()),
        (NUMBER, pa.float64()),
        (DATE, pa.date32()),
        (TIMESTAMP, pa.timestamp("s")),
    ):
        if not pc.all(pc.match_substring_regex(cells, pattern)).as_py():
            continue
        try:
            values = cells.cast(kind)
        except pa.ArrowInvalid:
            return None  # a 31st of February: text, and the schema's check will say so
        if kind == pa.float64():
            if not pc.all(pc.is_finite(values)).as_py():
                return None
            values = pc.add(values, 0.0)  # -0 is 0
        return values if len(pc.unique(values)) == len(cells) else None  # 250.1 and 250.10 may be two codes
    return None
