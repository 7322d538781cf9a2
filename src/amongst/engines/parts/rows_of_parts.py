"""The rows of a table that was grouped part by part, on their way to what they publish."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from amongst.engines.parts.buckets import sorted_rows
from amongst.engines.parts.encode_rows import EncodedRows
from amongst.engines.parts.plan import Plan
from amongst.engines.parts.rows import ParquetRows
from amongst.engines.parts.summary import Grouped
from amongst.recode.plan import RecodingPlan
from amongst.recode.stream import stream_counted

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, eq=False, kw_only=True)
class RowsOfParts:
    """Rows whose codes are on disk, and once they are grouped the part and the kind of each.

    Attributes
    ----------
    rows : ParquetRows
    encoded : EncodedRows
    planned : Plan
    folder : Path
    grouped : Grouped
    suppressing : sequence of str
        Columns whose nulls leave a row out.
    """

    rows: ParquetRows
    encoded: EncodedRows
    planned: Plan
    folder: Path
    grouped: Grouped | Any = None
    suppressing: Sequence[str] = ()

    def tables(self, plan: RecodingPlan) -> Iterator[pa.Table]:
        """The published table in order, piece by piece: from counts where the other columns allow it, else by sorting
        on disk."""
        if self.grouped.key_counts is not None:
            return self._from_counts(plan)
        if not plan.others:
            return self._from_sizes(plan)
        return self._sorted(plan)

    def _from_counts(self, plan: RecodingPlan) -> Iterator[pa.Table]:
        """Rows that are equal in all that is published were counted."""
        others, key_counts = self.encoded.others, self.grouped.key_counts
        assert others is not None
        assert key_counts is not None
        n_keys = others.n_keys
        counts = np.zeros((plan.n_classes, n_keys), dtype=np.int64)
        np.add.at(counts, plan.class_of_row, key_counts)
        pair = np.flatnonzero(counts.reshape(-1))
        count = counts.reshape(-1)[pair]
        columns = others.columns(pair % n_keys)
        classes = (pair // n_keys).astype(np.int32)
        return stream_counted(plan.classes, columns, plan.columns, classes, count)

    def _from_sizes(self, plan: RecodingPlan) -> Iterator[pa.Table]:
        classes = np.arange(plan.n_classes, dtype=np.int32)
        return stream_counted(plan.classes, {}, plan.columns, classes, plan.size_of_class)

    def _sorted(self, plan: RecodingPlan) -> Iterator[pa.Table]:
        import pyarrow as pa

        class_of_row = (plan.class_of_row[kind] for kind in self.grouped.kind_of_row())
        others = plan.others
        found = sorted_rows(
            self.rows,
            self.suppressing,
            names=others,
            class_of_row=class_of_row,
            size_of_class=plan.size_of_class,
            most_rows=self.planned.bucket_rows,
            folder=self.folder,
        )
        for class_at, laid in found:
            published = plan.classes.take(pa.array(class_at))
            names = plan.columns
            yield pa.table({name: _plain(laid[name]) if name in laid else published.column(name) for name in names})


def _plain(column: pa.Array) -> pa.Array:
    """Without a dictionary: those of several buckets have no order in common."""
    import pyarrow as pa

    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
