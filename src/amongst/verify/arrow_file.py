"""Arrow IPC files and streams, also called Feather."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from amongst.verify.source import Source, readable, refuse_duplicates

_MAGIC = b"ARROW1"


def open_arrow(path: Path) -> Source:
    """Open an Arrow file; only its schema is read now."""
    with readable(path.name, "Arrow"), path.open("rb") as file:
        whole = file.read(len(_MAGIC)) == _MAGIC
        file.seek(0)
        schema = (pa.ipc.open_file(file) if whole else pa.ipc.open_stream(file)).schema
        refuse_duplicates(path.name, schema.names)

    def batches(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with readable(path.name, "Arrow"), path.open("rb") as file:
            if not whole:
                yield from (_sound(batch.select(list(names))) for batch in pa.ipc.open_stream(file))
                return
            reader = pa.ipc.open_file(file)
            for i in range(reader.num_record_batches):
                yield _sound(reader.get_batch(i).select(list(names)))

    return Source(path.name, schema, batches, path)


def _sound(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch, once it is known not to point beyond its own bytes, as one of a damaged file may."""
    batch.validate(full=True)
    return batch
