"""Frames in: pandas, polars, pyarrow, through narwhals."""

from __future__ import annotations

from typing import Any

from amongst.errors import BadInput
from amongst.read.plain import plain
from amongst.read.source import Source, refuse_unusable


def read_frame(data: Any, *, may_be_empty: bool = False) -> Source:
    """A data frame as a Source. The frame is not changed, and its index is not read."""
    import pyarrow as pa

    if hasattr(data, "fetch_arrow_table"):  # a cursor of ADBC
        data = data.fetch_arrow_table()
    if isinstance(data, pa.RecordBatch):
        data = pa.Table.from_batches([data])
    frame, table = ("pyarrow", data) if isinstance(data, pa.Table) else _through_narwhals(data)
    if table.num_rows or not table.num_columns or not may_be_empty:
        refuse_unusable(table, "the table")
    return Source(plain(table, short=frame != "pyarrow"), frame, "a data frame")


def _through_narwhals(data: Any) -> tuple[str, Any]:
    import narwhals as nw

    try:
        eager = nw.from_native(data, eager_only=True)
    except TypeError:
        raise BadInput(
            "This is not a table that amongst can read.",
            found=f"an object of type {type(data).__name__}",
            fix="collect() it first"
            if hasattr(data, "collect")
            else "give a path, or a pandas, polars or pyarrow table",
        ) from None
    except nw.exceptions.DuplicateError:
        _refuse_odd_names(list(data.columns))
        raise
    kinds = {nw.Implementation.POLARS: "polars", nw.Implementation.PANDAS: "pandas"}
    frame = kinds.get(eager.implementation, "pyarrow")
    return frame, _from_pandas(eager.to_native()) if frame == "pandas" else eager.to_arrow()


def _from_pandas(native: Any) -> Any:
    import pyarrow as pa

    _refuse_odd_names(list(native.columns))
    columns, mixed = {}, []
    for position, name in enumerate(native.columns):
        try:
            columns[name] = pa.Array.from_pandas(native.iloc[:, position])
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
            mixed.append(name)
    if mixed:
        raise BadInput(
            "Some columns hold values of several types, or numbers that are too large.",
            found="columns: " + ", ".join(mixed),
            fix="give every column one type, for example with astype(str)",
        )
    return pa.table(columns)


def _names_to_mend(odd: list[Any]) -> str:
    return "name them with texts, such as df.columns = df.columns.astype(str)" if odd else "name every column once"


def _refuse_odd_names(names: list[Any]) -> None:
    odd = [name for name in names if not isinstance(name, str)]
    doubled = sorted({str(name) for name in names if names.count(name) > 1})
    if odd or doubled:
        found = [f"{len(odd)} names that are not text"] if odd else []
        found += ["more than once: " + ", ".join(doubled)] if doubled else []
        raise BadInput("The columns of the table need names of their own.", found=found, fix=_names_to_mend(odd))
