"""A file of some bytes for as long as it is needed, in memory where the system has such a folder."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_FOLDERS: list[tempfile.TemporaryDirectory[str]] = []


@contextmanager
def scratch_file(name: str, content: bytes) -> Iterator[Path]:
    path = scratch_folder() / name
    path.write_bytes(content)
    try:
        yield path
    finally:
        path.unlink()


def scratch_folder() -> Path:
    if not _FOLDERS:
        in_memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        _FOLDERS.append(tempfile.TemporaryDirectory(prefix="amongst-fuzz-", dir=in_memory))
    return Path(_FOLDERS[0].name)
