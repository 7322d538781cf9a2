"""Texts of cells that mean the same, whichever type or kind of file they come from.

A text file has bytes by their digits, ``2.50`` where a database has 2.5, and a day where a table has its midnight. Who
holds a person against a release compares what is meant, or finds nobody.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
DAY = 86_400
MOST_ZEROS = 400
"""Numbers with larger exponents keep theirs: no double has one, and written out they would fill the memory."""
_NUMBER = re.compile(r"[-+]?(?:0|[1-9][0-9]*|(?=\.))(?:\.[0-9]*)?(?:[eE]([-+]?[0-9]{1,6}))?")
_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})?(?:(?:^|[ T])([0-9]{2}:[0-9]{2})(:[0-9]{2})?(\.[0-9]*)?)?(Z|[-+][0-9]{2}:?[0-9]{2})?"
)
_ZEROS = (r"\.0+(Z|[-+]\d\d:?\d\d)?$", r"(\.\d*[1-9])0+(Z|[-+]\d\d:?\d\d)?$")
_MIDNIGHT = r"[ T]00:00:00$"


def in_digits(values: pa.Array) -> pa.Array:
    """Bytes as two hexadecimal digits each, spans of time as ``1 days 02:03:04.5``: as text files have them."""
    say: Callable[..., str] = _span_in(values.type) if pa.types.is_duration(values.type) else bytes.hex
    coded = values.cast(pa.int64()) if pa.types.is_duration(values.type) else values
    coded = coded.dictionary_encode()
    return pa.DictionaryArray.from_arrays(coded.indices, pa.array(map(say, coded.dictionary.to_pylist()), pa.string()))


def needs_digits(of: pa.DataType) -> bool:
    """Whether Arrow has no text for a type, or one that does not tell what is meant."""
    return pa.types.is_duration(of) or is_bytes(of)


def is_text(of: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_string(of) or types.is_large_string(of) or types.is_string_view(of))


def is_bytes(of: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_binary(of) or types.is_large_binary(of) or types.is_fixed_size_binary(of))


def _span_in(of: pa.DataType) -> Callable[[int], str]:
    per_second = PER_SECOND[of.unit]

    def said(span: int) -> str:
        seconds, part = divmod(span, per_second)
        days, rest = divmod(seconds, DAY)
        clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
        digits = f".{part:0{len(str(per_second)) - 1}}".rstrip("0") if part else ""
        return f"{days} days {'+' if days < 0 else ''}{clock}{digits}"

    return said


def meant_texts(values: pa.Array) -> pa.Array:
    """Every value as the one text that all spellings of it have in ``meant``; texts stay as they are.

    Examples
    --------
    >>> import datetime, pyarrow as pa
    >>> from amongst.published.meaning import meant, meant_texts
    >>> meant_texts(pa.array([datetime.datetime(2001, 2, 3)])).to_pylist(), meant("2001-02-03 00:00:00")
    (['2001-02-03'], '2001-02-03')
    >>> meant_texts(pa.array([2.5])).to_pylist(), meant("2.50")
    (['2.5'], '2.5')
    """
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    if pa.types.is_float16(values.type):  # of which Arrow has no shortest digits
        values = values.cast(pa.float32())
    of = values.type
    if needs_digits(of):
        return in_digits(values).dictionary_decode()
    if pa.types.is_timestamp(of) and of.tz is not None:
        values = values.cast(pa.timestamp(of.unit, "UTC"))
    texts = _without_needless_digits(values) if pa.types.is_float64(of) else values.cast(pa.string())
    if pa.types.is_floating(of) or pa.types.is_decimal(of):
        texts = pc.replace_substring_regex(pc.replace_substring_regex(texts, r"\.0*$", ""), r"(\.\d*[1-9])0+$", r"\1")
        odd = pc.fill_null(pc.match_substring_regex(texts, r"[eE]|^-0$"), False)
        if pc.any(odd).as_py():
            written = [meant(text) for text in texts.filter(odd).to_pylist()]
            texts = pc.replace_with_mask(texts, odd, pa.array(written, pa.string()))
    elif pa.types.is_temporal(of):
        for zeros, kept in zip(_ZEROS, (r"\1", r"\1\2"), strict=True):
            texts = pc.replace_substring_regex(texts, zeros, kept)
        texts = pc.replace_substring_regex(texts, _MIDNIGHT, "")
    return texts


def _without_needless_digits(values: pa.Array) -> pa.Array:
    """Doubles as texts; those that are short floats written out with the digits that tell short floats apart."""
    double = values.to_numpy(zero_copy_only=False)
    with np.errstate(over="ignore", invalid="ignore"):
        short = double.astype(np.float32)
        same = (short == double) & (double % 1 != 0)
    return pc.if_else(pa.array(same), pa.array(short).cast(pa.string()), values.cast(pa.string()))


def meant(text: str) -> str:
    """The text that all spellings of a number, day, moment or clock have; any other text as it is, codes too.

    Examples
    --------
    >>> from amongst.published.meaning import meant
    >>> [meant(text) for text in ("2.50", "1e3", "007", "2001-02-03T04:05:00.000", "2001-02-03 01:00+01:00", "flu")]
    ['2.5', '1000', '007', '2001-02-03 04:05:00', '2001-02-03 00:00:00Z', 'flu']
    """
    number = _NUMBER.fullmatch(text)
    if number is not None:
        exponent = number.group(1)
        if text.strip("+-.eE") and (exponent is None or abs(int(exponent)) <= MOST_ZEROS):
            return _plain_number(text)
        return text
    moment = _MOMENT.fullmatch(text)
    if moment is None or not text:
        return text.lower() if text in ("True", "TRUE", "False", "FALSE") else text
    return _plain_moment(text, *moment.groups())


def in_one_spelling(parts: Sequence[pa.Array]) -> list[pa.Array]:
    """The values of one column of several files as texts, equal where they mean the same."""
    if all(is_text(part.type) for part in parts):  # written by one hand: the codes 1.0 and 1 are two
        return [part.cast(pa.string()) for part in parts]
    return [
        pa.array([text if text is None else meant(text) for text in part.to_pylist()], pa.string())
        if is_text(part.type)
        else meant_texts(part)
        for part in parts
    ]


def meant_for(text: str, of: pa.DataType) -> str:
    """What a text of a file means beside values of a type: formats without short floats have all digits of the double,
    those without true and false have 1 and 0."""
    plain = meant(text)
    if pa.types.is_boolean(of):
        return {"1": "true", "0": "false"}.get(plain, plain)
    if (pa.types.is_float16(of) or pa.types.is_float32(of)) and _NUMBER.fullmatch(plain):
        with np.errstate(over="ignore"):
            rounded = np.float16(plain) if pa.types.is_float16(of) else plain
            return meant(str(np.float32(rounded)))
    return plain


def _plain_number(text: str) -> str:
    digits = f"{Decimal(text):f}"
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    if "." in digits:  # perhaps a short float, which was written out as a double
        double = float(digits)
        with np.errstate(over="ignore"):
            short = np.float32(double)
        if float(short) == double and Decimal(digits) in (Decimal(repr(double)), Decimal(double)):
            digits = f"{Decimal(str(short)):f}"
    return "0" if digits in ("-0", "") else digits


def _plain_moment(
    text: str, day: str | None, clock: str | None, seconds: str | None, part: str | None, zone: str | None
) -> str:
    if clock is None:
        return text
    rest = (part or "").rstrip("0").rstrip(".")
    if day is None:
        return f"{clock}{seconds or ':00'}{rest}{zone or ''}"
    said = f"{day} {clock}{seconds or ':00'}"
    if zone is None:
        return day if said.endswith("00:00:00") and not rest else said + rest
    try:
        there = datetime.datetime.fromisoformat(said + ("+00:00" if zone == "Z" else zone))
        return there.astimezone(datetime.UTC).replace(tzinfo=None).isoformat(" ") + rest + "Z"
    except (ValueError, OverflowError):
        return text
