"""The release of a table that was grouped part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.encode.coded import CodedColumn
from amongst.engines.parts.buckets import sorted_rows
from amongst.engines.parts.encode_rows import EncodedRows
from amongst.engines.parts.room import room_on_disk
from amongst.engines.parts.rows import ParquetRows
from amongst.engines.parts.summary import Grouped
from amongst.recode.stream import stream_counted
from amongst.release.data_file import write_stream
from amongst.release.stored import StoredRelease

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False)
class PartsRelease(StoredRelease):
    """What is published of every group is decided; the rows are on disk.

    ``coded`` and ``partition`` have a coded row for every group, with its count.
    """

    rows: ParquetRows | Any = None
    encoded: EncodedRows | Any = None
    grouped: Grouped | Any = None
    folder: Path | Any = None
    bucket_rows: int = 1 << 20

    def counts_of_values(self, column: CodedColumn) -> np.ndarray:
        """How many rows have every value of a quasi-identifier."""
        place = [own.name for own in self.coded.columns].index(column.name)
        return np.asarray(self.encoded.counts[place][: column.n_values])

    def _write_rows(self, folder: Path, format: str, say: Callable[..., None]) -> Path:
        with room_on_disk():
            return write_stream(self._shown(self.tables(), say), folder, format)

    def tables(self) -> Iterator[pa.Table]:
        """The published table in order, piece by piece: from counts where the other columns allow it, else by sorting
        on disk."""
        if self.grouped.key_counts is not None:
            return self._from_counts()
        if not self.publication.others:
            return self._from_sizes()
        return self._sorted()

    def _from_counts(self) -> Iterator[pa.Table]:
        """Rows that are equal in all that is published were counted."""
        others, key_counts = self.encoded.others, self.grouped.key_counts
        assert others is not None
        assert key_counts is not None
        n_keys = others.n_keys
        counts = np.zeros((self.published.n_classes, n_keys), dtype=np.int64)
        np.add.at(counts, self.published.class_of_row, key_counts)
        pair = np.flatnonzero(counts.reshape(-1))
        count = counts.reshape(-1)[pair]
        columns = others.columns(pair % n_keys)
        classes = (pair // n_keys).astype(np.int32)
        return stream_counted(self.publication.classes, columns, self.publication.columns, classes, count)

    def _from_sizes(self) -> Iterator[pa.Table]:
        classes = np.arange(self.published.n_classes, dtype=np.int32)
        return stream_counted(self.publication.classes, {}, self.publication.columns, classes, self._size_of_class())

    def _size_of_class(self) -> np.ndarray:
        count = np.bincount(self.published.class_of_row, weights=self.coded.count, minlength=self.published.n_classes)
        return count.astype(np.int64)

    def _sorted(self) -> Iterator[pa.Table]:
        import pyarrow as pa

        suppressing = [name for name in self.schema.quasi if self.schema[name].nulls == "suppress"]
        class_of_row = (self.published.class_of_row[kind] for kind in self.grouped.kind_of_row())
        others = self.publication.others
        found = sorted_rows(
            self.rows, suppressing, others, class_of_row, self._size_of_class(), self.bucket_rows, self.folder
        )
        for class_at, laid in found:
            published = self.publication.classes.take(pa.array(class_at))
            names = self.publication.columns
            yield pa.table({name: _plain(laid[name]) if name in laid else published.column(name) for name in names})


def _plain(column: pa.Array) -> pa.Array:
    """Without a dictionary: those of several buckets have no order in common."""
    import pyarrow as pa

    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
