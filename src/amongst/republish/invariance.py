"""The signatures of a series: which values the classes of everybody have, from release to release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.errors import BadInput
from amongst.republish.people import BETWEEN, Rows
from amongst.republish.promise import Promise
from amongst.republish.signatures import Grouped, invariant_groups

if TYPE_CHECKING:
    import pyarrow as pa


class Signatures:
    """What is kept from release to release: the signature of every digest.

    Attributes
    ----------
    known : list of tuple of int
        All signatures: numbers of values, of several sensitive columns of their combinations.
    digest, number : ndarray
        Everybody who was ever published, sorted by digest, and the number of her signature.
    """

    def __init__(self, promise: Promise, *, counterfeits: bool) -> None:
        self.promise, self.counterfeits = promise, counterfeits
        self.known: list[tuple[int, ...]] = []
        self.digest, self.number = np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64)

    def next(self, rows: Rows) -> Grouped:
        """The groups of a month."""
        if len(np.unique(rows.digest)) < len(rows.digest):
            raise BadInput(
                "m-invariance has one row a person.",
                found="some people have several rows",
                fix="make one row of them, or use boxes",
            )
        at = np.minimum(np.searchsorted(self.digest, rows.digest), max(len(self.digest) - 1, 0))
        signature = np.full(len(rows.digest), -1, dtype=np.int64)
        if len(self.digest):
            met = self.digest[at] == rows.digest
            signature[met] = self.number[at[met]]
        order = np.argsort(rows.digest, kind="stable")  # that of the input says nothing
        place = np.stack([_places(column)[order] for column in rows.coded.columns], axis=1)
        found = invariant_groups(
            place,
            rows.value[order],
            signature[order],
            self.known,
            m=self.promise.l,
            k=self.promise.k,
            counterfeits=self.counterfeits,
        )
        group, own = np.empty_like(found.group_of_row), np.empty_like(found.signature_of_row)
        group[order], own[order] = found.group_of_row, found.signature_of_row
        fakes = [(one, value, int(order[row])) for one, value, row in found.counterfeits]
        return Grouped(group, own, found.signatures, fakes)

    def remember(self, rows: Rows, told: Grouped) -> None:
        self.known = told.signatures
        new = told.group_of_row >= 0
        digest = np.concatenate([rows.digest[new], self.digest])
        number = np.concatenate([told.signature_of_row[new], self.number])
        self.digest, first = np.unique(digest, return_index=True)
        self.number = number[first]

    @property
    def facts(self) -> dict[str, Any]:
        return {"counterfeits": self.counterfeits, "known": self.known}

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        return {"signature_digest": self.digest, "signature_number": self.number}

    def load(self, facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
        self.known = [tuple(one) for one in facts["known"]]
        self.digest, self.number = arrays["signature_digest"], arrays["signature_number"]


def _places(column: CodedColumn) -> np.ndarray:
    """Where every row is in a column, from 0 to its weight."""
    if column.position is not None:
        share = (column.position - column.lowest) / column.span if column.span > 0 else np.zeros(column.n_values)
    else:
        share = np.arange(column.n_values) / max(column.n_values - 1, 1)
    return np.asarray(column.weight * share)[column.codes]


def with_counterfeits(
    table: pa.Table, row: np.ndarray, told: Grouped, sensitive: Sequence[str], person: str, values: Sequence[str]
) -> pa.Table:
    """The rows that are published: the last ones are nobody's, with the quasi-identifiers of a row of their group."""
    import pyarrow as pa

    part = table.take(pa.array(row))
    n = len(told.counterfeits)
    if not n:
        return part
    texts = [values[value].split(BETWEEN) for _, value, _ in told.counterfeits]
    for place, name in enumerate(sensitive):
        column = part.column(name)
        kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
        own = pa.array([one[place] for one in texts], pa.string()).cast(kind)
        whole = pa.chunked_array([column.cast(kind).slice(0, len(row) - n).combine_chunks(), own])
        part = part.set_column(part.column_names.index(name), name, whole.cast(column.type))
    at = part.column_names.index(person)
    names = part.column(person).slice(0, len(row) - n).combine_chunks()
    return part.set_column(at, person, pa.chunked_array([names, pa.nulls(n, names.type)]))
