"""The codes of the rows, kept for the next run of the same job, if that is wanted."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from amongst.encode.coded import CodedTable
from amongst.engines.checkpoint import Checkpoint
from amongst.engines.parts.code_file import CodeFile, record_of
from amongst.engines.parts.distinct_values import Values
from amongst.engines.parts.encode_rows import EncodedRows
from amongst.engines.parts.other_columns import OtherColumns


def kept_or_encoded(
    checkpoint: Checkpoint | None,
    values: Values,
    table: CodedTable,
    others: OtherColumns | None,
    folder: Path,
    encode: Callable[[], EncodedRows],
) -> EncodedRows:
    """What an earlier run that was cut short has encoded, or what is encoded now.

    Codes depend on the values of every column and their order; what was kept under others is not used.
    """
    if checkpoint is None or not checkpoint.usable:
        return encode()
    name = _name(values, table, others)
    kept, facts = checkpoint.folder / f"codes-{name}", checkpoint.folder / f"counts-{name}.npz"
    if facts.is_file() and kept.is_file():
        with np.load(facts) as told:
            counts = [told[f"c{i}"] for i in range(len(told.files))]
        os.link(kept, folder / "codes")
        return EncodedRows(table, CodeFile(folder / "codes", _record(table, others), values.n_kept), counts, others)
    encoded = encode()
    with contextlib.suppress(OSError):  # a file system without links: nothing is kept
        kept.unlink(missing_ok=True)
        os.link(encoded.codes.path, kept)
        half = checkpoint.folder / "half.npz"
        counts_of_codes: dict[str, Any] = {f"c{i}": count for i, count in enumerate(encoded.counts)}
        np.savez(half, **counts_of_codes)
        os.replace(half, facts)
    return encoded


def _record(table: CodedTable, others: OtherColumns | None) -> np.dtype[Any]:
    columns = [column.codes for column in [*table.columns, *table.sensitive.values()]]
    return record_of([*columns, *([] if others is None else [np.empty(0, dtype=others.dtype)])])


def _name(values: Values, table: CodedTable, others: OtherColumns | None) -> str:
    import pyarrow as pa

    told = hashlib.sha256(repr((values.n_kept, _record(table, others), others and others.names)).encode())
    for column in [*table.columns, *table.sensitive.values()]:
        told.update(column.codes.tobytes())
    for name, own in values.columns.items():
        told.update(name.encode())
        stream = pa.BufferOutputStream()
        plain = pa.table({"value": own}).combine_chunks()
        with pa.ipc.new_stream(stream, plain.schema) as writer:
            writer.write_table(plain)
        told.update(stream.getvalue())
    return told.hexdigest()[:24]
