"""l-diverse groups on a line where rows do not fit into memory: one scan, a few rows of every value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.encode.frequency import frequency_set
from amongst.engines.parts.code_file import CodeFile, CodeWriter
from amongst.engines.parts.conditions import conditions_by_counts
from amongst.engines.parts.curve_parts import Line, Stretches
from amongst.engines.parts.encode_rows import EncodedRows
from amongst.engines.parts.hilbert import ORDER, Tick, dealt_along
from amongst.engines.parts.parts import Parts
from amongst.engines.parts.summary import Grouped, Summary
from amongst.errors import BadOption
from amongst.kernels.diverse import diverse_stream
from amongst.kernels.one_dimensional import sort_keys
from amongst.models import Model, smallest_group
from amongst.partition.conditions import columns_of
from amongst.partition.line.diverse_runs import Diversity, joined, line_up
from amongst.partition.pricing import prices_of
from amongst.schema.schema import Schema

AT_A_TIME = 1 << 18
"""Rows of all values together that are read ahead."""


def diverse_runs_by_parts(
    rows: EncodedRows,
    schema: Schema,
    models: Sequence[Model],
    most_rows: int,
    folder: Path,
    *,
    line: Line,
    fast: bool = False,
    progress: Tick | None = None,
) -> Grouped:
    """The groups that ``partition.line.hilbert`` or ``idistance`` makes of the whole table with l-diversity.

    Paper
        Ghinita, Karras, Kalnis, Mamoulis, *Fast Data Anonymization with Low Information Loss*, VLDB 2007, section 5.2:
        one scan of the sorted rows, in buckets by their sensitive value, with O(m) memory for m values.
    Guarantees
        The same groups as in memory, but for which of rows equal in quasi-identifiers and sensitive value goes where.
    Cost
        Passes as in ``runs_by_parts``. Memory for one part with its keys, some next rows of every value, one number
        a row and the boxes of all groups.
    """
    place, asked, n_values = diversity_by_counts(rows.table, rows.counts, models)
    prices = prices_of(rows.table)
    stretches, parts = dealt_along(rows, line, most_rows, folder)
    at = stretches if fast else None
    laid = _Line.sort(rows, parts, line=line, place=place, n_values=n_values, asked=asked, at=at, folder=folder)
    group_at, lo, hi = diverse_stream(prices, laid.count, asked.l, laid.more_of, by_position=fast, tick=progress)
    if asked.k > asked.l:
        group_at, lo, hi = joined(group_at, lo, hi, prices, asked.k)
    return _deal(rows, parts, laid, group_at=group_at, lo=lo, hi=hi, schema=schema, folder=folder)


def diversity_by_counts(
    table: CodedTable, counts: Sequence[np.ndarray], models: Sequence[Model]
) -> tuple[int, Diversity, int]:
    """Which sensitive column, what is asked of it, and how many values it has; raises where it cannot be had.

    ``counts`` says how many rows have every code of every column, as in ``EncodedRows``.
    """
    names = list(table.sensitive)
    counts = counts[table.n_qi : table.n_qi + len(names)]
    conditions_by_counts(table, counts, models)  # raises where no grouping can reach it
    of_values = [model for model in models if model.counts != "rows"]
    columns = {name for model in of_values for name in columns_of(model, table)}
    shares = [model.largest_share for model in of_values if model.largest_share is not None]
    own = ceil(1 / min(shares) - 1e-9) if len(shares) == len(of_values) else 0
    if len(columns) != 1 or own < 2:
        raise BadOption(
            "By parts the curve is cut for l-diversity by frequency of one column only.",
            found=f"{len(columns)} sensitive columns, models: " + ", ".join(model.name for model in of_values),
            fix="allow more memory, or use mondrian",
        )
    place = names.index(columns.pop())
    if int(counts[place].max()) * own > int(counts[place].sum()):
        raise BadOption(
            "By parts l must be a whole number that the table allows.",
            found=f"a value has more than 1 in {own} rows",
            fix="allow more memory, or ask for a smaller l",
        )
    nothing = np.empty(0, dtype=np.uint32)
    return place, Diversity(own, smallest_group(models), nothing, len(counts[place])), len(counts[place])


@dataclass(eq=False)
class _Line:
    """The rows of the curve in buckets by their sensitive value, on disk part by part.

    Attributes
    ----------
    count : ndarray of int64
        How many rows have every value.
    buckets : list of CodeFile
        Of every part its rows by value, in the order of the line: place, codes, position.
    first : list of ndarray
        Of every part where the rows of each value begin; one more at the end.
    orders : list of CodeFile
        Of every part the row at every place of the line.
    n_alone : int
        Rows that no other equals in all quasi-identifiers.
    """

    count: np.ndarray
    n_qi: int
    buckets: list[CodeFile] = field(default_factory=list)
    first: list[np.ndarray] = field(default_factory=list)
    orders: list[CodeFile] = field(default_factory=list)
    n_alone: int = 0

    def __post_init__(self) -> None:
        self._part = np.zeros(len(self.count), dtype=np.int64)
        self._read = np.zeros(len(self.count), dtype=np.int64)
        self._at_a_time = max(16, AT_A_TIME // max(1, len(self.count)))

    @classmethod
    def sort(
        cls,
        rows: EncodedRows,
        parts: Parts,
        line: Line,
        place: int,
        n_values: int,
        asked: Diversity,
        at: Stretches | None,
        folder: Path,
    ) -> _Line:
        """Sort every part as the whole line is sorted in memory, and write it by value; ``at`` asks for positions."""
        n_qi = rows.table.n_qi
        laid = cls(np.zeros(n_values, dtype=np.int64), n_qi)
        record = np.dtype([("place", np.uint32), ("codes", np.uint32, (n_qi,)), ("position", np.int64)])
        begin = 0
        for number, file in enumerate(parts.files):
            if file.n_rows == 0:
                none = np.empty(0, dtype=np.uint32)
                laid._write(np.zeros(0, dtype=record), none, number, none, record, folder)
                continue
            columns = file.columns()
            value = columns[n_qi + place].astype(np.uint32)
            tuples = frequency_set(columns[:n_qi])
            laid.n_alone += int((tuples.count == 1).sum())
            keys = line.keys(tuples.codes)
            tuple_at = sort_keys(keys)
            own = Diversity(asked.l, asked.k, value, n_values)
            row_at, tuple_of_place = line_up(tuples, tuple_at, own)
            made = np.zeros(file.n_rows, dtype=record)
            made["place"] = begin + np.arange(file.n_rows)
            for c in range(n_qi):
                made["codes"][:, c] = columns[c][row_at]
            if at is not None:
                made["position"] = line.positions(keys[tuple_at[tuple_of_place], 0], at, asked.k)
            by_value = np.argsort(value[row_at], kind="stable")
            laid._write(made[by_value], value[row_at], number, row_at, record, folder)
            begin += file.n_rows
        laid.__post_init__()
        return laid

    def _write(
        self, made: np.ndarray, value: np.ndarray, number: int, row_at: np.ndarray, record: np.dtype[Any], folder: Path
    ) -> None:
        counts = np.bincount(value, minlength=len(self.count))
        self.count += counts
        self.first.append(np.concatenate([[0], np.cumsum(counts)]))
        bucket, order = CodeWriter(folder / f"values_{number}", record), CodeWriter(folder / f"order_{number}", ORDER)
        bucket.write(made)
        order.write(row_at)
        self.buckets.append(bucket.close())
        self.orders.append(order.close())

    def more_of(self, value: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Some next rows of a value."""
        while True:
            part = int(self._part[value])
            first, end = self.first[part][value : value + 2].tolist()
            if self._read[value] < end - first:
                break
            self._part[value] += 1
            self._read[value] = 0
        start = first + int(self._read[value])
        own = self.buckets[part].part(start, min(self._at_a_time, end - start))
        self._read[value] += len(own)
        return own["place"], own["codes"], own["position"]


def _deal(
    rows: EncodedRows,
    parts: Parts,
    laid: _Line,
    *,
    group_at: np.ndarray,
    lo: np.ndarray,
    hi: np.ndarray,
    schema: Schema,
    folder: Path,
) -> Grouped:
    """Back to the rows: a group may have rows in several parts."""
    n_qi = rows.table.n_qi
    summary = Summary(rows.table, schema, folder, None if rows.others is None else rows.others.n_keys)
    first = 0
    for file, ordered in zip(parts.files, laid.orders, strict=True):
        if file.n_rows == 0:
            summary.add_nothing()
            continue
        columns, order = file.columns(), ordered.read()
        key = None if rows.others is None else columns.pop()
        of_row = np.empty(file.n_rows, dtype=np.int32)
        of_row[order] = group_at[first : first + file.n_rows]
        known, own = np.unique(of_row, return_inverse=True)
        summary.add(columns[:n_qi], own.astype(np.int32), len(known), known, key)
        for used in (file, ordered):
            used.path.unlink()
        first += file.n_rows
    return summary.grouped(parts, lo, hi, {"uniques": laid.n_alone, "parts": len(parts.files)})
