"""The rows of a Parquet file, block by block: as they would be in memory, and never all at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadInput
from amongst.read.file import refuse_missing
from amongst.read.plain import plain

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 1 << 16
"""Rows at a time."""
BUFFER = 1 << 18
"""Bytes of a column that are read ahead: whole column chunks would be as large as a row group."""


@dataclass(frozen=True)
class ParquetRows:
    """A file whose rows come in the same order in every pass.

    Attributes
    ----------
    path : Path
    schema : pyarrow.Schema
        The columns as they would be in memory: text dictionary-encoded.
    n_rows : int
    state : str
        Changes when the file does.
    """

    path: Path
    schema: pa.Schema
    n_rows: int
    state: str

    def blocks(self, names: Sequence[str], n_rows: int = BLOCK) -> Iterator[pa.Table]:
        """The rows of some columns, block by block."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        text = [name for name in names if _is_text(self.schema.field(name).type)]
        try:
            with pq.ParquetFile(
                self.path, read_dictionary=text, memory_map=False, buffer_size=BUFFER, pre_buffer=False
            ) as file:
                for batch in file.iter_batches(n_rows, columns=list(names), use_threads=False):
                    yield plain(pa.Table.from_batches([batch])).select(list(names))
        except (pa.ArrowException, OSError):
            raise _damaged(self.path) from None
        self.refuse_change()

    def refuse_change(self) -> None:
        """Raise where the file is another than when it was opened."""
        if state_of(self.path) != self.state:
            raise BadInput(
                f"{self.path.name} changed while it was read.",
                found="another size or time of change than at the start",
                fix="run again when nobody writes to it",
            )


def open_parquet(path: Path) -> ParquetRows:
    """Open a Parquet file; only its footer is read now."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    refuse_missing(path)
    state = state_of(path)
    try:
        stored = pq.read_schema(path)
        text = [field.name for field in stored if _is_text(field.type)]
        doubled = len(set(stored.names)) < len(stored.names)
        with pq.ParquetFile(path, read_dictionary=None if doubled else text, memory_map=False) as file:
            schema, n_rows = file.schema_arrow, file.metadata.num_rows
        return ParquetRows(path, plain(schema.empty_table()).schema, n_rows, state)
    except (pa.ArrowException, OSError):
        raise _damaged(path) from None


def state_of(path: Path) -> str:
    """A text that changes when the file changes."""
    facts = path.stat()
    return f"{facts.st_ino} {facts.st_size} {facts.st_mtime_ns}"


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        return _is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _damaged(path: Path) -> BadInput:
    return BadInput(
        f"{path.name} cannot be read as Parquet.", found="the file is damaged or of another kind", fix="write it anew"
    )
