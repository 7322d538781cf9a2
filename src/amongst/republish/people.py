"""The people of a month: each in one box of the tree, with one row or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode import CodedTable, encode
from amongst.encode.spellings import spelling_key
from amongst.errors import BadInput, BadSchema
from amongst.schema.check import check

if TYPE_CHECKING:
    import pyarrow as pa

    from amongst.encode.coded import CodedColumn
    from amongst.pseudonyms import Pseudonyms
    from amongst.schema.schema import Schema

BETWEEN = "\x1f"
"""Stands between the values of several sensitive columns."""
MOST_ROWS = 50
"""Of somebody with more rows the others are left out."""


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a month.

    Attributes
    ----------
    coded : CodedTable
    value : ndarray of int64, one a row
        The number of its sensitive value, of several columns of their combination.
    digest : ndarray of uint64, one a row
        Of the person, under the key.
    names : pyarrow.Array
    """

    coded: CodedTable
    value: np.ndarray
    digest: np.ndarray
    names: pa.Array

    @classmethod
    def of(
        cls,
        table: pa.Table,
        asked: Schema,
        sensitive: Sequence[str],
        person: str,
        people: Pseudonyms,
        values: list[str],
    ) -> Rows:
        """Encode a table; values that are new are added to ``values``, of several columns as one text."""
        import pyarrow as pa

        schema = check(asked, table, form="labels")
        unfit = [name for name in schema.quasi if schema[name].publish not in ("range", "ancestor")]
        unfit += [name for name in schema.quasi if schema[name].kind == "ordered"]
        if unfit:
            raise BadSchema(
                "A series needs numbers, dates, or columns with a hierarchy.",
                found=", ".join(f"'{name}'" for name in dict.fromkeys(unfit)),
                fix="give the column a hierarchy, or drop it",
            )
        coded = encode(table, schema, list(sensitive))
        refuse_spellings({name: coded.sensitive[name] for name in sensitive}, values)
        texts, code = _combined([coded.sensitive[name] for name in sensitive])
        values.extend(one for one in dict.fromkeys(texts) if one not in values)
        place = {one: i for i, one in enumerate(values)}
        value = np.array([place[one] for one in texts], dtype=np.int64)[code]
        names = table.column(person).cast(pa.string()).combine_chunks()
        return cls(coded, value, people.digests(names), names)


def without_missing(table: pa.Table, quasi: Sequence[str]) -> np.ndarray:
    """The rows without a missing cell in a quasi-identifier: no box has the others."""
    import pyarrow.compute as pc

    there = np.ones(table.num_rows, dtype=bool)
    for name in set(quasi) & set(table.column_names):  # what is not there is told by the check of the schema
        if table.column(name).null_count:
            there &= pc.is_valid(table.column(name)).to_numpy()
    return there


def _combined(columns: Sequence[CodedColumn]) -> tuple[list[str], np.ndarray]:
    """The combinations of values that occur, each as one text, and the number of every row's."""
    codes = [one.codes.astype(np.int64) for one in columns]
    key = codes[0]
    for one, column in zip(codes[1:], columns[1:], strict=True):
        key = key * (column.n_codes + 1) + one
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    texts = [[_plain(one) for one in column.values.to_pylist()] + [""] for column in columns]
    told = [
        [own[code] for own, code in zip(texts, row, strict=True)]
        for row in zip(*(c[first] for c in codes), strict=True)
    ]
    return [BETWEEN.join(one) for one in told], number.reshape(-1)


def _plain(value: Any) -> str:
    """The value as text, whole numbers alike of whatever type: a month of fractions is compared with one of none."""
    whole = isinstance(value, float) and value.is_integer()
    return "" if value is None else str(int(value) if whole else value).replace(BETWEEN, " ")


def refuse_spellings(columns: Mapping[str, CodedColumn], known: Sequence[str]) -> None:
    """Raise where texts of a column, of this month and those before, are one value spelled in several ways.

    Counted as one, a reader could tell them apart, and fewer than k rows would be left; counted apart, two spellings
    would be two values, and a change of spelling somebody who came.
    """
    before = [one.split(BETWEEN) for one in known]
    wrong = []
    for place, (name, column) in enumerate(columns.items()):
        texts = {_plain(value) for value in column.values.to_pylist()} | {one[place] for one in before}
        spelled_again = len(texts) - len({spelling_key(text) for text in texts})
        wrong += [f"'{name}': {spelled_again:,} more"] if spelled_again else []
    if wrong:
        raise BadInput(
            "Values of a sensitive column are spelled in several ways.",
            found=wrong,
            fix="spell them alike, in case and blanks too, in every month: readers can tell them apart",
        )


def parts_of(values: Sequence[str], n_columns: int) -> tuple[np.ndarray, ...]:
    """Of every sensitive column 1 where a combination has a value: combinations down, values across; one has none."""
    if n_columns < 2:
        return ()
    found = []
    for texts in zip(*(one.split(BETWEEN) for one in values), strict=True):
        number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        made = np.zeros((len(texts), len(number)), dtype=np.int64)
        made[np.arange(len(texts)), [number[text] for text in texts]] = 1
        found.append(made)
    return tuple(found)


@dataclass(frozen=True, eq=False)
class People:
    """Everybody once, sorted by digest, with the rows that lie in one leaf of the tree.

    Attributes
    ----------
    digest, content : ndarray of uint64, one a person
        Who it is; and who with which values, so that a change is known and the values are not.
    leaf : ndarray of int64
    value : ndarray of int64
        The value by which she is counted: the first of hers.
    n_rows : ndarray of int64
    person_of_row : ndarray of int64, one a row of the month
        -1 for rows that are left out: no box has them, or they lie in another leaf than most rows of the person.
    value_of_row : ndarray of int64
    """

    digest: np.ndarray
    content: np.ndarray
    leaf: np.ndarray
    value: np.ndarray
    n_rows: np.ndarray
    person_of_row: np.ndarray
    value_of_row: np.ndarray

    @property
    def n(self) -> int:
        return len(self.digest)

    @classmethod
    def of(
        cls, rows: Rows, leaf: np.ndarray, values: Sequence[str], people: Pseudonyms, before: dict[str, np.ndarray]
    ) -> People:
        """Put everybody's rows together; ``before`` tells who was in which leaf last."""
        digests, own = np.unique(rows.digest, return_inverse=True)
        own = own.reshape(-1)
        home = _home(digests, own, leaf, before)
        at = np.flatnonzero((leaf >= 0) & (leaf == home[own]))
        at = at[np.lexsort((rows.value[at], own[at]))]
        first = np.flatnonzero(np.diff(own[at], prepend=-1))
        width = np.diff(np.append(first, len(at)))
        fits = np.arange(len(at)) - np.repeat(first, width) < MOST_ROWS
        at = at[fits]
        first = np.flatnonzero(np.diff(own[at], prepend=-1))
        width = np.diff(np.append(first, len(at)))
        person_of_row = np.full(len(own), -1, dtype=np.int64)
        person_of_row[at] = np.repeat(np.arange(len(first)), width)
        value = rows.value[at]
        found = digests[own[at[first]]], _contents(rows, at, first, width, values, people), leaf[at[first]]
        return cls(*found, value[first], width, person_of_row, rows.value)

    @property
    def most_rows(self) -> int:
        """The most rows of one person; 0 where everybody has one."""
        most = int(self.n_rows.max(initial=1))
        return most if most > 1 else 0


def _home(digests: np.ndarray, own: np.ndarray, leaf: np.ndarray, before: dict[str, np.ndarray]) -> np.ndarray:
    """The leaf of everybody: where she was before if a row of hers is there, else the one with most of her rows."""
    last = np.full(len(digests), -2, dtype=np.int64)
    if before:
        at = np.minimum(np.searchsorted(before["digest"], digests), max(len(before["digest"]) - 1, 0))
        known = before["digest"][at] == digests if len(before["digest"]) else np.zeros(len(digests), dtype=bool)
        last[known] = before["leaf"][at[known]]
    if len(digests) == len(own):
        home = np.full(len(digests), -1, dtype=np.int64)
        home[own] = leaf
        return home
    there = leaf >= 0
    pairs, n = np.unique(np.stack([own[there], leaf[there]]), axis=1, return_counts=True)
    order = np.lexsort((pairs[1], -n, last[pairs[0]] != pairs[1], pairs[0]))
    best = order[np.flatnonzero(np.diff(pairs[0][order], prepend=-1))]
    home = np.full(len(digests), -1, dtype=np.int64)
    home[pairs[0][best]] = pairs[1][best]
    return home


def _contents(
    rows: Rows, at: np.ndarray, first: np.ndarray, width: np.ndarray, values: Sequence[str], people: Pseudonyms
) -> np.ndarray:
    """A digest of everybody with all her values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not len(first):
        return np.zeros(0, dtype=np.uint64)
    texts = pa.array(list(values), pa.string()).take(pa.array(rows.value[at]))
    if (width > 1).any():
        offsets = pa.array(np.append(first, len(at)), pa.int32())
        texts = pc.binary_join(pa.ListArray.from_arrays(offsets, texts), BETWEEN * 2)
    return people.digests(pc.binary_join_element_wise(rows.names.take(pa.array(at[first])), texts, BETWEEN))
