"""Numbers and text that can be sent: no NaN, no infinity, no numpy, no characters that act."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from amongst.report.wording import shorten, visible

LONGEST = 120
"""Letters of a value that are sent; more would be of no use on a page."""


def plain(value: Any) -> Any:
    """The same as lists, dicts, text and finite numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from amongst.app.figures.plain import plain
    >>> plain({"a": np.array([1.0, np.nan]), "b": (np.int64(2), True)})
    {'a': [1.0, None], 'b': [2, True]}
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int):
        return value
    return visible(value)


def short(text: object, length: int = LONGEST) -> str:
    """Text of at most so many letters, without characters that act."""
    return shorten(text, length)


def rounded(values: np.ndarray, digits: int = 6) -> list[Any]:
    """Numbers with as many digits as a drawing needs."""
    return [None if not math.isfinite(one) else float(f"{one:.{digits}g}") for one in values.tolist()]
