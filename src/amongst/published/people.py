"""The person of every published row, given beside the table: never a column of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from amongst.errors import BadInput
from amongst.published.layout import Leaf
from amongst.published.source import Source
from amongst.published.tally import distinct_keys

PERSON = Leaf("\0person")  # no column of a file has this name
_BLOCK = 1 << 24


@dataclass(frozen=True, eq=False)
class People:
    """Who is in which class.

    Attributes
    ----------
    class_of_pair, person_of_pair : ndarray of int64
        Every person once for every class that has a row of theirs.
    n_people : int
    """

    class_of_pair: np.ndarray
    person_of_pair: np.ndarray
    n_people: int

    def count(self, group_of_class: np.ndarray, n_groups: int) -> np.ndarray:
        """How many people are in every group of classes."""
        pairs = distinct_keys(group_of_class[self.class_of_pair] * self.n_people + self.person_of_pair)
        return np.bincount(pairs // max(self.n_people, 1), minlength=n_groups)

    def count_compatible(
        self,
        codes: Sequence[np.ndarray],
        wild: Sequence[np.ndarray],
        n_classes: int,
        weight: np.ndarray | None = None,
    ) -> np.ndarray:
        """How many people every class cannot be told from, where the wild keys match anything: by all pairs.

        With the weight of every person, what those people weigh.
        """
        by_person = np.argsort(self.person_of_pair, kind="stable")
        others = self.class_of_pair[by_person]
        first = np.flatnonzero(np.diff(self.person_of_pair[by_person], prepend=-1))
        each = np.ones(len(first), dtype=np.int64) if weight is None else weight[self.person_of_pair[by_person][first]]
        people = np.zeros(n_classes, dtype=each.dtype)
        step = max(1, _BLOCK // max(len(others), 1))
        for at in range(0, n_classes, step):
            rows = slice(at, min(at + step, n_classes))
            fits = np.ones((rows.stop - at, n_classes), dtype=bool)
            for code, where in zip(codes, wild, strict=True):
                fits &= (code[rows, None] == code) | where[rows, None] | where
            people[rows] = np.logical_or.reduceat(fits[:, others], first, axis=1) @ each
        return people


def with_people(source: Source, units: Any) -> Source:
    """The source with one more column, ``PERSON``, that numbers the people."""
    person_of_row = _numbered(units)

    def batches(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        own = [name for name in names if name != PERSON.column]
        at = 0
        for batch in source.batches(own or source.names[:1]):
            part = person_of_row[at : at + batch.num_rows]
            at += batch.num_rows
            if len(part) < batch.num_rows:
                break
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, pa.array(part)], names=[*batch.schema.names, PERSON.column]
            )
        if at != len(person_of_row):
            raise BadInput(
                "There is not one person for every published row.",
                found=f"{len(person_of_row):,} people for {'more' if at > len(person_of_row) else 'fewer'} rows",
                fix="give the person of every published row, in the order of the rows",
            )

    return replace(source, batches=batches, counted=None)


def _numbered(units: Any) -> np.ndarray:
    """One number a person."""
    units = units.to_arrow() if hasattr(units, "to_arrow") else units
    try:
        column = units if isinstance(units, (pa.Array, pa.ChunkedArray)) else pa.array(units, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError):
        raise BadInput(
            "The people cannot be told apart.",
            found=f"units of type {type(units).__name__}",
            fix="give one text or number for every published row",
        ) from None
    if isinstance(column, pa.ChunkedArray):
        column = column.unify_dictionaries().combine_chunks()
        column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if column.null_count:
        raise BadInput(
            "Published rows belong to nobody.",
            found=f"{column.null_count:,} of {len(column):,} entries of units are missing",
            fix="give the person of every published row",
        )
    return column.dictionary_encode().indices.to_numpy(zero_copy_only=False).astype(np.int64)
