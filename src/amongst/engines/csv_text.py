"""A table as the text of a CSV file of any shape: separator, quotes, line ends, encoding, a line of names or none."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.engines.shape import Shape
from amongst.errors import BadOption
from amongst.read.forms import DateForm, NumberForm

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 1 << 16
CONTEXT = "http://www.w3.org/ns/csvw"
"""What describes the file is metadata of W3C's CSV on the Web, which other tools read too."""
_PLAIN = "".join(map(chr, range(128)))
BESIDE = "-metadata.json"
"""The name of the metadata of a file is its own and this."""


def write_csv_text(tables: Iterable[pa.Table], path: Path, shape: Shape) -> None:
    """Write a table, piece by piece; cells that need quotes get them, and so do those that the shape wants quoted."""
    encoder = codecs.getincrementalencoder(shape.encoding)()
    try:
        with path.open("wb") as stream:
            for i, table in enumerate(tables):
                if shape.header and i == 0:
                    stream.write(encoder.encode(_names(table, shape)))
                for text in _rows(table, shape):
                    stream.write(encoder.encode(text))
    except UnicodeEncodeError as error:
        raise BadOption(
            "The release cannot be written in the encoding of the input.",
            found=f"a sign that {shape.encoding} does not have (U+{ord(error.object[error.start]):04X})",
            fix="leave the shape of the input out, or say shape = { encoding = ... } of another input",
        ) from None


def write_metadata(names: Iterable[str], path: Path, shape: Shape) -> Path:
    """Write how the file beside it is to be read: its dialect, and the forms of its columns. No cells."""
    target = path.with_name(path.name + BESIDE)
    told: dict[str, Any] = {
        "@context": CONTEXT,
        "url": path.name,
        "dialect": {
            "delimiter": shape.separator,
            "encoding": _encoding(path, shape),
            "header": shape.header,
            "lineTerminators": [shape.line_end],
            "quoteChar": '"',
            "doubleQuote": True,
        },
        "tableSchema": {"columns": [_column(name, shape) for name in names]},
    }
    target.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return target


def _encoding(path: Path, shape: Shape) -> str:
    """As the published bytes show it: where none of them needs the input's encoding, it is not told."""
    if shape.encoding == "utf-8-sig":
        return "utf-8"
    if _PLAIN.encode(shape.encoding, "ignore") != _PLAIN.encode("ascii"):
        return shape.encoding
    with path.open("rb") as stream:
        plain = all(block.isascii() for block in iter(lambda: stream.read(1 << 20), b""))
    return "utf-8" if plain else shape.encoding


def _column(name: str, shape: Shape) -> dict[str, Any]:
    reads = shape.forms.get(name)
    if reads is None:
        return {"titles": name}
    told: dict[str, Any] = {"titles": name}
    form = reads.settled
    if isinstance(form, NumberForm):
        format = {"decimalChar": form.decimal} | ({"groupChar": form.group} if form.group else {})
        if form.before or form.after:
            format["pattern"] = "#,##0.##".join(unit and f"'{unit}'" for unit in (form.before, form.after))
        told["datatype"] = {"base": "number", "format": format}
    elif isinstance(form, DateForm):
        told["datatype"] = {"base": "dateTime" if form.has_time else "date", "format": form.text}
    return told | ({"null": ["", *reads.missing]} if reads.missing else {})


def _special(shape: Shape) -> str:
    return rf'[\r\n"{re.escape(shape.separator)}]|^[ \t]|[ \t]$'


def _names(table: pa.Table, shape: Shape) -> str:
    def quoted(name: str) -> str:
        always = shape.quoting != "needed" or re.search(_special(shape), name)
        return '"' + name.replace('"', '""') + '"' if always else name

    return shape.separator.join(map(quoted, table.column_names)) + shape.line_end


def _rows(table: pa.Table, shape: Shape) -> Iterator[str]:
    import pyarrow.compute as pc

    columns = [_cells(column, shape) for column in table.columns]
    for at in range(0, table.num_rows, BATCH):
        cells = [column.slice(at, BATCH) for column in columns]
        yield _text(pc.binary_join_element_wise(*cells, shape.separator), shape.line_end)


def _text(lines: Any, end: str) -> str:
    """The lines as one text: the bytes that Arrow holds them in, one after the other."""
    import pyarrow as pa
    import pyarrow.compute as pc

    whole = pa.concat_arrays(lines.chunks) if isinstance(lines, pa.ChunkedArray) else lines
    ended = pc.binary_join_element_wise(whole, "", end)
    _, _, data = ended.buffers()
    n_bytes = pc.sum(pc.binary_length(ended)).as_py() or 0
    return data.slice(0, n_bytes).to_pybytes().decode() if n_bytes else ""


def _cells(column: pa.ChunkedArray, shape: Shape) -> Any:
    """The texts of a column, in quotes where they are to be; nothing for what is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    if not is_text and shape.quoting != "all":
        return (column if kind == column.type else column.cast(kind)).cast(pa.string()).fill_null("")
    coded = column if pa.types.is_dictionary(column.type) else pc.dictionary_encode(column)
    coded = coded.unify_dictionaries()
    texts = coded.chunk(0).dictionary.cast(pa.string()) if coded.num_chunks else pa.array([], pa.string())
    quoted = pc.binary_join_element_wise('"', pc.replace_substring(texts, '"', '""'), '"', "")
    needs = pc.or_(pc.match_substring_regex(texts, _special(shape)), pc.equal(texts, ""))
    if shape.quoting == "needed":
        quoted = pc.if_else(needs, quoted, texts)
    elif shape.quoting == "text":  # "9,5" is a number, and where commas separate needs quotes all the same
        number = pc.match_substring_regex(texts, r"^[-+]?[0-9]+(?:[.,][0-9]+)*$")
        quoted = pc.if_else(pc.and_(number, pc.invert(needs)), texts, quoted)
    pieces = [quoted.take(chunk.indices).fill_null("") for chunk in coded.chunks]
    return pa.chunked_array(pieces, pa.string())
