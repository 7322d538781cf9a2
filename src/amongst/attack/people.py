"""People whom an intruder knows: rows of an outside table, of the original, or of a control group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.attack.boxes import Boxes, values_of
from amongst.attack.texts import texts_of
from amongst.errors import BadInput
from amongst.published.meaning import is_text, meant, meant_for
from amongst.published.spellings import folded
from amongst.published.tally import Distinct, one_key
from amongst.read import read
from amongst.read.plain import plain


@dataclass(frozen=True, eq=False)
class People:
    """Rows about people.

    Attributes
    ----------
    table : pyarrow.Table
    row : ndarray of int64
        The number of every row in the table it was taken from.
    n_all : int
        How many that table has.
    """

    table: pa.Table
    row: np.ndarray
    n_all: int
    _columns: dict[str, Distinct] = field(default_factory=dict, repr=False)
    kept: dict[tuple[object, ...], Any] = field(default_factory=dict, repr=False)
    """What was found out about just these people and serves again: attacks ask it for one column after the other."""

    @property
    def n(self) -> int:
        return len(self.row)

    @property
    def sampled(self) -> bool:
        return self.n < self.n_all

    def column(self, name: str) -> Distinct:
        if name not in self._columns:
            self._columns[name] = values_of(self.table, name)
        return self._columns[name]

    def truth(self, name: str, values: Sequence[str | None], *, spelled: bool = False) -> np.ndarray:
        """The number of everybody's value in a list of values; -1 for values that are not in it.

        Spellings of a value are that value, unless ``spelled`` says that they count. What a text file spells
        otherwise than a file with types, as numbers and days, is the same value always.
        """

        def key(text: str | None) -> str | None:
            return text if text is None or spelled else folded(text)

        column = self.column(name)
        texts = texts_of(column.values, column.null_like)
        number = {key(text): i for i, text in reversed(list(enumerate(values)))}
        of = column.values.type
        if is_text(of):  # a release with types says what it means by itself
            of_code = [number.get(key(text), number.get(key(text and meant(text)), -1)) for text in texts]
        else:
            plain = {key(text and meant_for(text, of)): i for i, text in reversed(list(enumerate(values)))}
            if pa.types.is_floating(of):
                plain.setdefault(None, number.get("nan", -1))  # what a text file says of a missing number
            of_code = [number.get(key(text), plain.get(key(text), -1)) for text in texts]
        return np.array(of_code, dtype=np.int64)[column.codes] if of_code else np.zeros(0, dtype=np.int64)

    def take(self, at: np.ndarray) -> People:
        return People(self.table.take(pa.array(at)), self.row[at], self.n_all)

    def sample(self, most: int, rng: np.random.Generator) -> People:
        """At most so many of them, drawn by lot."""
        return self if self.n <= most else self.take(np.sort(rng.choice(self.n, most, replace=False)))

    def distinct(self, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """One of every sort of people, and the sort of everybody, by some columns."""
        key = one_key([self.column(name).codes for name in names], self.n)
        _, first, sort = np.unique(key, return_index=True, return_inverse=True)
        return first, sort.reshape(-1)

    def sorts(self, names: Sequence[str]) -> tuple[People, np.ndarray]:
        """Somebody of every sort of people, and the sort of everybody, by some columns."""
        key = ("sorts", *names)
        if key not in self.kept:
            first, sort = self.distinct(names)
            self.kept[key] = self.take(first), sort
        found: tuple[People, np.ndarray] = self.kept[key]
        return found


def read_people(data: Any) -> People:
    """Everybody in a table: a path, a frame, or a mapping of columns."""
    table = pa.table(dict(data)) if isinstance(data, Mapping) else data
    table = plain(table) if isinstance(table, pa.Table) else read(table).table
    return People(table, np.arange(table.num_rows), table.num_rows)


def comparable(people: People, boxes: Boxes, what: str) -> list[str]:
    """The columns by which people can be compared with the release; raises where there is none."""
    there = set(people.table.column_names)
    names = [name for name in boxes.names if name in there]
    if not names:
        raise BadInput(
            f"{what} cannot be compared with the release.",
            found="none of the columns " + ", ".join(f"'{name}'" for name in boxes.names),
            fix="give its columns the names that they have in the original",
        )
    return names
