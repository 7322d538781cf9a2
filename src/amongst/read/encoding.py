"""Which encoding a text file has, by all its bytes: its mark, whether it is UTF-8, and what its letters are."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path
from typing import IO

import numpy as np

from amongst.errors import BadInput

MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
    codecs.BOM_UTF8: "utf-8-sig",
}
ONE_BYTE = ("windows-1252", "cp850", "mac-roman", "windows-1250", "latin-1")
"""Encodings with a byte for every sign that people have files in; the first in which the signs fit their places best is
taken, of those in which all bytes are signs."""
OTHERS = "windows-1250 (Central Europe), windows-1251 (Cyrillic), windows-1253 (Greek), shift_jis or gb18030"
LEAST_FIT = 0.8
"""The share of signs that must be where they may."""
ENOUGH, MOST_BESIDE = 20, 0.75
"""Of so many signs beyond ASCII no larger share stands beside another one, where the alphabet is Latin."""
_USUAL = "€°§µ²³´’‘“”„–—…×½¼·\u00a0«»¿¡±®™ªº"
BLOCK = 1 << 20
WITHIN, AMID, AT_END, ELSEWHERE, N_PLACES = 0, 1, 2, 3, 4
"""Where a sign stands: between letters, of which the first is small, or is not; after a small one; elsewhere."""
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

    Of encodings with one byte a sign nobody can be sure: the one is taken in which most signs beyond ASCII stand where
    they may. Where they are words of their own, it is another alphabet, and refused.
    """
    with opened(path) as stream:
        found = marked(stream.read(4))
    if found is not None:
        return found, () if found == "utf-8-sig" else (f"read as {found}, by the mark or the zeros it begins with",)
    count = np.zeros((256, N_PLACES), dtype=np.int64)
    decoder, n_utf8, n_other, n_beside = codecs.getincrementaldecoder("utf-8")("replace"), 0, 0, 0
    with opened(path) as stream:
        for block in iter(lambda: stream.read(BLOCK), b""):
            if b"\0" in block:
                return None
            read = decoder.decode(block)
            n_odd = read.count(REPLACED)
            n_other += n_odd
            n_utf8 += len(read) - len(read.encode("ascii", "ignore")) - n_odd
            if not block.isascii():
                some, beside = _places(np.frombuffer(block, np.uint8))
                count += some
                n_beside += beside
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
    n_high = int(count.sum())
    fitting = {name: _fit(name, count) for name in ONE_BYTE if _is_text(name, count)}
    best = max(fitting, key=lambda name: fitting[name], default="")
    if not best or fitting[best] < LEAST_FIT * n_high or (n_high >= ENOUGH and n_beside > MOST_BESIDE * n_high):
        raise BadInput(
            f"The encoding of {path.name} is not clear.",
            found=f"{n_high:,} signs beyond ASCII, which are no UTF-8 and no words of Western Europe",
            fix=f"name the encoding it has, such as {OTHERS}",
            say=["encoding"],
        )
    return best, (
        f"read as {best}: it is no UTF-8, and {fitting[best]:,} of its {n_high:,} signs beyond ASCII fit their "
        "places then; say encoding = ... if it is another",
    )


def _places(block: np.ndarray) -> tuple[np.ndarray, int]:
    """How often each byte beyond ASCII stands in each place, and how many stand beside another."""
    high = block >= 128
    folded = block | 32
    letter = (folded >= ord("a")) & (folded <= ord("z")) & ~high
    after = np.append(False, letter[:-1])
    small = np.append(False, (letter & (block >= ord("a")))[:-1])
    before = np.append(letter[1:], False)
    place = np.select([small & before, after & before, small], [WITHIN, AMID, AT_END], ELSEWHERE)
    count = np.bincount(block[high].astype(np.int64) * N_PLACES + place[high], minlength=256 * N_PLACES)
    beside = np.append(False, high[:-1]) | np.append(high[1:], False)
    return count.reshape(256, N_PLACES), int((beside & high).sum())


def _sign(encoding: str, byte: int) -> str:
    return bytes([byte]).decode(encoding, errors="replace")


def _is_text(encoding: str, count: np.ndarray) -> bool:
    """Whether all bytes are signs that can be printed."""
    signs = [_sign(encoding, byte) for byte in np.flatnonzero(count.sum(axis=1)).tolist()]
    return all(sign != REPLACED and (sign.isprintable() or sign == "\u00a0") for sign in signs)


def _fit(encoding: str, count: np.ndarray) -> int:
    """How many signs are where they may be: small letters after small letters, letters in words, marks elsewhere."""
    total = 0
    for byte in np.flatnonzero(count.sum(axis=1)).tolist():
        sign = _sign(encoding, byte)
        usual = sign.isalpha() or sign in _USUAL
        small, letter = sign.islower() or sign in "’´", sign.isalpha() or sign in "’´"
        fits = {WITHIN: small, AMID: letter, AT_END: small or (usual and not letter), ELSEWHERE: usual}
        total += sum(int(count[byte, place]) * (1 if fit else -1) for place, fit in fits.items())
    return total
