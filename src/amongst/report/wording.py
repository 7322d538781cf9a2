"""Numbers and names as a reader sees them, on the page and in the terminal."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

# Control characters and lone surrogates cannot be written, and overriding marks of direction would
# turn the text around them; both are shown by number. Marks that belong to a script stay.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def visible(text: object, *, lines: bool = False) -> str:
    """Text without characters that act instead of being read; line breaks stay when ``lines``.

    Examples
    --------
    >>> from amongst.report.wording import visible
    >>> visible("age\\x1b[31m")
    'age‹U+001B›[31m'
    """
    text = str(text)
    if text.isprintable():
        return text

    def shown(match: re.Match[str]) -> str:
        char = match.group()
        return char if lines and char in "\n\t" else f"‹U+{ord(char):04X}›"

    return _UNSEEN.sub(shown, text)


def shorten(text: object, length: int) -> str:
    """A label of at most ``length`` characters."""
    text = visible(text)
    return text if len(text) <= length else text[: max(length - 1, 1)].rstrip() + "…"


def count(number: float) -> str:
    """A whole number with thousands separated.

    Examples
    --------
    >>> from amongst.report.wording import count
    >>> count(30162)
    '30,162'
    """
    return f"{round(number):,}" if math.isfinite(number) else "–"


def hidden_count(number: int, threshold: int) -> str:
    """A count of input rows, or that it is below the threshold."""
    return f"fewer than {count(threshold)}" if 0 < number < threshold else count(number)


def suppressed_words(told: Mapping[str, int]) -> str:
    """Between which counts lies how many rows were left out, in words.

    Examples
    --------
    >>> from amongst.report.wording import suppressed_words
    >>> [suppressed_words({"least": least, "most": most}) for least, most in ((0, 0), (1, 9), (20, 29))]
    ['none', 'fewer than 10', '20 to 29']
    """
    least, most = told["least"], told.get("most")
    if most is None:
        return "some"
    if least == most:
        return count(least) if least else "none"
    return f"fewer than {count(most + 1)}" if least == 1 else f"{count(least)} to {count(most)}"


def percent(share: float) -> str:
    """A share as a percentage with one digit, and never 0 or 100 for what is not."""
    if not math.isfinite(share):
        return "–"
    if share in (0, 1):
        return f"{share:.0%}"
    if 0 < share < 0.0005:
        return "< 0.1%"
    if 0.9995 <= share < 1:
        return "> 99.9%"
    return f"{share * 100:.1f}%"


def figure(number: float) -> str:
    """A measured number: whole where it is large, four digits where it is not."""
    if not math.isfinite(number):
        return "–"
    size = abs(number)
    if size >= 1e15:
        return f"{number:.3e}"
    return count(number) if size >= 1000 or number == int(number) else f"{number:.4g}"


def told(figures: Mapping[str, float | None], name: str) -> str:
    """One of several figures with up to three digits; a dash for what is not told."""
    number = figures.get(name)
    return "–" if number is None or not math.isfinite(number) else f"{number:,.3g}" if number < 1000 else count(number)


def tick(number: float) -> str:
    """A short number for an axis.

    Examples
    --------
    >>> from amongst.report.wording import tick
    >>> [tick(x) for x in (0, -5, 0.25, 1990, 30000, 2.5e6, 1e20)]
    ['0', '-5', '0.25', '1990', '30k', '2.5M', '1e+20']
    """
    size = abs(number)
    if size >= 1e15 or 0 < size < 1e-4:
        return f"{number:.6g}"
    for start, unit, letter in ((1e12, 1e12, "T"), (1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if size >= start:
            return f"{number / unit:.6g}{letter}"
    return f"{number:.6g}"
