"""The distinct published rows of a table with their counts, gathered batch by batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from amongst.errors import BadInput
from amongst.published.layout import Leaf
from amongst.published.runs import NULL, Comparable, collapse, comparable
from amongst.published.source import Source

MOST_KEYS = 1 << 62
_WORTH_SORTING = 0.25


@dataclass(frozen=True, eq=False)
class Distinct:
    """One leaf over all distinct rows.

    Attributes
    ----------
    codes : ndarray of int64, one a distinct row
        Equal codes mean equal cells.
    values : pyarrow.Array
        The value of every code; null where the code stands for a missing cell.
    null_like : ndarray of bool, one a code
        Missing, or not a number: what the rule for nulls speaks of.
    n_unused : int
        How many values of the stored dictionary no row has.
    """

    codes: np.ndarray
    values: pa.Array
    null_like: np.ndarray
    n_unused: int = 0

    @property
    def n_codes(self) -> int:
        return len(self.values)


@dataclass(frozen=True, eq=False)
class Tally:
    """Distinct rows: one ``Distinct`` a leaf, and how many rows are equal to each."""

    columns: dict[Leaf, Distinct]
    size: np.ndarray

    @property
    def n_rows(self) -> int:
        return int(self.size.sum())


def tally(source: Source, leaves: Sequence[Leaf]) -> Tally:
    """Count the distinct rows of these leaves. Without leaves all rows are equal."""
    names = list(dict.fromkeys(leaf.column for leaf in leaves)) or source.names[:1]
    pieces: dict[Leaf, list[Comparable]] = {leaf: [] for leaf in leaves}
    sizes: list[np.ndarray] = []
    for batch, times in _batches(source, names):
        if batch.num_rows == 0:
            continue
        columns = [comparable(batch, leaf) for leaf in leaves]
        # What was counted in the database is few already.
        heads, size = _few(columns, batch.num_rows) if times is None else (np.arange(batch.num_rows), times)
        for leaf, column in zip(leaves, columns, strict=True):
            pieces[leaf].append(column.take(heads))
        sizes.append(size)
    size = np.concatenate(sizes) if sizes else np.zeros(0, dtype=np.int64)
    joined = {leaf: _join(pieces[leaf], leaf) for leaf in leaves}
    first, size = group([column.codes for column in joined.values()], size)
    return Tally({leaf: _at(column, first) for leaf, column in joined.items()}, size)


def _batches(source: Source, names: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, np.ndarray | None]]:
    """Rows as they are stored; or distinct rows and how often they occur, where the source can count."""
    if source.counted is not None:
        yield from source.counted(names)
    else:
        yield from ((batch, None) for batch in source.batches(names))


def group(codes: Sequence[np.ndarray], size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows with equal codes become one: the position of one of them, and the sum of their sizes."""
    key = one_key(codes, len(size))
    _, first, row = np.unique(key, return_index=True, return_inverse=True)
    return first, _sums(row.reshape(-1), size, len(first))


def one_key(codes: Sequence[np.ndarray], n_rows: int) -> np.ndarray:
    """Several codes as one number a row: equal numbers exactly where all codes are equal."""
    key, n_keys = np.zeros(n_rows, dtype=np.int64), 1
    for code in codes:
        n_codes = int(code.max(initial=0)) + 1
        if n_keys * n_codes >= MOST_KEYS:
            distinct, key = np.unique(key, return_inverse=True)
            key, n_keys = key.reshape(-1), len(distinct)
        key = key * n_codes + code
        n_keys *= n_codes
    return key


def distinct_keys(key: np.ndarray) -> np.ndarray:
    """The numbers that occur, ascending: by sorting, which is many times faster than numpy's own hashing."""
    in_order = np.sort(key)
    return in_order[np.diff(in_order, prepend=-1) != 0]


def _sums(row: np.ndarray, size: np.ndarray, n_groups: int) -> np.ndarray:
    # bincount adds floats, which is exact below 2**53 rows.
    return np.bincount(row, weights=size, minlength=n_groups).astype(np.int64)


def _few(columns: list[Comparable], n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Some rows of a batch that stand for all of it, and how many each stands for."""
    heads, size = collapse(columns, n_rows)
    if len(heads) <= 1000 or len(heads) < n_rows * _WORTH_SORTING:
        return heads, size
    # Not sorted: group the batch now, so that memory holds its distinct rows and not all of them.
    codes = [code for column in columns for code in _batch_codes(column.take(heads))]
    first, size = group(codes, size)
    return heads[first], size


def _batch_codes(column: Comparable) -> list[np.ndarray]:
    missing = [] if column.missing is None else [column.missing.astype(np.int64)]
    if column.dictionary is not None:
        return [column.values.astype(np.int64) - NULL]
    return [np.unique(column.values, return_inverse=True)[1].reshape(-1), *missing]


def _join(pieces: list[Comparable], leaf: Leaf) -> Distinct:
    if not pieces:
        return Distinct(np.zeros(0, dtype=np.int64), pa.nulls(0, pa.string()), np.zeros(0, dtype=bool))
    return _join_bits(pieces, leaf) if pieces[0].dictionary is None else _join_texts(pieces, leaf)


def _join_texts(pieces: list[Comparable], leaf: Leaf) -> Distinct:
    """One code for every text, whatever place it has in the dictionaries of the batches."""
    dictionaries: list[pa.Array] = []
    shifted, offset, n_texts = [], 0, 0
    for piece in pieces:
        assert piece.dictionary is not None
        if not dictionaries or not dictionaries[-1].equals(piece.dictionary):
            dictionaries.append(piece.dictionary)
            offset, n_texts = n_texts, n_texts + len(piece.dictionary)
        shifted.append(np.where(piece.values == NULL, NULL, piece.values.astype(np.int64) + offset))
    texts = pa.chunked_array(dictionaries).combine_chunks().dictionary_encode()
    place_of_text = texts.indices.fill_null(NULL).to_numpy(zero_copy_only=False).astype(np.int64)
    place_of_text = np.append(place_of_text, NULL)  # so that index -1, a missing cell, finds NULL
    place = place_of_text[np.concatenate(shifted)]
    used, codes = np.unique(place, return_inverse=True)
    missing = used == NULL
    values = _readable(texts.dictionary.take(pa.array(used, mask=missing)), leaf)
    n_unused = len(texts.dictionary) - int((~missing).sum())
    return Distinct(codes.reshape(-1), values, missing, n_unused)


def _join_bits(pieces: list[Comparable], leaf: Leaf) -> Distinct:
    bits = np.concatenate([piece.values for piece in pieces])
    missing = np.concatenate([np.zeros(len(p.values), dtype=bool) if p.missing is None else p.missing for p in pieces])
    distinct, codes = np.unique(bits, return_inverse=True)
    codes = np.where(missing, len(distinct), codes.reshape(-1))
    used, codes = np.unique(codes, return_inverse=True)
    gone = used == len(distinct)
    values = _from_bits(np.append(distinct, 0)[used].astype(bits.dtype), gone, pieces[0].type)
    if pa.types.is_temporal(values.type):
        _refuse_unsayable(values, leaf)
    null_like = gone
    if pa.types.is_floating(values.type):
        null_like = gone | np.isnan(values.to_numpy(zero_copy_only=False))
    return Distinct(codes.reshape(-1), values, null_like)


def _from_bits(bits: np.ndarray, gone: np.ndarray, of: pa.DataType) -> pa.Array:
    whole = pa.array(bits, mask=gone)
    return whole.cast(pa.bool_()) if pa.types.is_boolean(of) else whole.view(of)


def _refuse_unsayable(times: pa.Array, leaf: Leaf) -> None:
    """Raise for times that cannot be written down: of a time zone that nobody knows."""
    try:
        times.cast(pa.string())
    except pa.ArrowException:
        raise BadInput(
            f"Column '{leaf.column}' has times that cannot be written down.",
            found=f"Arrow type {times.type}",
            fix="publish times without a zone, or with one of the time zone database",
        ) from None


def _readable(texts: pa.Array, leaf: Leaf) -> pa.Array:
    try:
        texts.validate(full=True)
    except pa.ArrowInvalid:
        raise BadInput(
            f"Column '{leaf.column}' has text that is not UTF-8.",
            found="bytes that are no text",
            fix="save it as UTF-8",
        ) from None
    return texts


def _at(column: Distinct, rows: np.ndarray) -> Distinct:
    return Distinct(column.codes[rows], column.values, column.null_like, column.n_unused)
