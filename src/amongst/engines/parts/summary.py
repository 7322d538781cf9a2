"""Groups and what must be known of their rows, gathered part by part: a coded table that counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from amongst import kernels
from amongst.encode.coded import CodedColumn, CodedTable
from amongst.engines.parts.code_file import BLOCK, CodeFile, CodeWriter
from amongst.engines.parts.parts import GROUP, Parts
from amongst.partition.partition import Partition
from amongst.recode.members import stretches
from amongst.schema.schema import Schema


@dataclass(frozen=True, eq=False)
class Grouped:
    """The groups of a table whose rows are on disk.

    Attributes
    ----------
    table : CodedTable
        One coded row for every group, with the number of its rows in ``count``; where a column is published as a set,
        has a statistic or a null that matches anything, one for every combination of its codes in the group.
    partition : Partition
        The groups of these coded rows.
    parts : Parts
    kinds : list of CodeFile
        Of every row of a part the number of its coded row in ``table``; none where rows were counted by keys.
    key_counts : ndarray of uint32, shape (coded rows, keys), or None
        How many rows of every coded row have every key of the other columns, where these have few.
    """

    table: CodedTable
    partition: Partition
    parts: Parts
    kinds: list[CodeFile]
    key_counts: np.ndarray | None = None

    def kind_of_row(self) -> Iterator[np.ndarray]:
        """The coded row in ``table`` of every row of the input that is kept, in its order, block by block."""
        return self.parts.in_order(self.kinds)

    def group_of_row(self) -> np.ndarray:
        """The group of every row that is kept, all at once: for tables that are small, and for tests."""
        blocks = [self.partition.group_of_row[kind] for kind in self.kind_of_row()]
        return np.concatenate([np.empty(0, dtype=np.int32), *blocks])


class Summary:
    """Takes in the groups of one part after the other."""

    def __init__(self, table: CodedTable, schema: Schema, folder: Path, n_keys: int | None = None) -> None:
        self.table, self.folder, self.n_keys = table, folder, n_keys
        self.told = [c for c, column in enumerate(table.columns) if _needs_rows(column, schema)]
        self.n_kinds = 0
        self.group_of_kind: list[np.ndarray] = []
        self.count_of_kind: list[np.ndarray] = []
        self.codes_of_kind: list[list[np.ndarray]] = []
        self.columns_of_kind: list[np.ndarray] = []
        self.key_counts: list[np.ndarray] = []
        self.kinds: list[CodeFile] = []

    def add(
        self,
        columns: list[np.ndarray],
        group: np.ndarray,
        n_groups: int,
        first_group: int | np.ndarray,
        key: np.ndarray | None,
    ) -> None:
        """The rows of a part and their groups, numbered from 0 in the part and from ``first_group`` on in all.

        Where the groups of a part do not follow each other, ``first_group`` has the number of each.

        ``key`` has the other columns of every row as one number, where rows are counted by it.
        """
        if not self.told:
            kind, n_kinds = group, n_groups
            count = np.bincount(group, minlength=n_groups)
            self._append(_numbered(np.arange(n_groups, dtype=np.int32), first_group), count, [])
        else:
            kind, n_kinds = np.empty(len(group), dtype=np.uint32), 0
            for rows in stretches(group, n_groups):
                own, of_row = [columns[c][rows] for c in self.told], group[rows]
                found, first, count = kernels.distinct([of_row.astype(np.uint32), *own])
                kind[rows] = found + np.uint32(n_kinds)
                n_kinds += len(first)
                self._append(_numbered(of_row[first], first_group), count, [column[first] for column in own])
        if key is None or self.n_keys is None:
            self._write(kind, n_kinds)
        else:
            self.key_counts.append(kernels.count_pairs(kind.astype(np.int32), key, n_kinds, self.n_keys))
            self.n_kinds += n_kinds

    def add_whole(self, blocks: Iterator[np.ndarray], group: int) -> None:
        """A part that is one group, whatever its size."""
        writer, start = self._writer(), self.n_kinds
        for block in blocks:
            own = [np.ascontiguousarray(block[f"c{c}"]) for c in self.told]
            none = np.zeros(len(block), dtype=np.uint32)
            kind, first, count = kernels.distinct([none, *own])
            self._append(np.full(len(first), group, dtype=np.int32), count, [column[first] for column in own])
            if self.n_keys is None:
                writer.write(kind.astype(GROUP) + np.int32(start))
            else:
                key = np.ascontiguousarray(block[(block.dtype.names or ())[-1]])
                self.key_counts.append(kernels.count_pairs(kind.astype(np.int32), key, len(first), self.n_keys))
            start += len(first)
        self.n_kinds = start
        self.kinds.append(writer.close())

    def add_nothing(self) -> None:
        """A part without rows."""
        self.kinds.append(self._writer().close())

    def _append(self, groups: np.ndarray, count: np.ndarray, codes: list[np.ndarray]) -> None:
        self.group_of_kind.append(groups)
        self.count_of_kind.append(count.astype(np.uint32))
        self.codes_of_kind.append(codes)

    def _writer(self) -> CodeWriter:
        return CodeWriter(self.folder / f"kinds_{len(self.kinds)}", GROUP)

    def _write(self, kind: np.ndarray, n_kinds: int) -> None:
        writer = self._writer()
        for start in range(0, len(kind), BLOCK):
            writer.write(kind[start : start + BLOCK].astype(GROUP) + np.int32(self.n_kinds))
        self.kinds.append(writer.close())
        self.n_kinds += n_kinds

    def grouped(self, parts: Parts, lo: np.ndarray, hi: np.ndarray, facts: dict[str, Any]) -> Grouped:
        """All parts together, which leaves nothing of each of them here."""
        group, count = _together(self.group_of_kind), _together(self.count_of_kind)
        self.columns_of_kind = [_together([piece.pop(0) for piece in self.codes_of_kind]) for _ in self.told]
        columns = [self._column(c, column, group, lo, hi) for c, column in enumerate(self.table.columns)]
        table = replace(self.table, columns=columns, sensitive={}, count=count)
        key_counts = np.concatenate(self.key_counts) if self.key_counts else None
        return Grouped(table, Partition(group, lo, hi, facts=facts, count=count), parts, self.kinds, key_counts)

    def _column(self, c: int, column: CodedColumn, group: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> CodedColumn:
        if c in self.told:
            codes = self.columns_of_kind[self.told.index(c)]
        else:
            codes = lo[:, c].astype(column.codes.dtype)[group]  # any code of the group: its box tells all
        return replace(column, codes=codes)


def _together(pieces: list[np.ndarray]) -> np.ndarray:
    whole = np.concatenate(pieces)
    pieces.clear()
    return whole


def _numbered(groups: np.ndarray, first_group: int | np.ndarray) -> np.ndarray:
    return first_group[groups] if isinstance(first_group, np.ndarray) else groups + np.int32(first_group)


def _needs_rows(column: CodedColumn, schema: Schema) -> bool:
    """Whether what a group publishes in a column is more than its box tells."""
    rule = schema[column.name]
    return rule.publish == "set" or bool(rule.statistic) or column.wildcard >= 0
