"""A single file, written whole or not at all, and never over another one unasked."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from amongst.errors import BadOption, BadOutput

if TYPE_CHECKING:
    import pyarrow as pa


def refuse_existing(path: Path, force: bool) -> None:
    """Raise before any work is done where the file could not be written in the end."""
    if not path.absolute().parent.is_dir():
        raise BadOutput("The file cannot be written there.", found=f"no folder {path.parent}", fix="make it first")
    if path.is_dir():
        raise BadOutput("The file cannot be written there.", found=f"{path} is a folder", fix="name a file")
    if os.path.lexists(path) and not force:
        raise BadOutput(
            "There is a file already.",
            found=f"{path} exists",
            fix="choose another name, or replace it with --force",
        )


def write_text(text: str, path: Path, *, inside: bool = False) -> None:
    """Write a text file; one that is not to be published is for its owner alone."""
    with _beside(path) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
        if inside:
            part.chmod(0o600)


def write_table(table: pa.Table, path: Path) -> None:
    """Write a table as the kind of file that its name ends in."""
    with _beside(path) as part:
        if path.suffix.lower() == ".csv":
            from pyarrow import csv

            csv.write_csv(table, part)
        else:
            import pyarrow.parquet as pq

            pq.write_table(table, part, compression="zstd")


def refuse_unknown_kind(path: Path) -> None:
    """Raise for a name that does not say how to write a table."""
    if path.suffix.lower() not in (".csv", ".parquet"):
        raise BadOption(
            "A table is written as CSV or Parquet.",
            found=f"a name that ends in {path.suffix or 'nothing'}",
            fix="end it in .csv or .parquet",
        )


@contextlib.contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A file beside ``path`` that takes its place when the block ends without an error."""
    from amongst.staging import staged_file

    try:
        with staged_file(path) as part:
            yield part
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        raise BadOutput(
            "The file could not be written.",
            found="the disk is full" if full else error.strerror or "an error of the system",
            fix="make room" if full else "choose another place",
        ) from None
