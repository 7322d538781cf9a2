"""Frames in: pandas, polars, pyarrow, through narwhals."""

from __future__ import annotations

from typing import Any

from amongst.errors import BadInput
from amongst.read.source import Source, refuse_unusable


def read_frame(data: Any) -> Source:
    """A data frame as a Source. The frame is not changed, and its index is not read."""
    import narwhals as nw
    import pyarrow as pa

    if isinstance(data, pa.Table):
        frame, table = "pyarrow", data
    else:
        try:
            eager = nw.from_native(data, eager_only=True)
        except TypeError:
            raise BadInput(
                "This is not a table that amongst can read.",
                found=f"an object of type {type(data).__name__}",
                fix="give a path, or a pandas, polars or pyarrow table",
            ) from None
        if not isinstance(eager, nw.DataFrame):
            raise BadInput(
                "A table is needed, not a single column.", found=f"a {type(data).__name__}", fix="give a data frame"
            )
        frame = {nw.Implementation.POLARS: "polars", nw.Implementation.PANDAS: "pandas"}.get(
            eager.implementation, "pyarrow"
        )
        table = _to_arrow(eager, frame)
    refuse_unusable(table, "the table")
    return Source(table.replace_schema_metadata(None), frame, "a data frame")


def _to_arrow(eager: Any, frame: str) -> Any:
    import pyarrow as pa

    native = eager.to_native()
    if frame == "pandas":
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
        return pa.table({name: _whole(column) for name, column in columns.items()})
    return pa.table({name: _whole(column) for name, column in _named(eager.to_arrow())})


def _named(table: Any) -> Any:
    return zip(table.column_names, table.columns, strict=True)


def _refuse_odd_names(names: list[Any]) -> None:
    odd = [name for name in names if not isinstance(name, str)]
    doubled = sorted({str(name) for name in names if names.count(name) > 1})
    if odd or doubled:
        found = [f"{len(odd)} names that are not text"] if odd else []
        found += ["more than once: " + ", ".join(doubled)] if doubled else []
        raise BadInput("The columns of the table need names of their own.", found=found, fix="name every column once")


def _whole(column: Any) -> Any:
    """Text views of polars and large types as the plain types that every later step knows."""
    import pyarrow as pa

    kind = column.type
    if pa.types.is_dictionary(kind):
        plain = _plain(kind.value_type)
        return column if plain == kind.value_type else column.cast(pa.dictionary(pa.int32(), plain))
    plain = _plain(kind)
    return column if plain == kind else column.cast(plain)


def _plain(kind: Any) -> Any:
    import pyarrow as pa

    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return pa.string()
    return kind
