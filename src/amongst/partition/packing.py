"""Where the number of every column sits in a packed key: a field of bits, the same at every level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

WORD = 64


@dataclass(frozen=True)
class Field:
    """The bits of one column: which word of the key, how far up in it, how many."""

    word: int
    shift: int
    width: int

    @property
    def mask(self) -> int:
        return ((1 << self.width) - 1) << self.shift


class Packing:
    """Codes of several columns as one key of a few 64-bit words.

    A column keeps its field at every level, so rolling up rewrites only the columns whose level changes, and
    leaving a column out clears its bits.
    """

    def __init__(self, n_codes: Sequence[int]) -> None:
        self.fields: list[Field] = []
        word = shift = 0
        for n in n_codes:
            width = max(n - 1, 0).bit_length()
            if shift + width > WORD:
                word, shift = word + 1, 0
            self.fields.append(Field(word, min(shift, WORD - 1), width))
            shift += width
        self.n_words = 1 << word.bit_length() if word else 1  # the kernel knows 1, 2, 4 and 8

    def pack(self, codes: Sequence[np.ndarray]) -> np.ndarray:
        """The keys of some rows, shape (n_rows, n_words)."""
        keys = np.zeros((len(codes[0]), self.n_words), dtype=np.uint64)
        for field, own in zip(self.fields, codes, strict=True):
            keys[:, field.word] |= own.astype(np.uint64) << np.uint64(field.shift)
        return keys

    def unpack(self, keys: np.ndarray, column: int) -> np.ndarray:
        """The codes of one column."""
        field = self.fields[column]
        return ((keys[:, field.word] & np.uint64(field.mask)) >> np.uint64(field.shift)).astype(np.uint32)

    def table(self, column: int, values: np.ndarray) -> np.ndarray:
        """What the values of a field become, for the kernel: one entry for everything the bits can say."""
        entries = np.zeros(1 << self.fields[column].width, dtype=np.uint32)
        entries[: len(values)] = values
        return entries
