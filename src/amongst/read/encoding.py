"""Which encoding a text file has, by all its bytes: its mark, whether it is UTF-8, and what its letters are."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path
from typing import IO

from amongst.errors import BadInput

MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    codecs.BOM_UTF8: "utf-8-sig",
}
ONE_BYTE = ("windows-1252", "cp850", "latin-1")
"""Encodings with a byte for every sign that people have files in; the first that shows most letters is taken."""
BLOCK = 1 << 20
REPLACED = "\ufffd"
MIXED = 0.1
"""By chance hardly a sign of another encoding is one of UTF-8 too: so many for every one that is none are no chance."""


def marked(start: bytes) -> str | None:
    """The encoding whose mark, or whose zeros, a file begins with."""
    found = next((name for mark, name in MARKS.items() if start.startswith(mark)), None)
    zeros = [place for place, byte in enumerate(start[:4]) if byte == 0]
    return found or ("utf-16-le" if zeros == [1, 3] else "utf-16-be" if zeros == [0, 2] else None)


def find_encoding(path: Path, opened: Callable[[Path], IO[bytes]]) -> tuple[str, tuple[str, ...]] | None:
    """The encoding of a text file that is not plain UTF-8, and what to tell about it; None where it is no text.

    Of encodings with one byte a sign nobody can be sure: the one is taken in which most signs beyond ASCII are letters.
    """
    with opened(path) as stream:
        found = marked(stream.read(4))
    if found is not None:
        return found, () if found == "utf-8-sig" else (f"read as {found}, by the mark or the zeros it begins with",)
    count = [0] * 256
    decoder, n_utf8, n_other = codecs.getincrementaldecoder("utf-8")("replace"), 0, 0
    with opened(path) as stream:
        for block in iter(lambda: stream.read(BLOCK), b""):
            if b"\0" in block:
                return None
            read = decoder.decode(block)
            n_odd = read.count(REPLACED)
            n_other += n_odd
            n_utf8 += len(read) - len(read.encode("ascii", "ignore")) - n_odd
            high = block.translate(None, bytes(range(128)))
            for byte in set(high):
                count[byte] += high.count(byte)
    n_other += len(decoder.decode(b"", final=True))
    if not n_other:
        return "utf-8", ()
    if n_utf8 >= MIXED * n_other:
        raise BadInput(
            f"{path.name} has two encodings.",
            found=f"{n_utf8:,} signs beyond ASCII are UTF-8, and {n_other:,} are none",
            fix="mend the lines of the one or the other, or name an encoding for all of them",
            say=["encoding"],
        )
    n_high = sum(count[128:])
    best = max(ONE_BYTE, key=lambda name: _letters(name, count))
    return best, (
        f"read as {best}: it is no UTF-8, and {_letters(best, count):,} of its {n_high:,} signs beyond ASCII are "
        "letters then; say encoding = ... if it is another",
    )


def _letters(encoding: str, count: list[int]) -> int:
    """How many bytes beyond ASCII are letters; those that are no sign at all count against it."""
    total = 0
    for byte in range(128, 256):
        sign = bytes([byte]).decode(encoding, errors="replace")
        usual = sign.isalpha() or sign in "€°§µ²³´’‘“”„–—…×½¼·\u00a0«»¿¡±²"
        total += count[byte] * (1 if usual else -5 if sign == "\ufffd" or not sign.isprintable() else 0)
    return max(total, 0)
