"""An engine that somebody might add, made by what CONTRIBUTING says alone: a Parquet file that polars scans."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from amongst.engines import Engine
from amongst.engines.counted import CLASS, COUNT, FIRST, LAST
from amongst.engines.data_file import write_stream
from amongst.engines.store import Place, Say, Store, Written
from amongst.recode.plan import RecodingPlan
from amongst.request import Request

POLARS = Engine("polars_engine:open_polars")


class PolarsStore(Store):
    """A table in a Parquet file, counted and joined by polars."""

    engine = "polars"

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name

    def schema(self) -> pa.Schema:
        return pq.read_schema(self.path)

    def count(self, columns: Sequence[str], say: Say, exact: Sequence[str] = ()) -> pa.Table:
        counted = pl.scan_parquet(self.path).group_by(columns).agg(pl.len().cast(pl.Int64).alias(COUNT)).collect()
        return self._as_stored(counted, [*columns, COUNT])

    def state(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()

    def publish(self, plan: RecodingPlan, place: Place, say: Callable[..., None]) -> None:
        rows, kinds = pl.scan_parquet(self.path), pl.from_arrow(plan.tuples).lazy()
        if plan.divided:
            rows = rows.sort(plan.others, nulls_last=True).with_columns(
                pl.int_range(pl.len()).over(plan.quasi).alias(COUNT)
            )
        found = rows.join(kinds, on=plan.quasi, nulls_equal=True)
        if plan.divided:
            found = found.filter(pl.col(COUNT).is_between(pl.col(FIRST), pl.col(LAST)))
        found = found.sort([CLASS, *plan.others], nulls_last=True).collect()
        labels = plan.classes.take(found[CLASS].to_arrow())
        kept = self._as_stored(found, plan.others)
        made = {name: (kept if name in plan.others else labels).column(name) for name in plan.columns}
        write_stream([pa.table(made)], place.folder, place.format)

    def published(self, place: Place) -> tuple[Any, ...]:
        return (place.file(),)

    def written(self, place: Place) -> Written:
        path = place.file()
        return Written(files=(path,), sha256={path.name: hashlib.sha256(path.read_bytes()).hexdigest()})

    def _as_stored(self, frame: pl.DataFrame, columns: Sequence[str]) -> pa.Table:
        """Columns in the types of the file."""
        fields = {field.name: field for field in [*self.schema(), pa.field(COUNT, pa.int64())]}
        return frame.select(columns).to_arrow().cast(pa.schema([fields[name] for name in columns]))


def open_polars(data: Any, request: Request, say: Say) -> PolarsStore:
    return PolarsStore(Path(data))
