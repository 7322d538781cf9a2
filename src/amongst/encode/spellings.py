"""Sensitive values that are spellings of each other count as one: the search must ask no less than the verifier.

The verifier has its own code for this (``published/spellings.py``); a test holds both against each other.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

_BLANKS = re.compile(r"\s+")


def spelling_key(text: str) -> str:
    """What all spellings of a value share: case, blanks, width and signs that nobody sees are gone."""
    plain = _BLANKS.sub(" ", unicodedata.normalize("NFKC", text))
    seen = "".join(sign for sign in plain if unicodedata.category(sign) not in ("Cf", "Cc"))
    return _BLANKS.sub(" ", unicodedata.normalize("NFKC", seen.casefold())).strip()


def code_of_spelling(values: pa.Array) -> np.ndarray | None:
    """For every value the first one that is the same but for its spelling; None where all differ, or are no text."""
    import pyarrow as pa

    if not (pa.types.is_string(values.type) or pa.types.is_large_string(values.type)):
        return None
    keys = [None if text is None else spelling_key(text) for text in values.to_pylist()]
    first = {key: place for place, key in reversed(list(enumerate(keys)))}
    if len(first) == len(keys):
        return None
    return np.array([first[key] for key in keys], dtype=np.int64)
