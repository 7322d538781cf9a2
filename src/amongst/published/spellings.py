"""Spellings of one value: what differs in case, blanks, width or signs that nobody sees tells people nothing apart.

A group with ``HIV``, ``hiv`` and ``HIV `` has one disease. Only sensitive values are read so: quasi-identifiers that a
reader can tell apart are apart.
"""

from __future__ import annotations

import unicodedata

import numpy as np
import pyarrow as pa

INVISIBLE = ("Cf", "Cc")


def folded(text: str) -> str:
    """A text without what spellings of it may differ in.

    Examples
    --------
    >>> from amongst.published.spellings import folded
    >>> {folded(text) for text in ("HIV", "hiv ", "H\\u200bIV", "\\uff28IV")}
    {'hiv'}
    """
    seen = "".join(
        " " if sign.isspace() else sign
        for sign in unicodedata.normalize("NFKC", text)
        if sign.isspace() or unicodedata.category(sign) not in INVISIBLE
    )
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).split())


def joined(texts: pa.Array, code: np.ndarray) -> tuple[np.ndarray, int]:
    """The code of every text, the same for all spellings of a value (the least of theirs); and how many were joined."""
    least: dict[str, int] = {}
    keys = [folded(text) for text in texts.to_pylist()]
    for key, one in zip(keys, code.tolist(), strict=True):
        least[key] = min(one, least.get(key, one))
    found = np.array([least[key] for key in keys], dtype=np.int64)
    return found, int((found != code).sum())
