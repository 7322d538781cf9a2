"""Files of SPSS, Stata and SAS, with value labels and codes that mean missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amongst.errors import BadOption
from amongst.read.formats.codes import Codes
from amongst.read.formats.fitting import Holds
from amongst.read.formats.format import Content, Format

if TYPE_CHECKING:
    import pyarrow as pa

LETTERS = {letter: 9e307 + place * 1e305 for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")}
"""Stata and SAS have letters for what is missing, .a to .z. Here each is a number beyond all that Stata can hold."""
LETTER_OF = {number: letter for letter, number in LETTERS.items()}
LONGEST_IN_STATA = 80
"""Characters that Stata allows to say what a column is about; a file of SPSS may have more."""
SAS_DATES = (
    r"DATE|DAY|DDMMYY.?|DOWNAME|[BE]8601DA|EURDF(?:DD|DE|DN|DWN|MN|MY|WDX|WKX)|H(?:EB)?DATE|JUL(?:DAY|IAN)|MINGUO|MMDDYY.?"
    r"|MMYY.?|MONNAME|MONTH|MONYY|NENGO|NLDATE(?!M).{0,2}|PDJUL[GI]|QTRR?|WEEK(?:DATE|DATX|DAY|[UVW])|WORDDAT[EX]|YEAR"
    r"|YY(?:MM.?|MMDD.?|MON|Q.?|QR.?|WEEK[UVW])"
)
"""Formats by which SAS shows days since 1960: a column that has one of them holds dates, whatever of them it shows."""
SAS_MOMENTS = r"DATE(?:TIME|AMPM)|[BE]8601(?:D[NTXZ]|LX)|DT(?:DATE|MONYY|WKDATX|YEAR|YYQC)|EURDFDT|MDYAMPM|NLDATM.{0,2}"
"""Formats by which it shows seconds since 1960."""
SAS_TIMES = r"TIME|TIMEAMPM|TOD|HHMM|HOUR|MMSS|[BE]8601(?:TM|TZ|LZ)|NLTIM.*|IS8601TM"
"""Formats by which it shows seconds of a day."""
FROM_1960 = 3653
"""Days to 1970."""
A_DAY = 86_400
MOST_DAYS = 700_000
"""Days on both sides of 1960 that every calendar here knows."""
_DTA_TIME = re.compile(rb"<timestamp>.(.{17})</timestamp>", re.DOTALL)
_XPT_TIME = re.compile(rb"[0-9]{2}[A-Z]{3}[0-9]{2}:[0-9]{2}:[0-9]{2}:[0-9]{2}")


def _reader(name: str, call: str) -> Callable[[Path, str | None], Content]:
    def read(path: Path, table: str | None) -> Content:
        import pyarrow as pa
        import pyreadstat

        if table is not None:
            raise BadOption("Such a file has one table.", found=f"table = {table!r}", fix="leave it out")
        of_sas = name in ("xpt", "sas7bdat")  # whose package takes some times for dates
        more = {} if call == "read_xport" else {"user_missing": True}
        more |= {"disable_datetime_conversion": True} if of_sas else {}

        def cells(**encoding: str) -> Any:
            return getattr(pyreadstat, call)(str(path), output_format="dict", **more, **encoding)

        (columns, meta), notes = _decoded(cells)
        lettered = getattr(meta, "missing_user_values", None) or {}
        made = {column: _array(cells, column in lettered) for column, cells in columns.items()}
        shown = meta.original_variable_types if of_sas else {}
        made = {column: _dated(array, shown.get(column) or "") for column, array in made.items()}
        codes = {column: _codes(name, column, meta) for column, array in made.items() if _is_number(array)}
        told = {column: one for column, one in codes.items() if one.labels or one.missing}
        about = getattr(meta, "column_names_to_labels", None) or {}
        return Content(pa.table(made), told, notes, {column: one for column, one in about.items() if one})

    return read


def _decoded(cells: Callable[..., Any]) -> tuple[Any, tuple[str, ...]]:
    """What was read, in the encoding that the texts are in: transport files tell none, and files of SAS that were made
    by other programs tell another."""
    import pyreadstat

    try:
        found = cells()
    except (UnicodeDecodeError, pyreadstat.ReadstatError):
        try:
            return cells(encoding="WINDOWS-1252"), ("texts are no UTF-8 and were read as Windows-1252",)
        except (UnicodeDecodeError, pyreadstat.ReadstatError):
            pass
        raise
    if _is_utf8_read_as_latin1(found[0]):
        return cells(encoding="UTF-8"), ("the file tells another encoding, and its texts are UTF-8: read so",)
    return found, ()


def _is_utf8_read_as_latin1(columns: Mapping[str, Any]) -> bool:
    """Whether every text with other letters than ASCII is two or three letters for each that was meant: of texts that
    are Latin-1 hardly one is."""
    odd = {cell for cells in columns.values() for cell in cells if isinstance(cell, str) and not cell.isascii()}
    try:
        return bool(odd) and all(cell.encode("latin-1").decode() for cell in odd)
    except UnicodeError:
        return False


def _array(cells: Any, lettered: bool) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {str} and not lettered:
        texts = pa.array(cells, pa.string())
        return pc.if_else(pc.equal(texts, ""), pa.scalar(None, pa.string()), texts)
    if kinds <= {float, int, str}:
        plain = (LETTERS.get(cell.lower()) if isinstance(cell, str) else cell for cell in cells)
        return pa.array([None if cell != cell else cell for cell in plain], pa.float64())
    return pa.array([None if cell != cell else cell for cell in cells])


def _dated(array: pa.Array, shown: str) -> pa.Array:
    """The column, as dates or times where SAS shows it by a format of these and all of it can be such."""
    import pyarrow as pa
    import pyarrow.compute as pc

    named = re.sub(r"[0-9.]+$", "", shown.upper())
    if not pa.types.is_floating(array.type) or array.null_count == len(array):
        return array

    def all_of(holds: Any) -> bool:
        return bool(pc.all(holds).as_py())

    def micros(since: int, kind: pa.DataType) -> pa.Array:
        seconds = pc.subtract(array, float(since * A_DAY))
        return pc.round(pc.multiply(seconds, 1e6)).cast(pa.int64()).cast(kind)

    if re.fullmatch(SAS_DATES, named) and all_of(pc.less(pc.abs(array), MOST_DAYS)):
        if all_of(pc.equal(array, pc.floor(array))):
            return pc.subtract(array, float(FROM_1960)).cast(pa.int32()).cast(pa.date32())
    elif re.fullmatch(SAS_MOMENTS, named) and all_of(pc.less(pc.abs(array), MOST_DAYS * A_DAY)):
        return micros(FROM_1960, pa.timestamp("us"))
    elif re.fullmatch(SAS_TIMES, named) and all_of(pc.and_(pc.greater_equal(array, 0), pc.less(array, A_DAY))):
        return micros(0, pa.time64("us"))
    return array


def _is_number(array: pa.Array) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_floating(array.type) or pa.types.is_integer(array.type))


def _codes(name: str, column: str, meta: Any) -> Codes:
    labels = (getattr(meta, "variable_value_labels", None) or {}).get(column, {})
    ranges = (getattr(meta, "missing_ranges", None) or {}).get(column, [])
    letters = (getattr(meta, "missing_user_values", None) or {}).get(column, [])
    numbered = {LETTERS.get(code.lower()) if isinstance(code, str) else code: text for code, text in labels.items()}
    gone = [(LETTERS[letter.lower()],) * 2 for letter in letters if letter.lower() in LETTERS]
    return Codes(
        name,
        {float(code): str(text) for code, text in numbered.items() if isinstance(code, (int, float))},
        (*((float(one["lo"]), float(one["hi"])) for one in ranges if isinstance(one["lo"], (int, float))), *gone),
        (getattr(meta, "column_names_to_labels", None) or {}).get(column) or "",
    )


def _frame(table: pa.Table, lettered: Mapping[str, list[str]]) -> Any:
    """A frame that the package takes: texts, numbers, dates and times; numbers and letters in some columns."""
    import polars
    import pyarrow as pa

    def plain(column: Any) -> Any:
        kind = column.type
        if pa.types.is_dictionary(kind):
            column = column.cast(kind.value_type)
        if pa.types.is_decimal(column.type):
            return column.cast(pa.float64())
        if pa.types.is_boolean(column.type):
            return column.cast(pa.int8())
        return column

    frame: Any = polars.from_arrow(pa.table({name: plain(table.column(name)) for name in table.column_names}))
    for name in lettered:
        cells = [LETTER_OF.get(cell, cell) for cell in table.column(name).to_pylist()]
        frame = frame.with_columns(polars.Series(name, cells, dtype=polars.Object))
    return frame


def _letters_in(column: Any) -> list[str]:
    """The letters that stand in a column for what is missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    if not pa.types.is_floating(column.type):
        return []
    there = pc.unique(column.filter(pc.greater_equal(column, min(LETTER_OF)))).to_pylist()
    return sorted(LETTER_OF[cell] for cell in there if cell in LETTER_OF)


def _writer(call: str, settle: Callable[[bytes], bytes]) -> Callable[[Any, Path, Mapping[str, Any]], None]:
    def write(table: pa.Table, path: Path, codes: Mapping[str, Codes]) -> None:
        import pyreadstat

        longest = LONGEST_IN_STATA if call == "write_dta" else None
        about = {name: one.label[:longest] for name, one in codes.items() if one.label}
        more: dict[str, Any] = {"column_labels": about}
        if call != "write_xport":
            used = {name: one.used_by(table.column(name)) for name, one in codes.items()}
            more["variable_value_labels"] = {
                name: {LETTER_OF.get(code, code): text for code, text in one.items()}
                for name, one in used.items()
                if one
            }
        lettered = {}
        if call == "write_dta":
            found = {name: _letters_in(table.column(name)) for name in codes}
            lettered = {name: letters for name, letters in found.items() if letters}
            more |= {"missing_user_values": lettered} if lettered else {}
        if call == "write_sav":
            missing = {name: [{"lo": low, "hi": high} for low, high in one.missing] for name, one in codes.items()}
            more["missing_ranges"] = {name: one for name, one in missing.items() if one}
        try:
            getattr(pyreadstat, call)(_frame(table, lettered), str(path), **more)
        except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError) as error:
            raise BadOption(
                f"The release cannot be written as {path.suffix}.",
                found=f"{type(error).__name__}: often a name of a column that the format does not allow",
                fix="name the columns with letters, digits and underscores, or write another format",
            ) from None
        path.write_bytes(settle(path.read_bytes()))

    return write


def _settle_sav(content: bytes) -> bytes:
    """Without the time of writing, which follows 92 bytes of the header, so that equal releases are equal files."""
    return content[:92] + b"01 Jan 00" + b"00:00:00" + content[109:]


def _settle_dta(content: bytes) -> bytes:
    head = content[:4096]
    return _DTA_TIME.sub(lambda found: found[0].replace(found[1], b"01 Jan 2000 00:00"), head, count=1) + content[4096:]


def _settle_xpt(content: bytes) -> bytes:
    head = content[:2048]
    return _XPT_TIME.sub(b"01JAN00:00:00:00", head) + content[2048:]


NEEDS, EXTRA = ("pyreadstat", "polars"), "stats"
FORMATS = (
    Format(
        name="sav",
        words="a file of SPSS",
        endings=(".sav", ".zsav"),
        needs=NEEDS,
        extra=EXTRA,
        holds=Holds(doubles=True, padded=True, infinite=True),
        read=_reader("sav", "read_sav"),
        write=_writer("write_sav", _settle_sav),
    ),
    Format(
        name="dta",
        words="a file of Stata",
        endings=(".dta",),
        needs=NEEDS,
        extra=EXTRA,
        holds=Holds(doubles=True),
        read=_reader("dta", "read_dta"),
        write=_writer("write_dta", _settle_dta),
    ),
    Format(
        name="xpt",
        words="a transport file of SAS",
        endings=(".xpt",),
        needs=NEEDS,
        extra=EXTRA,
        holds=Holds(doubles=True, padded=True, cases=False),
        read=_reader("xpt", "read_xport"),
        write=_writer("write_xport", _settle_xpt),
    ),
    Format(
        name="sas7bdat",
        words="a file of SAS",
        endings=(".sas7bdat",),
        needs=NEEDS,
        extra=EXTRA,
        holds=Holds(doubles=True, padded=True),
        read=_reader("sas7bdat", "read_sas7bdat"),
        writes="xpt",
    ),
)
