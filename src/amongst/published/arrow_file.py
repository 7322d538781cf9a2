"""Arrow IPC files and streams, also called Feather."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from amongst.published.source import Source, readable, refuse_duplicates, sound
from amongst.published.under_nulls import hides_values

_MAGIC = b"ARROW1"
_AT_ONCE = 1 << 20


def open_arrow(path: Path) -> Source:
    """Open an Arrow file; only its schema is read now."""
    with readable(path.name, "Arrow"), path.open("rb") as file:
        whole = _is_whole(file)
        schema = (pa.ipc.open_file(file) if whole else pa.ipc.open_stream(file)).schema
        refuse_duplicates(path.name, schema.names)

    def batches(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
        with readable(path.name, "Arrow"), path.open("rb") as file:
            if not whole:
                yield from (sound(batch.select(list(names))) for batch in pa.ipc.open_stream(file))
                return
            reader = pa.ipc.open_file(file)
            for i in range(reader.num_record_batches):
                yield sound(reader.get_batch(i).select(list(names)))

    return Source(path.name, schema, batches, path, (path,), arrow=True)


def hiding_columns(path: Path, names: Sequence[str]) -> list[str]:
    """The columns with values under nulls, or elsewhere in the file where no cell shows them."""
    found: list[str] = []
    with readable(path.name, "Arrow"):
        for batch in open_arrow(path).batches(names):
            found += [name for name in names if name not in found and hides_values(batch.column(name))]
    return found


def attached_keys(path: Path) -> list[str]:
    """The keys of what is attached to the file as a whole, or to single batches of rows."""
    with readable(path.name, "Arrow"), path.open("rb") as file:
        found: set[bytes] = set()
        if not _is_whole(file):
            reader = pa.ipc.open_stream(file)
            with suppress(StopIteration):
                while True:
                    found.update(reader.read_next_batch_with_custom_metadata().custom_metadata or {})
        else:
            reader = pa.ipc.open_file(file)
            found.update(getattr(reader, "metadata", None) or {})
            for i in range(reader.num_record_batches):
                found.update(reader.get_batch_with_custom_metadata(i).custom_metadata or {})
    return sorted(key.decode("utf-8", "replace") for key in found)


def n_unread_bytes(path: Path) -> int:
    """How many bytes of the file, zeros aside, are in no message that a reader of the table reads."""
    with readable(path.name, "Arrow"), path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        whole = _is_whole(file)
        end, n_batches = size, -1
        if whole:
            n_batches = pa.ipc.open_file(file).num_record_batches
            file.seek(size - 10)
            end = size - 10 - int.from_bytes(file.read(4), "little")
        file.seek(8 if whole else 0)
        kinds = []
        with suppress(StopIteration):
            reader = pa.ipc.MessageReader.open_stream(file)
            while True:
                message = reader.read_next_message()
                kinds.append((message.type, message.body.size if message.body is not None else 0))
        unread = 0
        while file.tell() < end and (some := file.read(min(_AT_ONCE, end - file.tell()))):
            unread += len(some) - some.count(0)
    batches = [n for kind, n in kinds if kind == "record batch"]
    return unread + (sum(batches) if whole and len(batches) != n_batches else 0)


def _is_whole(file: BinaryIO) -> bool:
    """Whether it is a file with a footer, not a stream; then the file is at its start again."""
    whole = file.read(len(_MAGIC)) == _MAGIC
    file.seek(0)
    return whole
