"""What the values of a column say about its role: patterns, looked for in the distinct values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from amongst.schema.check_digits import checked_share
from amongst.schema.person_names import SHAPE, are_names, for_letters_of

if TYPE_CHECKING:
    import pyarrow as pa

MOST_LOOKED_AT = 5_000
SHARE = 0.9
HALF = 0.5
"""Enough for what can hardly be anything else: a column half full of e-mail addresses publishes them."""


@dataclass(frozen=True)
class Pattern:
    """A form that values have, and the role it speaks for."""

    subject: str
    role: str
    regex: str
    fewest: int = 1
    """How many distinct values it takes: short codes look like other things by chance."""
    share: float = SHARE
    """A pattern is found when it fits at least this share of the distinct values."""
    checked: str | None = None
    """The check digits that the values must have (``check_digits``)."""
    letters: int = 1
    """How many different first characters it takes: A11 to A14 are answers, X01 to X40 and Y01 to Y40 two groups of
    people that somebody numbered."""


PATTERNS = (
    Pattern("e-mail addresses", "identifier", r"^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$", share=HALF),
    Pattern("web addresses", "identifier", r"^(https?|ftp)://\S+$", share=HALF),
    Pattern("UUIDs", "identifier", r"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"),
    Pattern("IP addresses", "identifier", r"^(\d{1,3}\.){3}\d{1,3}$|^[0-9a-fA-F]{0,4}(:[0-9a-fA-F]{0,4}){4,7}$"),
    Pattern("hardware addresses", "identifier", r"^[0-9A-Fa-f]{2}([:-][0-9A-Fa-f]{2}){5}$"),
    Pattern(
        "IBANs",
        "identifier",
        r"^[A-Z]{2}\d{2} ?([A-Z0-9]{4} ?){2,7}[A-Z0-9]{1,4}$",
        fewest=3,
        share=HALF,
        checked="iban",
    ),
    Pattern("social security numbers", "identifier", r"^\d{3}-\d{2}-\d{4}$"),
    Pattern("card numbers", "identifier", r"^\d{13,19}$", fewest=10, checked="luhn"),
    Pattern("card numbers", "identifier", r"^\d{4}[ -]\d{4}[ -]\d{4}[ -]\d{1,7}$"),
    Pattern(
        "home addresses",
        "identifier",
        r"(?i)^\d{1,5}[a-z]? [\pL .'-]+ (st|street|ave|avenue|rd|road|blvd|drive|ln|lane|way|court|parkway)\b|"
        r"(str\.|stra(ss|ß)e|weg|platz|allee|gasse) ?\d{1,4} ?[a-z]?$|"
        r"^\d{1,4},? (rue|avenue|boulevard|place|chemin) |^(calle|avenida|via|piazza) .+ \d+$",
        fewest=3,
        share=HALF,
    ),
    Pattern("pseudonyms", "identifier", r"^P[0-9A-F]{20}$", share=HALF),
    Pattern("digests", "identifier", r"^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$"),
    Pattern(
        "dates",
        "quasi",
        r"^(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([T ]\d{1,2}:\d{2}.*)?$",
    ),
    Pattern(
        "telephone numbers",
        "identifier",
        r"^(\+\d|\(?0|\(\d)[\d /().-]{6,20}$|^\d{3}[-. ]\d{3}[-. ]\d{4}$",
        fewest=3,
    ),
    Pattern("coordinates", "quasi", r"^-?\d{1,3}\.\d{3,}\s*[,; ]\s*-?\d{1,3}\.\d{3,}$"),
    Pattern(
        "postal codes",
        "quasi",
        r"^(\d{5}(-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)$",
        fewest=3,
    ),
    Pattern(
        "numbers written as text",
        "quasi",
        r"^[<>~]? ?[-+]?(\d+[.,]\d+|\d{1,3}([.' ]\d{3})+([.,]\d+)?)( ?(%|€|\$|EUR))?$",
        fewest=3,
        share=HALF,
    ),
    Pattern("codes of procedures (OPS)", "sensitive", r"^\d-\d{2}[0-9a-z](\.[0-9a-z]{1,3})?$", fewest=3),
    Pattern("codes of drugs (ATC)", "sensitive", r"^[A-V]\d{2}[A-Z]{2}\d{2}$", fewest=3),
    Pattern("ICD-10 codes", "sensitive", r"^[A-TV-Z]\d[0-9A-B]\.[0-9A-Z]{1,4}$", fewest=3, share=HALF),
    Pattern("ICD-10 codes", "sensitive", r"^[A-TV-Z]\d[0-9A-B](\.[0-9A-Z]{1,4})?$", fewest=3, letters=3),
)
"""In the order they are tried: the first that fits is taken."""

SIGNS = r"[0-9@:/-]"
"""One of these stands in whatever has a pattern; columns of words are not looked at pattern by pattern."""

FREE_TEXT = r"^\S+(\s+\S+){4,}"
"""Five words or more."""


NAMES = Pattern("names of people", "identifier", SHAPE)
ENTRIES = r"\s*[,;|]\s*"
IN_LISTS = 0.2
"""The least share of cells with several entries in a column of lists."""


def value_evidence(distinct: pa.Array, *, against: bool = False, told: bool = False) -> Pattern | None:
    """The pattern of text values, or None. ``against`` and ``told`` are what the name of the column says of names."""
    looked_at = _sample(distinct)
    if are_names(looked_at, against=against, told=told):
        return NAMES
    found = _pattern(looked_at, len(distinct))
    if found is not None:
        return found
    entries = _entries(looked_at)
    listed = None if entries is None else _pattern(entries, len(entries))
    if listed is not None:
        return Pattern(f"lists of {listed.subject}", listed.role, listed.regex)
    if _share(looked_at, FREE_TEXT) >= 0.5 and len(distinct) > 20:
        return Pattern("free text", "identifier", FREE_TEXT)
    return None


def _pattern(looked_at: pa.Array, n_distinct: int) -> Pattern | None:
    if _share(looked_at, SIGNS) < min(pattern.share for pattern in PATTERNS):
        return None
    for pattern in PATTERNS:
        if n_distinct < pattern.fewest or _share(looked_at, pattern.regex) < pattern.share:
            continue
        if pattern.checked is not None and checked_share(looked_at, pattern.checked) < pattern.share:
            continue
        if pattern.letters == 1 or _first_letters(looked_at) >= pattern.letters:
            return pattern
    return None


def _entries(values: pa.Array) -> pa.Array | None:
    """The different entries of cells that are lists, such as "J44.1, C34.9"; None where they are not.

    In lists the same entries come again: a column whose entries are as many as its texts is none.
    """
    import pyarrow.compute as pc

    if not len(values) or _share(values, ENTRIES + r"\S") < IN_LISTS:
        return None
    entries = pc.list_flatten(pc.split_pattern_regex(values, ENTRIES)).unique()
    entries = entries.filter(pc.not_equal(entries, ""))
    return entries if len(entries) < HALF * len(values) else None


def _first_letters(values: pa.Array) -> int:
    """How many different first characters the values have."""
    import pyarrow.compute as pc

    return int(pc.count_distinct(pc.utf8_slice_codeunits(values, 0, 1)).as_py())


def digits_of(distinct: pa.Array) -> int | None:
    """How many digits all the values have, when they are codes of digits of one length."""
    import pyarrow.compute as pc

    if not len(distinct):
        return None
    lengths = pc.min_max(pc.utf8_length(distinct)).as_py()
    same = lengths["min"] == lengths["max"] and lengths["min"] > 1
    return int(lengths["min"]) if same and _share(distinct, r"^[0-9]+$") == 1 else None


def _sample(distinct: pa.Array) -> pa.Array:
    """Values from all over the column, always the same ones."""
    import numpy as np
    import pyarrow as pa

    step = -(-len(distinct) // MOST_LOOKED_AT)
    return distinct if step <= 1 else distinct.take(pa.array(np.arange(0, len(distinct), step)))


def _share(values: pa.Array, regex: str) -> float:
    import pyarrow.compute as pc

    if not len(values):
        return 0.0
    return float(pc.mean(pc.match_substring_regex(values, for_letters_of(values, regex))).as_py())
